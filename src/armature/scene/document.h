// One text of a scene: a file, an included file, or the text of an override, with its tokens and its tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "armature/base/diagnostic.h"
#include "armature/scene/lexer.h"
#include "armature/scene/syntax.h"

namespace armature {

struct Document {
    std::string name;  ///< as messages show it
    std::string path;  ///< canonical, of a file; empty for a text from memory
    std::string text;
    std::vector<lang::Token> tokens;  ///< joined they are `text`
    lang::Tree tree;
    std::vector<std::uint32_t> line_starts;
    std::vector<std::uint32_t> character_counts;  ///< characters before every 256th byte: columns of endless lines
    bool well_formed = true;                      ///< no error of syntax

    std::string_view slice(Span span) const { return span.of(text); }
    const lang::Node& node(std::uint32_t index) const { return tree.nodes[index]; }
    /// Line and column count characters, not bytes. What runs over several lines is underlined on the first only.
    SourcePlace place(Span span) const;
    /// A line by its number from 1, without its line break.
    std::string_view line(int number) const;
};

/// Fills line_starts and character_counts from the text.
void index_lines(Document& document);

}  // namespace armature

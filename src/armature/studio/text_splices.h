// Pieces of a text taken out and put in, by the lossless tree: what is not named stays as it is, character by character.
#pragma once

#include <string>
#include <vector>

#include "armature/scene/document.h"

namespace armature::studio {

struct Splice {
    Span span;
    std::string replacement;
};

/// All of them at once; their spans are of the text as it was, and do not overlap.
std::string spliced(std::string text, std::vector<Splice> splices);

bool is_blank(char c);

/// Where the line of `at` ends, when only blanks and a comment stand between; `at` itself otherwise.
std::uint32_t end_of_line(const Document& d, std::uint32_t at);

/// The lines of a node with the comments behind it, when nothing else stands on them; otherwise its characters.
Span lines_of(const Document& d, const lang::Node& node);

/// The blanks in front of a place, when something stands before them on its line; otherwise none.
std::string indent_of(const Document& d, std::uint32_t at);

/// The first value of a statement or header, as written.
std::string_view first_word(const Document& d, const lang::Node& n);

}  // namespace armature::studio

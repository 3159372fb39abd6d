// The part of a path behind the name of a block: `angle.max`, `at.y`, `sphere#2.radius`, `hinge.P1.x`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armature/scene/document.h"

namespace armature::lang {

struct ValuePath {
    std::string keyword;
    unsigned occurrence = 1;         ///< among the statements of that keyword in the block
    std::vector<std::string> parts;  ///< option, argument, component
};

/// Nothing when the text is no such path.
std::optional<ValuePath> parse_value_path(std::string_view text);

/// Every way to cut `wheel.angle.max` into the name of a block and the rest, the longest name first.
std::vector<std::pair<std::string, std::string>> split_path(std::string_view path);

/// A path as it is stored: without blanks.
std::string normal_path(std::string_view path);

/// The characters of a part of a statement. Nothing when it is not written there.
std::optional<Span> locate(const Document& document, const Node& statement, const std::vector<std::string>& parts);

/// What to replace by what to give a part of a statement another text; an option that is not written yet is added.
/// Nothing when the keyword has no such part.
struct TextEdit {
    Span span;
    std::string replacement;
};
std::optional<TextEdit> plan_change(const Document& document, const Node& statement,
                                    const std::vector<std::string>& parts, std::string_view text);

/// The statement that would say it, where none does: "mass 3;".
std::optional<std::string> new_statement(const KeywordSpec& keyword, const std::vector<std::string>& parts,
                                         std::string_view text);

/// The child of a block that a path means, or no_node.
std::uint32_t find_statement(const Document& document, const Node& block, const ValuePath& path);

std::string replaced(std::string_view text, Span span, std::string_view replacement);

}  // namespace armature::lang

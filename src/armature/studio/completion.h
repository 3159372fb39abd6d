// What may stand at a place of a scene's text: keywords of the block, options of the keyword, words of a choice, names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "armature/scene/scene.h"

namespace armature::studio {

struct Completion {
    std::string label;
    std::string kind;  ///< "block", "keyword", "option", "choice", "name", "parameter"
    std::string detail;
    std::string insert;
};

/// The byte at a line and a column (both from 1, columns in UTF-16 units), or the nearest there is.
std::size_t offset_at(std::string_view text, int line, int column);

/// Works on tokens, not on the tree: what is being typed is rarely well formed.
std::vector<Completion> completions(const Scene& scene, std::size_t offset);

}  // namespace armature::studio

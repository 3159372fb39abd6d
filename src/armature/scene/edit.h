// Changes one value in the text of a scene and leaves every other character as it is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armature/math/pose.h"
#include "armature/scene/scene.h"

namespace armature {

struct Edit {
    std::size_t document = 0;  ///< index into Scene::documents
    std::string file;          ///< its name
    Span span;                 ///< in the text before the edit
    std::string replacement;
    std::vector<std::string> also_affects;  ///< other paths that come from the same characters
};

/// What to change so that the value of `path` reads `new_text` (an expression, or as many as the value has arguments).
/// A keyword that the block does not have yet is added as a new line before its end. Nothing, and the reason in
/// `diagnostics`, when there is no such value or the text cannot stand there.
std::optional<Edit> plan_edit(const Scene& scene, std::string_view path, std::string_view new_text,
                              Diagnostics& diagnostics);

/// Makes the edit in the scene's text (saving it is the caller's) and builds the scene again.
void apply_edit(Scene& scene, const Edit& edit, Diagnostics& diagnostics);

/// Both: plans, applies and builds again.
std::optional<Edit> edit_value(Scene& scene, std::string_view path, std::string_view new_text,
                               Diagnostics& diagnostics);

/// The root text with the initial placements of the named objects set by `pose` statements: those that the text has are
/// rewritten in place, others are added at its end. Reading the text back gives the same bits. Objects that follow a
/// path are left out, unknown ones reported.
std::string with_placements(const Scene& scene, const std::map<std::string, Pose>& placements,
                            Diagnostics& diagnostics);

}  // namespace armature

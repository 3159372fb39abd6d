// Changes of a scene's texts by whole blocks: every other character stays as it is. All of them read the lossless trees of the
// root text and of the files it includes; blocks that a repeat or a group writes several times are not theirs to change.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "armature/math/pose.h"
#include "armature/scene/edit.h"

namespace armature::studio {

/// Texts that are to take the place of those of the scene, by their place in Scene::documents. Empty: nothing changes.
using Texts = std::map<std::size_t, std::string>;

/// The text with `block` (whole blocks) at its end.
std::string with_block(const std::string& text, const std::string& block);

/// Without the lines of these blocks, and without constraints, forces, springs, drags and poses that name an object among
/// them; a repeat that is left empty goes too. Errors go to `diagnostics`; the texts are then of no use.
/// `shared` gets the names that are told apart from others only when a repeat is unrolled (unroll.h).
Texts without_blocks(const Scene& scene, const std::vector<std::string>& names, Diagnostics& diagnostics,
                     std::vector<std::string>* shared = nullptr);

/// With these placements at the start: in the block of an object that has one of its own, otherwise as `pose` statements
/// (scene/edit.h, with_placements). Numbers are rounded to a millionth.
std::string placed_text(const Scene& scene, const std::map<std::string, Pose>& placements, Diagnostics& diagnostics);

/// Three numbers, rounded to a millionth.
std::string rounded_text(const Vec3& v);
std::string rounded_text(double x);

}  // namespace armature::studio

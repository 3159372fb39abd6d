// Blocks of a scene once more: beside the originals, or carried into another scene. Names that are taken become fresh ones, and
// copies name copies.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "armature/studio/block_edits.h"

namespace armature::studio {

struct Duplicate {
    Texts texts;
    std::vector<std::string> names;  ///< of the copies
};
/// Copies of these blocks after each of them, objects moved by `offset`, and of the joints that hold copied objects to each
/// other.
Duplicate with_copies(const Scene& scene, const std::vector<std::string>& names, const Vec3& offset,
                      Diagnostics& diagnostics, std::vector<std::string>* shared = nullptr);

/// These blocks and the joints between them as a text of its own, to be pasted elsewhere: places in numbers, the rest as
/// written.
std::string text_of_blocks(const Scene& scene, const std::vector<std::string>& names, Diagnostics& diagnostics,
                           std::vector<std::string>* shared = nullptr);

/// The root text with such blocks at its end. Where a name was taken, the solids are moved by `offset`: the originals may
/// still be there. What the whole then has to complain about is in `diagnostics`.
std::string with_pasted(const Scene& scene, const std::string& blocks, const Vec3& offset, Diagnostics& diagnostics);

std::set<std::string> names_in(const Scene& scene);

}  // namespace armature::studio

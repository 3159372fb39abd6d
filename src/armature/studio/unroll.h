// A repeat written out: its lines once for every value of its variable, the variable replaced by the value. What the scene
// means stays the same to the last bit, and every member has lines of its own that can be changed alone.
#pragma once

#include <string>
#include <vector>

#include "armature/studio/block_edits.h"

namespace armature::studio {

struct Unrolled {
    Texts texts;                     ///< empty: nothing had to be done
    std::vector<std::string> names;  ///< what the lines made together that are now apart
};

/// Writes out the repeats around the block that makes `name`, the outermost first and only as many as it takes until no other
/// name comes from its lines. Nothing, and the reason in `diagnostics`, when that cannot be: the block is that of a group, or
/// the text would not mean the same.
std::optional<Unrolled> unroll(const Scene& scene, const std::string& name, Diagnostics& diagnostics);

/// The scene with other texts.
Scene with_texts(const Scene& scene, const Texts& texts, Diagnostics& diagnostics);
/// What of `after` differs from `before`, by the places of `before`.
Texts differences(const Scene& before, const Scene& after);

}  // namespace armature::studio

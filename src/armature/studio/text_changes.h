// What commands that change texts have in common.
#pragma once

#include "armature/studio/block_edits.h"
#include "armature/studio/studio.h"

namespace armature::studio {

/// The reply after a change of the texts: what runs follows it. `is_other`: they are others than before.
Json reply_to_change(Studio& studio, bool is_other);

/// Texts of the scene are to become these, as one step of undo. Throws Refusal when one of them is not ours to change.
Json change_texts(Studio& studio, const Texts& texts);

}  // namespace armature::studio

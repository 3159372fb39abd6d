// The loops along strands of ball joints, chosen for the machine: functions of their own, which callers need not inline.
#pragma once

#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature::lockstep {

struct Most;

/// Substitutes back, moves and measures (follow.h).
void follow_balls(Lockstep& l, Strand& s, bool first, Most& most);
/// Makes the blocks and eliminates (condense.h). `ahead`: before the impulses of the nodes at its ends have their changes.
void condense_balls(Lockstep& l, Strand& s, bool ahead);

}  // namespace armature::lockstep

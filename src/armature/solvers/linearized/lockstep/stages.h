// The stages of an iteration of lockstep.h.
#pragma once

#include "armature/solvers/linearized/lockstep/turn.h"

namespace armature::lockstep {

/// Moves bodies by what was solved for; the first time they are only looked at. `ahead`: what can be of use in the next iteration only is
/// begun with where it saves time, for there will probably be one.
void move_all(Lockstep& l, bool first, bool ahead, Most& most);
/// Errors, impulses, and what these ask for.
void measure_all(Lockstep& l, bool first, Most& most);
void fill_all(Lockstep& l);
void solve_all(Lockstep& l);

/// The node that `most.error_at` of a lane speaks of; −1: nobody's.
int worst_node(const Lockstep& l, const Most& most, int lane);

}  // namespace armature::lockstep

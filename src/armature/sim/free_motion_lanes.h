// The inner loops of free_motion.h for eight bodies at a time (math/lanes.h), schemes newton and exact: what most frames spend
// most of their time on outside the solver. The formulas are those of free_motion.cpp; a body for which the short series do not do
// (it turns by more than 0.2 rad, or has no inertia) is left to the plain code.
#pragma once

#include "armature/sim/free_motion.h"

namespace armature {

/// Eight bodies from `first` on. The bits of the result tell who is left: bit l for body first + l.
using Left = unsigned;
struct FreeMotionOfEight {
    const Island& island;
    double h;
    const LocalBodies& start;
    const LocalForces& forces;
    LocalBodies& out;
};
Left move_eight(const FreeMotionOfEight& of, bool exact, int first);

struct VelocitiesOfEight {
    const Island& island;
    double h;
    const JointMotion& motion;
    LocalBodies& now;
};
Left velocities_of_eight(const VelocitiesOfEight& of, bool exact, int first);

}  // namespace armature

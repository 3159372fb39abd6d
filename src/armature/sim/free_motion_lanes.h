// The inner loops of free_motion.h for eight bodies at a time (math/lanes.h), schemes newton and exact: what most frames spend
// most of their time on outside the solver. The formulas are those of free_motion.cpp; a body for which the short series do not do
// (it turns by more than 0.2 rad, or has no inertia) is left to the plain code.
#pragma once

#include "armature/sim/free_motion.h"

namespace armature {

/// The plain code for one body, which the loops call where they have to.
struct OneBody {
    const void* function;
    void (*call)(const void* function, std::size_t body);

    template <class F>
    static OneBody by(const F& f) {
        return {&f, [](const void* of, std::size_t body) { (*static_cast<const F*>(of))(body); }};
    }
    void operator()(std::size_t body) const { call(function, body); }
};

struct FreeMotionProblem {
    const Island& island;
    bool exact;
    double h;
    const Vec3& gravity;
    const LocalBodies& start;
    const LocalForces* forces;  ///< null: weight alone
    LocalBodies &free, &now;
    OneBody one;
};
FreeMotion move_in_lanes(const FreeMotionProblem& problem);

struct VelocitiesProblem {
    const Island& island;
    bool exact;
    double h;
    const Vec3& gravity;
    const JointMotion& motion;
    LocalBodies& now;
    OneBody one;
};
StepChange velocities_in_lanes(const VelocitiesProblem& problem);

}  // namespace armature

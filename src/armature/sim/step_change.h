// What a correction changed, over all bodies of an island: the sums of energy_limit.h, the largest shift and turn, and whether
// every number is one. Eight bodies at a time (math/lanes.h); schemes whose velocities are made so too have it on the way
// (velocities_lanes.cpp).
#pragma once

#include "armature/sim/local_bodies.h"

namespace armature {

/// From free motion to what the joints made of it.
struct StepChange {
    double mass = 0;     ///< kg
    double kinetic = 0;  ///< J, K of free motion
    double a = 0, b = 0;
    double fall = 0;            ///< J: what weights have less where they are now
    double shift2 = 0;          ///< m², of the body that was shifted farthest
    double sin2_half_turn = 0;  ///< of the body that was turned farthest
    bool finite = true;         ///< every number of what it has become
};
StepChange change_of(const Island& island, const Vec3& gravity, const LocalBodies& free, const LocalBodies& now);

}  // namespace armature

// The sums of energy_limit.h over all bodies of an island, eight at a time (math/lanes.h).
#pragma once

#include "armature/sim/local_bodies.h"

namespace armature {

struct EnergyOfChange {
    double mass = 0;     ///< kg
    double kinetic = 0;  ///< J, K of free motion
    double a = 0, b = 0;
    double fall = 0;  ///< J: what weights have less where they are now
};
EnergyOfChange energy_of_change(const Island& island, const Vec3& gravity, const LocalBodies& free,
                                const LocalBodies& now);

}  // namespace armature

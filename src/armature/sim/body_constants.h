// The constants of eight bodies (Island::body_lanes) in registers.
#pragma once

#include "armature/math/lanes.h"
#include "armature/model/model.h"

namespace armature::lanes {

template <class V>
struct BodyConstants {
    V inv_mass, turns;  ///< turns: 1, or 0 for a particle
    Mat<V> J, inv_J;

    ARMATURE_INLINE static Mat<V> matrix(const double (&m)[9][lanes::count], int part) {
        const auto at = [&](int k) ARMATURE_LAMBDA { return load<V>(m[k] + part); };
        return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
    }
    ARMATURE_INLINE BodyConstants(const BodyLanes& b, int part)
        : inv_mass(load<V>(b.inv_mass + part)),
          turns(load<V>(b.turns + part)),
          J(matrix(b.inertia_G, part)),
          inv_J(matrix(b.inv_inertia_G, part)) {}
};

}  // namespace armature::lanes

// The constants of eight bodies (Island::body_lanes), for loops that have the bodies in registers.
#pragma once

#include "armature/math/lanes.h"
#include "armature/model/model.h"

namespace armature::lanes {

/// `diagonal`: BodyLanes::diagonal, which makes three products of nine.
template <class V, bool diagonal>
struct BodyConstants {
    const BodyLanes& group;
    int part;  ///< of its lanes, from here on

    ARMATURE_INLINE V of(const double (&numbers)[lanes::count]) const { return load<V>(numbers + part); }
    /// 1, or 0 for what does not turn.
    ARMATURE_INLINE V turns() const { return of(group.turns); }
    ARMATURE_INLINE Mat<V> J() const {
        const auto at = [&](int k) ARMATURE_LAMBDA { return of(group.inertia_G[k]); };
        return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
    }
    ARMATURE_INLINE Vec<V> J_times(const Vec<V>& v) const { return times(group.inertia_G, v); }
    ARMATURE_INLINE Vec<V> inv_J_times(const Vec<V>& v) const { return times(group.inv_inertia_G, v); }

  private:
    ARMATURE_INLINE Vec<V> times(const double (&m)[9][lanes::count], const Vec<V>& v) const {
        if constexpr (diagonal) return {of(m[0]) * v.x, of(m[4]) * v.y, of(m[8]) * v.z};
        const auto row = [&](int k)
                             ARMATURE_LAMBDA { return of(m[k]) * v.x + of(m[k + 1]) * v.y + of(m[k + 2]) * v.z; };
        return {row(0), row(3), row(6)};
    }
};

/// Calls act(group, first body, `diagonal` as a type) for each group of eight.
template <class Act>
ARMATURE_INLINE void each_group(const Island& island, Act&& act) {
    int first = 0;
    for (const BodyLanes& group : island.body_lanes) {
        if (group.diagonal)
            act(group, first, std::true_type{});
        else
            act(group, first, std::false_type{});
        first += lanes::count;
    }
}

}  // namespace armature::lanes

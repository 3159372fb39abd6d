// The inner part of step_change.h, for loops that have the bodies in registers.
#pragma once

#include "armature/sim/body_constants.h"
#include "armature/sim/step_change.h"

namespace armature {

/// Sums and maxima of eight lanes: the same bits however many are added at once.
struct ChangeSums {
    using Lanes = double[lanes::count];
    alignas(64) Lanes mass{}, kinetic{}, a{}, b{}, fall{}, shift2{}, sin2_half_turn{}, not_finite{};

    static double sum(const Lanes& v) { return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])); }
    static double most(const Lanes& v) {
        double m = 0;
        for (const double one : v) m = one > m ? one : m;
        return m;
    }
    StepChange of(const Island& island, const LocalBodies& now) const {
        // What is not finite makes the sum so; a sum of large numbers may be it by itself.
        const bool finite = sum(not_finite) == 0 || find_not_finite(island, now) < 0;
        return {sum(mass), sum(kinetic), sum(a), sum(b), sum(fall), most(shift2), most(sin2_half_turn), finite};
    }
};

namespace lanes {

template <class V>
ARMATURE_INLINE void add(double* sum, const V& v) {
    store<V>(sum, load<V>(sum) + v);
}
template <class V>
ARMATURE_INLINE void take_larger(double* most, const V& v) {
    const V m = load<V>(most);
    store<V>(most, v > m ? v : m);
}
template <class V>
ARMATURE_INLINE V sum_of(const Vec<V>& v) {
    return v.x + v.y + v.z;
}
template <class V>
ARMATURE_INLINE V sum_of(const Turn<V>& q) {
    return (q.w + q.x) + (q.y + q.z);
}
/// Zero, or not when one of the numbers is not finite: zero times what is not is not zero.
template <class V>
ARMATURE_INLINE V not_finite(const Vec<V>& x, const Turn<V>& q, const Vec<V>& v, const Vec<V>& w) {
    return 0.0 * ((sum_of(x) + sum_of(q)) + (sum_of(v) + sum_of(w)));
}

/// What a step control wants to know of how bodies turned, before and by the correction.
template <class V>
struct SpinChange {
    V kinetic2;        ///< twice the energy of the spins before
    V a2, b;           ///< of the change dω: dω·J dω, ω·J dω
    V sin2_half_turn;  ///< of the turn
};
/// In body axes; `turn` is the vector of the quaternion.
template <class V, class Constants>
ARMATURE_INLINE SpinChange<V> spin_change(const Constants& body, const Vec<V>& before, const Vec<V>& after,
                                          const Vec<V>& turn) {
    const Vec<V> dw = after - before, J_dw = body.J_times(dw);
    return {dot(before, body.J_times(before)), dot(dw, J_dw), dot(before, J_dw), dot(turn, turn)};
}

template <class V>
struct PlaceChange {
    Vec<V> v, dv, dx;
};
/// Bodies p.
template <class V, class Constants>
ARMATURE_INLINE void add_change(const Places<V>& p, const Constants& body, const Vec3& gravity,
                                const PlaceChange<V>& place, const SpinChange<V>& spin, const V& not_finite,
                                ChangeSums& sums) {
    const int part = body.part;
    V counts = all<V>(1.0);
    if (p.lanes < width<V>)
        for (int l = 0; l < width<V>; ++l) counts[l] = l < p.lanes ? 1 : 0;
    const V mass = counts * body.of(body.group.mass);
    const Vec<V>&v = place.v, &dv = place.dv, &dx = place.dx;
    const Vec<V> g{all<V>(gravity.x), all<V>(gravity.y), all<V>(gravity.z)};
    add(sums.mass + part, mass);
    add(sums.kinetic + part, 0.5 * (mass * dot(v, v) + counts * spin.kinetic2));
    add(sums.a + part, 0.5 * (mass * dot(dv, dv) + counts * spin.a2));
    add(sums.b + part, mass * dot(dv, v) + counts * spin.b);
    add(sums.fall + part, mass * dot(g, dx));
    take_larger(sums.shift2 + part, dot(dx, dx));
    take_larger(sums.sin2_half_turn + part, spin.sin2_half_turn);
    add(sums.not_finite + part, not_finite);
}

}  // namespace lanes

}  // namespace armature

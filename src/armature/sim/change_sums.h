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

template <class V>
struct BodiesAt {
    Vec<V> x;
    Turn<V> q;
    Vec<V> v, w;
    Vec<V> w_B;  ///< in body axes
};

/// Bodies p; `turned` is the turn from `free` to `now` in body axes.
template <class V, class Constants>
ARMATURE_INLINE void add_change(const Places<V>& p, const Constants& body, const Vec3& gravity, const BodiesAt<V>& free,
                                const BodiesAt<V>& now, const Turn<V>& turned, ChangeSums& sums) {
    const int part = body.part;
    V counts;
    for (int l = 0; l < width<V>; ++l) counts[l] = l < p.lanes ? 1 : 0;
    const V mass = counts * body.of(body.group.mass);
    const Vec<V> dv = now.v - free.v, dx = now.x - free.x;
    const Vec<V> dw = now.w_B - free.w_B, J_dw = body.J_times(dw);
    const Vec<V> g{all<V>(gravity.x), all<V>(gravity.y), all<V>(gravity.z)};
    add(sums.mass + part, mass);
    add(sums.kinetic + part, 0.5 * (mass * dot(free.v, free.v) + counts * dot(free.w_B, body.J_times(free.w_B))));
    add(sums.a + part, 0.5 * (mass * dot(dv, dv) + counts * dot(dw, J_dw)));
    add(sums.b + part, mass * dot(dv, free.v) + counts * dot(free.w_B, J_dw));
    add(sums.fall + part, mass * dot(g, dx));
    take_larger(sums.shift2 + part, dot(dx, dx));
    take_larger(sums.sin2_half_turn + part, dot(turned.vec(), turned.vec()));
    add(sums.not_finite + part, not_finite(now.x, now.q, now.v, now.w));
}

}  // namespace lanes

}  // namespace armature

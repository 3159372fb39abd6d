// How bodies turn by θ, and what is kept of how far all of them went.
#pragma once

#include "armature/solvers/linearized/lockstep/rows.h"

namespace armature::lockstep {

constexpr double largest_turn = 0.8;  // rad, in one iteration

template <class V>
struct SeriesOfTurn {
    V c1, c2;
};
/// c1 = sin θ/θ and c2 = (1 − cos θ)/θ² by their series in u = θ², or those of cay(θ).
template <class V>
ARMATURE_INLINE SeriesOfTurn<V> series_of_turn(const V& u, bool exact) {
    if (exact) {
        const V c1 = 1.0 / (1.0 + 0.25 * u);
        return {c1, 0.5 * c1};
    }
    V c1 = 1 - u * (1.0 / 6) * (1 - u * (1.0 / 20) * (1 - u * (1.0 / 42) * (1 - u * (1.0 / 72))));
    V c2 = 0.5 * (1 - u * (1.0 / 12) * (1 - u * (1.0 / 30) * (1 - u * (1.0 / 56) * (1 - u * (1.0 / 90)))));
    const auto far = u > 1e-2;
    if (any(far)) {
        V d1 = all<V>(1.0), d2 = d1;
        for (int k = 14; k >= 1; --k) {
            d1 = 1 - u * (1.0 / ((2 * k) * (2 * k + 1))) * d1;
            d2 = 1 - u * (1.0 / ((2 * k + 1) * (2 * k + 2))) * d2;
        }
        c1 = far ? d1 : c1;
        c2 = far ? 0.5 * d2 : c2;
    }
    return {c1, c2};
}
template <class V>
ARMATURE_INLINE Turned<V> turned_by(const Vec<V>& theta, bool exact) {
    const auto [c1, c2] = series_of_turn(V(dot(theta, theta)), exact);
    return {theta, c1, c2};
}
/// θ after a turn, as far as its series goes.
template <class V>
ARMATURE_INLINE Vec<V> turned_further(const Vec<V>& t, const Vec<V>& turn, bool exact) {
    const Vec<V> across = cross(t, turn);
    const Vec<V> more = exact ? turn - all<V>(0.5) * across + (0.25 * dot(t, turn)) * t
                              : turn - all<V>(0.5) * across + all<V>(1.0 / 12) * cross(t, across);
    return t + more;
}
/// No more than the largest in one iteration.
template <class V>
ARMATURE_INLINE Vec<V> limited(const Vec<V>& turn, const V& turn2) {
    if (!any(turn2 > largest_turn * largest_turn)) return turn;
    return (turn2 > largest_turn * largest_turn ? largest_turn / lanes::root(turn2) : all<V>(1.0)) * turn;
}

struct Most {
    Octet moved2{}, turned2{}, error2{}, error_at{};
    Octet left_move2{}, left_turn2{};  ///< how far the impulses would take and turn bodies from where they are

    static double of(const Octet& r) {
        double most = 0;
        for (const double v : r.v)
            if (!(v <= most)) most = v;  // NaN too
        return most;
    }
};

template <class V>
ARMATURE_INLINE void keep_larger(Octet& most, int part, const V& v) {
    const V old = lanes::load<V>(most.v + part);
    lanes::store<V>(most.v + part, old >= v ? old : v);
}

template <class V>
ARMATURE_INLINE void keep_worst(Most& most, int part, const V& error2, const V& at) {
    const V before = lanes::load<V>(most.error2.v + part);
    const auto kept = before >= error2;
    lanes::store<V>(most.error2.v + part, kept ? before : error2);
    const V where = lanes::load<V>(most.error_at.v + part);
    lanes::store<V>(most.error_at.v + part, kept ? where : at);
}

}  // namespace armature::lockstep

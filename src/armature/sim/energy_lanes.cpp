#include "armature/sim/energy_lanes.h"

#include "armature/math/lanes.h"

namespace armature {

namespace {

using namespace lanes;

/// Sums of eight lanes: the same bits however many are added at once.
struct Sums {
    alignas(64) double mass[lanes::count]{}, kinetic[lanes::count]{}, a[lanes::count]{}, b[lanes::count]{},
        fall[lanes::count]{};

    static double of(const double (&v)[lanes::count]) {
        return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
    }
};

template <class V>
ARMATURE_INLINE void add(double* sum, const V& v) {
    store<V>(sum, load<V>(sum) + v);
}

template <class V>
ARMATURE_INLINE void add_part(const Island& island, const Vec3& gravity, const LocalBodies& free,
                              const LocalBodies& now, int first, int part, Sums& sums) {
    const Places<V> p(first + part, island.dynamic_count);
    if (p.lanes == 0) return;
    const BodyLanes& body = island.body_lanes[static_cast<std::size_t>(first / lanes::count)];
    V counts;
    for (int l = 0; l < width<V>; ++l) counts[l] = l < p.lanes ? 1 : 0;
    const V mass = counts * load<V>(body.mass + part);
    const auto J_row = [&](int k) ARMATURE_LAMBDA {
        return Vec<V>{load<V>(body.inertia_G[k] + part), load<V>(body.inertia_G[k + 1] + part),
                      load<V>(body.inertia_G[k + 2] + part)};
    };
    const Mat<V> J{counts * J_row(0), counts * J_row(3), counts * J_row(6)};
    const Vec<V> v = p.of(free.v.data()), dv = p.of(now.v.data()) - v;
    const Vec<V> w_B = rotate_back(p.of(free.q.data()), p.of(free.w.data()));
    const Vec<V> dw_B = rotate_back(p.of(now.q.data()), p.of(now.w.data())) - w_B, J_dw = J * dw_B;
    const Vec<V> g{all<V>(gravity.x), all<V>(gravity.y), all<V>(gravity.z)};
    add(sums.mass + part, mass);
    add(sums.kinetic + part, 0.5 * (mass * dot(v, v) + dot(w_B, J * w_B)));
    add(sums.a + part, 0.5 * (mass * dot(dv, dv) + dot(dw_B, J_dw)));
    add(sums.b + part, mass * dot(dv, v) + dot(w_B, J_dw));
    add(sums.fall + part, mass * dot(g, p.of(now.x.data()) - p.of(free.x.data())));
}

template <class V>
ARMATURE_INLINE void add_all(const Island& island, const Vec3& gravity, const LocalBodies& free, const LocalBodies& now,
                             Sums& sums) {
    for (int first = 0; first < island.dynamic_count; first += lanes::count)
        for (int part = 0; part < lanes::count; part += width<V>)
            add_part<V>(island, gravity, free, now, first, part, sums);
}
void add_plain(const Island& island, const Vec3& gravity, const LocalBodies& free, const LocalBodies& now, Sums& sums) {
    add_all<V2>(island, gravity, free, now, sums);
}
ARMATURE_WIDE void add_wide(const Island& island, const Vec3& gravity, const LocalBodies& free, const LocalBodies& now,
                            Sums& sums) {
    add_all<V4>(island, gravity, free, now, sums);
}
ARMATURE_WIDEST void add_widest(const Island& island, const Vec3& gravity, const LocalBodies& free,
                                const LocalBodies& now, Sums& sums) {
    add_all<V8>(island, gravity, free, now, sums);
}

}  // namespace

EnergyOfChange energy_of_change(const Island& island, const Vec3& gravity, const LocalBodies& free,
                                const LocalBodies& now) {
    Sums sums;
    switch (machine()) {
        case Machine::widest:
            add_widest(island, gravity, free, now, sums);
            break;
        case Machine::wide:
            add_wide(island, gravity, free, now, sums);
            break;
        default:
            add_plain(island, gravity, free, now, sums);
    }
    return {Sums::of(sums.mass), Sums::of(sums.kinetic), Sums::of(sums.a), Sums::of(sums.b), Sums::of(sums.fall)};
}

}  // namespace armature

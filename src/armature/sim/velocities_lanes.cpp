// The other half of free_motion_lanes.h: velocities after the correction, and what it changed, while the bodies are in registers.
#include "armature/sim/body_constants.h"
#include "armature/sim/change_sums.h"
#include "armature/sim/free_motion_lanes.h"

namespace armature {

namespace {

using namespace lanes;

constexpr double small_log2 = 1e-3;  // sin²(θ/2) up to which log_rotation is a short series

template <class V>
ARMATURE_INLINE void velocities_part(const VelocitiesProblem& of, int first, int part, ChangeSums& sums) {
    const Places<V> p(first + part, of.island.dynamic_count);
    if (p.lanes == 0) return;
    const BodyLanes& group = of.island.body_lanes[static_cast<std::size_t>(first / lanes::count)];
    const BodyConstants<V> body(group, part);
    const LocalBodies& at_free = of.motion.free;
    const V rate = all<V>(of.motion.rate / of.h);
    const BodiesAt<V> free{p.of(at_free.x.data()), p.of(at_free.q.data()), p.of(at_free.v.data()),
                           p.of(at_free.w.data())};
    const Turn<V> q = p.of(of.now.q.data());
    const Turn<V> made = q * conjugate(free.q);
    const Vec<V> v1 = free.v + rate * p.of(of.motion.moved.data());
    p.set(of.now.v.data(), v1);
    Vec<V> w1;
    if (of.exact) {
        const Turn<V> q0 = p.of(of.motion.start.q.data()), over_step = conjugate(q0) * q;
        const Vec<V> turn = (2.0 / over_step.w) * over_step.vec();
        w1 = rotate(q, all<V>(2 / of.h) * turn - rotate_back(q0, p.of(of.motion.start.w.data())));
        p.set(of.now.w.data(), w1);
    } else {
        // Of the two ways round the shorter one; with a small angle they differ by their sign.
        const V sign = made.w < 0 ? all<V>(-2.0) : all<V>(2.0);
        const V s2 = dot(made.vec(), made.vec());
        const V ratio =
            1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * (35.0 / 1152 + s2 * (63.0 / 2816)))));
        const Vec<V> turn = rate * ((sign * ratio) * made.vec());
        const Vec<V> momentum = rotate(free.q, body.J * rotate_back(free.q, free.w + turn));
        const auto kept = (q.w == free.q.w) & (q.x == free.q.x) & (q.y == free.q.y) & (q.z == free.q.z);
        const auto left = ~(body.turns > 0) | ~(s2 < small_log2);
        w1 = choose(kept | left, free.w, rotate(q, body.inv_J * rotate_back(q, momentum)));
        p.set(of.now.w.data(), w1);
        if (any(left & ~kept)) {
            const unsigned rest = p.bits(left & ~kept);
            for (int l = 0; l < p.lanes; ++l)
                if (rest >> l & 1u) of.one(static_cast<std::size_t>(p.first + l));
            w1 = p.of(of.now.w.data());
        }
    }
    add_change(p, group, part, of.gravity, free, {p.of(of.now.x.data()), q, v1, w1}, made, sums);
}

template <class V>
ARMATURE_INLINE void velocities_all(const VelocitiesProblem& of, ChangeSums& sums) {
    for (int first = 0; first < of.island.dynamic_count; first += lanes::count)
        for (int part = 0; part < lanes::count; part += width<V>) velocities_part<V>(of, first, part, sums);
}
void velocities_plain(const VelocitiesProblem& of, ChangeSums& sums) {
    velocities_all<V2>(of, sums);
}
ARMATURE_WIDE void velocities_wide(const VelocitiesProblem& of, ChangeSums& sums) {
    velocities_all<V4>(of, sums);
}
ARMATURE_WIDEST void velocities_widest(const VelocitiesProblem& of, ChangeSums& sums) {
    velocities_all<V8>(of, sums);
}

}  // namespace

StepChange velocities_in_lanes(const VelocitiesProblem& of) {
    ChangeSums sums;
    switch (machine()) {
        case Machine::widest:
            velocities_widest(of, sums);
            break;
        case Machine::wide:
            velocities_wide(of, sums);
            break;
        default:
            velocities_plain(of, sums);
    }
    return sums.of(of.island, of.now);
}

}  // namespace armature

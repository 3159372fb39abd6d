// The other half of free_motion_lanes.h: velocities after the correction, and what it changed, while the bodies are in registers.
#include "armature/sim/change_sums.h"
#include "armature/sim/free_motion_lanes.h"

namespace armature {

namespace {

using namespace lanes;

constexpr double small_log2 = 1e-3;  // sin²(θ/2) up to which log_rotation is a short series

template <class V, class Constants>
ARMATURE_INLINE void velocities_part(const VelocitiesProblem& of, const Constants& body, int first, ChangeSums& sums) {
    const Places<V> p(first + body.part, of.island.dynamic_count);
    if (p.lanes == 0) return;
    const LocalBodies& at_free = of.motion.free;
    const V rate = all<V>(of.motion.rate / of.h);
    const Turn<V> free_q = p.of(at_free.q.data());
    const Vec<V> free_w = p.of(at_free.w.data());
    const BodiesAt<V> free{p.of(at_free.x.data()), free_q, p.of(at_free.v.data()), free_w,
                           rotate_spin_back(free_q, free_w)};
    BodiesAt<V> now;
    now.x = p.of(of.now.x.data());
    now.q = p.of(of.now.q.data());
    const Turn<V> made = conjugate(free.q) * now.q;
    now.v = free.v + rate * p.of(of.motion.moved.data());
    p.set(of.now.v.data(), now.v);
    if (of.exact) {
        const Turn<V> q0 = p.of(of.motion.start.q.data()), over_step = conjugate(q0) * now.q;
        const Vec<V> turn = (2.0 / over_step.w) * over_step.vec();
        now.w_B = all<V>(2 / of.h) * turn - rotate_spin_back(q0, p.of(of.motion.start.w.data()));
        now.w = rotate_spin(now.q, now.w_B);
        p.set(of.now.w.data(), now.w);
    } else {
        // Of the two ways round the shorter one; with a small angle they differ by their sign.
        const V sign = made.w < 0 ? all<V>(-2.0) : all<V>(2.0);
        const V s2 = dot(made.vec(), made.vec());
        const V ratio =
            1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * (35.0 / 1152 + s2 * (63.0 / 2816)))));
        const Vec<V> turn = rate * ((sign * ratio) * made.vec());
        const Vec<V> w_B = body.inv_J_times(rotate_spin_back(made, body.J_times(free.w_B + turn)));
        // A body that was not turned keeps its ω to the last bit.
        now.w_B = choose(s2 == 0, free.w_B, w_B);
        now.w = choose(s2 == 0, free.w, rotate_spin(now.q, w_B));
        p.set(of.now.w.data(), now.w);
        const V left = body.of(body.group.turns) > 0 ? s2 : all<V>(1.0);
        if (any(one_unless<V>(left < small_log2) > 0)) {
            const unsigned rest = p.bits(one_unless<V>(left < small_log2) > 0);
            for (int l = 0; l < p.lanes; ++l)
                if (rest >> l & 1u) of.one(static_cast<std::size_t>(p.first + l));
            now.w = p.of(of.now.w.data());
            now.w_B = choose(left < small_log2, now.w_B, rotate_back(now.q, now.w));
        }
    }
    add_change(p, body, of.gravity, free, now, made, sums);
}

template <class V>
ARMATURE_INLINE void velocities_all(const VelocitiesProblem& of, ChangeSums& sums) {
    each_group(of.island, [&](const BodyLanes& group, int first, auto diagonal) ARMATURE_LAMBDA {
        for (int part = 0; part < lanes::count; part += width<V>)
            velocities_part<V>(of, BodyConstants<V, decltype(diagonal)::value>{group, part}, first, sums);
    });
}

}  // namespace

StepChange velocities_in_lanes(const VelocitiesProblem& of) {
    ChangeSums sums;
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { velocities_all<V>(of, sums); });
    return sums.of(of.island, of.now);
}

}  // namespace armature

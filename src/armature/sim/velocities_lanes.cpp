// The other half of free_motion_lanes.h: velocities after the correction, and what it changed, while the bodies are in registers.
#include "armature/sim/about_axis.h"
#include "armature/sim/change_sums.h"
#include "armature/sim/free_motion_lanes.h"

namespace armature {

namespace {

using namespace lanes;

constexpr double small_log2 = 1e-3;  // sin²(θ/2) up to which log_rotation is a short series

/// 2 arcsin(s)/s, which is what makes the vector of a turn of that of its quaternion; of the two ways round the shorter one, which with
/// a small angle differ by their sign.
template <class V>
ARMATURE_INLINE V log_factor(const V& w, const V& s2) {
    const V sign = w < 0 ? all<V>(-2.0) : all<V>(2.0);
    const V ratio = 1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * (35.0 / 1152 + s2 * (63.0 / 2816)))));
    return sign * ratio;
}

/// The spin after a correction that turned a body by the quaternion `made`, body axes: the impulse is added to the angular momentum.
template <class V, class Constants>
ARMATURE_INLINE Vec<V> spin_after(const Constants& body, const V& rate, const Vec<V>& w_B, const Turn<V>& made,
                                  const V& s2) {
    const Vec<V> turn = rate * (log_factor(made.w, s2) * made.vec());
    return body.inv_J_times(rotate_spin_back(made, body.J_times(w_B + turn)));
}

template <class V, bool diagonal>
ARMATURE_INLINE void velocities_part(const VelocitiesProblem& of, const BodyConstants<V, diagonal>& body, int first,
                                     int& axis, ChangeSums& sums) {
    const Places<V> p(first + body.part, of.island.dynamic_count);
    if (p.lanes == 0) return;
    const LocalBodies& at_free = of.motion.free;
    const V rate = all<V>(of.motion.rate / of.h);
    const Turn<V> free_q = p.of(at_free.q.data()), now_q = p.of(of.now.q.data());
    const Vec<V> free_w = p.of(at_free.w.data());
    const Vec<V> v = p.of(at_free.v.data()), v1 = v + rate * p.of(of.motion.moved.data());
    const Vec<V> x1 = p.of(of.now.x.data());
    p.set(of.now.v.data(), v1);
    const PlaceChange<V> place{v, v1 - v, x1 - p.of(at_free.x.data())};
    // Below that of sin²(θ/2) the short series does; what does not turn is never below.
    const V enough = small_log2 * body.turns();
    if (diagonal && !of.exact) {
        const auto first_body = static_cast<std::size_t>(p.first);
        axis = only_axis(of.now.q[first_body], at_free.w[first_body], axis);
        bool done = false;
        const auto about_n = [&]<int n>(std::integral_constant<int, n>) ARMATURE_LAMBDA {
            const AxisTurn<V> made = conjugate(about<n>(free_q)) * about<n>(now_q);
            const V s2 = made.along * made.along;
            if (any(one_unless<V>(s2 < enough) > 0)) return;  // in space
            const V J = body.of(body.group.inertia_G[4 * n]), inv_J = body.of(body.group.inv_inertia_G[4 * n]);
            const V before = number<n>(free_w), turn = rate * (log_factor(made.w, s2) * made.along);
            // A body that was not turned keeps its ω to the last bit.
            const V w1 = s2 == 0 ? before : inv_J * (J * (before + turn)), dw = w1 - before, J_dw = J * dw;
            p.set(of.now.w.data(), along<n>(w1));
            add_change(p, body, of.gravity, place, SpinChange<V>{before * (J * before), dw * J_dw, before * J_dw, s2},
                       not_finite(x1, now_q, v1, along<n>(w1)), sums);
            done = true;
        };
        about_axis<V>(axis, about_n, free_q.vec(), now_q.vec(), free_w);
        if (done) return;
    }
    const Turn<V> made = conjugate(free_q) * now_q;
    const Vec<V> before = rotate_spin_back(free_q, free_w);
    Vec<V> w1, after;
    if (of.exact) {
        const Turn<V> q0 = p.of(of.motion.start.q.data()), over_step = conjugate(q0) * now_q;
        const Vec<V> turn = (2.0 / over_step.w) * over_step.vec();
        after = all<V>(2 / of.h) * turn - rotate_spin_back(q0, p.of(of.motion.start.w.data()));
        w1 = rotate_spin(now_q, after);
        p.set(of.now.w.data(), w1);
    } else {
        const V s2 = dot(made.vec(), made.vec());
        const Vec<V> w_B = spin_after(body, rate, before, made, s2);
        // A body that was not turned keeps its ω to the last bit.
        after = choose(s2 == 0, before, w_B);
        w1 = choose(s2 == 0, free_w, rotate_spin(now_q, w_B));
        p.set(of.now.w.data(), w1);
        const V left = one_unless<V>(s2 < enough);
        if (any(left > 0)) {
            const unsigned rest = p.bits(left > 0);
            for (int l = 0; l < p.lanes; ++l)
                if (rest >> l & 1u) of.one(static_cast<std::size_t>(p.first + l));
            w1 = p.of(of.now.w.data());
            after = choose(left > 0, rotate_back(now_q, w1), after);
        }
    }
    add_change(p, body, of.gravity, place, spin_change(body, before, after, made.vec()), not_finite(x1, now_q, v1, w1),
               sums);
}

template <class V>
ARMATURE_INLINE void velocities_all(const VelocitiesProblem& of, ChangeSums& sums) {
    int axis = 2;
    each_group(of.island, [&](const BodyLanes& group, int first, auto diagonal) ARMATURE_LAMBDA {
        for (int part = 0; part < lanes::count; part += width<V>)
            velocities_part(of, BodyConstants<V, decltype(diagonal)::value>{group, part}, first, axis, sums);
    });
}

}  // namespace

StepChange velocities_in_lanes(const VelocitiesProblem& of) {
    ChangeSums sums;
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { velocities_all<V>(of, sums); });
    return sums.of(of.island, of.now);
}

}  // namespace armature

// strand_ends.h for flat strands (flat.h).
#pragma once

#include "armature/math/axis_turn.h"
#include "armature/solvers/linearized/lockstep/flat_lanes.h"
#include "armature/solvers/linearized/lockstep/strand_ends.h"

namespace armature::lockstep {

using lanes::AxisTurn;

template <class V>
ARMATURE_INLINE FlatArms<V> turned(const AxisTurn<V>& q, const FlatArms<V>& arms) {
    return arms.turned(1 - 2 * (q.along * q.along), 2 * (q.w * q.along));
}

/// turned_links in the plane.
template <class V>
ARMATURE_INLINE AxisTurn<V> flat_turned(const AxisTurn<V>& from, const V& theta, bool exact) {
    const V none{};
    const Vec<V> turn{none, none, theta};
    AxisTurn<V> made;
    if (exact) {
        made = normalized(AxisTurn<V>{all<V>(1.0), 0.5 * theta});
    } else {
        const auto [w, factor] = lanes::moderate_turn(V(0.25 * (theta * theta)));
        made = {w, factor * theta};
    }
    const AxisTurn<V> q1 = normalized(made * from);
    const auto far = far_turns(turn, exact);
    if (any(far)) [[unlikely]] {
        const Turn<V> alone = far_ones_alone(far, lanes::in_space<2>(from), turn, lanes::in_space<2>(q1));
        return {alone.w, alone.z};
    }
    return q1;
}

/// Which of x, y and z are along the plane across n, and what stands there; known when it is compiled, so that vectors in lanes need
/// not pass through memory.
template <int across_n>
struct InPlane {
    static constexpr int n = across_n, a = (n + 1) % 3, b = (n + 2) % 3;

    template <class V>
    ARMATURE_INLINE static Vec2<V> of(const Vec<V>& v) {
        return {lanes::number<a>(v), lanes::number<b>(v)};
    }
    template <class V>
    ARMATURE_INLINE static V along_n(const Vec<V>& v) {
        return lanes::number<n>(v);
    }
    template <class V>
    ARMATURE_INLINE static Vec<V> in_space(const Vec2<V>& v, const V& along_n) {
        if constexpr (n == 0)
            return {along_n, v.x, v.y};
        else if constexpr (n == 1)
            return {v.y, along_n, v.x};
        else
            return {v.x, v.y, along_n};
    }
};

/// Where links stand, two numbers of each.
template <class V, class Plane>
struct OfFlatLinks : OfLinks<V> {
    using OfLinks<V>::OfLinks;
    ARMATURE_INLINE Vec2<V> of(const std::vector<Vec3>& v) const { return Plane::of(OfLinks<V>::of(v)); }
    ARMATURE_INLINE V along_n(const std::vector<Vec3>& v) const { return Plane::along_n(OfLinks<V>::of(v)); }
    ARMATURE_INLINE AxisTurn<V> of(const std::vector<Quat>& q) const {
        return lanes::about<Plane::n>(OfLinks<V>::of(q));
    }
};

template <class V, class Plane, bool exact>
ARMATURE_INLINE void begin_flat_link(const CorrectionProblem& p, Strand& s, std::size_t i, bool warm, int part) {
    const Octet* arm = s.shape(i).arm;
    Octet* k = s.flat[i].r;
    const OfFlatLinks<V, Plane> at(s, i, part, p.x.size());
    const AxisTurn<V> q0 = at.of(*p.start_q), q = at.of(p.q);
    const FlatArms<V> arms{{row<V>(arm, Plane::a, part), row<V>(arm, Plane::b, part)},
                           {row<V>(arm, 3 + Plane::a, part), row<V>(arm, 3 + Plane::b, part)}};
    const FlatArms<V> start = turned(q0, arms);
    start.put(k, flat_start, part);
    if constexpr (exact)
        start.put(k, flat_reference, part);
    else
        turned(q, arms).put(k, flat_reference, part);
    set(k, flat_x_free, part, at.of(p.x));
    V theta{};
    if constexpr (exact) {
        const double h = p.exact->h;
        const V w = all<V>(0.5 * h) * at.along_n(p.exact->start_w), J = row<V>(k, flat_inertia, part);
        set(k, flat_half_spin, part, w);
        set(k, flat_momentum, part, J * w + all<V>(0.5 * h * h) * at.along_n(p.exact->torque));
        const AxisTurn<V> made = q * conjugate(q0);
        theta = (2.0 / made.w) * made.along;
    }
    set(k, flat_theta, part, theta);
    Vec2<V> expected{};
    if (warm) expected = all<V>(s.sign()) * Plane::of(at.loads.vec(&(*p.expected)[0].force.x + 6 * at.joint));
    set(k, flat_lambda, part, expected);
}

template <class V, class Plane>
ARMATURE_INLINE void begin_flat_strand(const CorrectionProblem& p, Strand& s, bool warm) {
    for (std::size_t i = 0; i < s.link.size(); ++i) {
        s.fetch_flat_after(i);
        for (int part = 0; part < eight; part += width<V>)
            p.exact ? begin_flat_link<V, Plane, true>(p, s, i, warm, part)
                    : begin_flat_link<V, Plane, false>(p, s, i, warm, part);
    }
    s.at_rest = true;
}

template <class V, class Plane>
ARMATURE_INLINE void finish_flat_link(const Lockstep& l, const Strand& s, std::size_t i, Vec2<V>& lambda0, int part,
                                      const CorrectionProblem& p, const LockstepResults& out) {
    const Octet* k = s.flat[i].r;
    const bool last = i + 1 == s.link.size();
    const V sign = all<V>(s.sign()), none{};
    const OfFlatLinks<V, Plane> at(s, i, part, p.x.size());
    const Vec2<V> lambda1 =
        last ? Plane::of(impulse_at_end<V>(l, s, 1, part)) : vec2<V>(s.flat[i + 1].r, flat_lambda, part);
    // Linear momentum wants places and impulses to agree to the last digit.
    const Vec2<V> way = row<V>(k, flat_inv_mass, part) * (lambda1 - lambda0);
    const V theta = row<V>(k, flat_theta, part);
    const AxisTurn<V> q1 = flat_turned(at.of(l.exact ? *p.start_q : p.q), theta, l.exact);
    // What is written behind a link is the next one's, which comes later.
    at.vectors.put(&out.moved[0].x + 3 * at.body, Plane::in_space(way, none), !last);
    at.vectors.put(&out.x[0].x + 3 * at.body,
                   Plane::in_space(vec2<V>(k, flat_x_free, part) + way, all<V>(l.flat->height)), !last);
    at.turns.put(&out.q[0].w + 4 * at.body, lanes::in_space<Plane::n>(q1));
    if (i > 0) put_load(at, out, Plane::in_space(sign * lambda0, none), Vec<V>{});
    lambda0 = lambda1;
}

template <class V, class Plane>
ARMATURE_INLINE void finish_flat_strand(const Lockstep& l, const Strand& s, const CorrectionProblem& p,
                                        const LockstepResults& out) {
    for (int part = 0; part < eight; part += width<V>) {
        Vec2<V> lambda0 = Plane::of(impulse_at_end<V>(l, s, 0, part));
        for (std::size_t i = 0; i < s.link.size(); ++i) {
            s.fetch_flat_after(i);
            finish_flat_link<V, Plane>(l, s, i, lambda0, part, p, out);
        }
    }
}

}  // namespace armature::lockstep

// strand_ends.h for flat strands (flat.h).
#pragma once

#include "armature/solvers/linearized/lockstep/flat_lanes.h"
#include "armature/solvers/linearized/lockstep/strand_ends.h"

namespace armature::lockstep {

/// w and the component along n of a quaternion that turns about n.
template <class V>
struct FlatTurn {
    V w, n;
    ARMATURE_INLINE FlatTurn operator*(const FlatTurn& o) const { return {w * o.w - n * o.n, w * o.n + n * o.w}; }
    ARMATURE_INLINE FlatTurn unit() const {
        const V s = lanes::to_unit(V(w * w + n * n));
        return {s * w, s * n};
    }
    ARMATURE_INLINE FlatArms<V> operator()(const FlatArms<V>& arms) const {
        return arms.turned(1 - 2 * (n * n), 2 * (w * n));
    }
};

/// turned_links in the plane.
template <class V>
ARMATURE_INLINE FlatTurn<V> flat_turned(const FlatTurn<V>& from, const V& theta, bool exact) {
    const V none{};
    const Vec<V> turn{none, none, theta};
    FlatTurn<V> made;
    if (exact) {
        made = FlatTurn<V>{all<V>(1.0), 0.5 * theta}.unit();
    } else {
        const Turn<V> in_space = lanes::exp_moderate_rotation(turn);
        made = {in_space.w, in_space.z};
    }
    FlatTurn<V> q1 = (made * from).unit();
    const auto far = far_turns(turn, exact);
    if (any(far)) [[unlikely]]
        for (int lane = 0; lane < width<V>; ++lane) {
            if (!far[lane]) continue;
            const Quat q = turned_alone({from.w[lane], 0, 0, from.n[lane]}, {0, 0, theta[lane]});
            q1.w[lane] = q.w;
            q1.n[lane] = q.z;
        }
    return q1;
}

/// Where links stand, two numbers of each.
template <class V>
struct OfFlatLinks : OfLinks<V> {
    const Flat& f;
    ARMATURE_INLINE OfFlatLinks(const Flat& flat, const Strand& s, std::size_t i, int part, std::size_t bodies)
        : OfLinks<V>(s, i, part, bodies), f(flat) {}
    ARMATURE_INLINE Vec2<V> of(const std::vector<Vec3>& v) const {
        const double* p = &v[0].x + 3 * this->body;
        return {this->vectors.column(p + f.a), this->vectors.column(p + f.b)};
    }
    ARMATURE_INLINE V along_n(const std::vector<Vec3>& v) const {
        return this->vectors.column(&v[0].x + 3 * this->body + f.n);
    }
    ARMATURE_INLINE FlatTurn<V> of(const std::vector<Quat>& q) const {
        const double* p = &q[0].w + 4 * this->body;
        return {this->turns.column(p), this->turns.column(p + 1 + f.n)};
    }
};

template <class V, bool exact>
ARMATURE_INLINE void begin_flat_link(const CorrectionProblem& p, const Flat& f, Strand& s, std::size_t i, bool warm,
                                     int part) {
    const Octet* arm = s.shape(i).arm;
    Octet* k = s.flat[i].r;
    const OfFlatLinks<V> at(f, s, i, part, p.x.size());
    const FlatTurn<V> q0 = at.of(*p.start_q), q = at.of(p.q);
    const FlatArms<V> arms{{row<V>(arm, f.a, part), row<V>(arm, f.b, part)},
                           {row<V>(arm, 3 + f.a, part), row<V>(arm, 3 + f.b, part)}};
    const FlatArms<V> start = q0(arms);
    start.put(k, flat_start, part);
    if constexpr (exact)
        start.put(k, flat_reference, part);
    else
        q(arms).put(k, flat_reference, part);
    set(k, flat_x_free, part, at.of(p.x));
    V theta{};
    if constexpr (exact) {
        const double h = p.exact->h;
        const V w = all<V>(0.5 * h) * at.along_n(p.exact->start_w), J = row<V>(k, flat_inertia, part);
        set(k, flat_half_spin, part, w);
        set(k, flat_momentum, part, J * w + all<V>(0.5 * h * h) * at.along_n(p.exact->torque));
        const FlatTurn<V> made = q * FlatTurn<V>{q0.w, -q0.n};
        theta = (2.0 / made.w) * made.n;
    }
    set(k, flat_theta, part, theta);
    Vec2<V> expected{};
    if (warm) {
        const double* load = &(*p.expected)[0].force.x + 6 * at.joint;
        expected = all<V>(s.sign()) * Vec2<V>{at.loads.column(load + f.a), at.loads.column(load + f.b)};
    }
    set(k, flat_lambda, part, expected);
}

template <class V>
ARMATURE_INLINE void begin_flat_strand(const CorrectionProblem& p, const Flat& f, Strand& s, bool warm) {
    for (std::size_t i = 0; i < s.link.size(); ++i) {
        s.fetch_flat_after(i);
        for (int part = 0; part < eight; part += width<V>)
            p.exact ? begin_flat_link<V, true>(p, f, s, i, warm, part)
                    : begin_flat_link<V, false>(p, f, s, i, warm, part);
    }
    s.at_rest = true;
}

template <class V>
ARMATURE_INLINE void finish_flat_link(const Lockstep& l, const Strand& s, std::size_t i, Vec2<V>& lambda0, int part,
                                      const CorrectionProblem& p, const LockstepResults& out) {
    const Flat& f = *l.flat;
    const Octet* k = s.flat[i].r;
    const bool last = i + 1 == s.link.size();
    const V sign = all<V>(s.sign()), none{};
    const OfFlatLinks<V> at(f, s, i, part, p.x.size());
    Vec2<V> lambda1;
    if (last) {
        const Vec<V> end = impulse_at_end<V>(l, s, 1, part);
        const V of[3] = {end.x, end.y, end.z};
        lambda1 = {of[f.a], of[f.b]};
    } else {
        lambda1 = vec2<V>(s.flat[i + 1].r, flat_lambda, part);
    }
    // Linear momentum wants places and impulses to agree to the last digit.
    const Vec2<V> way = row<V>(k, flat_inv_mass, part) * (lambda1 - lambda0);
    const V theta = row<V>(k, flat_theta, part);
    const FlatTurn<V> q1 = flat_turned(at.of(l.exact ? *p.start_q : p.q), theta, l.exact);
    // What is not written is zero already, and the height is what it was.
    double *moved = &out.moved[0].x + 3 * at.body, *x = &out.x[0].x + 3 * at.body, *q = &out.q[0].w + 4 * at.body;
    const Vec2<V> x_free = vec2<V>(k, flat_x_free, part);
    at.vectors.put_column(moved + f.a, way.x);
    at.vectors.put_column(moved + f.b, way.y);
    at.vectors.put_column(moved + f.n, none);
    at.vectors.put_column(x + f.a, x_free.x + way.x);
    at.vectors.put_column(x + f.b, x_free.y + way.y);
    at.turns.put_column(q, q1.w);
    at.turns.put_column(q + 1 + f.n, q1.n);
    if (i > 0) put_load(at, out, in_space(f, sign * lambda0, none), Vec<V>{});
    lambda0 = lambda1;
}

template <class V>
ARMATURE_INLINE void finish_flat_strand(const Lockstep& l, const Strand& s, const CorrectionProblem& p,
                                        const LockstepResults& out) {
    const Flat& f = *l.flat;
    for (int part = 0; part < eight; part += width<V>) {
        const Vec<V> begin = impulse_at_end<V>(l, s, 0, part);
        const V of[3] = {begin.x, begin.y, begin.z};
        Vec2<V> lambda0{of[f.a], of[f.b]};
        for (std::size_t i = 0; i < s.link.size(); ++i) {
            s.fetch_flat_after(i);
            finish_flat_link<V>(l, s, i, lambda0, part, p, out);
        }
    }
}

}  // namespace armature::lockstep

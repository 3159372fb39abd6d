// What a strand gives to the system: its links one by one, its nodes eliminated on the way (strand.h).
#pragma once

#include "armature/solvers/linearized/lockstep/follow.h"
#include "armature/solvers/linearized/lockstep/pivot.h"
#include "armature/solvers/linearized/lockstep/slope.h"
#include "armature/solvers/linearized/lockstep/strand_elimination.h"

namespace armature::lockstep {

template <class V>
using BlocksInSpace = LinkBlocks<Mat<V>, Vec<V>>;
template <class V>
using ToNextInSpace = ToNext<Mat<V>, Vec<V>>;

/// W of a link whose impulses are λ.
template <class V, bool exact>
ARMATURE_INLINE Mat<V> answer_of(const Lockstep& l, const Strand& s, std::size_t i, const Arms<V>& now,
                                 const Vec<V>& lambda0, const Vec<V>& lambda1, int part) {
    const Octet* k = s.link[i].r;
    const V share = all<V>(l.half_way ? 0.5 : 1);
    const Mat<V> J = symmetric<V>(k, link_inertia, part);
    const Vec<V> t = vec<V>(k, link_theta, part);
    Mat<V> K = exact ? exact_slope(J, turned_by(t, true), vec<V>(s.exact[i].r, link_half_spin, part)) : slope(J, t);
    // −[f][r] = f·r − r fᵀ of the force f at the arm r.
    const Vec<V> f0 = share * lambda0, f1 = share * lambda1, &r0 = now.at_begin, &r1 = now.at_end;
    const V stretched = dot(f1, r1) - dot(f0, r0);
    K = {K.row0 + (r0.x * f0 - r1.x * f1), K.row1 + (r0.y * f0 - r1.y * f1), K.row2 + (r0.z * f0 - r1.z * f1)};
    K.row0.x += stretched;
    K.row1.y += stretched;
    K.row2.z += stretched;
    return inverse(K);
}

template <class V, bool exact>
ARMATURE_INLINE BlocksInSpace<V> blocks_of(const Lockstep& l, Strand& s, std::size_t i, const Vec<V>& lambda0,
                                           const Vec<V>& lambda1, int part) {
    Octet* k = s.link[i].r;
    const Arms<V> now = arms_of<V>(k, link_now, part), arms = now.half_way(k, part, l.half_way);
    const Mat<V> W = answer_of<V, exact>(l, s, i, now, lambda0, lambda1, part);
    set(k, link_answer, part, W);
    const V m = row<V>(k, link_inv_mass, part);
    const Vec<V> turn = W * vec<V>(k, torque_left, part), &r0 = now.at_begin, &r1 = now.at_end;
    BlocksInSpace<V> b;
    b.at_begin = cross(turn, r0);
    b.at_end = -cross(turn, r1);
    if (s.at_rest) {
        const Vec<V> move = m * (lambda1 - lambda0);
        b.at_begin = b.at_begin + move;
        b.at_end = b.at_end - move;
    }
    const Mat<V> by0 = turns_at(W, arms.at_begin), by1 = turns_at(W, arms.at_end);
    b.A0 = read_at(r0, by0, m);
    b.X = read_at(r1, by0, m);
    b.Y = read_at(r0, by1, m);
    b.A1 = read_at(r1, by1, m);
    return b;
}

template <class V, bool exact>
ARMATURE_INLINE void condense_link(const Lockstep& l, Strand& s, std::size_t i, double share, ToNextInSpace<V>& to,
                                   int part) {
    Octet* k = s.link[i].r;
    const bool last = i + 1 == s.link.size();
    const Vec<V> lambda = last ? to.lambda_last : vec<V>(s.link[i + 1].r, link_lambda, part);
    const BlocksInSpace<V> of = blocks_of<V, exact>(l, s, i, to.lambda, lambda, part);
    to.lambda = lambda;
    Vec<V> b = of.at_end;
    if (!last) b = b + vec<V>(s.link[i + 1].r, right_side, part);
    if (i == 0) return to.begin(of, b);
    Mat<V> pivot = to.D + of.A0;
    if (share > 0) {
        pivot.row0.x += share * pivot.row0.x;
        pivot.row1.y += share * pivot.row1.y;
        pivot.row2.z += share * pivot.row2.z;
    }
    const auto [G, H, c] = eliminate(to, of, b, pivot_inverse(pivot));
    set(k, to_next, part, G);
    set(k, to_first, part, H);
    set(k, right_side, part, c);
}

template <class V, bool exact>
ARMATURE_INLINE void condense_links(Lockstep& l, Strand& s, bool ahead) {
    constexpr int parts = eight / width<V>;
    const double share = regularisation_of(l);
    ToNextInSpace<V> to[parts]{};
    for (int p = 0; p < parts; ++p) {
        const Ends<V> ends(l, s, p * width<V>);
        to[p].lambda = ends.at_begin(lambda);
        to[p].lambda_last = ends.at_end(lambda);
        if (!ahead) continue;
        to[p].lambda = to[p].lambda + ends.at_begin(change);
        to[p].lambda_last = to[p].lambda_last + ends.at_end(change);
    }
    for (std::size_t i = 0; i < s.link.size(); ++i) {
        if (!s.condensed) s.fetch_after(i);
        for (int p = 0; p < parts; ++p) condense_link<V, exact>(l, s, i, share, to[p], p * width<V>);
    }
    for (int p = 0; p < parts; ++p) {
        const int part = p * width<V>;
        set(s.left.r, left_D_first, part, to[p].D_first);
        set(s.left.r, left_t, part, to[p].t);
        set(s.left.r, left_s, part, to[p].s);
        set(s.left.r, left_D, part, to[p].D);
        set(s.left.r, left_b_first, part, to[p].b_first);
        set(s.left.r, left_b, part, to[p].b);
    }
}

/// What is left of a strand goes into the system. All lanes of one before the next: the end of a strand may be where that of the next
/// lane begins.
template <class V>
ARMATURE_INLINE void hand_in(Lockstep& l, const Strand& s, const Bodies& group) {
    const Octet* left = s.left.r;
    const Target* t = l.targets.data() + group.first_target;
    for (int part = 0; part < eight; part += width<V>) add_to(t[0], part, mat<V>(left, left_D_first, part));
    for (int part = 0; part < eight; part += width<V>) add_to(t[1], part, -mat<V>(left, left_t, part));
    for (int part = 0; part < eight; part += width<V>) add_to(t[2], part, -mat<V>(left, left_s, part));
    for (int part = 0; part < eight; part += width<V>) add_to(t[3], part, mat<V>(left, left_D, part));
    for (int part = 0; part < eight; part += width<V>) {
        const Ends<V> ends(l, s, part);
        ends.begin.put(change, ends.begin.vec(change) + ends.sign * vec<V>(left, left_b_first, part));
    }
    for (int part = 0; part < eight; part += width<V>) {
        const Ends<V> ends(l, s, part);
        ends.end.put(change, ends.end.vec(change) + ends.sign * vec<V>(left, left_b, part));
    }
}

template <class V>
ARMATURE_INLINE void condense(Lockstep& l, Strand& s, const Bodies& group) {
    if (s.pins) return condense_pins(l, s, group);
    if (!s.condensed) l.flat ? condense_flat(l, s, false) : condense_balls(l, s, false);
    s.condensed = false;
    hand_in<V>(l, s, group);
}

}  // namespace armature::lockstep

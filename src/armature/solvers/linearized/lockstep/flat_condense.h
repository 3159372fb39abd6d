// condense.h for flat strands (flat.h).
#pragma once

#include "armature/solvers/linearized/lockstep/flat_lanes.h"
#include "armature/solvers/linearized/lockstep/pivot.h"
#include "armature/solvers/linearized/lockstep/strand_elimination.h"

namespace armature::lockstep {

template <class V>
using FlatBlocks = LinkBlocks<Mat2<V>, Vec2<V>>;
template <class V>
using FlatToNext = ToNext<Mat2<V>, Vec2<V>>;

template <class V>
ARMATURE_INLINE Mat2<V> flat_read_at(const Vec2<V>& r, const Vec2<V>& by, const V& m) {
    return {{m - r.y * by.x, -r.y * by.y}, {r.x * by.x, m + r.x * by.y}};
}

template <class V, bool exact>
ARMATURE_INLINE FlatBlocks<V> flat_blocks_of(const Lockstep& l, Strand& s, std::size_t i, const Vec2<V>& lambda0,
                                             const Vec2<V>& lambda1, int part) {
    Octet* k = s.flat[i].r;
    const FlatArms<V> now = FlatArms<V>::of(k, flat_now, part), arms = now.half_way(k, part, l.half_way);
    const Vec2<V>&r0 = now.at_begin, &r1 = now.at_end;
    const V m = row<V>(k, flat_inv_mass, part);
    V K = row<V>(k, flat_inertia, part);
    if constexpr (exact) {
        const V t = row<V>(k, flat_theta, part);
        K = K + 0.25 * K * (t * t);
    }
    const V W = 1.0 / (K + all<V>(l.half_way ? 0.5 : 1) * (dot(lambda1, r1) - dot(lambda0, r0)));
    set(k, flat_answer, part, W);
    const V turn = W * row<V>(k, flat_torque_left, part);
    FlatBlocks<V> b;
    b.at_begin = turn * across(r0);
    b.at_end = -turn * across(r1);
    if (s.at_rest) {
        const Vec2<V> move = m * (lambda1 - lambda0);
        b.at_begin = b.at_begin + move;
        b.at_end = b.at_end - move;
    }
    const Vec2<V> by0 = W * across(arms.at_begin), by1 = W * across(arms.at_end);
    b.A0 = flat_read_at(r0, by0, m);
    b.X = flat_read_at(r1, by0, m);
    b.Y = flat_read_at(r0, by1, m);
    b.A1 = flat_read_at(r1, by1, m);
    return b;
}

/// By elimination, which is right where the adjugate loses digits.
template <class V>
ARMATURE_INLINE Mat2<V> careful_flat_inverse(const Mat2<V>& m) {
    const V first = 1.0 / m.row0.x, below = m.row1.x * first, beside = first * m.row0.y;
    const V second = 1.0 / (m.row1.y - below * m.row0.y);
    const V lower = -second * below;
    return {{first - beside * lower, -beside * second}, {lower, second}};
}
/// pivot_inverse of pivot.h: links wait for each other here, and one division takes half as long as two.
template <class V>
ARMATURE_INLINE Mat2<V> flat_inverse(const Mat2<V>& m) {
    const V product = m.row0.x * m.row1.y, determinant = product - m.row0.y * m.row1.x, s = 1.0 / determinant;
    const Mat2<V> r{{s * m.row1.y, -s * m.row0.y}, {-s * m.row1.x, s * m.row0.x}};
    const auto regular = determinant > 1e-4 * product;
    if (!any(~regular)) [[likely]]
        return r;
    const Mat2<V> careful = careful_flat_inverse(m);
    return {{regular ? r.row0.x : careful.row0.x, regular ? r.row0.y : careful.row0.y},
            {regular ? r.row1.x : careful.row1.x, regular ? r.row1.y : careful.row1.y}};
}

template <class V, bool exact>
ARMATURE_INLINE void condense_flat_link(const Lockstep& l, Strand& s, std::size_t i, double share, FlatToNext<V>& to,
                                        int part) {
    Octet* k = s.flat[i].r;
    const bool last = i + 1 == s.link.size();
    const Vec2<V> lambda = last ? to.lambda_last : vec2<V>(s.flat[i + 1].r, flat_lambda, part);
    const FlatBlocks<V> of = flat_blocks_of<V, exact>(l, s, i, to.lambda, lambda, part);
    to.lambda = lambda;
    Vec2<V> b = of.at_end;
    if (!last) b = b + vec2<V>(s.flat[i + 1].r, flat_right_side, part);
    if (i == 0) return to.begin(of, b);
    Mat2<V> pivot = to.D + of.A0;
    if (share > 0) {
        pivot.row0.x += share * pivot.row0.x;
        pivot.row1.y += share * pivot.row1.y;
    }
    const auto [G, H, c] = eliminate(to, of, b, flat_inverse(pivot));
    set(k, flat_to_next, part, G);
    set(k, flat_to_first, part, H);
    set(k, flat_right_side, part, c);
}

template <class V, bool exact>
ARMATURE_INLINE void condense_flat_links(Lockstep& l, Strand& s, bool ahead) {
    constexpr int parts = eight / width<V>;
    const double share = regularisation_of(l);
    FlatToNext<V> to[parts]{};
    for (int p = 0; p < parts; ++p) {
        const FlatEnds<V> ends(l, s, p * width<V>);
        to[p].lambda = ends.of(ends.begin, lambda);
        to[p].lambda_last = ends.of(ends.end, lambda);
        if (!ahead) continue;
        to[p].lambda = to[p].lambda + ends.of(ends.begin, change);
        to[p].lambda_last = to[p].lambda_last + ends.of(ends.end, change);
    }
    for (std::size_t i = 0; i < s.link.size(); ++i) {
        if (!s.condensed) s.fetch_flat_after(i);
        for (int p = 0; p < parts; ++p) condense_flat_link<V, exact>(l, s, i, share, to[p], p * width<V>);
    }
    // Along n nothing is asked for; a mass there keeps the row regular.
    const Flat& f = *l.flat;
    const V none{};
    for (int p = 0; p < parts; ++p) {
        const int part = p * width<V>;
        const V m_first = row<V>(s.flat.front().r, flat_inv_mass, part),
                m_last = row<V>(s.flat.back().r, flat_inv_mass, part);
        set(s.left.r, left_D_first, part, in_space(f, to[p].D_first, m_first));
        set(s.left.r, left_t, part, in_space(f, to[p].t, none));
        set(s.left.r, left_s, part, in_space(f, to[p].s, none));
        set(s.left.r, left_D, part, in_space(f, to[p].D, m_last));
        set(s.left.r, left_b_first, part, in_space(f, to[p].b_first, none));
        set(s.left.r, left_b, part, in_space(f, to[p].b, none));
    }
}

}  // namespace armature::lockstep

// Links of a strand moved by what was solved for, the errors of its joints where they are then, and what is left to be balanced.
//
// The links are gone through from the last to the first, in which order the impulses follow from each other (strand.h).
#pragma once

#include "armature/solvers/linearized/lockstep/balls.h"
#include "armature/solvers/linearized/lockstep/flat.h"
#include "armature/solvers/linearized/lockstep/pins.h"

namespace armature::lockstep {

/// Most, in registers.
template <class V>
struct MostOfLinks {
    V moved2{}, turned2{}, error2{}, error_at{}, left_move2{}, left_turn2{};

    ARMATURE_INLINE static void keep(V& most, const V& v) { most = most >= v ? most : v; }
    ARMATURE_INLINE void keep_worst(const V& e2, double at) {
        const auto kept = error2 >= e2;
        error2 = kept ? error2 : e2;
        error_at = kept ? error_at : lanes::all<V>(at);
    }
    ARMATURE_INLINE void add_to(Most& all, int part) const {
        keep_larger(all.moved2, part, moved2);
        keep_larger(all.turned2, part, turned2);
        keep_larger(all.left_move2, part, left_move2);
        keep_larger(all.left_turn2, part, left_turn2);
        lockstep::keep_worst(all, part, error2, error_at);
    }
};

/// Rows of the nodes at the ends of a strand, with its sign of impulses.
template <class V>
struct Ends {
    At<V, false> begin, end;
    V sign;
    ARMATURE_INLINE Ends(Lockstep& l, const Strand& s, int part)
        : begin{l.node.front().r[0].v, l.sides[s.first_side], part},
          end{l.node.front().r[0].v, l.sides[s.first_side + 1], part},
          sign(all<V>(s.sign())) {}
    ARMATURE_INLINE Vec<V> at_begin(int r) const { return sign * begin.vec(r); }
    ARMATURE_INLINE Vec<V> at_end(int r) const { return sign * end.vec(r); }
};

/// What a link hands to the one before it, of the node between them. U: vectors of space or of a plane.
template <class U>
struct FromNext {
    U delta, lambda;
    U end_point;  ///< of the body after it
};

/// The arms of a link half-way; or where they are.
template <class V>
struct Arms {
    Vec<V> at_begin, at_end;
    ARMATURE_INLINE Arms half_way(const Octet* link, int part, bool is_half) const {
        if (!is_half) return *this;
        const V half = all<V>(0.5);
        return {half * (vec<V>(link, link_start, part) + at_begin),
                half * (vec<V>(link, link_start + 3, part) + at_end)};
    }
};
template <class V>
ARMATURE_INLINE Arms<V> arms_of(const Octet* link, int row, int part) {
    return {vec<V>(link, row, part), vec<V>(link, row + 3, part)};
}

/// Of the node that the strand begins with.
template <class U>
struct FromFirst {
    U delta, lambda;
};

template <class V, bool exact, bool first>
ARMATURE_INLINE void follow_link(Lockstep& l, Strand& s, std::size_t i, const FromFirst<Vec<V>>& from_first,
                                 FromNext<Vec<V>>& next, int part, MostOfLinks<V>& most) {
    Octet* k = s.link[i].r;
    Vec<V> lambda_now, delta{};
    if (i > 0) {
        lambda_now = vec<V>(k, link_lambda, part);
        if constexpr (!first) {
            delta = vec<V>(k, right_side, part) + mat<V>(k, to_next, part) * next.delta +
                    mat<V>(k, to_first, part) * from_first.delta;
            lambda_now = lambda_now + delta;
            set(k, link_lambda, part, lambda_now);
        }
    } else {
        delta = from_first.delta;
        lambda_now = from_first.lambda;
    }
    const V m = row<V>(k, link_inv_mass, part);
    const Vec<V> way = m * (next.lambda - lambda_now);
    Vec<V> theta_now = vec<V>(k, link_theta, part), x_now = vec<V>(k, link_x_free, part);
    if constexpr (first) {
        most.keep(most.left_move2, dot(way, way));
    } else {
        // Bodies are where the impulses take them, once they have left where free motion ended.
        const Vec<V> move = s.at_rest ? way : m * (next.delta - delta);
        const Arms<V> arms = arms_of<V>(k, link_now, part).half_way(k, part, l.half_way);
        const Vec<V> T = vec<V>(k, torque_left, part) + (cross(arms.at_end, next.delta) - cross(arms.at_begin, delta));
        const Vec<V> turn = mat<V>(k, link_answer, part) * T;
        const V turn2 = dot(turn, turn);
        most.keep(most.moved2, dot(move, move));
        most.keep(most.turned2, turn2);
        theta_now = turned_further(theta_now, limited(turn, turn2), exact);
        set(k, link_theta, part, theta_now);
        x_now = x_now + way;
    }
    // Where free motion ended, nothing has turned from there; with `exact` the reference is another.
    constexpr bool there = first && !exact;
    const Turned<V> turned = turned_by(theta_now, exact);
    const Arms<V> reference = arms_of<V>(k, link_reference, part);
    const Arms<V> now = there ? reference : Arms<V>{turned(reference.at_begin), turned(reference.at_end)};
    set(k, link_now, part, now.at_begin);
    set(k, link_now + 3, part, now.at_end);
    const Vec<V> begins = x_now + now.at_begin, ends = x_now + now.at_end;
    if (i + 1 < s.link.size()) {
        const Vec<V> gap = next.end_point - ends;
        set(s.link[i + 1].r, right_side, part, gap);
        most.keep_worst(dot(gap, gap), static_cast<double>(s.number + i + 1));
    } else {
        Ends<V>(l, s, part).end.put(end_point + (s.mirrored ? 3 : 0), ends);
    }
    if (i == 0) Ends<V>(l, s, part).begin.put(end_point + (s.mirrored ? 0 : 3), begins);
    const Mat<V> J = symmetric<V>(k, link_inertia, part);
    const Arms<V> arms = now.half_way(k, part, l.half_way);
    const Vec<V> T = cross(arms.at_end, next.lambda) - cross(arms.at_begin, lambda_now);
    Vec<V> left;
    if constexpr (exact) {
        const Octet* e = s.exact[i].r;
        left = T + vec<V>(e, link_momentum, part) - turned(J * (theta_now - vec<V>(e, link_half_spin, part)));
    } else {
        left = there ? T : T - J * theta_now;
    }
    set(k, torque_left, part, left);
    most.keep(most.left_turn2, dot(left, left) * row<V>(k, link_most_turn2, part));
    next = {delta, lambda_now, begins};
}

template <class V, bool exact, bool first>
ARMATURE_INLINE void follow_links(Lockstep& l, Strand& s, Most& most) {
    constexpr int parts = eight / width<V>;
    MostOfLinks<V> most_here[parts];
    FromNext<Vec<V>> next[parts]{};
    FromFirst<Vec<V>> from_first[parts]{};
    for (int p = 0; p < parts; ++p) {
        const Ends<V> ends(l, s, p * width<V>);
        from_first[p].delta = first ? Vec<V>{} : ends.at_begin(change);
        from_first[p].lambda = ends.at_begin(lambda) + from_first[p].delta;
        const Vec<V> delta = first ? Vec<V>{} : ends.at_end(change);
        next[p] = {delta, ends.at_end(lambda) + delta, Vec<V>{}};
    }
    for (std::size_t i = s.link.size(); i-- > 0;) {
        s.fetch_before(i);
        for (int p = 0; p < parts; ++p)
            follow_link<V, exact, first>(l, s, i, from_first[p], next[p], p * width<V>, most_here[p]);
    }
    for (int p = 0; p < parts; ++p) most_here[p].add_to(most, p * width<V>);
    s.at_rest = first;
}

inline void follow(Lockstep& l, Strand& s, bool first, Most& most) {
    if (s.pins) return follow_pins(l, s, first, most);
    l.flat ? follow_flat(l, s, first, most) : follow_balls(l, s, first, most);
}

}  // namespace armature::lockstep

// follow.h for flat strands (flat.h).
#pragma once

#include "armature/solvers/linearized/lockstep/flat_lanes.h"
#include "armature/solvers/linearized/lockstep/follow.h"

namespace armature::lockstep {

template <class V, bool exact, bool first>
ARMATURE_INLINE void follow_flat_link(Lockstep& l, Strand& s, std::size_t i, const FromFirst<Vec2<V>>& from_first,
                                      FromNext<Vec2<V>>& next, int part, MostOfLinks<V>& most) {
    Octet* k = s.flat[i].r;
    Vec2<V> lambda_now, delta{};
    if (i > 0) {
        lambda_now = vec2<V>(k, flat_lambda, part);
        if constexpr (!first) {
            delta = vec2<V>(k, flat_right_side, part) + mat2<V>(k, flat_to_next, part) * next.delta +
                    mat2<V>(k, flat_to_first, part) * from_first.delta;
            lambda_now = lambda_now + delta;
            set(k, flat_lambda, part, lambda_now);
        }
    } else {
        delta = from_first.delta;
        lambda_now = from_first.lambda;
    }
    const V m = row<V>(k, flat_inv_mass, part), J = row<V>(k, flat_inertia, part);
    const Vec2<V> way = m * (next.lambda - lambda_now);
    V theta_now = row<V>(k, flat_theta, part);
    Vec2<V> x_now = vec2<V>(k, flat_x_free, part);
    FlatArms<V> now = FlatArms<V>::of(k, first ? flat_reference : flat_now, part);
    if constexpr (first) {
        most.keep(most.left_move2, dot(way, way));
    } else {
        const Vec2<V> move = s.at_rest ? way : m * (next.delta - delta);
        const FlatArms<V> arms = now.half_way(k, part, l.half_way);
        const V T = row<V>(k, flat_torque_left, part) + arms.torque(delta, next.delta);
        V turn = row<V>(k, flat_answer, part) * T;
        const V turn2 = turn * turn;
        most.keep(most.moved2, dot(move, move));
        most.keep(most.turned2, turn2);
        if (any(turn2 > largest_turn * largest_turn))
            turn = turn2 > largest_turn * largest_turn ? turn * (largest_turn / lanes::root(turn2)) : turn;
        theta_now = theta_now + (exact ? turn + (0.25 * theta_now * turn) * theta_now : turn);
        set(k, flat_theta, part, theta_now);
        x_now = x_now + way;
    }
    // Where free motion ended, nothing has turned from there; with `exact` the reference is another.
    constexpr bool there = first && !exact;
    if constexpr (!there) {
        const V u = theta_now * theta_now;
        const auto [c1, c2] = series_of_turn(u, exact);
        now = FlatArms<V>::of(k, flat_reference, part).turned(1 - c2 * u, c1 * theta_now);
    }
    now.put(k, flat_now, part);
    const Vec2<V> begins = x_now + now.at_begin, ends = x_now + now.at_end;
    if (i + 1 < s.link.size()) {
        const Vec2<V> gap = next.end_point - ends;
        set(s.flat[i + 1].r, flat_right_side, part, gap);
        most.keep_worst(dot(gap, gap), static_cast<double>(s.number + i + 1));
    } else {
        const FlatEnds<V> at(l, s, part);
        at.put_point(at.end, end_point + (s.mirrored ? 3 : 0), ends);
    }
    if (i == 0) {
        const FlatEnds<V> at(l, s, part);
        at.put_point(at.begin, end_point + (s.mirrored ? 0 : 3), begins);
    }
    const V T = now.half_way(k, part, l.half_way).torque(lambda_now, next.lambda);
    V left;
    if constexpr (exact)
        left = T + row<V>(k, flat_momentum, part) - J * (theta_now - row<V>(k, flat_half_spin, part));
    else
        left = there ? T : T - J * theta_now;
    set(k, flat_torque_left, part, left);
    most.keep(most.left_turn2, left * left * row<V>(k, flat_most_turn2, part));
    next = {delta, lambda_now, begins};
}

template <class V, bool exact, bool first>
ARMATURE_INLINE void follow_flat_links(Lockstep& l, Strand& s, Most& most) {
    constexpr int parts = eight / width<V>;
    MostOfLinks<V> most_here[parts];
    FromNext<Vec2<V>> next[parts]{};
    FromFirst<Vec2<V>> from_first[parts]{};
    for (int p = 0; p < parts; ++p) {
        const FlatEnds<V> ends(l, s, p * width<V>);
        from_first[p].delta = first ? Vec2<V>{} : ends.of(ends.begin, change);
        from_first[p].lambda = ends.of(ends.begin, lambda) + from_first[p].delta;
        const Vec2<V> delta = first ? Vec2<V>{} : ends.of(ends.end, change);
        next[p] = {delta, ends.of(ends.end, lambda) + delta, Vec2<V>{}};
    }
    for (std::size_t i = s.link.size(); i-- > 0;) {
        s.fetch_flat_before(i);
        for (int p = 0; p < parts; ++p)
            follow_flat_link<V, exact, first>(l, s, i, from_first[p], next[p], p * width<V>, most_here[p]);
    }
    for (int p = 0; p < parts; ++p) most_here[p].add_to(most, p * width<V>);
    s.at_rest = first;
}

}  // namespace armature::lockstep

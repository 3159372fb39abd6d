// Bodies moved by what was solved for, and the errors of the joints where they are then; see bilateral.h.
#pragma once

#include "armature/solvers/linearized/lockstep/follow.h"

namespace armature::lockstep {

/// Where bodies are.
template <class V>
struct Placed {
    Vec<V> x, theta;
};

/// What δλ does to a body, and where it is then.
template <class V>
ARMATURE_INLINE Placed<V> move_body(Lockstep& l, const Bodies& group, Octet* b, int part, Most& most) {
    Vec<V> P{}, T{};
    each_side<V>(l, group, part, [&](const auto& at, const Side& side) ARMATURE_LAMBDA {
        const V sign = lanes::load<V>(side.sign.v + part);
        const Vec<V> delta = sign * at.vec(change);
        if (side.axis) {
            T = T + (delta.x * at.vec(at_middle) + delta.y * at.vec(as_middle));
        } else {
            P = P + delta;
            T = T + cross(at.vec(middle + 3 * side.which), delta);
        }
    });
    const Vec<V> move = vec<V>(b, to_move, part) + row<V>(b, inv_mass, part) * P;
    const Vec<V> turn = vec<V>(b, to_turn, part) + mat<V>(b, stiffness, part) * T;
    const V turn2 = dot(turn, turn);
    keep_larger(most.moved2, part, dot(move, move));
    keep_larger(most.turned2, part, turn2);
    const Vec<V> moved_now = vec<V>(b, moved, part) + move;
    const Placed<V> at{vec<V>(b, x_free, part) + moved_now,
                       turned_further(vec<V>(b, theta, part), limited(turn, turn2), l.exact)};
    set(b, moved, part, moved_now);
    set(b, x, part, at.x);
    set(b, theta, part, at.theta);
    return at;
}

/// Arms where the body is.
template <class V>
ARMATURE_INLINE void turn_arms(Lockstep& l, const Bodies& group, int part, const Vec<V>& at_x,
                               const Turned<V>& turned) {
    const V half = all<V>(0.5);
    const bool half_way = l.half_way;
    each_side<V>(l, group, part, [&](const auto& at, const Side& side) ARMATURE_LAMBDA {
        const auto arm = [&](int k, int row_now, int row_middle) ARMATURE_LAMBDA {
            const Vec<V> r1 = turned(vec<V>(side.reference, k, part));
            at.put(row_now, r1);
            at.put(row_middle, half_way ? half * (vec<V>(side.start, k, part) + r1) : r1);
            return r1;
        };
        if (!side.axis) {
            const int w = 3 * side.which;
            at.put(end_point + w, at_x + arm(0, now + w, middle + w));
        } else if (side.which == 0) {
            arm(0, a_now, a_middle);
        } else {
            arm(0, t_now, t_middle);
            arm(3, s_now, s_middle);
        }
    });
}

/// A row of the hubs that the ghosts of a group belong to.
template <class V>
ARMATURE_INLINE V of_hub(const Lockstep& l, const Bodies& group, int at, int part) {
    V v{};
    for (int lane = 0; lane < width<V>; ++lane) {
        const int hub = group.hub[static_cast<std::size_t>(part + lane)];
        if (hub < 0) continue;
        const auto [hub_group, hub_lane] = l.hub_at[static_cast<std::size_t>(hub)];
        v[lane] = l.body[hub_group].r[at].v[hub_lane];
    }
    return v;
}

/// A piece that was just gone through is in the second cache: once all others were too it would have to come back from farther away, so
/// it is condensed at once. The next time the last begin, which were there last.
inline void move_strands(Lockstep& l, bool first, bool ahead, Most& most) {
    for (std::size_t k = 0; k < l.strands.size(); ++k) {
        Strand& s = l.strands[l.backwards ? l.strands.size() - 1 - k : k];
        follow(l, s, first, most);
        s.condensed = ahead && s.piece;
        if (s.condensed) l.flat ? condense_flat(l, s, !first) : condense_balls(l, s, !first);
    }
    l.backwards = !l.backwards;
}

template <class V>
ARMATURE_INLINE void move_bodies(Lockstep& l, bool first, bool ahead, Most& most) {
    move_strands(l, first, ahead, most);
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Bodies& group = l.bodies[g];
        if (group.role == Role::strand || (group.role == Role::held && !first)) continue;
        Octet* b = l.body[g].r;
        each_part<V>(group, [&]<class U>(int part) ARMATURE_LAMBDA {
            if (group.role == Role::ghost) {
                constexpr int rows[] = {x, x + 1, x + 2, theta, theta + 1, theta + 2, c1, c2};
                for (const int at : rows) set(b, at, part, of_hub<U>(l, group, at, part));
                return turn_arms<U>(l, group, part, vec<U>(b, x, part), turned_by<U>(b, part));
            }
            const Placed<U> at =
                first ? Placed<U>{vec<U>(b, x, part), vec<U>(b, theta, part)} : move_body<U>(l, group, b, part, most);
            const Turned<U> turned = turned_by(at.theta, l.exact);
            set(b, c1, part, turned.c1);
            set(b, c2, part, turned.c2);
            turn_arms<U>(l, group, part, at.x, turned);
        });
    }
}

/// Errors, and impulses with what was solved for, whose place they take.
template <class V>
ARMATURE_INLINE void measure(Lockstep& l, bool first, Most& most) {
    const bool hubs = !l.hub_at.empty();
    for (std::size_t g = 0; g < l.nodes.size(); ++g) {
        Octet* n = l.node[g].r;
        for (int part = 0; part < eight; part += width<V>) {
            if (!first) set(n, lambda, part, vec<V>(n, lambda, part) + vec<V>(n, change, part));
            V error2;
            if (l.nodes[g].axis) {
                const Vec<V> a = vec<V>(n, a_now, part), t = vec<V>(n, t_now, part), s = vec<V>(n, s_now, part);
                const Vec<V> am = vec<V>(n, a_middle, part);
                const Vec<V> across_t = cross(a, t), across_s = cross(a, s);
                set(n, at_now, part, across_t);
                set(n, as_now, part, across_s);
                set(n, at_middle, part, cross(am, vec<V>(n, t_middle, part)));
                set(n, as_middle, part, cross(am, vec<V>(n, s_middle, part)));
                const V et = dot(a, t), es = dot(a, s);
                set(n, change, part, -Vec<V>{et, es, V{}});
                if (first) {  // what was expected is a torque
                    const Vec<V> carried = vec<V>(n, lambda, part);
                    set(n, lambda, part, Vec<V>{dot(across_t, carried), dot(across_s, carried), V{}});
                }
                // Where the axes are far apart the rows say nothing of what is wanted.
                const V apart = dot(across_t, across_t) + dot(across_s, across_s);
                error2 = apart > 1.2 ? et * et + es * es : all<V>(infinity);
            } else {
                const Vec<V> gap = vec<V>(n, end_point, part) - vec<V>(n, end_point + 3, part);
                set(n, change, part, -gap);
                error2 = dot(gap, gap);
            }
            if (hubs) set(n, kept_back, part, Vec<V>{});
            error2 = row<V>(n, counts, part) > 0 ? error2 : V{};
            keep_worst(most, part, error2, all<V>(static_cast<double>(g)));
        }
    }
}

}  // namespace armature::lockstep

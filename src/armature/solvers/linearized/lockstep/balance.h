// What the impulses so far ask of each body beyond where it is; see bilateral.h.
#pragma once

#include "armature/solvers/linearized/lockstep/move.h"

namespace armature::lockstep {

/// P, T and S of what pulls at the sides of a group.
template <class V>
struct Pull {
    Vec<V> P, T;
    Mat<V> S;
    V stretched;
};
template <class V>
ARMATURE_INLINE Pull<V> pull_at(Lockstep& l, const Bodies& group, int part) {
    Pull<V> sum{};
    const V share = all<V>(l.half_way ? 0.5 : 1);
    each_side<V>(l, group, part, [&](const auto& at, const Side& side) ARMATURE_LAMBDA {
        const V sign = lanes::load<V>(side.sign.v + part);
        const Vec<V> push = sign * at.vec(lambda);
        if (side.axis) {
            sum.T = sum.T + (push.x * at.vec(at_middle) + push.y * at.vec(as_middle));
        } else {
            sum.P = sum.P + push;
            sum.T = sum.T + cross(at.vec(middle + 3 * side.which), push);
            // −[f][r] = f·r − r fᵀ of the force f at the arm r.
            const Vec<V> f = share * push, r = at.vec(now + 3 * side.which);
            sum.stretched = sum.stretched + dot(f, r);
            sum.S = sum.S - Mat<V>{r.x * f, r.y * f, r.z * f};
        }
    });
    return sum;
}

/// What comes to the ghosts is their hubs'. Lane by lane: the same sum however many are worked on at once.
template <class V>
ARMATURE_INLINE void sum_up_ghosts(Lockstep& l) {
    for (Lockstep::HubSum& sum : l.hub_sums) sum = {};
    for (const Bodies& group : l.bodies) {
        if (group.role != Role::ghost) continue;
        for (int part = 0; part < eight; part += width<V>) {
            const Pull<V> pull = pull_at<V>(l, group, part);
            for (int lane = 0; lane < width<V>; ++lane) {
                const int hub = group.hub[static_cast<std::size_t>(part + lane)];
                if (hub < 0) continue;
                Lockstep::HubSum& sum = l.hub_sums[static_cast<std::size_t>(hub)];
                const auto add = [&](double* to, const Vec<V>& v) ARMATURE_LAMBDA {
                    to[0] += v.x[lane];
                    to[1] += v.y[lane];
                    to[2] += v.z[lane];
                };
                add(sum.P, pull.P);
                add(sum.T, pull.T);
                add(sum.S, pull.S.row0);
                add(sum.S + 3, pull.S.row1);
                add(sum.S + 6, pull.S.row2);
                sum.stretch += pull.stretched[lane];
            }
        }
    }
    for (std::size_t h = 0; h < l.hub_at.size(); ++h) {
        const auto [group, lane] = l.hub_at[h];
        Octet* b = l.body[group].r;
        for (int k = 0; k < 3; ++k) {
            b[impulse + k].v[lane] = l.hub_sums[h].P[k];
            b[torque + k].v[lane] = l.hub_sums[h].T[k];
        }
        for (int k = 0; k < 9; ++k) b[stiffness + k].v[lane] = l.hub_sums[h].S[k];
        b[stretch].v[lane] = l.hub_sums[h].stretch;
    }
}

/// P, T and S of each body, and what they ask for beyond where it is.
template <class V>
ARMATURE_INLINE void balance(Lockstep& l, Most& most) {
    if (!l.hub_at.empty()) sum_up_ghosts<V>(l);
    for (Strand& s : l.strands)
        if (s.pins) balance_pin_ends(l, s, most);
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Bodies& group = l.bodies[g];
        if (group.role != Role::body && group.role != Role::hub) continue;
        Octet* b = l.body[g].r;
        each_part<V>(group, [&]<class U>(int part) ARMATURE_LAMBDA {
            Vec<U> P, T;
            if (group.role == Role::hub) {
                P = vec<U>(b, impulse, part);
                T = vec<U>(b, torque, part);
            } else {
                const Pull<U> pull = pull_at<U>(l, group, part);
                P = pull.P;
                T = pull.T;
                set(b, impulse, part, P);
                set(b, stiffness, part, pull.S);
                set(b, stretch, part, pull.stretched);
            }
            const Mat<U> J = symmetric<U>(b, inertia, part);
            const Vec<U> t = vec<U>(b, theta, part);
            const Vec<U> move = row<U>(b, inv_mass, part) * P - vec<U>(b, moved, part);
            const Vec<U> turn =
                l.exact ? T + vec<U>(b, momentum, part) - turned_by<U>(b, part)(J * (t - vec<U>(b, half_spin, part)))
                        : T - J * t;
            set(b, to_move, part, move);
            set(b, to_turn, part, turn);
            keep_larger(most.left_move2, part, dot(move, move));
            keep_larger(most.left_turn2, part, dot(turn, turn) * row<U>(b, most_turn2, part));
        });
    }
}

}  // namespace armature::lockstep

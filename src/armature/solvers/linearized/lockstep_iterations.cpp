// The inner loops of lockstep.h. Each runs over groups of eight bodies or nodes, 8/width(V) parts of a group one after the other.
#include <algorithm>
#include <cmath>

#include "armature/math/lanes.h"
#include "armature/solvers/linearized/lockstep.h"

namespace armature {

namespace {

using namespace lockstep;
using lanes::all;
using lanes::any;
using lanes::choose;
using lanes::Mat;
using lanes::V2;
using lanes::V4;
using lanes::V8;
using lanes::Vec;
using lanes::width;
using End = BilateralNewton::End;

constexpr double regularisation = 1e-10, regularisation_beside_hubs = 1e-7;
constexpr double largest_turn = 0.8;  // rad, in one iteration
constexpr int patience = 6;           // iterations that do not halve the error
constexpr int most_of_all = 40;       // iterations
constexpr double shift_left = 1;      // times the goal, see bilateral_iterations.cpp

template <class V>
ARMATURE_INLINE V row(const Octet* r, int at, int part) {
    return lanes::load<V>(r[at].v + part);
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const V& v) {
    lanes::store<V>(r[at].v + part, v);
}
template <class V>
ARMATURE_INLINE Vec<V> vec(const Octet* r, int at, int part) {
    return {row<V>(r, at, part), row<V>(r, at + 1, part), row<V>(r, at + 2, part)};
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Vec<V>& v) {
    set(r, at, part, v.x);
    set(r, at + 1, part, v.y);
    set(r, at + 2, part, v.z);
}
template <class V>
ARMATURE_INLINE Mat<V> mat(const Octet* r, int at, int part) {
    return {vec<V>(r, at, part), vec<V>(r, at + 3, part), vec<V>(r, at + 6, part)};
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Mat<V>& m) {
    set(r, at, part, m.row0);
    set(r, at + 3, part, m.row1);
    set(r, at + 6, part, m.row2);
}
template <class V>
ARMATURE_INLINE Mat<V> symmetric(const Octet* r, int at, int part) {
    const V xy = row<V>(r, at + 3, part), xz = row<V>(r, at + 4, part), yz = row<V>(r, at + 5, part);
    return {{row<V>(r, at, part), xy, xz}, {xy, row<V>(r, at + 1, part), yz}, {xz, yz, row<V>(r, at + 2, part)}};
}

/// The rows of the nodes at a side.
template <class V, bool aligned>
struct At {
    double* nodes;
    const Side& side;
    int part;

    ARMATURE_INLINE V get(int r) const {
        if constexpr (aligned) {
            return lanes::load<V>(nodes + side.at[0] + r * lockstep::eight + part);
        } else {
            V v;
            for (int l = 0; l < width<V>; ++l)
                v[l] = nodes[side.at[static_cast<std::size_t>(part + l)] + r * lockstep::eight];
            return v;
        }
    }
    ARMATURE_INLINE void put(int r, const V& v) const {
        if constexpr (aligned) {
            lanes::store<V>(nodes + side.at[0] + r * lockstep::eight + part, v);
        } else {
            for (int l = 0; l < width<V>; ++l)
                nodes[side.at[static_cast<std::size_t>(part + l)] + r * lockstep::eight] = v[l];
        }
    }
    ARMATURE_INLINE Vec<V> vec(int r) const { return {get(r), get(r + 1), get(r + 2)}; }
    ARMATURE_INLINE void put(int r, const Vec<V>& v) const {
        put(r, v.x);
        put(r + 1, v.y);
        put(r + 2, v.z);
    }
};
/// act(At) for each side of a group.
template <class V, class Act>
ARMATURE_INLINE void each_side(Lockstep& l, const Bodies& group, int part, Act&& act) {
    double* nodes = l.node.front().r[0].v;
    for (std::size_t s = group.first_side; s < group.end_side; ++s) {
        Side& side = l.sides[s];
        if (side.aligned)
            act(At<V, true>{nodes, side, part}, side);
        else
            act(At<V, false>{nodes, side, part}, side);
    }
}

/// Rot(θ) r = r + c1 θ×r + c2 θ×(θ×r).
template <class V>
struct Turned {
    Vec<V> theta;
    V c1, c2;
    ARMATURE_INLINE Turned(const Octet* b, int part)
        : theta(vec<V>(b, lockstep::theta, part)),
          c1(row<V>(b, lockstep::c1, part)),
          c2(row<V>(b, lockstep::c2, part)) {}
    ARMATURE_INLINE Vec<V> operator()(const Vec<V>& r) const {
        const Vec<V> once = cross(theta, r);
        return r + c1 * once + c2 * cross(theta, once);
    }
    /// [θ] m
    ARMATURE_INLINE Mat<V> across(const Mat<V>& m) const {
        return {theta.y * m.row2 - theta.z * m.row1, theta.z * m.row0 - theta.x * m.row2,
                theta.x * m.row1 - theta.y * m.row0};
    }
    ARMATURE_INLINE Mat<V> operator()(const Mat<V>& m) const {
        const Mat<V> once = across(m), twice = across(once);
        return {m.row0 + c1 * once.row0 + c2 * twice.row0, m.row1 + c1 * once.row1 + c2 * twice.row1,
                m.row2 + c1 * once.row2 + c2 * twice.row2};
    }
};

/// c1 = sin θ/θ and c2 = (1 − cos θ)/θ² by their series in θ², or those of cay(θ).
template <class V>
ARMATURE_INLINE void set_turn(Octet* b, int part, const Vec<V>& theta, bool exact) {
    const V u = dot(theta, theta);
    V c1, c2;
    if (exact) {
        c1 = 1.0 / (1.0 + 0.25 * u);
        c2 = 0.5 * c1;
    } else {
        c1 = 1 - u * (1.0 / 6) * (1 - u * (1.0 / 20) * (1 - u * (1.0 / 42) * (1 - u * (1.0 / 72))));
        c2 = 0.5 * (1 - u * (1.0 / 12) * (1 - u * (1.0 / 30) * (1 - u * (1.0 / 56) * (1 - u * (1.0 / 90)))));
        const auto far = u > 1e-2;
        if (any(far)) {
            V d1 = all<V>(1.0), d2 = d1;
            for (int k = 14; k >= 1; --k) {
                d1 = 1 - u * (1.0 / ((2 * k) * (2 * k + 1))) * d1;
                d2 = 1 - u * (1.0 / ((2 * k + 1) * (2 * k + 2))) * d2;
            }
            c1 = far ? d1 : c1;
            c2 = far ? 0.5 * d2 : c2;
        }
    }
    set(b, lockstep::c1, part, c1);
    set(b, lockstep::c2, part, c2);
}

struct Most {
    Octet moved2{}, turned2{}, error2{}, error_at{};
    Octet left_move2{}, left_turn2{};  ///< how far the impulses would take and turn bodies from where they are

    static double of(const Octet& r) {
        double most = 0;
        for (const double v : r.v)
            if (!(v <= most)) most = v;  // NaN too
        return most;
    }
};

template <class V>
ARMATURE_INLINE void keep_larger(Octet& most, int part, const V& v) {
    const V old = lanes::load<V>(most.v + part);
    lanes::store<V>(most.v + part, old >= v ? old : v);
}

/// What δλ does to a body, and where it is then.
template <class V>
ARMATURE_INLINE void move_body(Lockstep& l, const Bodies& group, Octet* b, int part, Most& most) {
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
    Vec<V> turn = vec<V>(b, to_turn, part) + mat<V>(b, stiffness, part) * T;
    const V turn2 = dot(turn, turn);
    keep_larger(most.moved2, part, dot(move, move));
    keep_larger(most.turned2, part, turn2);
    if (any(turn2 > largest_turn * largest_turn))
        turn = (turn2 > largest_turn * largest_turn ? largest_turn / lanes::root(turn2) : all<V>(1.0)) * turn;
    const Vec<V> moved_now = vec<V>(b, moved, part) + move;
    set(b, moved, part, moved_now);
    set(b, x, part, vec<V>(b, x_free, part) + moved_now);
    const Vec<V> t = vec<V>(b, theta, part), across = cross(t, turn);
    const Vec<V> more = l.exact ? turn - all<V>(0.5) * across + (0.25 * dot(t, turn)) * t
                                : turn - all<V>(0.5) * across + all<V>(1.0 / 12) * cross(t, across);
    set(b, theta, part, t + more);
}

/// Arms where the body is.
template <class V>
ARMATURE_INLINE void turn_arms(Lockstep& l, const Bodies& group, const Octet* b, int part) {
    const Turned<V> turned(b, part);
    const Vec<V> at_x = vec<V>(b, x, part);
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

template <class V>
ARMATURE_INLINE void move_bodies(Lockstep& l, bool first, Most& most) {
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Bodies& group = l.bodies[g];
        if (group.role == Role::held && !first) continue;
        Octet* b = l.body[g].r;
        for (int part = 0; part < lockstep::eight; part += width<V>) {
            if (group.role == Role::ghost) {
                constexpr int rows[] = {x, x + 1, x + 2, theta, theta + 1, theta + 2, lockstep::c1, lockstep::c2};
                for (const int at : rows) set(b, at, part, of_hub<V>(l, group, at, part));
            } else {
                if (!first) move_body<V>(l, group, b, part, most);
                set_turn(b, part, vec<V>(b, theta, part), l.exact);
            }
            turn_arms<V>(l, group, b, part);
        }
    }
}

/// Errors, and impulses with what was solved for, whose place they take.
template <class V>
ARMATURE_INLINE void measure(Lockstep& l, bool first, Most& most) {
    for (std::size_t g = 0; g < l.nodes.size(); ++g) {
        Octet* n = l.node[g].r;
        for (int part = 0; part < lockstep::eight; part += width<V>) {
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
                set(n, error, part, Vec<V>{et, es, V{}});
                if (first) {  // what was expected is a torque
                    const Vec<V> carried = vec<V>(n, lambda, part);
                    set(n, lambda, part, Vec<V>{dot(across_t, carried), dot(across_s, carried), V{}});
                }
                // Where the axes are far apart the rows say nothing of what is wanted.
                const V apart = dot(across_t, across_t) + dot(across_s, across_s);
                error2 = apart > 1.2 ? et * et + es * es : all<V>(infinity);
            } else {
                const Vec<V> gap = vec<V>(n, end_point, part) - vec<V>(n, end_point + 3, part);
                set(n, error, part, gap);
                error2 = dot(gap, gap);
            }
            set(n, change, part, -vec<V>(n, error, part));  // the right-hand side begins with it
            set(n, kept_back, part, Vec<V>{});
            error2 = row<V>(n, counts, part) > 0 ? error2 : V{};
            const V before = lanes::load<V>(most.error2.v + part);
            const auto kept = before >= error2;
            lanes::store<V>(most.error2.v + part, kept ? before : error2);
            const V where = lanes::load<V>(most.error_at.v + part);
            lanes::store<V>(most.error_at.v + part, kept ? where : all<V>(static_cast<double>(g)));
        }
    }
}

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
        for (int part = 0; part < lockstep::eight; part += width<V>) {
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
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Bodies& group = l.bodies[g];
        if (group.role != Role::body && group.role != Role::hub) continue;
        Octet* b = l.body[g].r;
        for (int part = 0; part < lockstep::eight; part += width<V>) {
            Vec<V> P, T;
            if (group.role == Role::hub) {
                P = vec<V>(b, impulse, part);
                T = vec<V>(b, torque, part);
            } else {
                const Pull<V> pull = pull_at<V>(l, group, part);
                P = pull.P;
                T = pull.T;
                set(b, impulse, part, P);
                set(b, stiffness, part, pull.S);
                set(b, stretch, part, pull.stretched);
            }
            const Mat<V> J = symmetric<V>(b, inertia, part);
            const Vec<V> t = vec<V>(b, theta, part);
            const Vec<V> move = row<V>(b, inv_mass, part) * P - vec<V>(b, moved, part);
            const Vec<V> turn =
                l.exact ? T + vec<V>(b, momentum, part) - Turned<V>(b, part)(J * (t - vec<V>(b, half_spin, part)))
                        : T - J * t;
            set(b, to_move, part, move);
            set(b, to_turn, part, turn);
            keep_larger(most.left_move2, part, dot(move, move));
            keep_larger(most.left_turn2, part, dot(turn, turn) * row<V>(b, most_turn2, part));
        }
    }
}

/// W, and what was a torque becomes the turn that it makes.
template <class V>
ARMATURE_INLINE Mat<V> answer(const Lockstep& l, Octet* b, int part) {
    const Mat<V> J = symmetric<V>(b, inertia, part);
    const Vec<V> t = vec<V>(b, theta, part), half = all<V>(0.5) * t;
    // J [½θ] by rows
    Mat<V> K{J.row0 - cross(J.row0, half), J.row1 - cross(J.row1, half), J.row2 - cross(J.row2, half)};
    if (l.exact) {
        const Turned<V> turned(b, part);
        // J D⁻¹ with D⁻¹ = 1 − ½[θ] + ¼θθᵀ
        const Vec<V> along = all<V>(0.25) * (J * t);
        K = {K.row0 + along.x * t, K.row1 + along.y * t, K.row2 + along.z * t};
        K = turned(K) - skew(turned(J * (t - vec<V>(b, half_spin, part))));
    }
    const V stretched = row<V>(b, stretch, part), turning = row<V>(b, turns, part);
    K = K + mat<V>(b, stiffness, part);
    // What does not turn has no inertia either.
    const V more = stretched + (1.0 - turning);
    K.row0.x += more;
    K.row1.y += more;
    K.row2.z += more;
    const Mat<V> W = inverse(K);
    return {turning * W.row0, turning * W.row1, turning * W.row2};
}

/// The turns that a unit of each impulse at a side makes, by columns.
template <class V, class A>
ARMATURE_INLINE Mat<V> turns_by(const A& at, const Side& side, const Mat<V>& W) {
    if (side.axis) {
        const Vec<V> t = W * at.vec(at_middle), s = W * at.vec(as_middle);
        const V none{};
        return {{t.x, s.x, none}, {t.y, s.y, none}, {t.z, s.z, none}};
    }
    const Vec<V> r = at.vec(middle + 3 * side.which);
    return {cross(W.row0, r), cross(W.row1, r), cross(W.row2, r)};
}
template <class V, class A>
ARMATURE_INLINE Mat<V> read(const A& at, const Side& side, const Mat<V>& m) {
    if (side.axis) {
        const Vec<V> t = at.vec(at_now), s = at.vec(as_now);
        const V none{};
        return {
            t.x * m.row0 + t.y * m.row1 + t.z * m.row2, s.x * m.row0 + s.y * m.row1 + s.z * m.row2, {none, none, none}};
    }
    const Vec<V> r = at.vec(now + 3 * side.which);
    return {r.z * m.row1 - r.y * m.row2, r.x * m.row2 - r.z * m.row0, r.y * m.row0 - r.x * m.row1};
}
template <class V, class A>
ARMATURE_INLINE Vec<V> read(const A& at, const Side& side, const Vec<V>& turn) {
    if (side.axis) return {dot(at.vec(at_now), turn), dot(at.vec(as_now), turn), V{}};
    return cross(turn, at.vec(now + 3 * side.which));
}

template <class V>
ARMATURE_INLINE void add_whole(const Target& target, int part, const Mat<V>& A) {
    Octet* m = target.block->m;
    if (target.first)
        set(m, 0, part, A);
    else
        set(m, 0, part, mat<V>(m, 0, part) + A);
}
template <class V>
ARMATURE_INLINE void add_to(const Target& target, int part, const Mat<V>& A) {
    if (target.block) return add_whole(target, part, A);
    alignas(64) double v[9][width<V>];
    const Vec<V> rows[3] = {A.row0, A.row1, A.row2};
    for (int r = 0; r < 3; ++r) {
        lanes::store<V>(v[3 * r], rows[r].x);
        lanes::store<V>(v[3 * r + 1], rows[r].y);
        lanes::store<V>(v[3 * r + 2], rows[r].z);
    }
    for (int l = 0; l < width<V>; ++l) {
        const Target::Lane& to = target.lane[static_cast<std::size_t>(part + l)];
        if (!to.at) continue;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                double& place = to.at[to.single ? 4 * c + r : (3 * r + c) * lockstep::eight];
                place = to.first ? v[3 * r + c][l] : place + v[3 * r + c][l];
            }
    }
}

template <class V>
ARMATURE_INLINE void fill_group(Lockstep& l, const Bodies& group, Octet* b, int part) {
    const Mat<V> W = answer<V>(l, b, part);
    const Vec<V> turn = W * vec<V>(b, to_turn, part), move = vec<V>(b, to_move, part);
    set(b, stiffness, part, W);
    set(b, to_turn, part, turn);
    const V m = row<V>(b, inv_mass, part);
    std::size_t target = group.first_target;
    each_side<V>(l, group, part, [&](const auto& column, const Side& of_column) ARMATURE_LAMBDA {
        const V sign = lanes::load<V>(of_column.sign.v + part);
        const Mat<V> turns_of = turns_by<V>(column, of_column, W);
        each_side<V>(l, group, part, [&](const auto& row_at, const Side& of_row) ARMATURE_LAMBDA {
            Mat<V> A = read<V>(row_at, of_row, turns_of);
            if (!of_column.axis && !of_row.axis) {
                A.row0.x += m;
                A.row1.y += m;
                A.row2.z += m;
            }
            const V s = sign * lanes::load<V>(of_row.sign.v + part);
            add_to(l.targets[target++], part, Mat<V>{s * A.row0, s * A.row1, s * A.row2});
        });
        const Vec<V> reads = read<V>(column, of_column, turn);
        column.put(change, column.vec(change) - sign * (of_column.axis ? reads : move + reads));
    });
}

/// The same for what most bodies are: between two points, all of whose lanes are in order.
template <class V>
ARMATURE_INLINE void fill_between(Lockstep& l, const Bodies& group, Octet* b, int part) {
    double* nodes = l.node.front().r[0].v;
    const Side &side0 = l.sides[group.first_side], &side1 = l.sides[group.first_side + 1];
    const At<V, true> at0{nodes, side0, part}, at1{nodes, side1, part};
    const Mat<V> W = answer<V>(l, b, part);
    const Vec<V> turn = W * vec<V>(b, to_turn, part), move = vec<V>(b, to_move, part);
    set(b, stiffness, part, W);
    set(b, to_turn, part, turn);
    const V m = row<V>(b, inv_mass, part);
    const V sign0 = lanes::load<V>(side0.sign.v + part), sign1 = lanes::load<V>(side1.sign.v + part);
    const V opposite = sign0 * sign1;
    const Vec<V> r0 = at0.vec(now + 3 * side0.which), r1 = at1.vec(now + 3 * side1.which);
    const auto reads = [&](const Vec<V>& r, const Mat<V>& by) ARMATURE_LAMBDA {
        Mat<V> A{r.z * by.row1 - r.y * by.row2, r.x * by.row2 - r.z * by.row0, r.y * by.row0 - r.x * by.row1};
        A.row0.x += m;
        A.row1.y += m;
        A.row2.z += m;
        return A;
    };
    const auto column = [&](const At<V, true>& at, int which, const Target* own, const Target* other,
                            const Vec<V>& own_r, const Vec<V>& other_r) ARMATURE_LAMBDA {
        const Vec<V> r = at.vec(middle + 3 * which);
        const Mat<V> by{cross(W.row0, r), cross(W.row1, r), cross(W.row2, r)};
        add_whole(*own, part, reads(own_r, by));
        const Mat<V> A = reads(other_r, by);
        add_whole(*other, part, Mat<V>{opposite * A.row0, opposite * A.row1, opposite * A.row2});
    };
    const Target* t = l.targets.data() + group.first_target;
    column(at0, side0.which, t, t + 1, r0, r1);
    column(at1, side1.which, t + 3, t + 2, r1, r0);
    at0.put(change, at0.vec(change) - sign0 * (move + cross(turn, r0)));
    at1.put(change, at1.vec(change) - sign1 * (move + cross(turn, r1)));
}

/// A hub stays in the system: its move and its turn are unknown.
template <class V>
ARMATURE_INLINE void fill_hubs(Lockstep& l, Octet* b) {
    for (int part = 0; part < lockstep::eight; part += width<V>) {
        const Mat<V> W = answer<V>(l, b, part);
        set(b, stiffness, part, W);
        set(b, to_turn, part, W * vec<V>(b, to_turn, part));
    }
}
/// The blocks of a node and of the hub at one of its sides.
template <class V>
ARMATURE_INLINE void fill_ghosts(Lockstep& l, const Bodies& group, int part) {
    Mat<V> W;
    Vec<V>* rows[3] = {&W.row0, &W.row1, &W.row2};
    for (int k = 0; k < 3; ++k)
        *rows[k] = {of_hub<V>(l, group, stiffness + 3 * k, part), of_hub<V>(l, group, stiffness + 3 * k + 1, part),
                    of_hub<V>(l, group, stiffness + 3 * k + 2, part)};
    const V m = of_hub<V>(l, group, inv_mass, part), none{}, one = all<V>(1.0);
    const Mat<V> identity{{one, none, none}, {none, one, none}, {none, none, one}};
    const auto scaled = [&](const V& s, const Mat<V>& a) ARMATURE_LAMBDA {
        return Mat<V>{s * a.row0, s * a.row1, s * a.row2};
    };
    std::size_t target = group.first_target;
    each_side<V>(l, group, part, [&](const auto& at, const Side& side) ARMATURE_LAMBDA {
        const V sign = lanes::load<V>(side.sign.v + part);
        const Mat<V> turns_of = turns_by<V>(at, side, W);
        const Mat<V> whole = read<V>(at, side, turns_of);
        Vec<V> kept{whole.row0.x, whole.row1.y, whole.row2.z};
        if (!side.axis) {
            add_to(l.targets[target], part, scaled(-(sign * m), identity));
            add_to(l.targets[target + 2], part, scaled(sign, identity));
            kept = kept + Vec<V>{m, m, m};
        }
        add_to(l.targets[target + 1], part, scaled(-sign, turns_of));
        add_to(l.targets[target + 3], part, scaled(sign, read<V>(at, side, identity)));
        target += 4;
        // What regularises is a share of what the diagonal would be without hubs.
        at.put(kept_back, at.vec(kept_back) + (sign * sign) * kept);
    });
}

/// Nothing is held twice in a tree; in a long one that much more on the diagonal is a tenth of an impulse at its end.
ARMATURE_INLINE void regularise(Lockstep& l) {
    const double share = l.tree ? 0 : l.hub_at.empty() ? regularisation : regularisation_beside_hubs, least = 1e-300;
    for (std::size_t block = 0; block < l.blocks; ++block)
        for (std::size_t u = 0; u < l.units; ++u) {
            Octet* D = l.diagonal[block * (l.units + l.slots) + u].m;
            const std::size_t g = block * l.units + u;
            const Octet* n = l.node[g].r;
            for (int lane = 0; lane < lockstep::eight; ++lane) {
                const double nobody = 1 - n[counts].v[lane];
                for (int k = 0; k < 3; ++k) {
                    const double more = k == 2 && l.nodes[g].axis ? 1 : least + nobody;
                    double& d = D[4 * k].v[lane];
                    d = d + share * (d + n[kept_back + k].v[lane]) + more;
                }
            }
        }
    for (std::size_t i = 0; i < l.single_at.size(); ++i) {
        const auto [group, lane] = l.single_at[i];
        const Octet* n = l.node[group].r;
        four::M& D = l.top.diagonal[i];
        const auto more = [&](double d, int k) ARMATURE_LAMBDA {
            return d + share * (d + n[kept_back + k].v[lane]) + (k == 2 && l.nodes[group].axis ? 1 : least);
        };
        D.c0[0] = more(D.c0[0], 0);
        D.c1[1] = more(D.c1[1], 1);
        D.c2[2] = more(D.c2[2], 2);
    }
}

template <class V>
ARMATURE_INLINE void fill(Lockstep& l) {
    for (const std::size_t at : l.filled) l.lower[at] = l.upper[at] = {};
    for (four::M* block : l.filled_singles) *block = four::zero();
    for (std::size_t block = 0; block < l.blocks; ++block)
        for (std::size_t s = 0; s < l.slots; ++s) {
            l.diagonal[block * (l.units + l.slots) + l.units + s] = {};
            l.slot_change[block * l.slots + s] = {};
        }
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Bodies& group = l.bodies[g];
        if (group.role == Role::hub) fill_hubs<V>(l, l.body[g].r);  // these come first, and their ghosts last
        for (int part = 0; part < lockstep::eight; part += width<V>) {
            if (group.role == Role::ghost) fill_ghosts<V>(l, group, part);
            if (group.role == Role::body)
                group.between ? fill_between<V>(l, group, l.body[g].r, part)
                              : fill_group<V>(l, group, l.body[g].r, part);
        }
    }
    regularise(l);
    for (std::size_t i = 0; i < l.single_at.size(); ++i) {
        const auto [group, lane] = l.single_at[i];
        const Octet* n = l.node[group].r;
        l.top.x[i].v = four::V{n[change].v[lane], n[change + 1].v[lane], n[change + 2].v[lane], 0};
    }
    for (std::size_t h = 0; h < l.hub_at.size(); ++h) {
        const auto [group, lane] = l.hub_at[h];
        const std::size_t i = l.single_at.size() + 2 * h;
        const Octet* b = l.body[group].r;
        for (const std::size_t at : {i, i + 1})
            l.top.diagonal[at] = {four::V{1, 0, 0, 0}, four::V{0, 1, 0, 0}, four::V{0, 0, 1, 0}};
        l.top.x[i].v = four::V{b[to_move].v[lane], b[to_move + 1].v[lane], b[to_move + 2].v[lane], 0};
        l.top.x[i + 1].v = four::V{b[to_turn].v[lane], b[to_turn + 1].v[lane], b[to_turn + 2].v[lane], 0};
    }
}

/// The inverse of a pivot; lane by lane where it is nearly singular (careful_inverse of triple_system.h).
template <class V>
ARMATURE_INLINE Mat<V> pivot_inverse(const Mat<V>& m) {
    const Vec<V> c0 = cross(m.row1, m.row2), c1 = cross(m.row2, m.row0), c2 = cross(m.row0, m.row1);
    const V determinant = dot(m.row0, c0);
    const V s = 1.0 / determinant;
    Mat<V> r = transposed(Mat<V>{s * c0, s * c1, s * c2});
    const auto regular = determinant > 1e-4 * (m.row0.x * m.row1.y * m.row2.z);
    if (!any(~regular)) [[likely]]
        return r;
    for (int l = 0; l < width<V>; ++l) {
        if (regular[l]) continue;
        const four::M careful = four::careful_inverse({four::V{m.row0.x[l], m.row1.x[l], m.row2.x[l], 0},
                                                       four::V{m.row0.y[l], m.row1.y[l], m.row2.y[l], 0},
                                                       four::V{m.row0.z[l], m.row1.z[l], m.row2.z[l], 0}});
        Vec<V>* rows[3] = {&r.row0, &r.row1, &r.row2};
        for (int k = 0; k < 3; ++k) {
            rows[k]->x[l] = careful.c0[k];
            rows[k]->y[l] = careful.c1[k];
            rows[k]->z[l] = careful.c2[k];
        }
    }
    return r;
}

/// What stands in a block of parts.
struct PartsOf {
    Lockstep& l;
    Block *diagonal, *lower, *upper;
    NodeGroup* nodes;
    std::array<Octet, 3>* slots;

    ARMATURE_INLINE PartsOf(Lockstep& of, std::size_t block)
        : l(of),
          diagonal(of.diagonal.data() + block * (of.units + of.slots)),
          lower(of.lower.data() + block * of.pattern.below.size()),
          upper(of.upper.data() + block * of.pattern.below.size()),
          nodes(of.node.data() + block * of.units),
          slots(of.slot_change.data() + block * of.slots) {}
    /// The rows that the changes of a unit or a slot stand in.
    ARMATURE_INLINE Octet* changes(std::size_t i) const {
        return i < l.units ? nodes[i].r + change : slots[i - l.units].data();
    }
};

template <class V>
ARMATURE_INLINE void eliminate_parts(const PartsOf& p) {
    const Elimination& e = p.l.pattern;
    std::size_t next_update = 0;
    for (std::size_t at = 0; at < p.l.units; ++at) {
        const auto j = static_cast<std::size_t>(e.order[at]);
        const std::size_t begin = e.first[j], end = e.first[j + 1];
        for (int part = 0; part < lockstep::eight; part += width<V>) {
            std::size_t update = next_update;
            Octet* D = p.diagonal[j].m;
            const Mat<V> inverse = pivot_inverse(mat<V>(D, 0, part));
            set(D, 0, part, inverse);
            const Vec<V> xj = vec<V>(p.changes(j), 0, part);
            for (std::size_t i = begin; i < end; ++i)
                set(p.lower[i].m, 0, part, mat<V>(p.lower[i].m, 0, part) * inverse);
            for (std::size_t k = begin; k < end; ++k) {
                const Mat<V> Lk = mat<V>(p.lower[k].m, 0, part), Uk = mat<V>(p.upper[k].m, 0, part);
                const auto node_k = static_cast<std::size_t>(e.below[k]);
                Octet *Dk = p.diagonal[node_k].m, *xk = p.changes(node_k);
                set(Dk, 0, part, mat<V>(Dk, 0, part) - Lk * Uk);
                set(xk, 0, part, vec<V>(xk, 0, part) - Lk * xj);
                for (std::size_t i = k + 1; i < end; ++i, ++update) {
                    Octet *low = p.lower[e.updates[update]].m, *up = p.upper[e.updates[update]].m;
                    const Mat<V> by_lower = mat<V>(p.lower[i].m, 0, part) * Uk;
                    const Mat<V> by_upper = Lk * mat<V>(p.upper[i].m, 0, part);
                    const bool first = p.l.first_update[update] != 0;
                    set(low, 0, part, first ? -by_lower : mat<V>(low, 0, part) - by_lower);
                    set(up, 0, part, first ? -by_upper : mat<V>(up, 0, part) - by_upper);
                }
            }
        }
        next_update += (end - begin) * (end - begin - 1) / 2;
    }
}

ARMATURE_INLINE four::M lane_of(const Block& b, int lane) {
    const auto v = [&](int k) ARMATURE_LAMBDA { return b.m[k].v[lane]; };
    return {four::V{v(0), v(3), v(6), 0}, four::V{v(1), v(4), v(7), 0}, four::V{v(2), v(5), v(8), 0}};
}

ARMATURE_INLINE void add_parts_to_top(Lockstep& l) {
    using four::operator+;
    for (std::size_t s = 0; s < l.slot.size(); ++s)
        for (int lane = 0; lane < lockstep::eight; ++lane) {
            const int single = l.slot[s][static_cast<std::size_t>(lane)];
            if (single < 0) continue;
            const auto i = static_cast<std::size_t>(single);
            const std::size_t diagonal = s / l.slots * (l.units + l.slots) + l.units + s % l.slots;
            l.top.diagonal[i] = l.top.diagonal[i] + lane_of(l.diagonal[diagonal], lane);
            const std::array<Octet, 3>& c = l.slot_change[s];
            l.top.x[i].v += four::V{c[0].v[lane], c[1].v[lane], c[2].v[lane], 0};
        }
    for (const Lockstep::Meeting& m : l.meetings)
        for (int lane = 0; lane < lockstep::eight; ++lane) {
            four::M *low = m.lower[static_cast<std::size_t>(lane)], *up = m.upper[static_cast<std::size_t>(lane)];
            if (!low) continue;
            *low = *low + lane_of(l.lower[m.coupling], lane);
            *up = *up + lane_of(l.upper[m.coupling], lane);
        }
}

/// What was solved for singles and hubs, to where it is looked for.
ARMATURE_INLINE void hand_down(Lockstep& l) {
    for (std::size_t i = 0; i < l.single_at.size(); ++i) {
        const auto [group, lane] = l.single_at[i];
        for (int k = 0; k < 3; ++k) l.node[group].r[change + k].v[lane] = l.top.x[i].v[k];
    }
    for (std::size_t h = 0; h < l.hub_at.size(); ++h) {
        const auto [group, lane] = l.hub_at[h];
        const std::size_t i = l.single_at.size() + 2 * h;
        for (int k = 0; k < 3; ++k) {
            l.body[group].r[to_move + k].v[lane] = l.top.x[i].v[k];
            l.body[group].r[to_turn + k].v[lane] = l.top.x[i + 1].v[k];
        }
    }
    for (std::size_t s = 0; s < l.slot.size(); ++s)
        for (int lane = 0; lane < lockstep::eight; ++lane) {
            const int single = l.slot[s][static_cast<std::size_t>(lane)];
            for (int k = 0; k < 3; ++k)
                l.slot_change[s][static_cast<std::size_t>(k)].v[lane] =
                    single < 0 ? 0 : l.top.x[static_cast<std::size_t>(single)].v[k];
        }
}

template <class V>
ARMATURE_INLINE void substitute_back(const PartsOf& p) {
    const Elimination& e = p.l.pattern;
    for (std::size_t at = p.l.units; at-- > 0;) {
        const auto j = static_cast<std::size_t>(e.order[at]);
        for (int part = 0; part < lockstep::eight; part += width<V>) {
            Vec<V> b = vec<V>(p.changes(j), 0, part);
            for (std::size_t k = e.first[j]; k < e.first[j + 1]; ++k)
                b = b -
                    mat<V>(p.upper[k].m, 0, part) * vec<V>(p.changes(static_cast<std::size_t>(e.below[k])), 0, part);
            set(p.changes(j), 0, part, mat<V>(p.diagonal[j].m, 0, part) * b);
        }
    }
}

template <class V>
ARMATURE_INLINE void solve(Lockstep& l) {
    for (std::size_t block = 0; block < l.blocks; ++block) eliminate_parts<V>(PartsOf(l, block));
    add_parts_to_top(l);
    four::solve(l.top);
    hand_down(l);
    for (std::size_t block = 0; block < l.blocks; ++block) substitute_back<V>(PartsOf(l, block));
}

template <class V>
ARMATURE_INLINE BilateralNewton::Result iterate(const BilateralPlan& plan, Lockstep& l, double goal, int most_made,
                                                TimeBudget& budget) {
    BilateralNewton::Result result;
    // Angular momentum is as exact as torques and turns agree.
    const double agreed = l.exact ? 1e-3 * goal : goal;
    double best = infinity;
    int idle = 0;
    for (;;) {
        Most most;
        const bool first = result.iterations == 0;
        move_bodies<V>(l, first, most);
        // Somebody in a hurry takes what there is.
        const double turned2 = Most::of(most.turned2);
        if (!first && !(turned2 < largest_turn * largest_turn) && !budget.limited()) return result;
        measure<V>(l, first, most);
        balance<V>(l, most);
        double worst2 = 0;
        for (int lane = 0; lane < lockstep::eight; ++lane)
            if (!(most.error2.v[lane] <= worst2)) {
                worst2 = most.error2.v[lane];
                const int worst =
                    l.nodes[static_cast<std::size_t>(most.error_at.v[lane])].node[static_cast<std::size_t>(lane)];
                result.worst_joint = worst < 0 ? -1 : plan.nodes[static_cast<std::size_t>(worst)].joint;
            }
        result.worst = std::sqrt(worst2);
        const double left_move2 = Most::of(most.left_move2);
        const double change_by = std::sqrt(std::max(left_move2, Most::of(most.left_turn2)));
        const double error_now = std::max(result.worst, change_by);
        if (!(error_now < infinity)) return result;
        const double moved2 = std::max(Most::of(most.moved2), turned2);
        const bool at_rest = change_by <= agreed || (!first && moved2 <= 100 * agreed * agreed &&
                                                     left_move2 <= shift_left * shift_left * goal * goal);
        if (result.worst <= goal && at_rest) {
            result.end = End::arrived;
            return result;
        }
        idle = error_now < 0.5 * best ? 0 : idle + 1;
        best = std::min(best, error_now);
        if (idle >= patience || result.iterations >= most_of_all) return result;
        if (result.iterations >= most_made || !budget.room_for_another()) {
            result.end = End::stopped;
            return result;
        }
        fill<V>(l);
        solve<V>(l);
        ++result.iterations;
    }
}

BilateralNewton::Result iterate_plain(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                      TimeBudget& budget) {
    return iterate<V2>(plan, l, goal, most, budget);
}
ARMATURE_WIDE BilateralNewton::Result iterate_wide(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                                   TimeBudget& budget) {
    return iterate<V4>(plan, l, goal, most, budget);
}
ARMATURE_WIDEST BilateralNewton::Result iterate_widest(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                                       TimeBudget& budget) {
    return iterate<V8>(plan, l, goal, most, budget);
}

}  // namespace

BilateralNewton::Result iterate_lockstep(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                         TimeBudget& budget) {
    switch (lanes::machine()) {
        case lanes::Machine::widest:
            return iterate_widest(plan, l, goal, most, budget);
        case lanes::Machine::wide:
            return iterate_wide(plan, l, goal, most, budget);
        default:
            return iterate_plain(plan, l, goal, most, budget);
    }
}

}  // namespace armature

// The system: what each body and each hub add to it; see bilateral.h.
#pragma once

#include "armature/solvers/linearized/lockstep/balance.h"
#include "armature/solvers/linearized/lockstep/condense.h"

namespace armature::lockstep {

/// W of a body, whose S has `stretched` times 1 besides.
template <class V>
ARMATURE_INLINE Mat<V> answer(const Lockstep& l, Octet* b, int part) {
    const Mat<V> J = symmetric<V>(b, inertia, part);
    const Turned<V> turned = turned_by<V>(b, part);
    Mat<V> K = l.exact ? exact_slope(J, turned, vec<V>(b, half_spin, part)) : slope(J, turned.theta);
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
    const auto column = [&](const At<V, true>& at, int which, const Target* own, const Target* other,
                            const Vec<V>& own_r, const Vec<V>& other_r) ARMATURE_LAMBDA {
        const Vec<V> r = at.vec(middle + 3 * which);
        const Mat<V> by = turns_at(W, r);
        add_whole(*own, part, read_at(own_r, by, m));
        const Mat<V> A = read_at(other_r, by, m);
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
    for (int part = 0; part < eight; part += width<V>) {
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

template <class V>
ARMATURE_INLINE void regularise(Lockstep& l) {
    const double share = regularisation_of(l), least = 1e-300;
    const bool hubs = !l.hub_at.empty();
    for (std::size_t block = 0; block < l.blocks; ++block)
        for (std::size_t u = 0; u < l.units; ++u) {
            Octet* D = l.diagonal[block * (l.units + l.slots) + u].m;
            const std::size_t g = block * l.units + u;
            if (share == 0 && l.nodes[g].whole) continue;
            const Octet* n = l.node[g].r;
            for (int part = 0; part < eight; part += width<V>) {
                const V nobody = 1.0 - row<V>(n, counts, part);
                for (int k = 0; k < 3; ++k) {
                    const V more = k == 2 && l.nodes[g].axis ? all<V>(1.0) : least + nobody;
                    const V d = row<V>(D, 4 * k, part);
                    const V whole = hubs ? d + row<V>(n, kept_back + k, part) : d;
                    set(D, 4 * k, part, d + share * whole + more);
                }
            }
        }
    for (std::size_t i = 0; i < l.single_at.size(); ++i) {
        const std::size_t group = l.single_at[i].first;  // clang 14 takes no bindings into lambdas
        const int lane = l.single_at[i].second;
        const auto kept = [&](int k) { return hubs ? l.node[group].r[kept_back + k].v[lane] : 0; };
        four::M& D = l.top.diagonal[i];
        D.c0[0] += share * (D.c0[0] + kept(0)) + least;
        D.c1[1] += share * (D.c1[1] + kept(1)) + least;
        D.c2[2] += share * (D.c2[2] + kept(2)) + (l.nodes[group].axis ? 1 : least);
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
        if (group.role == Role::strand) condense<V>(l, l.strands[group.strand], group);
        if (group.role == Role::hub) fill_hubs<V>(l, l.body[g].r);  // these come first, and their ghosts last
        each_part<V>(group, [&]<class U>(int part) ARMATURE_LAMBDA {
            if (group.role == Role::ghost) fill_ghosts<U>(l, group, part);
            if (group.role == Role::body)
                group.between ? fill_between<U>(l, group, l.body[g].r, part)
                              : fill_group<U>(l, group, l.body[g].r, part);
        });
    }
    regularise<V>(l);
    for (std::size_t i = 0; i < l.single_at.size(); ++i) {
        const std::size_t group = l.single_at[i].first;  // clang 14 takes no bindings into lambdas
        const int lane = l.single_at[i].second;
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

}  // namespace armature::lockstep

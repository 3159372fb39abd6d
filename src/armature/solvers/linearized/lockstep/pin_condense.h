// condense.h for pins.
#pragma once

#include "armature/solvers/linearized/lockstep/condense.h"
#include "armature/solvers/linearized/lockstep/pin_follow.h"

namespace armature::lockstep {

/// How a joint reads and pushes at one of its bodies.
template <class V>
struct PinSide {
    Vec<V> arm, arm_middle;
    Across<V> reads, pushes;

    /// What it reads of a turn.
    ARMATURE_INLINE Five<V> read(const Vec<V>& turn) const {
        return five(cross(turn, arm), dot(reads.t, turn), dot(reads.s, turn));
    }
    /// What it reads of the turns that impulse j makes, and of the move by m that goes with a force.
    ARMATURE_INLINE Five<V> read(const Vec<V> (&turns)[5], int j, const V& m) const {
        Five<V> r = read(turns[j]);
        if (j < 3) r.v[j] = r.v[j] + m;
        return r;
    }
    /// The turns that a unit of each impulse makes.
    ARMATURE_INLINE void turns(const Mat<V>& W, Vec<V> (&by)[5]) const {
        const Mat<V> columns = transposed(turns_at(W, arm_middle));
        by[0] = columns.row0;
        by[1] = columns.row1;
        by[2] = columns.row2;
        by[3] = W * pushes.t;
        by[4] = W * pushes.s;
    }
};

/// What a link hands to the next.
template <class V>
struct ToNextPin {
    Vec<V> lambda, lambda_last;
    Across<V> reads, pushes;
    Mat5<V> D, t, s, D_first;
    Five<V> b, b_first;
};

template <class V, bool exact>
ARMATURE_INLINE void condense_pin(Lockstep& l, Strand& strand, std::size_t i, double share, ToNextPin<V>& to,
                                  int part) {
    Octet *k = strand.link[i].r, *pin = strand.pin[i].r;
    const bool last = i + 1 == strand.link.size();
    const Vec<V> lambda0 = to.lambda, lambda1 = last ? to.lambda_last : vec<V>(strand.link[i + 1].r, link_lambda, part);
    const Arms<V> now = arms_of<V>(k, link_now, part), middle = now.half_way(k, part, l.half_way);
    PinSide<V> begin{now.at_begin, middle.at_begin, to.reads, to.pushes}, end{now.at_end, middle.at_end, {}, {}};
    if (last) {
        const PinEnds<V> ends(l, strand, part);
        end.reads = PinEnds<V>::across_of(ends.end_axis, at_now, as_now);
        end.pushes = PinEnds<V>::across_of(ends.end_axis, at_middle, as_middle);
    } else {
        const Octet* pin1 = strand.pin[i + 1].r;
        end.reads =
            across(vec<V>(pin, axes_now + 6, part), vec<V>(pin1, axes_now, part), vec<V>(pin1, axes_now + 3, part));
        end.pushes = across_before<V>(l, strand, i + 1, part);
    }
    const Mat<V> W = answer_of<V, exact>(l, strand, i, now, lambda0, lambda1, part);
    set(k, link_answer, part, W);
    const V m = row<V>(k, link_inv_mass, part);
    const Vec<V> turn = W * vec<V>(k, torque_left, part);
    Five<V> at_begin = begin.read(turn), b = end.read(turn);
    if (strand.at_rest) {
        const Vec<V> move = m * (lambda1 - lambda0);
        at_begin = at_begin + five(move, V{}, V{});
        b = b + five(move, V{}, V{});
    }
    for (int r = 0; r < 5; ++r) b.v[r] = -b.v[r];
    if (!last) {
        const Octet *k1 = strand.link[i + 1].r, *pin1 = strand.pin[i + 1].r;
        b = b + five(vec<V>(k1, right_side, part), row<V>(pin1, pin_right_side, part),
                     row<V>(pin1, pin_right_side + 1, part));
    }
    Vec<V> by0[5], by1[5];
    begin.turns(W, by0);
    end.turns(W, by1);
    to.lambda = lambda1;
    to.reads = end.reads;
    to.pushes = end.pushes;
    if (i == 0) {
        for (int j = 0; j < 5; ++j) {
            to.D_first.c[j] = begin.read(by0, j, m);
            to.t.c[j] = end.read(by0, j, m);
            to.s.c[j] = begin.read(by1, j, m);
            to.D.c[j] = end.read(by1, j, m);
        }
        to.b_first = at_begin;
        to.b = b;
        return;
    }
    Mat5<V> X;
    for (int j = 0; j < 5; ++j) {
        to.D.c[j] = to.D.c[j] + begin.read(by0, j, m);
        X.c[j] = end.read(by0, j, m);
    }
    if (share > 0)
        for (int r = 0; r < 5; ++r) to.D.c[r].v[r] = to.D.c[r].v[r] + share * to.D.c[r].v[r];
    const Factored<V> D(to.D);
    // Column by column of t and b, which come before s is changed, and of Y.
    const auto eliminate_first = [&]<int from, int n>() ARMATURE_LAMBDA {
        Five<V> h[n];
        for (int j = 0; j < n; ++j) h[j] = from + j < 5 ? to.t.c[from + j] : to.b + at_begin;
        D.solve(h);
        for (int j = 0; j < n; ++j)
            if (from + j < 5) set(pin, pin_to_first + 5 * (from + j), part, h[j]);
        if (from + n > 5) {
            set(k, right_side, part, h[n - 1].point());
            set(pin, pin_right_side, part, h[n - 1].v[3]);
            set(pin, pin_right_side + 1, part, h[n - 1].v[4]);
        }
        product(to.s, h, [&](int r, int j, const V& v) ARMATURE_LAMBDA {
            V& to_first = from + j < 5 ? to.D_first.c[from + j].v[r] : to.b_first.v[r];
            to_first = from + j < 5 ? to_first - v : to_first + v;
        });
        product(X, h, [&](int r, int j, const V& v) ARMATURE_LAMBDA {
            if (from + j < 5)
                to.t.c[from + j].v[r] = v;
            else
                to.b.v[r] = b.v[r] + v;
        });
    };
    eliminate_first.template operator()<0, 2>();
    eliminate_first.template operator()<2, 2>();
    eliminate_first.template operator()<4, 2>();
    Mat5<V> s;
    const auto eliminate_next = [&]<int from, int n>() ARMATURE_LAMBDA {
        Five<V> g[n];
        for (int j = 0; j < n; ++j) g[j] = begin.read(by1, from + j, m);
        D.solve(g);
        for (int j = 0; j < n; ++j) set(pin, pin_to_next + 5 * (from + j), part, g[j]);
        product(to.s, g, [&](int r, int j, const V& v) ARMATURE_LAMBDA { s.c[from + j].v[r] = v; });
        Five<V> A1[n];
        for (int j = 0; j < n; ++j) A1[j] = end.read(by1, from + j, m);
        product(X, g, [&](int r, int j, const V& v) ARMATURE_LAMBDA { to.D.c[from + j].v[r] = A1[j].v[r] - v; });
    };
    eliminate_next.template operator()<0, 2>();
    eliminate_next.template operator()<2, 2>();
    eliminate_next.template operator()<4, 1>();
    to.s = s;
}

/// The block of two of four nodes in one of 5 × 5.
template <class V>
ARMATURE_INLINE Mat<V> block_of(const Mat5<V>& m, bool row_axis, bool column_axis, double sign) {
    const V s = all<V>(sign), none{};
    const auto at = [&](int r, int c) ARMATURE_LAMBDA {
        if ((row_axis && r == 2) || (column_axis && c == 2)) return none;
        return s * m.c[column_axis ? 3 + c : c].v[row_axis ? 3 + r : r];
    };
    return {{at(0, 0), at(0, 1), at(0, 2)}, {at(1, 0), at(1, 1), at(1, 2)}, {at(2, 0), at(2, 1), at(2, 2)}};
}

template <class V, bool exact>
ARMATURE_INLINE void condense_pin_links(Lockstep& l, Strand& s, const Bodies& group) {
    constexpr int parts = eight / width<V>;
    const double share = regularisation_of(l);
    ToNextPin<V> to[parts]{};
    for (int p = 0; p < parts; ++p) {
        const PinEnds<V> ends(l, s, p * width<V>);
        to[p].lambda = ends.begin.vec(lambda);
        to[p].lambda_last = ends.end.vec(lambda);
        to[p].reads = PinEnds<V>::across_of(ends.begin_axis, at_now, as_now);
        to[p].pushes = PinEnds<V>::across_of(ends.begin_axis, at_middle, as_middle);
    }
    for (std::size_t i = 0; i < s.link.size(); ++i) {
        s.fetch_after(i);
        for (int p = 0; p < parts; ++p) condense_pin<V, exact>(l, s, i, share, to[p], p * width<V>);
    }
    // All lanes of one before the next, as in condense.h. Sides are the point and the axis at the beginning, and at the end.
    const Target* t = l.targets.data() + group.first_target;
    for (int column = 0; column < 4; ++column)
        for (int row_side = 0; row_side < 4; ++row_side, ++t)
            for (int p = 0; p < parts; ++p) {
                const bool of_first = column < 2, in_first = row_side < 2;
                const Mat5<V>& m = of_first ? (in_first ? to[p].D_first : to[p].t) : in_first ? to[p].s : to[p].D;
                add_to(*t, p * width<V>,
                       block_of(m, row_side % 2 == 1, column % 2 == 1, of_first == in_first ? 1 : -1));
            }
    const auto add = [](const At<V, false>& point, const At<V, false>& axis, const Five<V>& b) ARMATURE_LAMBDA {
        point.put(change, point.vec(change) + b.point());
        axis.put(change, axis.get(change) + b.v[3]);
        axis.put(change + 1, axis.get(change + 1) + b.v[4]);
    };
    for (int p = 0; p < parts; ++p) {
        const PinEnds<V> ends(l, s, p * width<V>);
        add(ends.begin, ends.begin_axis, to[p].b_first);
    }
    for (int p = 0; p < parts; ++p) {
        const PinEnds<V> ends(l, s, p * width<V>);
        add(ends.end, ends.end_axis, to[p].b);
    }
}

}  // namespace armature::lockstep

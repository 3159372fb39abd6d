// follow.h for pins.
#pragma once

#include "armature/solvers/linearized/lockstep/five.h"
#include "armature/solvers/linearized/lockstep/follow.h"
#include "armature/solvers/linearized/lockstep/pins.h"

namespace armature::lockstep {

template <class V>
struct Axes {
    Vec<V> t, s, a;
};
template <class V>
ARMATURE_INLINE Axes<V> axes_of(const Octet* pin, int row, int part) {
    return {vec<V>(pin, row, part), vec<V>(pin, row + 3, part), vec<V>(pin, row + 6, part)};
}
template <class V>
ARMATURE_INLINE Vec<V> half_way(const Octet* pin, int row, const Vec<V>& now, bool is_half, int part) {
    return is_half ? all<V>(0.5) * (vec<V>(pin, row, part) + now) : now;
}

/// a × t and a × s of a joint.
template <class V>
struct Across {
    Vec<V> t, s;
    ARMATURE_INLINE Vec<V> torque(const V& mu_t, const V& mu_s) const { return mu_t * t + mu_s * s; }
};
template <class V>
ARMATURE_INLINE Across<V> across(const Vec<V>& a, const Vec<V>& t, const Vec<V>& s) {
    return {cross(a, t), cross(a, s)};
}
/// Of the joint that link i > 0 begins with, half-way, where its bodies are.
template <class V>
ARMATURE_INLINE Across<V> across_before(const Lockstep& l, const Strand& strand, std::size_t i, int part) {
    const Octet *here = strand.pin[i].r, *before = strand.pin[i - 1].r;
    const auto middle = [&](const Octet* pin, int k) ARMATURE_LAMBDA {
        return half_way(pin, axes_start + k, vec<V>(pin, axes_now + k, part), l.half_way, part);
    };
    return across(middle(before, 6), middle(here, 0), middle(here, 3));
}

/// The nodes of the joints at the ends: points and axes.
template <class V>
struct PinEnds {
    At<V, false> begin, begin_axis, end, end_axis;
    ARMATURE_INLINE PinEnds(Lockstep& l, const Strand& s, int part)
        : begin{l.node.front().r[0].v, l.sides[s.first_side], part},
          begin_axis{l.node.front().r[0].v, l.sides[s.first_side + 1], part},
          end{l.node.front().r[0].v, l.sides[s.first_side + 2], part},
          end_axis{l.node.front().r[0].v, l.sides[s.first_side + 3], part} {}
    ARMATURE_INLINE static Five<V> of(const At<V, false>& point, const At<V, false>& axis, int r) {
        return five(point.vec(r), axis.get(r), axis.get(r + 1));
    }
    ARMATURE_INLINE static Across<V> across_of(const At<V, false>& axis, int t, int s) {
        return {axis.vec(t), axis.vec(s)};
    }
};

/// What a link hands to the one before it, of the joint between them.
template <class V>
struct FromNextPin {
    Five<V> delta, lambda;
    Across<V> before;  ///< half-way, before bodies moved
    Vec<V> end_point;  ///< of the body after it
    Vec<V> t, s;       ///< of that body
    Vec<V> t_middle, s_middle;
    Vec<V> left;  ///< to be balanced of that body, but for this joint's torque
    V most_turn2;
};

template <class V, bool exact, bool first>
ARMATURE_INLINE void follow_pin(Lockstep& l, Strand& s, std::size_t i, const Five<V> (&from_first)[2],
                                FromNextPin<V>& next, int part, MostOfLinks<V>& most) {
    Octet *k = s.link[i].r, *pin = s.pin[i].r;
    const bool last = i + 1 == s.link.size();
    const PinEnds<V> ends(l, s, part);
    Five<V> delta{}, lambda_now;
    Across<V> before{};
    if (i > 0) {
        lambda_now = five(vec<V>(k, link_lambda, part), row<V>(pin, mu, part), row<V>(pin, mu + 1, part));
        if constexpr (!first) {
            delta = five(vec<V>(k, right_side, part), row<V>(pin, pin_right_side, part),
                         row<V>(pin, pin_right_side + 1, part));
            for (int j = 0; j < 5; ++j)
                for (int r = 0; r < 5; ++r)
                    delta.v[r] = delta.v[r] + row<V>(pin, pin_to_next + 5 * j + r, part) * next.delta.v[j];
            for (int j = 0; j < 5; ++j)
                for (int r = 0; r < 5; ++r)
                    delta.v[r] = delta.v[r] + row<V>(pin, pin_to_first + 5 * j + r, part) * from_first[0].v[j];
            lambda_now = lambda_now + delta;
            set(k, link_lambda, part, lambda_now.point());
            set(pin, mu, part, lambda_now.v[3]);
            set(pin, mu + 1, part, lambda_now.v[4]);
            before = across_before<V>(l, s, i, part);
        }
    } else {
        delta = from_first[0];
        lambda_now = from_first[1];
        if constexpr (!first) before = PinEnds<V>::across_of(ends.begin_axis, at_middle, as_middle);
    }
    const V m = row<V>(k, link_inv_mass, part);
    const Vec<V> way = m * (next.lambda.point() - lambda_now.point());
    Vec<V> theta_now = vec<V>(k, link_theta, part), x_now = vec<V>(k, link_x_free, part);
    if constexpr (first) {
        most.keep(most.left_move2, dot(way, way));
    } else {
        const Vec<V> d0 = delta.point(), d1 = next.delta.point();
        const Vec<V> move = s.at_rest ? way : m * (d1 - d0);
        const Arms<V> arms = arms_of<V>(k, link_now, part).half_way(k, part, l.half_way);
        const Vec<V> T = vec<V>(k, torque_left, part) + (cross(arms.at_end, d1) - cross(arms.at_begin, d0)) +
                         (next.before.torque(next.delta.v[3], next.delta.v[4]) - before.torque(delta.v[3], delta.v[4]));
        const Vec<V> turn = mat<V>(k, link_answer, part) * T;
        const V turn2 = dot(turn, turn);
        most.keep(most.moved2, dot(move, move));
        most.keep(most.turned2, turn2);
        theta_now = turned_further(theta_now, limited(turn, turn2), exact);
        set(k, link_theta, part, theta_now);
        x_now = x_now + way;
    }
    const Turned<V> turned = turned_by(theta_now, exact);
    const Arms<V> reference = arms_of<V>(k, link_reference, part);
    const Arms<V> now{turned(reference.at_begin), turned(reference.at_end)};
    const Axes<V> axes{turned(vec<V>(pin, axes_reference, part)), turned(vec<V>(pin, axes_reference + 3, part)),
                       turned(vec<V>(pin, axes_reference + 6, part))};
    set(k, link_now, part, now.at_begin);
    set(k, link_now + 3, part, now.at_end);
    set(pin, axes_now, part, axes.t);
    set(pin, axes_now + 3, part, axes.s);
    set(pin, axes_now + 6, part, axes.a);
    const Axes<V> middle{half_way(pin, axes_start, axes.t, l.half_way, part),
                         half_way(pin, axes_start + 3, axes.s, l.half_way, part),
                         half_way(pin, axes_start + 6, axes.a, l.half_way, part)};
    const Vec<V> point_begin = x_now + now.at_begin, point_end = x_now + now.at_end;
    Vec<V> at_joint{};  // the torque of the joint after this body
    if (last) {
        ends.end.put(end_point, point_end);
        ends.end_axis.put(a_now, axes.a);
        ends.end_axis.put(a_middle, middle.a);
    } else {
        Octet *k1 = s.link[i + 1].r, *pin1 = s.pin[i + 1].r;
        const Vec<V> gap = next.end_point - point_end;
        const Across<V> reads = across(axes.a, next.t, next.s);
        const V et = dot(axes.a, next.t), es = dot(axes.a, next.s);
        set(k1, right_side, part, gap);
        set(pin1, pin_right_side, part, -et);
        set(pin1, pin_right_side + 1, part, -es);
        if constexpr (first) {  // what was expected is a torque
            const Vec<V> carried = vec<V>(pin1, expected_torque, part);
            next.lambda.v[3] = dot(reads.t, carried);
            next.lambda.v[4] = dot(reads.s, carried);
            set(pin1, mu, part, next.lambda.v[3]);
            set(pin1, mu + 1, part, next.lambda.v[4]);
        }
        // Where the axes are far apart the rows say nothing of what is wanted.
        const V apart = dot(reads.t, reads.t) + dot(reads.s, reads.s);
        const V axis2 = apart > 1.2 ? et * et + es * es : all<V>(infinity), gap2 = dot(gap, gap);
        most.keep_worst(gap2 >= axis2 ? gap2 : axis2, static_cast<double>(s.number + i + 1));
        at_joint = across(middle.a, next.t_middle, next.s_middle).torque(next.lambda.v[3], next.lambda.v[4]);
        const Vec<V> left = next.left - at_joint;
        set(k1, torque_left, part, left);
        if (i + 2 < s.link.size()) most.keep(most.left_turn2, dot(left, left) * next.most_turn2);
    }
    if (i == 0) {
        ends.begin.put(end_point + 3, point_begin);
        ends.begin_axis.put(t_now, axes.t);
        ends.begin_axis.put(t_middle, middle.t);
        ends.begin_axis.put(s_now, axes.s);
        ends.begin_axis.put(s_middle, middle.s);
    }
    const Mat<V> J = symmetric<V>(k, link_inertia, part);
    const Arms<V> arms = now.half_way(k, part, l.half_way);
    const Vec<V> T = cross(arms.at_end, next.lambda.point()) - cross(arms.at_begin, lambda_now.point()) + at_joint;
    Vec<V> left;
    if constexpr (exact) {
        const Octet* e = s.exact[i].r;
        left = T + vec<V>(e, link_momentum, part) - turned(J * (theta_now - vec<V>(e, link_half_spin, part)));
    } else {
        left = T - J * theta_now;
    }
    if (i == 0) set(k, torque_left, part, left);
    next = {delta,  lambda_now, before,   point_begin, axes.t,
            axes.s, middle.t,   middle.s, left,        row<V>(k, link_most_turn2, part)};
}

template <class V, bool exact, bool first>
ARMATURE_INLINE void follow_pin_links(Lockstep& l, Strand& s, Most& most) {
    constexpr int parts = eight / width<V>;
    MostOfLinks<V> most_here[parts];
    FromNextPin<V> next[parts]{};
    Five<V> from_first[parts][2]{};
    for (int p = 0; p < parts; ++p) {
        const PinEnds<V> ends(l, s, p * width<V>);
        if (!first) {
            from_first[p][0] = PinEnds<V>::of(ends.begin, ends.begin_axis, change);
            next[p].delta = PinEnds<V>::of(ends.end, ends.end_axis, change);
            next[p].before = PinEnds<V>::across_of(ends.end_axis, at_middle, as_middle);
        }
        from_first[p][1] = PinEnds<V>::of(ends.begin, ends.begin_axis, lambda) + from_first[p][0];
        next[p].lambda = PinEnds<V>::of(ends.end, ends.end_axis, lambda) + next[p].delta;
    }
    for (std::size_t i = s.link.size(); i-- > 0;) {
        s.fetch_before(i);
        for (int p = 0; p < parts; ++p)
            follow_pin<V, exact, first>(l, s, i, from_first[p], next[p], p * width<V>, most_here[p]);
    }
    for (int p = 0; p < parts; ++p) most_here[p].add_to(most, p * width<V>);
    s.at_rest = first;
}

template <class V>
ARMATURE_INLINE void balance_ends(Lockstep& l, Strand& s, Most& most) {
    for (int part = 0; part < eight; part += width<V>) {
        const PinEnds<V> ends(l, s, part);
        const auto torque = [&](const At<V, false>& axis) ARMATURE_LAMBDA {
            return PinEnds<V>::across_of(axis, at_middle, as_middle).torque(axis.get(lambda), axis.get(lambda + 1));
        };
        for (const bool begin : {true, false}) {
            Octet* k = begin ? s.link.front().r : s.link.back().r;
            const Vec<V> before = vec<V>(k, torque_left, part);
            const Vec<V> left = begin ? before - torque(ends.begin_axis) : before + torque(ends.end_axis);
            set(k, torque_left, part, left);
            keep_larger(most.left_turn2, part, dot(left, left) * row<V>(k, link_most_turn2, part));
        }
    }
}

}  // namespace armature::lockstep

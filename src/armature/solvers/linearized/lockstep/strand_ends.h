// Where the iterations of a strand begin, and what it hands back.
#pragma once

#include "armature/math/spaced.h"
#include "armature/solvers/linearized/lockstep/pins.h"

namespace armature::lockstep {

using lanes::Spaced;
using lanes::Turn;

/// to_matrix of math/quat.h.
template <class V>
ARMATURE_INLINE Mat<V> matrix_of(const Turn<V>& q) {
    const V xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
            wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
            {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
            {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
/// R J Rᵀ: xx yy zz xy xz yz
template <class V>
struct Inertia {
    V J[6];

    ARMATURE_INLINE Inertia(const Mat<V>& R, const Octet* J_B, int part) {
        const Mat<V> A = R * symmetric<V>(J_B, 0, part);
        J[0] = dot(A.row0, R.row0);
        J[1] = dot(A.row1, R.row1);
        J[2] = dot(A.row2, R.row2);
        J[3] = dot(A.row0, R.row1);
        J[4] = dot(A.row0, R.row2);
        J[5] = dot(A.row1, R.row2);
    }
    ARMATURE_INLINE Mat<V> matrix() const { return {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}; }
};

/// Where the bodies of a group of links stand among those of the problem, and what of the joints at their beginning is.
template <class V>
struct OfLinks {
    std::ptrdiff_t body, joint;
    Spaced<V> vectors, turns, loads;

    ARMATURE_INLINE OfLinks(const Strand& s, std::size_t i, int part, std::size_t bodies)
        : body(s.first_body + part * s.bodies_apart + static_cast<int>(i)),
          joint(s.first_joint + part * s.joints_apart + static_cast<int>(i)),
          vectors{3 * std::ptrdiff_t{s.bodies_apart},
                  body + (width<V> - 1) * s.bodies_apart + 1 < static_cast<std::ptrdiff_t>(bodies)},
          turns{4 * std::ptrdiff_t{s.bodies_apart}, true},
          loads{6 * std::ptrdiff_t{s.joints_apart}, true} {}
    ARMATURE_INLINE Vec<V> of(const std::vector<Vec3>& v) const { return vectors.vec(&v[0].x + 3 * body); }
    ARMATURE_INLINE Turn<V> of(const std::vector<Quat>& q) const { return turns.turn(&q[0].w + 4 * body); }
};
static_assert(sizeof(Vec3) == 24 && sizeof(Quat) == 32 && sizeof(JointLoad) == 48);

template <class V, bool exact>
ARMATURE_INLINE void begin_link(const CorrectionProblem& p, Strand& s, std::size_t i, bool warm, int part) {
    const LinkShape& shape = s.shape(i);
    Octet* k = s.link[i].r;
    const OfLinks<V> at(s, i, part, p.x.size());
    const Turn<V> q0 = at.of(*p.start_q), q = at.of(p.q);
    const Mat<V> start = matrix_of(q0), reference = exact ? start : matrix_of(q);
    set(k, link_x_free, part, at.of(p.x));
    for (int r = 0; r < 6; r += 3) {
        const Vec<V> arm = vec<V>(shape.arm, r, part);
        set(k, link_reference + r, part, reference * arm);
        set(k, link_start + r, part, start * arm);
    }
    for (int r = 0; r < 9 && s.pins; r += 3) {
        const Vec<V> axis = vec<V>(shape.axes, r, part);
        set(s.pin[i].r, axes_reference + r, part, reference * axis);
        set(s.pin[i].r, axes_start + r, part, start * axis);
    }
    const Inertia<V> J(reference, shape.inertia, part);
    for (int r = 0; r < 6; ++r) set(k, link_inertia + r, part, J.J[r]);
    Vec<V> theta{};
    if constexpr (exact) {
        const double h = p.exact->h;
        const Vec<V> w = all<V>(0.5 * h) * at.of(p.exact->start_w);
        Octet* e = s.exact[i].r;
        set(e, link_half_spin, part, w);
        set(e, link_momentum, part, J.matrix() * w + all<V>(0.5 * h * h) * at.of(p.exact->torque));
        const Turn<V> made = q * conjugate(q0);
        theta = (2.0 / made.w) * made.vec();
    }
    set(k, link_theta, part, theta);
    // Newton's matrix has the stiffness of what pulls at turning arms: that of the last step is nearly that of this one.
    Vec<V> expected{}, torque{};
    if (warm) {
        const double* load = &(*p.expected)[0].force.x + 6 * at.joint;
        expected = all<V>(s.sign()) * at.loads.vec(load);
        if (s.pins) torque = Spaced<V>{at.loads.apart, false}.vec(load + 3);
    }
    set(k, link_lambda, part, expected);
    if (s.pins) set(s.pin[i].r, expected_torque, part, torque);
}

template <class V>
ARMATURE_INLINE void begin_strand(const CorrectionProblem& p, Strand& s, bool warm) {
    for (std::size_t i = 0; i < s.link.size(); ++i) {
        s.fetch_after(i);
        for (int part = 0; part < eight; part += width<V>)
            p.exact ? begin_link<V, true>(p, s, i, warm, part) : begin_link<V, false>(p, s, i, warm, part);
    }
    s.at_rest = true;
}

/// Where bodies are after a turn θ from where they were.
template <class V>
ARMATURE_INLINE Turn<V> turned_from(const Turn<V>& q, const Vec<V>& theta, bool exact) {
    const Vec<V> half = all<V>(0.5) * theta;
    const Turn<V> made =
        exact ? lanes::normalized(Turn<V>{all<V>(1.0), half.x, half.y, half.z}) : lanes::exp_moderate_rotation(theta);
    return lanes::normalized(made * q);
}
/// For those that turned too far for that, and not within code for wide machines: gcc 12 makes fused operations of a product of two
/// quaternions there, whatever -ffp-contract says.
[[gnu::noinline]] inline Quat turned_alone(const Quat& q, const Vec3& theta) {
    return turned(q, theta);
}
/// The same of lanes, of which hardly ever one is far. They have memory of their own here: lanes of a V that are written one by one
/// keep it in memory wherever it is used.
struct AloneInLanes {
    alignas(64) double from[4][eight], theta[3][eight], to[4][eight];
    alignas(64) double far[eight];  // 1 or 0

    [[gnu::noinline]] void turn(int lanes) {
        for (int l = 0; l < lanes; ++l) {
            if (far[l] == 0) continue;
            const Quat q =
                turned_alone({from[0][l], from[1][l], from[2][l], from[3][l]}, {theta[0][l], theta[1][l], theta[2][l]});
            to[0][l] = q.w;
            to[1][l] = q.x;
            to[2][l] = q.y;
            to[3][l] = q.z;
        }
    }
};
template <class V, class C>
ARMATURE_INLINE Turn<V> far_ones_alone(const C& far, const Turn<V>& from, const Vec<V>& theta, const Turn<V>& near) {
    AloneInLanes all;
    const auto put = [](double(&rows)[4][eight], const Turn<V>& q) ARMATURE_LAMBDA {
        lanes::store(rows[0], q.w);
        lanes::store(rows[1], q.x);
        lanes::store(rows[2], q.y);
        lanes::store(rows[3], q.z);
    };
    put(all.from, from);
    put(all.to, near);
    lanes::store(all.theta[0], theta.x);
    lanes::store(all.theta[1], theta.y);
    lanes::store(all.theta[2], theta.z);
    lanes::store(all.far, lanes::one_where<V>(far));
    all.turn(width<V>);
    return {lanes::load<V>(all.to[0]), lanes::load<V>(all.to[1]), lanes::load<V>(all.to[2]), lanes::load<V>(all.to[3])};
}
/// Lanes that turned too far for that.
template <class V>
ARMATURE_INLINE auto far_turns(const Vec<V>& theta, bool exact) {
    return 0.25 * dot(theta, theta) >= (exact ? infinity : moderate_turn2);
}

/// Where bodies are after a turn θ, whether far or not.
template <class V>
ARMATURE_INLINE Turn<V> turned_links(const Turn<V>& from, const Vec<V>& turn, bool exact) {
    const auto far = far_turns(turn, exact);
    const Turn<V> q1 = turned_from(from, turn, exact);
    if (any(far)) [[unlikely]]
        return far_ones_alone(far, from, turn, q1);
    return q1;
}

/// What the joints at the beginning of links carry.
template <class V>
ARMATURE_INLINE void put_load(const OfLinks<V>& at, const LockstepResults& out, const Vec<V>& force,
                              const Vec<V>& torque) {
    double* load = &out.impulses[0].force.x + 6 * at.joint;
    at.loads.put(load, Turn<V>{force.x, force.y, force.z, torque.x});
    for (int lane = 0; lane < width<V>; ++lane) {
        const lanes::V2 rest{torque.y[lane], torque.z[lane]};
        __builtin_memcpy(load + lane * at.loads.apart + 4, &rest, sizeof rest);
    }
}

/// Of a node at the ends of the strand, by its side, with the sign of the strand.
template <class V>
ARMATURE_INLINE Vec<V> impulse_at_end(const Lockstep& l, const Strand& s, std::size_t which, int part) {
    const Side& side = l.sides[s.first_side + which];
    const auto of = [&](int row) ARMATURE_LAMBDA {
        const double* rows = l.node.front().r[row].v;
        return lanes::each_lane<V>(
            [&](int lane) ARMATURE_LAMBDA { return rows[side.at[static_cast<std::size_t>(part + lane)]]; });
    };
    return all<V>(s.sign()) * Vec<V>{of(lambda), of(lambda + 1), of(lambda + 2)};
}

template <class V>
ARMATURE_INLINE void finish_link(const Lockstep& l, const Strand& s, std::size_t i, Vec<V>& lambda0, int part,
                                 const CorrectionProblem& p, const LockstepResults& out) {
    const Octet* k = s.link[i].r;
    const bool last = i + 1 == s.link.size();
    const V sign = all<V>(s.sign());
    const OfLinks<V> at(s, i, part, p.x.size());
    const Vec<V> lambda1 =
        last ? impulse_at_end<V>(l, s, s.pins ? 2 : 1, part) : vec<V>(s.link[i + 1].r, link_lambda, part);
    // Linear momentum wants places and impulses to agree to the last digit.
    const Vec<V> way = row<V>(k, link_inv_mass, part) * (lambda1 - lambda0);
    const Vec<V> turn = vec<V>(k, link_theta, part);
    const Turn<V> from = at.of(l.exact ? *p.start_q : p.q);
    const Turn<V> q1 = turned_links(from, turn, l.exact);
    // What is written behind a link is the next one's, which comes later.
    at.vectors.put(&out.moved[0].x + 3 * at.body, way, !last);
    at.vectors.put(&out.x[0].x + 3 * at.body, vec<V>(k, link_x_free, part) + way, !last);
    at.turns.put(&out.q[0].w + 4 * at.body, q1);
    if (i > 0) {
        Vec<V> torque{};
        if (s.pins) {
            const Octet *pin = s.pin[i].r, *before = s.pin[i - 1].r;
            const auto middle = [&](const Octet* of, int r) ARMATURE_LAMBDA {
                const Vec<V> now = vec<V>(of, axes_now + r, part);
                return l.half_way ? all<V>(0.5) * (vec<V>(of, axes_start + r, part) + now) : now;
            };
            const Vec<V> a = middle(before, 6);
            torque =
                row<V>(pin, mu, part) * cross(a, middle(pin, 0)) + row<V>(pin, mu + 1, part) * cross(a, middle(pin, 3));
        }
        put_load(at, out, sign * lambda0, torque);
    }
    lambda0 = lambda1;
}

template <class V>
ARMATURE_INLINE void finish_strand(const Lockstep& l, const Strand& s, const CorrectionProblem& p,
                                   const LockstepResults& out) {
    for (int part = 0; part < eight; part += width<V>) {
        Vec<V> lambda0 = impulse_at_end<V>(l, s, 0, part);
        for (std::size_t i = 0; i < s.link.size(); ++i) {
            s.fetch_after(i);
            finish_link<V>(l, s, i, lambda0, part, p, out);
        }
    }
}

}  // namespace armature::lockstep

#include "armature/sim/free_motion_lanes.h"

#include <algorithm>

#include "armature/math/lanes.h"

namespace armature {

namespace {

using namespace lanes;

constexpr double small_log2 = 1e-3;  // sin²(θ/2) up to which log_rotation is a short series

template <class V>
struct Constants {
    V inv_mass, turns;  ///< turns: 1, or 0 for a particle
    Mat<V> J, inv_J;

    ARMATURE_INLINE static Mat<V> matrix(const double (&m)[9][lanes::count], int part) {
        const auto at = [&](int k) ARMATURE_LAMBDA { return load<V>(m[k] + part); };
        return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
    }
    ARMATURE_INLINE Constants(const BodyLanes& b, int part)
        : inv_mass(load<V>(b.inv_mass + part)),
          turns(load<V>(b.turns + part)),
          J(matrix(b.inertia_G, part)),
          inv_J(matrix(b.inv_inertia_G, part)) {}
};

/// J Ω = exp(−½hΩ) middle, see turn_with_momentum. With s = ½h exp(φ) middle and φ = −½hΩ,
///   [s](1 + ½[φ] + ⅙[φ]²) = [s − ⅙(s·φ) φ] + φ gᵀ − ½(s·φ),   g = ½s + ⅙ s×φ.
template <class V>
ARMATURE_INLINE Vec<V> half_way_spin(const Constants<V>& body, const V& half_h, const Vec<V>& middle) {
    Vec<V> omega = body.inv_J * middle;
    const V scale2 = dot(middle, middle);
    auto done = scale2 != scale2;
    for (int k = 0; k < 20; ++k) {
        const Vec<V> phi = -(half_h * omega);
        const Vec<V> turned_back = rotate(exp_small_rotation(phi), middle);
        const Vec<V> residual = body.J * omega - turned_back;
        const V error2 = dot(residual, residual);
        done = done | ~(error2 > 1e-30 * scale2);
        if (!any(~done)) break;
        const Vec<V> s = half_h * turned_back;
        const V d = dot(s, phi), half_d = 0.5 * d;
        const Vec<V> g = all<V>(0.5) * s + all<V>(1.0 / 6) * cross(s, phi), a = s - (d * (1.0 / 6)) * phi;
        const Mat<V>& J = body.J;
        const Mat<V> slope{
            {J.row0.x + half_d - phi.x * g.x, J.row0.y + a.z - phi.x * g.y, J.row0.z - a.y - phi.x * g.z},
            {J.row1.x - a.z - phi.y * g.x, J.row1.y + half_d - phi.y * g.y, J.row1.z + a.x - phi.y * g.z},
            {J.row2.x + a.y - phi.z * g.x, J.row2.y - a.x - phi.z * g.y, J.row2.z + half_d - phi.z * g.z}};
        omega = choose(done, omega, omega - inverse(slope) * residual);
        done = done | (error2 < 1e-24 * scale2);
        if (!any(~done)) break;
    }
    return omega;
}

/// Newton's method on f of math/exact_turn.h.
template <class V>
ARMATURE_INLINE Vec<V> exact_turn(const Mat<V>& J, const Vec<V>& w, const Vec<V>& momentum, const Vec<V>& guess) {
    Vec<V> turn = guess;
    const Vec<V> at_start = J * w;
    const V scale2 = dot(momentum, momentum) + dot(at_start, at_start);
    auto done = scale2 != scale2;
    for (int k = 0; k < 12; ++k) {
        const Vec<V> swept = J * (turn - w), sum = swept + momentum;
        const Vec<V> f = swept - momentum + all<V>(0.5) * cross(turn, sum);
        const V error2 = dot(f, f);
        done = done | ~(error2 > 1e-32 * scale2);
        if (!any(~done)) break;
        // J + ½([turn] J − [sum])
        const Vec<V> half = all<V>(0.5) * turn, s = all<V>(0.5) * sum;
        const Mat<V> across{half.y * J.row2 - half.z * J.row1, half.z * J.row0 - half.x * J.row2,
                            half.x * J.row1 - half.y * J.row0};
        const Mat<V> slope = J + across - skew(s);
        turn = choose(done, turn, turn - inverse(slope) * f);
        done = done | (error2 < 1e-24 * scale2);
    }
    return turn;
}

template <class V>
ARMATURE_INLINE Left move_part(const FreeMotionOfEight& of, bool exact, int first, int part) {
    const Places<V> p(first + part, of.island.dynamic_count);
    if (p.lanes == 0) return 0;
    const Constants<V> body(of.island.body_lanes[static_cast<std::size_t>(first / lanes::count)], part);
    const V h = all<V>(of.h), half_h = all<V>(0.5 * of.h);
    const Vec<V> v = p.of(of.start.v.data()), w = p.of(of.start.w.data()), F = p.of(of.forces.force.data()),
                 T = p.of(of.forces.torque.data());
    const Turn<V> q = p.of(of.start.q.data());
    const Vec<V> v1 = v + (h * body.inv_mass) * F;
    p.set(of.out.x.data(), p.of(of.start.x.data()) + half_h * (v + v1));
    p.set(of.out.v.data(), v1);
    if (exact) {
        const Vec<V> half_w = half_h * rotate_back(q, w);
        const Vec<V> momentum = body.J * half_w + all<V>(0.5 * of.h * of.h) * rotate_back(q, T);
        const Vec<V> turn = exact_turn(body.J, half_w, momentum, half_w + body.inv_J * momentum);
        const Vec<V> half = all<V>(0.5) * turn;
        const Turn<V> q1 = normalized(q * normalized(Turn<V>{all<V>(1.0), half.x, half.y, half.z}));
        p.set(of.out.q.data(), q1);
        p.set(of.out.w.data(), rotate(q1, all<V>(2 / of.h) * (turn - half_w)));
        return p.bits(~(body.turns > 0) | ~(dot(turn, turn) < 4));
    }
    const Vec<V> pi_B = body.J * rotate_back(q, w), push_B = h * rotate_back(q, T);
    const Vec<V> omega = half_way_spin(body, half_h, pi_B + all<V>(0.5) * push_B);
    const Vec<V> phi = h * omega;
    const Turn<V> turn = exp_small_rotation(phi);
    const Turn<V> q1 = normalized(q * turn);
    p.set(of.out.q.data(), q1);
    p.set(of.out.w.data(), rotate(q1, body.inv_J * rotate_back(turn, pi_B + push_B)));
    return p.bits(~(body.turns > 0) | ~(0.25 * dot(phi, phi) < small_turn2));
}

template <class V>
ARMATURE_INLINE Left velocities_part(const VelocitiesOfEight& of, bool exact, int first, int part) {
    const Places<V> p(first + part, of.island.dynamic_count);
    if (p.lanes == 0) return 0;
    const Constants<V> body(of.island.body_lanes[static_cast<std::size_t>(first / lanes::count)], part);
    const V rate = all<V>(of.motion.rate / of.h);
    const Turn<V> q = p.of(of.now.q.data());
    p.set(of.now.v.data(), p.of(of.now.v.data()) + rate * p.of(of.motion.moved.data()));
    if (exact) {
        const Turn<V> q0 = p.of(of.motion.start.q.data()), made = conjugate(q0) * q;
        const Vec<V> turn = (2.0 / made.w) * made.vec();
        p.set(of.now.w.data(), rotate(q, all<V>(2 / of.h) * turn - rotate_back(q0, p.of(of.motion.start.w.data()))));
        return 0;
    }
    const Turn<V> free = p.of(of.motion.free.q.data()), made = q * conjugate(free);
    const Vec<V> w = p.of(of.now.w.data());
    // Of the two ways round the shorter one; with a small angle they differ by their sign.
    const V sign = made.w < 0 ? all<V>(-2.0) : all<V>(2.0);
    const V s2 = dot(made.vec(), made.vec());
    const V ratio = 1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * (35.0 / 1152 + s2 * (63.0 / 2816)))));
    const Vec<V> turn = rate * ((sign * ratio) * made.vec());
    const Vec<V> momentum = rotate(free, body.J * rotate_back(free, w + turn));
    const Vec<V> w1 = rotate(q, body.inv_J * rotate_back(q, momentum));
    const auto kept = (q.w == free.w) & (q.x == free.x) & (q.y == free.y) & (q.z == free.z);
    const auto left = ~(body.turns > 0) | ~(s2 < small_log2);
    p.set(of.now.w.data(), choose(kept | left, w, w1));
    return p.bits(left & ~kept);
}

template <class V, class Part>
ARMATURE_INLINE Left in_parts(Part&& part) {
    Left left = 0;
    for (int at = 0; at < lanes::count; at += width<V>) left |= part(V{}, at) << at;
    return left;
}
template <class V>
ARMATURE_INLINE Left move(const FreeMotionOfEight& of, bool exact, int first) {
    return in_parts<V>([&](V, int at) ARMATURE_LAMBDA { return move_part<V>(of, exact, first, at); });
}
template <class V>
ARMATURE_INLINE Left velocities(const VelocitiesOfEight& of, bool exact, int first) {
    return in_parts<V>([&](V, int at) ARMATURE_LAMBDA { return velocities_part<V>(of, exact, first, at); });
}

Left move_plain(const FreeMotionOfEight& of, bool exact, int first) {
    return move<V2>(of, exact, first);
}
ARMATURE_WIDE Left move_wide(const FreeMotionOfEight& of, bool exact, int first) {
    return move<V4>(of, exact, first);
}
ARMATURE_WIDEST Left move_widest(const FreeMotionOfEight& of, bool exact, int first) {
    return move<V8>(of, exact, first);
}
Left velocities_plain(const VelocitiesOfEight& of, bool exact, int first) {
    return velocities<V2>(of, exact, first);
}
ARMATURE_WIDE Left velocities_wide(const VelocitiesOfEight& of, bool exact, int first) {
    return velocities<V4>(of, exact, first);
}
ARMATURE_WIDEST Left velocities_widest(const VelocitiesOfEight& of, bool exact, int first) {
    return velocities<V8>(of, exact, first);
}

}  // namespace

Left move_eight(const FreeMotionOfEight& of, bool exact, int first) {
    switch (machine()) {
        case Machine::widest:
            return move_widest(of, exact, first);
        case Machine::wide:
            return move_wide(of, exact, first);
        default:
            return move_plain(of, exact, first);
    }
}

Left velocities_of_eight(const VelocitiesOfEight& of, bool exact, int first) {
    switch (machine()) {
        case Machine::widest:
            return velocities_widest(of, exact, first);
        case Machine::wide:
            return velocities_wide(of, exact, first);
        default:
            return velocities_plain(of, exact, first);
    }
}

}  // namespace armature

#include "armature/sim/free_motion_lanes.h"

#include <algorithm>
#include <cmath>

#include "armature/sim/about_axis.h"
#include "armature/sim/change_sums.h"

namespace armature {

namespace {

using namespace lanes;

/// Of eight lanes, as in change_sums.h.
struct Sums {
    alignas(64) ChangeSums::Lanes spin2{}, not_finite{};
};

/// J Ω = exp(−½hΩ) middle, see turn_with_momentum. With s = ½h exp(φ) middle and φ = −½hΩ,
///   [s](1 + ½[φ] + ⅙[φ]²) = [s − ⅙(s·φ) φ] + φ gᵀ − ½(s·φ),   g = ½s + ⅙ s×φ.
template <class V, class Constants>
ARMATURE_INLINE Vec<V> half_way_spin(const Constants& body, const V& half_h, const Vec<V>& middle) {
    Vec<V> omega = body.inv_J_times(middle);
    const Vec<V> off = cross(omega, middle);
    if (is_zero(off)) return omega;  // about a principal axis there is nothing to find
    const V scale2 = dot(middle, middle);
    V done = dot(off, off) == 0 ? all<V>(1.0) : one_unless<V>(scale2 == scale2);
    for (int k = 0; k < 20; ++k) {
        const Vec<V> phi = -(half_h * omega);
        const Vec<V> turned_back = rotate(exp_moderate_rotation(phi), middle);
        const Vec<V> residual = body.J_times(omega) - turned_back;
        const V error2 = dot(residual, residual);
        done = error2 > 1e-30 * scale2 ? done : all<V>(1.0);
        if (!any(done == 0)) break;
        const Vec<V> s = half_h * turned_back;
        const V d = dot(s, phi), half_d = 0.5 * d;
        const Vec<V> g = all<V>(0.5) * s + all<V>(1.0 / 6) * cross(s, phi), a = s - (d * (1.0 / 6)) * phi;
        const Mat<V> J = body.J();
        const Mat<V> slope{
            {J.row0.x + half_d - phi.x * g.x, J.row0.y + a.z - phi.x * g.y, J.row0.z - a.y - phi.x * g.z},
            {J.row1.x - a.z - phi.y * g.x, J.row1.y + half_d - phi.y * g.y, J.row1.z + a.x - phi.y * g.z},
            {J.row2.x + a.y - phi.z * g.x, J.row2.y - a.x - phi.z * g.y, J.row2.z + half_d - phi.z * g.z}};
        omega = choose(done > 0, omega, omega - inverse(slope) * residual);
        done = error2 < 1e-24 * scale2 ? all<V>(1.0) : done;
        if (!any(done == 0)) break;
    }
    return omega;
}

/// Newton's method on f of math/exact_turn.h.
template <class V>
ARMATURE_INLINE Vec<V> exact_turn(const Mat<V>& J, const Vec<V>& w, const Vec<V>& momentum, const Vec<V>& guess) {
    Vec<V> turn = guess;
    const Vec<V> at_start = J * w;
    const V scale2 = dot(momentum, momentum) + dot(at_start, at_start);
    V done = one_unless<V>(scale2 == scale2);
    for (int k = 0; k < 12; ++k) {
        const Vec<V> swept = J * (turn - w), sum = swept + momentum;
        const Vec<V> f = swept - momentum + all<V>(0.5) * cross(turn, sum);
        const V error2 = dot(f, f);
        done = error2 > 1e-32 * scale2 ? done : all<V>(1.0);
        if (!any(done == 0)) break;
        // J + ½([turn] J − [sum])
        const Vec<V> half = all<V>(0.5) * turn, s = all<V>(0.5) * sum;
        const Mat<V> across{half.y * J.row2 - half.z * J.row1, half.z * J.row0 - half.x * J.row2,
                            half.x * J.row1 - half.y * J.row0};
        const Mat<V> slope = J + across - skew(s);
        turn = choose(done > 0, turn, turn - inverse(slope) * f);
        done = error2 < 1e-24 * scale2 ? all<V>(1.0) : done;
    }
    return turn;
}

/// Where bodies have turned to and how they spin then.
template <class V>
struct Turned {
    Turn<V> q;
    Vec<V> w;
    V left;  ///< 1 where the short series did not do, or where nothing turns
};

template <class V, class Constants>
ARMATURE_INLINE Turned<V> turn_exactly(const Constants& body, double h, const Turn<V>& q, const Vec<V>& w,
                                       const Vec<V>& T_B) {
    const Vec<V> half_w = all<V>(0.5 * h) * rotate_spin_back(q, w);
    const Vec<V> momentum = body.J_times(half_w) + all<V>(0.5 * h * h) * T_B;
    const Vec<V> turn = exact_turn(body.J(), half_w, momentum, half_w + body.inv_J_times(momentum));
    const Vec<V> half = all<V>(0.5) * turn;
    const Turn<V> q1 = normalized(q * normalized(Turn<V>{all<V>(1.0), half.x, half.y, half.z}));
    return {q1, rotate_spin(q1, all<V>(2 / h) * (turn - half_w)), one_unless<V>(dot(turn, turn) < 4 * body.turns())};
}
template <class V, class Constants>
ARMATURE_INLINE Turned<V> turn_with_momentum(const Constants& body, double h, const Turn<V>& q, const Vec<V>& w,
                                             const Vec<V>& T_B) {
    const Vec<V> pi_B = body.J_times(rotate_spin_back(q, w)), push_B = all<V>(h) * T_B;
    const Vec<V> phi = all<V>(h) * half_way_spin(body, all<V>(0.5 * h), pi_B + all<V>(0.5) * push_B);
    const Turn<V> turn = exp_moderate_rotation(phi);
    const Turn<V> q1 = normalized(q * turn);
    return {q1, rotate_spin(q1, body.inv_J_times(rotate_spin_back(turn, pi_B + push_B))),
            one_unless<V>(0.25 * dot(phi, phi) < moderate_turn2 * body.turns())};
}
/// The same about a principal axis n alone, without a torque.
template <int n, class V, class Constants>
ARMATURE_INLINE Turned<V> turn_about(const Constants& body, double h, const Turn<V>& q, const Vec<V>& w) {
    const V pi = body.of(body.group.inertia_G[4 * n]) * number<n>(w) + V{};
    const V omega = body.of(body.group.inv_inertia_G[4 * n]) * pi, phi = all<V>(h) * omega;
    const V h2 = 0.25 * (phi * phi);
    const auto [cosine, factor] = moderate_turn(h2);
    const AxisTurn<V> q1 = normalized(about<n>(q) * AxisTurn<V>{cosine, factor * phi});
    return {in_space<n>(q1), along<n>(omega), one_unless<V>(h2 < moderate_turn2 * body.turns())};
}

template <class V, class Constants>
ARMATURE_INLINE void move_to(const FreeMotionProblem& of, const Constants& body, const Places<V>& p, const Vec<V>& x1,
                             const Vec<V>& v1, const Vec<V>& w, const Turned<V>& turned, Sums& sums) {
    const int part = body.part;
    Turn<V> q1 = turned.q;
    Vec<V> w1 = turned.w;
    p.set(of.free.x.data(), x1);
    p.set(of.free.q.data(), q1);
    p.set(of.free.v.data(), v1);
    p.set(of.free.w.data(), w1);
    if (any(turned.left > 0)) {
        const unsigned rest = p.bits(turned.left > 0);
        for (int l = 0; l < p.lanes; ++l)
            if (rest >> l & 1u) of.one(static_cast<std::size_t>(p.first + l));
        q1 = p.of(of.free.q.data());
        w1 = p.of(of.free.w.data());
    }
    p.set(of.now.x.data(), x1);
    p.set(of.now.q.data(), q1);
    take_larger(sums.spin2 + part, dot(w, w));
    take_larger(sums.spin2 + part, dot(w1, w1));
    add(sums.not_finite + part, not_finite(x1, q1, v1, w1));
}

template <class V, bool diagonal>
ARMATURE_INLINE void move_part(const FreeMotionProblem& of, const BodyConstants<V, diagonal>& body, int first,
                               int& axis, Sums& sums) {
    const Places<V> p(first + body.part, of.island.dynamic_count);
    if (p.lanes == 0) return;
    const V h = all<V>(of.h), half_h = all<V>(0.5 * of.h);
    const Vec<V> v = p.of(of.start.v.data()), w = p.of(of.start.w.data());
    const Turn<V> q = p.of(of.start.q.data());
    const Vec<V> F =
        of.forces ? p.of(of.forces->force.data())
                  : body.of(body.group.mass) * Vec<V>{all<V>(of.gravity.x), all<V>(of.gravity.y), all<V>(of.gravity.z)};
    const Vec<V> v1 = v + (h * body.of(body.group.inv_mass)) * F;
    const Vec<V> x1 = p.of(of.start.x.data()) + half_h * (v + v1);
    if (diagonal && !of.exact && !of.forces) {
        const auto first_body = static_cast<std::size_t>(p.first);
        axis = only_axis(of.start.q[first_body], of.start.w[first_body], axis);
        const auto about_n = [&]<int n>(std::integral_constant<int, n>) ARMATURE_LAMBDA {
            move_to(of, body, p, x1, v1, along<n>(number<n>(w)), turn_about<n>(body, of.h, q, w), sums);
        };
        if (about_axis<V>(axis, about_n, q.vec(), w)) return;
    }
    const Vec<V> T_B = of.forces ? rotate_back(q, p.of(of.forces->torque.data())) : Vec<V>{};
    move_to(of, body, p, x1, v1, w,
            of.exact ? turn_exactly(body, of.h, q, w, T_B) : turn_with_momentum(body, of.h, q, w, T_B), sums);
}

template <class V>
ARMATURE_INLINE void move_all(const FreeMotionProblem& of, Sums& sums) {
    int axis = 2;
    each_group(of.island, [&](const BodyLanes& group, int first, auto diagonal) ARMATURE_LAMBDA {
        for (int part = 0; part < lanes::count; part += width<V>)
            move_part(of, BodyConstants<V, decltype(diagonal)::value>{group, part}, first, axis, sums);
    });
}

}  // namespace

FreeMotion move_in_lanes(const FreeMotionProblem& of) {
    Sums sums;
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { move_all<V>(of, sums); });
    const bool finite = ChangeSums::sum(sums.not_finite) == 0 || find_not_finite(of.island, of.free) < 0;
    return {finite, std::sqrt(ChangeSums::most(sums.spin2))};
}

}  // namespace armature

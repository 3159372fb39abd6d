#include "armature/sim/free_motion_lanes.h"

#include <algorithm>
#include <cmath>

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

template <class V, class Constants>
ARMATURE_INLINE void move_part(const FreeMotionProblem& of, const Constants& body, int first, Sums& sums) {
    const int part = body.part;
    const Places<V> p(first + part, of.island.dynamic_count);
    if (p.lanes == 0) return;
    const V h = all<V>(of.h), half_h = all<V>(0.5 * of.h);
    const Vec<V> v = p.of(of.start.v.data()), w = p.of(of.start.w.data());
    const Turn<V> q = p.of(of.start.q.data());
    const Vec<V> F =
        of.forces ? p.of(of.forces->force.data())
                  : body.of(body.group.mass) * Vec<V>{all<V>(of.gravity.x), all<V>(of.gravity.y), all<V>(of.gravity.z)};
    const Vec<V> T_B = of.forces ? rotate_back(q, p.of(of.forces->torque.data())) : Vec<V>{};
    const Vec<V> v1 = v + (h * body.of(body.group.inv_mass)) * F;
    const Vec<V> x1 = p.of(of.start.x.data()) + half_h * (v + v1);
    Turn<V> q1;
    Vec<V> w1;
    V left;
    if (of.exact) {
        const Vec<V> half_w = half_h * rotate_spin_back(q, w);
        const Vec<V> momentum = body.J_times(half_w) + all<V>(0.5 * of.h * of.h) * T_B;
        const Vec<V> turn = exact_turn(body.J(), half_w, momentum, half_w + body.inv_J_times(momentum));
        const Vec<V> half = all<V>(0.5) * turn;
        q1 = normalized(q * normalized(Turn<V>{all<V>(1.0), half.x, half.y, half.z}));
        w1 = rotate_spin(q1, all<V>(2 / of.h) * (turn - half_w));
        left = one_unless<V>(dot(turn, turn) < 4);
    } else {
        const Vec<V> pi_B = body.J_times(rotate_spin_back(q, w)), push_B = h * T_B;
        const Vec<V> phi = h * half_way_spin(body, half_h, pi_B + all<V>(0.5) * push_B);
        const Turn<V> turn = exp_moderate_rotation(phi);
        q1 = normalized(q * turn);
        w1 = rotate_spin(q1, body.inv_J_times(rotate_spin_back(turn, pi_B + push_B)));
        left = one_unless<V>(0.25 * dot(phi, phi) < moderate_turn2);
    }
    p.set(of.free.x.data(), x1);
    p.set(of.free.q.data(), q1);
    p.set(of.free.v.data(), v1);
    p.set(of.free.w.data(), w1);
    left = body.of(body.group.turns) > 0 ? left : all<V>(1.0);
    if (any(left > 0)) {
        const unsigned rest = p.bits(left > 0);
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

template <class V>
ARMATURE_INLINE void move_all(const FreeMotionProblem& of, Sums& sums) {
    each_group(of.island, [&](const BodyLanes& group, int first, auto diagonal) ARMATURE_LAMBDA {
        for (int part = 0; part < lanes::count; part += width<V>)
            move_part<V>(of, BodyConstants<V, decltype(diagonal)::value>{group, part}, first, sums);
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

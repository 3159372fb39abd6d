// The sequential sweep: each part is corrected with full weight from where the one before left the solids. Faster per
// sweep, but the answer depends on the order in which the joints were written.
#include <algorithm>
#include <cmath>

#include "armature/solvers/displacement/displacement.h"

namespace armature {

namespace {

constexpr double max_turn = 0.5;  // rad in one correction, which is first-order in the angle

}  // namespace

void DisplacementSolver::turn(int body, const Vec3& phi) {
    if (body >= dynamic_count_) return;
    set_orientation(idx(body), exp_rotation(phi) * (*q_)[idx(body)]);
    const double a = norm(phi);
    largest_move_ = std::max(largest_move_, a);
    sweep_turn_ = std::max(sweep_turn_, a);
}

void DisplacementSolver::gauss_seidel_angular(Angular& a) {
    a.error = measure_angular(a);
    const double turn_by = parameters_.relaxation * wanted_turn(a);
    if (turn_by == 0) return;
    // An impulse about an axis that is not principal turns a body by more than the excess asks: bound the turn itself.
    const double per_push = std::sqrt(std::max(norm2(a.pair.side1 * inv_inertia_times(a.pair.body1, a.error.axis)),
                                               norm2(a.pair.side2 * inv_inertia_times(a.pair.body2, a.error.axis))));
    const double most = per_push > 0 ? max_turn / per_push : 0;
    const double now = std::clamp(turn_by * angular_stiffness(a.pair, a.error.axis), -most, most);
    const Vec3 p = (a.equality ? now : limit_push(a, now, 0)) * a.error.axis;
    a.impulse += p;
    turn(a.pair.body1, a.pair.side1 * inv_inertia_times(a.pair.body1, p));
    turn(a.pair.body2, -a.pair.side2 * inv_inertia_times(a.pair.body2, p));
}

template <class Measure, class Impulse>
Vec3 DisplacementSolver::gauss_seidel_point(const Pair& pair, const Arms& arms, double reduced, Measure measure_now,
                                            Impulse impulse_of) {
    const PointError e = measure_now();
    Vec3 p = impulse_of(e);
    Vec3 phi1 = pair.side1 * inv_inertia_times(pair.body1, cross(arm1(arms, e.r1, e.d), p));
    Vec3 phi2 = -pair.side2 * inv_inertia_times(pair.body2, cross(arm2(arms, e.r2, e.d), p));
    const double largest = std::sqrt(std::max(norm2(phi1), norm2(phi2)));
    if (largest > max_turn) {  // both sides and the push by one factor: the pair stays free of momentum
        const double s = max_turn / largest;
        phi1 *= s;
        phi2 *= s;
        p *= s;
    }
    turn(pair.body1, phi1);
    turn(pair.body2, phi2);
    if (parameters_.variant == 2) p = parameters_.relaxation * reduced * measure_now().d;
    const Vec3 dx1 = (pair.side1 * mobility_[idx(pair.body1)].inv_mass) * p;
    const Vec3 dx2 = (pair.side2 * mobility_[idx(pair.body2)].inv_mass) * p;
    (*x_)[idx(pair.body1)] += dx1;
    (*x_)[idx(pair.body2)] -= dx2;
    (*moved_)[idx(pair.body1)] += dx1;
    (*moved_)[idx(pair.body2)] -= dx2;
    largest_move_ = std::max({largest_move_, norm(dx1), norm(dx2)});
    return p;
}

bool DisplacementSolver::sweep_gauss_seidel() {
    // Measure first, apart: a sweep that finds everything within the tolerance must not move it.
    const auto ball_error = [&](const Ball& b) {
        const std::size_t i = idx(b.pair.body1), j = idx(b.pair.body2);
        PointError e;
        e.r1 = R_[i] * b.p1;
        e.r2 = R_[j] * b.p2;
        e.d = ((*x_)[j] + e.r2) - ((*x_)[i] + e.r1);
        return e;
    };
    const auto slider_error = [&](const Slider& s) { return measure_slider(s); };
    for (const Angular& a : angulars_) {
        const double excess = measure_angular(a).excess;
        note_error(excess * excess, a.joint);
    }
    for (std::size_t k = 0; k < balls_.size(); ++k) note_error(norm2(ball_error(balls_[k]).d), ball_info_[k].joint);
    for (const Slider& s : sliders_) note_error(norm2(slider_error(s).d), s.info.joint);
    if (has_laws() && measure_laws()) weigh_parts();
    if (settled()) return false;

    sweep_turn_ = 0;
    for (Angular& a : angulars_) gauss_seidel_angular(a);
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        Ball& b = balls_[k];
        b.impulse += gauss_seidel_point(
            b.pair, b.arms, ball_info_[k].reduced, [&] { return ball_error(b); },
            [&](const PointError& e) { return b.gain * e.d; });
    }
    for (Slider& s : sliders_)
        s.impulse += gauss_seidel_point(
            s.pair, s.arms, s.info.reduced, [&] { return slider_error(s); },
            [&](const PointError& e) { return s.info.weight * slider_impulse(s, e); });
    turned_ += sweep_turn_;
    if (has_laws()) {
        if (measure_laws()) weigh_parts();
        gather_laws();
        apply_rotations(true);
        apply_translations();
    }
    return true;
}

}  // namespace armature

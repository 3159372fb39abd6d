// The order-independent sweep: every stage sums weighted corrections computed from the same placements.
#include <algorithm>
#include <cmath>

#include "armature/solvers/displacement/displacement.h"

namespace armature {

namespace {

/// No body turns further in one sweep: the corrections are first-order in the angle.
constexpr double max_turn = 0.5;  // rad

}  // namespace

bool DisplacementSolver::sweep_jacobi() {
    const double tolerance2 = tolerance_ * tolerance_;
    const bool together = parameters_.variant == 1;
    const bool one_stage = accelerated();
    bool turned_by_angles = false;
    along_ = 0;
    const bool angulars_changed = measure_angular_parts(), laws_changed = has_laws() && measure_laws();
    if (angulars_changed || laws_changed) weigh_parts();
    if (!angulars_.empty()) {
        if (one_stage) {
            gather_angular_parts(true);
        } else if (worst2_ > tolerance2) {
            gather_angular_parts(false);
            apply_rotations(false);
            turned_by_angles = true;
        }
    }
    gather_laws();
    point_rotation_stage(together);
    // A sweep that finds everything in place leaves it in place: what is reported is exactly what was measured.
    if (!turned_by_angles && settled()) {
        drop_corrections();
        return false;
    }
    if (one_stage) next_momentum();
    apply_rotations(true);
    if (!together) translation_stage();
    apply_translations();
    return true;
}

bool DisplacementSolver::accelerated() const {
    return parameters_.accelerate && !plain_ && parameters_.order == SweepOrder::jacobi && parameters_.variant == 1;
}

void DisplacementSolver::begin_momentum() {
    beta_ = beta_last_ = 0;
    sweeps_since_restart_ = 0;
}

void DisplacementSolver::restart_momentum() {
    for (Ball& b : balls_) b.momentum = {};
    for (Slider& s : sliders_) s.momentum = {};
    for (Angular& a : angulars_) {
        a.momentum = {};
        a.push_growth = 0;
        a.settled_push = a.push;
    }
    restart_laws();
    begin_momentum();
}

void DisplacementSolver::next_momentum() {
    if (along_ < 0) {
        restart_momentum();  // the impulses run past their goal: forget how they came here
        return;
    }
    ++sweeps_since_restart_;
    const double k = static_cast<double>(sweeps_since_restart_);
    beta_last_ = beta_;
    beta_ = k / (k + 3);
}

void DisplacementSolver::take_back(double share, bool points) {
    // What was summed up for the joints but not done to the solids.
    if (points) take_back_laws(share);
    if (points && parameters_.order == SweepOrder::gauss_seidel) return;  // the joints had their turn before
    if (points && parameters_.variant == 1) {
        // Nothing has moved yet, so that the pushes of the balls can be had again: storing them would cost every sweep.
        for (Ball& b : balls_) b.impulse -= share * (b.gain * ball_gap(b) + beta_used_ * b.momentum);
        for (Slider& s : sliders_) s.impulse -= share * s.push;
    }
    if (points && !accelerated()) return;  // the angular parts had their turn before
    for (Angular& a : angulars_) {
        a.impulse -= share * a.turn;
        if (!a.equality) a.push -= share * dot(a.turn, a.error.axis);
    }
}

void DisplacementSolver::drop_corrections() {
    take_back(1, true);
    std::fill(torque_.begin(), torque_.end(), Vec3{});
    std::fill(force_.begin(), force_.end(), Vec3{});
}

bool DisplacementSolver::measure_angular_parts() {
    bool counts_changed = false;
    for (Angular& a : angulars_) {
        a.error = measure_angular(a);
        note_error(a.error.excess * a.error.excess, a.joint);
        const bool active = a.equality || wanted_turn(a) != 0;
        counts_changed = counts_changed || active != a.active;
        a.active = active;
    }
    return counts_changed;
}

void DisplacementSolver::gather_angular_parts(bool with_momentum) {
    for (Angular& a : angulars_) {
        a.turn = {};
        if (!a.active) continue;
        const double turn_by = wanted_turn(a);
        const double now = a.weight * turn_by * angular_stiffness(a.pair, a.error.axis);
        Vec3 p;
        if (!a.equality) {
            along_ += turn_by * a.push_growth;
            p = limit_push(a, now, with_momentum ? beta_ : 0) * a.error.axis;
        } else if (with_momentum) {
            along_ += turn_by * dot(a.error.axis, a.momentum);
            a.momentum = now * a.error.axis + beta_last_ * a.momentum;
            p = now * a.error.axis + beta_ * a.momentum;
        } else {
            p = now * a.error.axis;
        }
        a.turn = p;
        a.impulse += p;
        torque_[idx(a.pair.body1)] += a.pair.side1 * p;
        torque_[idx(a.pair.body2)] -= a.pair.side2 * p;
    }
}

void DisplacementSolver::point_rotation_stage(bool with_translation) {
    const Vec3* x = x_->data();
    const Mat3* R = R_.data();
    Vec3 *torque = torque_.data(), *force = force_.data();
    double worst2 = 0, along = 0;
    std::size_t worst = 0;
    const double beta = beta_, beta_last = beta_last_;
    beta_used_ = beta_;
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        Ball& b = balls_[k];
        const std::size_t i = idx(b.pair.body1), j = idx(b.pair.body2);
        const Vec3 r1 = R[i] * b.p1, r2 = R[j] * b.p2;
        const Vec3 d = (x[j] + r2) - (x[i] + r1);
        const double e2 = norm2(d);
        if (e2 > worst2) {
            worst2 = e2;
            worst = k;
        }
        const Vec3 now = b.gain * d;
        along += dot(d, b.momentum);
        b.momentum = now + beta_last * b.momentum;
        const Vec3 p = now + beta * b.momentum;
        const Vec3 p1 = b.pair.side1 * p, p2 = b.pair.side2 * p;
        torque[i] += cross(arm1(b.arms, r1, d), p1);
        torque[j] -= cross(arm2(b.arms, r2, d), p2);
        if (with_translation) {
            b.impulse += p;
            force[i] += p1;
            force[j] -= p2;
        }
    }
    along_ += along;
    if (!balls_.empty()) note_error(worst2, ball_info_[worst].joint);
    for (Slider& s : sliders_) {
        const std::size_t i = idx(s.pair.body1), j = idx(s.pair.body2);
        const PointError e = measure_slider(s);
        note_error(norm2(e.d), s.info.joint);
        const Vec3 now = s.info.weight * slider_impulse(s, e);
        const Vec3 kept = blocked_part(e, s.momentum);
        along_ += dot(e.d, kept);
        s.momentum = now + beta_last * kept;
        const Vec3 p = now + beta * s.momentum;
        torque[i] += s.pair.side1 * cross(arm1(s.arms, e.r1, e.d), p);
        torque[j] -= s.pair.side2 * cross(arm2(s.arms, e.r2, e.d), p);
        if (with_translation) {
            s.push = p;
            s.impulse += p;
            force[i] += s.pair.side1 * p;
            force[j] -= s.pair.side2 * p;
        }
    }
}

void DisplacementSolver::apply_rotations(bool points) {
    const auto n = idx(dynamic_count_);
    double largest2 = 0;
    for (std::size_t i = 0; i < n; ++i) {
        torque_[i] = inv_inertia_times(static_cast<int>(i), torque_[i]);  // now a rotation vector
        largest2 = std::max(largest2, norm2(torque_[i]));
    }
    const double largest = std::sqrt(largest2);
    // One factor for all keeps the sum of the corrections free of momentum.
    const double scale = largest > max_turn ? max_turn / largest : 1;
    if (scale < 1) take_back(1 - scale, points);
    const Quat* q = q_->data();
    for (std::size_t i = 0; i < n; ++i) {
        set_orientation(i, exp_rotation(scale * torque_[i]) * q[i]);
        torque_[i] = {};
    }
    for (std::size_t i = n; i < torque_.size(); ++i) torque_[i] = {};
    largest_move_ = std::max(largest_move_, scale * largest);
    turned_ += scale * largest;
    translation_scale_ = scale;
}

void DisplacementSolver::translation_stage() {
    const Vec3* x = x_->data();
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        Ball& b = balls_[k];
        const std::size_t i = idx(b.pair.body1), j = idx(b.pair.body2);
        const Vec3 d = (x[j] + R_[j] * b.p2) - (x[i] + R_[i] * b.p1);
        const Vec3 p = (ball_info_[k].weight * ball_info_[k].reduced) * d;
        b.impulse += p;
        force_[i] += b.pair.side1 * p;
        force_[j] -= b.pair.side2 * p;
    }
    for (Slider& s : sliders_) {
        const PointError e = measure_slider(s);
        const Vec3 p = (s.info.weight * s.info.reduced) * e.d;
        s.impulse += p;
        force_[idx(s.pair.body1)] += s.pair.side1 * p;
        force_[idx(s.pair.body2)] -= s.pair.side2 * p;
    }
    translation_scale_ = 1;
}

void DisplacementSolver::apply_translations() {
    const auto n = idx(dynamic_count_);
    Vec3 *x = x_->data(), *moved = moved_->data();
    double largest2 = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 dx = (translation_scale_ * mobility_[i].inv_mass) * force_[i];
        x[i] += dx;
        moved[i] += dx;
        largest2 = std::max(largest2, norm2(dx));
        force_[i] = {};
    }
    for (std::size_t i = n; i < force_.size(); ++i) force_[i] = {};
    largest_move_ = std::max(largest_move_, std::sqrt(largest2));
}

}  // namespace armature

// The order-independent sweep: every stage sums weighted corrections computed from the same placements.
#include <algorithm>
#include <cmath>

#include "armature/solvers/displacement/displacement.h"

namespace armature {

namespace {

/// No body turns further in one sweep: the corrections are first-order in the angle.
constexpr double max_turn = 0.5;  // rad

}  // namespace

void DisplacementSolver::sweep_jacobi() {
    const bool turned_by_angles = angular_stage();
    // A sweep that finds everything in place must leave it in place: the stages below only run when there is
    // something to correct, so a converged state is exactly the one that was measured.
    point_rotation_stage(parameters_.variant == 1);
    const bool points_hold = worst2_ <= tolerance_ * tolerance_;
    if (points_hold) {
        if (!turned_by_angles) {
            std::fill(torque_.begin(), torque_.end(), Vec3{});
            std::fill(force_.begin(), force_.end(), Vec3{});
            return;
        }
    }
    apply_rotations();
    if (parameters_.variant == 2) translation_stage();
    apply_translations();
}

bool DisplacementSolver::angular_stage() {
    if (angulars_.empty()) return false;
    // Only parts that are violated take part and are counted: a limit that is not touched slows nobody down.
    std::fill(count_.begin(), count_.end(), 0);
    for (Angular& a : angulars_) {
        a.error = measure_angular(a);
        if (a.error.excess == 0) continue;
        note_error(a.error.excess, a.pair);
        if (a.pair.body1 < dynamic_count_) ++count_[idx(a.pair.body1)];
        if (a.pair.body2 < dynamic_count_) ++count_[idx(a.pair.body2)];
    }
    if (worst2_ <= tolerance_ * tolerance_) return false;
    for (Angular& a : angulars_) {
        if (a.error.excess == 0) continue;
        const int n = std::max(count_[idx(a.pair.body1)], count_[idx(a.pair.body2)]);
        const double w = parameters_.relaxation / static_cast<double>(std::max(n, 1));
        const Vec3 p = (w * a.error.excess * angular_stiffness(a.pair, a.error.axis)) * a.error.axis;
        a.impulse += p;
        torque_[idx(a.pair.body1)] += a.pair.side1 * p;
        torque_[idx(a.pair.body2)] -= a.pair.side2 * p;
    }
    apply_rotations();
    return true;
}

void DisplacementSolver::point_rotation_stage(bool with_translation) {
    const Vec3* x = x_->data();
    double worst2 = worst2_;
    int worst = worst_joint_;
    for (Ball& b : balls_) {
        const std::size_t i = idx(b.pair.body1), j = idx(b.pair.body2);
        const Vec3 r1 = R_[i] * b.p1, r2 = R_[j] * b.p2;
        const Vec3 d = (x[j] + r2) - (x[i] + r1);
        const double e2 = norm2(d);
        if (e2 > worst2) {
            worst2 = e2;
            worst = b.pair.joint;
        }
        const Vec3 p = b.weight * (b.gain * d);
        torque_[i] += b.pair.side1 * cross(r1, p);
        torque_[j] -= b.pair.side2 * cross(r2, p);
        if (with_translation) {
            b.impulse += p;
            force_[i] += b.pair.side1 * p;
            force_[j] -= b.pair.side2 * p;
        }
    }
    for (Slider& s : sliders_) {
        const std::size_t i = idx(s.pair.body1), j = idx(s.pair.body2);
        const PointError e = measure(*s.part, placement(s.pair.body1), placement(s.pair.body2));
        const double e2 = norm2(e.d);
        if (e2 > worst2) {
            worst2 = e2;
            worst = s.pair.joint;
        }
        const Vec3 p = s.weight * slider_impulse(s, e);
        torque_[i] += s.pair.side1 * cross(e.r1, p);
        torque_[j] -= s.pair.side2 * cross(e.r2, p);
        if (with_translation) {
            s.impulse += p;
            force_[i] += s.pair.side1 * p;
            force_[j] -= s.pair.side2 * p;
        }
    }
    worst2_ = worst2;
    worst_joint_ = worst;
}

void DisplacementSolver::apply_rotations() {
    const auto n = idx(dynamic_count_);
    double largest2 = 0;
    for (std::size_t i = 0; i < n; ++i) {
        torque_[i] = inv_inertia_times(static_cast<int>(i), torque_[i]);  // now a rotation vector
        largest2 = std::max(largest2, norm2(torque_[i]));
    }
    const double largest = std::sqrt(largest2);
    // One factor for all keeps the sum of the corrections free of momentum.
    const double scale = largest > max_turn ? max_turn / largest : 1;
    Quat* q = q_->data();
    for (std::size_t i = 0; i < n; ++i) {
        const Quat turned = exp_rotation(scale * torque_[i]) * q[i];
        q[i] = turned;
        R_[i] = to_matrix(turned);
        torque_[i] = {};
    }
    for (std::size_t i = n; i < torque_.size(); ++i) torque_[i] = {};
    largest_move_ = std::max(largest_move_, scale * largest);
    turned_ += scale * largest;
}

void DisplacementSolver::translation_stage() {
    const Vec3* x = x_->data();
    for (Ball& b : balls_) {
        const std::size_t i = idx(b.pair.body1), j = idx(b.pair.body2);
        const Vec3 d = (x[j] + R_[j] * b.p2) - (x[i] + R_[i] * b.p1);
        const Vec3 p = (b.weight * b.reduced) * d;
        b.impulse += p;
        force_[i] += b.pair.side1 * p;
        force_[j] -= b.pair.side2 * p;
    }
    for (Slider& s : sliders_) {
        const PointError e = measure(*s.part, placement(s.pair.body1), placement(s.pair.body2));
        const Vec3 p = (s.weight * s.reduced) * e.d;
        s.impulse += p;
        force_[idx(s.pair.body1)] += s.pair.side1 * p;
        force_[idx(s.pair.body2)] -= s.pair.side2 * p;
    }
}

void DisplacementSolver::apply_translations() {
    const auto n = idx(dynamic_count_);
    Vec3* x = x_->data();
    double largest2 = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 dx = mobility_[i].inv_mass * force_[i];
        x[i] += dx;
        largest2 = std::max(largest2, norm2(dx));
        force_[i] = {};
    }
    for (std::size_t i = n; i < force_.size(); ++i) force_[i] = {};
    largest_move_ = std::max(largest_move_, std::sqrt(largest2));
}

}  // namespace armature

// Bodies of planar.h that their own turning tilts out of the plane. All vectors are in the axes of the plane.
//
//   θ = log(R1 Rᵀ), R where free motion ended:  T = J θ            exact, θ along n:  T = Rot(θ) J (θ − w) − G
#include <algorithm>
#include <cmath>

#include "armature/solvers/linearized/planar/planar.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// Where the body is now: turned about n alone.
Quat turn_now(const PlanarNumbers& n, std::size_t body) {
    const two::V half = n.starts[body].half;
    const Quat made = exp_rotation({0, 0, n.bodies[body].theta});
    return {half[0] * made.w - half[1] * made.z, 0, 0, half[1] * made.w + half[0] * made.z};
}

}  // namespace

bool PlanarNewton::take_unbalanced(const CorrectionProblem& p, double most) {
    const PlanarPlan& plan = *plan_;
    PlanarNumbers& n = numbers_;
    n.wobbles.resize(plan.unbalanced.size());
    for (std::size_t k = 0; k < plan.unbalanced.size(); ++k) {
        const auto i = idx(plan.unbalanced[k].body);
        const auto in_plane = [&](const Quat& q) { return conjugate(plan.turn_WP) * q * plan.bodies[i].turn_BP; };
        PlanarNumbers::Wobble& wobble = n.wobbles[k];
        wobble.free = in_plane(p.q[i]);
        const Mat3 R = to_matrix(n.exact ? in_plane((*p.start_q)[i]) : wobble.free);
        wobble.inertia = R * plan.unbalanced[k].inertia * transposed(R);
        if (!n.exact) continue;
        const double h = p.exact->h;
        const Vec3 w = (0.5 * h) * rotate_back(plan.turn_WP, p.exact->start_w[i]);
        if (!(std::max(std::fabs(w.x), std::fabs(w.y)) <= most)) return false;
        const Vec3 torque = (0.5 * h * h) * rotate_back(plan.turn_WP, p.exact->torque[i]);
        wobble.momentum = wobble.inertia * Vec3{0, 0, w.z} + torque;
    }
    return true;
}

void measure_wobbles(const PlanarPlan& plan, PlanarNumbers& n) {
    for (std::size_t k = 0; k < plan.unbalanced.size(); ++k) {
        const auto i = idx(plan.unbalanced[k].body);
        PlanarNumbers::Wobble& wobble = n.wobbles[k];
        if (n.exact) {
            const PlanarNumbers::BodyStart& start = n.starts[i];
            const double theta = n.bodies[i].theta, share = 1 / (1 + 0.25 * theta * theta);
            const double c = (1 - 0.25 * theta * theta) * share, s = theta * share;
            const Vec3 carried = wobble.inertia * Vec3{0, 0, theta - start.w};
            wobble.torque =
                Vec3{c * carried.x - s * carried.y, s * carried.x + c * carried.y, carried.z} - wobble.momentum;
        } else {
            wobble.torque = wobble.inertia * log_rotation(turn_now(n, i) * conjugate(wobble.free));
        }
    }
}

}  // namespace armature

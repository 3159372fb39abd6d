// A bob circling at the end of its arm, the arm at θ to the vertical. A body that turns as a whole with the angular
// velocity ω about the vertical, with equal inertia I about every axis through its centre of mass: of the moment about
// the joint only the part m l² counts (I ω does not change its direction), and
//   m g l sin θ = m l² ω² sin θ cos θ   →   ω² = g/(l cos θ),
// exactly as for a point mass.
#include "analytic/analytic.h"

namespace armature::conical_pendulum {
namespace {

constexpr double l = 0.8, gravity = 9.81, mass = 2;

struct Whirl {
    double angle_error = 0;  ///< rad, largest deviation of θ
    double rate_error = 0;   ///< relative, mean over the run
};
Whirl whirl(const analytic::Claims& claim, double dt, double theta, double end) {
    Spec spec = analytic::scene(claim, dt);
    spec.simulation.gravity = {0, -gravity, 0};
    spec.simulation.tolerance = 1e-11;
    const double omega = std::sqrt(gravity / (l * std::cos(theta)));
    SolidSpec& bob = spec.add_solid("bob");
    bob.shapes.emplace_back().geometry = Sphere{0.2};
    bob.mass = mass;
    const Vec3 arm{l * std::sin(theta), -l * std::cos(theta), 0};
    bob.pose_WB.x = arm;
    bob.spin = {0, omega, 0};
    bob.velocity = cross(bob.spin, arm);
    spec.add_constraint("bob", "world").hinge.emplace().p1_B = -arm;
    Simulator s(spec);
    Whirl result;
    double turned = 0;
    Vec3 last = arm;
    while (s.state().time + 0.5 * dt < end) {
        s.advance();
        const Vec3& x = s.state().x[1];
        result.angle_error = std::max(result.angle_error, std::fabs(std::atan2(std::hypot(x.x, x.z), -x.y) - theta));
        turned += std::atan2(last.z * x.x - last.x * x.z, last.x * x.x + last.z * x.z);
        last = x;
    }
    analytic::expect_plain_steps(s);
    result.rate_error = turned / (omega * end) - 1;
    return result;
}

ANALYTIC_SUITE(ConicalPendulum);

TEST_P(ConicalPendulum, KeepsItsAngleAndItsRate) {
    const auto& claim = GetParam();
    for (const double degrees : {20, 60}) {
        const double theta = degrees * pi / 180;
        const std::string what = fmt::format("{}°", degrees);
        analytic::Convergence angle, rate;
        for (std::size_t i = 0; i < 3; ++i) {
            const Whirl w = whirl(claim, std::ldexp(1.0 / 480, -static_cast<int>(i)), theta, 4);
            angle.error[i] = w.angle_error;
            rate.error[i] = w.rate_error;
        }
        analytic::expect_order(what + ", rate", rate, claim.joint_order);
        if (claim.joint_order == 1) {
            analytic::expect_order(what + ", angle", angle, 1);
        } else {
            // O(dt²) that does not grow, and the energy the joint gains, O(dt³): measured 1e-7 rad in 4 s.
            analytic::expect_within(what + ", angle, rad", angle.error[0], 1e-6);
            EXPECT_GT(angle.order(), 1.9);
        }
    }
}

}  // namespace
}  // namespace armature::conical_pendulum

// A body without torques:  L = J ω constant in space, E = ½ ω·Jω constant.
#include "analytic/analytic.h"

namespace armature {
namespace {

Spec tumbling(const analytic::Claims& claim, double dt, const Vec3& inertia, const Vec3& spin) {
    Spec spec = analytic::scene(claim, dt);
    SolidSpec& body = spec.add_solid("body");
    body.mass = 5;
    body.inertia_G = Mat3::diagonal(inertia);
    body.pose_WB.q = from_axis_angle({1, -2, 0.5}, 0.7);
    body.spin = rotate(body.pose_WB.q, spin);
    return spec;
}

ANALYTIC_SUITE(Tumbling);

// Axisymmetric, J = diag(I1, I1, I3): in body axes ω turns about e3 with Ω = (I3 − I1)/I1 ω3, in space the axis turns
// about L with |L|/I1. Since ω = L/I1 + (1 − I3/I1) ω3 e3,   R(t) = exp(t L/I1) R(0) exp(t (1 − I3/I1) ω3 e3).
TEST_P(Tumbling, AnAxisymmetricBodyFollowsTheClosedForm) {
    const auto& claim = GetParam();
    const double I1 = 0.4, I3 = 0.7, end = 2;
    const Vec3 spin{1.5, 0.5, 3};
    const auto error = [&](double dt) {
        Simulator s(tumbling(claim, dt, {I1, I1, I3}, spin));
        const Vec3 L = measure_mechanics(s.model(), s.state()).angular_momentum;
        const Quat q0 = s.state().q[1];
        s.advance_to(end);
        analytic::expect_plain_steps(s);
        const Quat exact = exp_rotation((end / I1) * L) * q0 * exp_rotation({0, 0, end * (1 - I3 / I1) * spin.z});
        return norm(log_rotation(s.state().q[1] * conjugate(exact)));
    };
    analytic::expect_order("orientation", analytic::converge(1.0 / 240, error), claim.tumbling_order);
}

TEST_P(Tumbling, AngularMomentumAndEnergyOfAnAsymmetricBody) {
    const auto& claim = GetParam();
    Simulator s(tumbling(claim, 1.0 / 240, {0.3, 0.5, 0.7}, {1, 2, 1.5}));
    const Mechanics before = measure_mechanics(s.model(), s.state());
    double worst_L = 0, worst_E = 0;
    for (int i = 0; i < 2400; ++i) {
        s.advance();
        const Mechanics now = measure_mechanics(s.model(), s.state());
        worst_L =
            std::max(worst_L, norm(now.angular_momentum - before.angular_momentum) / norm(before.angular_momentum));
        worst_E = std::max(worst_E, std::fabs(now.kinetic / before.kinetic - 1));
    }
    // The direction counts too. Measured: newton 4e-13 (2400 roundings) and 1.7e-6, which is O(dt²) and does not grow;
    // the others, whose gyroscopic torque is that of the start of the step, 1.4 % and 3.3 %, which is O(dt) and grows.
    analytic::expect_within("angular momentum over 10 s", worst_L, claim.exact_spin ? 1e-12 : 0.03);
    analytic::expect_within("energy over 10 s", worst_E, claim.exact_spin ? 1.7e-5 : 0.07);
}

// Euler's top with I1 < I2 < I3 near its middle axis [Landau & Lifshitz, Mechanics, §37]. For L² > 2 E I2:
//   ω2 ∝ sn(τ, k),  τ = t √((I3 − I2)(L² − 2 E I1)/(I1 I2 I3)),  k² = (I2 − I1)(2 E I3 − L²)/((I3 − I2)(L² − 2 E I1));
// it turns over (ω2 = 0) every 2 K(k) of τ. For L² < 2 E I2 exchange 1 and 3.
TEST_P(Tumbling, TurnsOverAboutTheMiddleAxisOnTime) {
    const auto& claim = GetParam();
    const double I1 = 0.3, I2 = 0.5, I3 = 0.7;
    const Vec3 spin{0.02, 4, 0.05};
    const double E = 0.5 * (I1 * spin.x * spin.x + I2 * spin.y * spin.y + I3 * spin.z * spin.z);
    const double L2 = std::pow(I1 * spin.x, 2) + std::pow(I2 * spin.y, 2) + std::pow(I3 * spin.z, 2);
    ASSERT_GT(L2, 2 * E * I2);
    const double rate = std::sqrt((I3 - I2) * (L2 - 2 * E * I1) / (I1 * I2 * I3));
    const double k = std::sqrt((I2 - I1) * (2 * E * I3 - L2) / ((I3 - I2) * (L2 - 2 * E * I1)));
    const double flip = 2 * analytic::elliptic_K(k) / rate;
    const auto error = [&](double dt) {
        Simulator s(tumbling(claim, dt, {I1, I2, I3}, spin));
        analytic::ZeroCrossings crossings(dt);
        const auto sample = [&] { crossings.add(rotate_back(s.state().q[1], s.state().w[1]).y); };
        sample();
        while (crossings.times.size() < 3 && s.state().time < 30) {
            s.advance();
            sample();
        }
        analytic::expect_plain_steps(s);
        EXPECT_EQ(crossings.times.size(), 3u);
        return (crossings.times[2] - crossings.times[0]) / (2 * flip) - 1;
    };
    analytic::expect_order(fmt::format("time of a flip, {:.3f} s", flip), analytic::converge(1.0 / 240, error),
                           claim.tumbling_order);
}

}  // namespace
}  // namespace armature

// A box swinging on its end, in a plane. With l from the joint to the centre of mass and I about the joint:
//   I θ̈ = −m g l sin θ,   T = 4 √(I/(m g l)) K(sin(θ₀/2)).
#include "analytic/analytic.h"

namespace armature::pendulum {
namespace {

constexpr double mass = 3, gravity = 9.81, l = 0.5;
const Vec3 size{0.1, 1, 0.2};

enum class Hold { ball, hinge };

Spec pendulum(const analytic::Claims& claim, double dt, double amplitude, Hold hold) {
    Spec spec = analytic::scene(claim, dt);
    spec.simulation.gravity = {0, -gravity, 0};
    SolidSpec& box = spec.add_solid("box");
    box.shapes.emplace_back().geometry = Box{size};
    box.mass = mass;
    box.pose_WB.q = from_axis_angle({0, 0, 1}, amplitude);
    box.pose_WB.x = rotate(box.pose_WB.q, {0, -l, 0});
    ConstraintSpec& joint = spec.add_constraint("box", "world");
    joint.hinge.emplace().p1_B = {0, l, 0};
    if (hold == Hold::hinge) joint.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
    return spec;
}

double exact_period(double amplitude) {
    const double inertia = mass * ((size.x * size.x + size.y * size.y) / 12 + l * l);
    return 4 * std::sqrt(inertia / (mass * gravity * l)) * analytic::elliptic_K(std::sin(0.5 * amplitude));
}

struct Swing {
    double period_error = 0;  ///< relative, from the first to the third passage through the lowest point
    double energy_loss = 0;   ///< until the third passage, of what it had above the lowest point
};
Swing swing(const analytic::Claims& claim, double dt, double amplitude, Hold hold) {
    Spec spec = pendulum(claim, dt, amplitude, hold);
    spec.simulation.tolerance = 1e-11;  // a step at 7680 Hz is corrected by ½ g dt² = 8e-8 m
    Simulator s(spec);
    analytic::ZeroCrossings crossings(dt);
    const auto energy = [&] { return measure_mechanics(s.model(), s.state()).energy() + mass * gravity * l; };
    const auto sample = [&] { crossings.add(std::atan2(s.state().x[1].x, -s.state().x[1].y)); };
    const double before = energy();
    sample();
    while (crossings.times.size() < 3 && s.state().time < 20) {
        s.advance();
        sample();
    }
    analytic::expect_plain_steps(s);
    EXPECT_EQ(crossings.times.size(), 3u);
    if (crossings.times.size() < 3) return {};
    return {(crossings.times[2] - crossings.times[0]) / exact_period(amplitude) - 1, 1 - energy() / before};
}

ANALYTIC_SUITE(Pendulum);

struct Case {
    double degrees;
    Hold hold;
    double loss;  ///< 1/s: first-order schemes lose this times dt of the energy until the third passage, measured
};

TEST_P(Pendulum, PeriodFollowsTheEllipticIntegral) {
    const auto& claim = GetParam();
    for (const Case& c :
         {Case{5, Hold::ball, 30}, Case{60, Hold::ball, 44}, Case{150, Hold::ball, 83}, Case{60, Hold::hinge, 44}}) {
        const double dt = 1.0 / 1920;
        analytic::Convergence period, loss;
        for (std::size_t i = 0; i < 3; ++i) {
            const Swing w = swing(claim, std::ldexp(dt, -static_cast<int>(i)), c.degrees * pi / 180, c.hold);
            period.error[i] = w.period_error;
            loss.error[i] = w.energy_loss;
        }
        const std::string what = fmt::format("{}° on a {}", c.degrees, c.hold == Hold::ball ? "ball" : "hinge");
        if (claim.joint_order == 2 || c.degrees > 5)
            analytic::expect_order(what + ", period", period, claim.joint_order);
        else  // small swings take the same time whatever is lost: measured 4e-6
            analytic::expect_within(what + ", period", period.error[0], 4e-5);
        analytic::expect_order(what + ", energy", loss, claim.joint_order);
        // With the mean lever arms the joint does no work to order dt² (measured 6e-7 at most); settling costs 2.7 % of
        // what the arms of the end of the step cost.
        const double first_order = 2 * c.loss * dt * (claim.settle > 0 ? 0.027 : 1);
        const double bound = claim.joint_order == 2 ? 6e-6 : first_order;
        analytic::expect_within(what + ", energy lost", loss.error[0], bound);
    }
}

}  // namespace
}  // namespace armature::pendulum

// A mass on a spring along a line:  x(t) = rest + A cos ωt + (v₀/ω) sin ωt,  ω = √(k/m).
#include "analytic/analytic.h"

namespace armature::spring {
namespace {

constexpr double mass = 2, stiffness = 8, omega = 2, rest = 3, amplitude = 0.5, v0 = 0.7;

Spec oscillator(const analytic::Claims& claim, double dt, double k = stiffness) {
    Spec spec = analytic::scene(claim, dt);
    SolidSpec& bob = spec.add_solid("bob");
    bob.particle = true;
    bob.mass = mass;
    bob.pose_WB.x = {rest + amplitude, 0, 0};
    bob.velocity = {v0, 0, 0};
    spec.add_force("spring").law = SpringSpec{"world", "bob", {}, {}, k, rest, 0};
    return spec;
}

double place(double t) {
    return rest + amplitude * std::cos(omega * t) + v0 / omega * std::sin(omega * t);
}
double speed(double t) {
    return -amplitude * omega * std::sin(omega * t) + v0 * std::cos(omega * t);
}

ANALYTIC_SUITE(SpringOscillator);

TEST_P(SpringOscillator, PlacesAndVelocitiesHaveTheClaimedOrder) {
    const auto& claim = GetParam();
    const double end = 5;
    const auto run = [&](double dt) {
        Simulator s(oscillator(claim, dt));
        s.advance_to(end);
        analytic::expect_plain_steps(s);
        return s.state();
    };
    analytic::expect_order(
        "place", analytic::converge(1.0 / 64, [&](double dt) { return run(dt).x[1].x - place(end); }), claim.order);
    const auto speed_error = [&](double dt) { return run(dt).v[1].x - speed(end - claim.velocity_lag * dt); };
    analytic::expect_order("velocity", analytic::converge(1.0 / 64, speed_error), claim.order);
}

TEST_P(SpringOscillator, EnergyStaysBoundedOverAThousandPeriods) {
    const auto& claim = GetParam();
    ASSERT_TRUE(claim.symplectic);
    const double dt = 1.0 / 32;
    Simulator s(oscillator(claim, dt));
    const double energy = measure_mechanics(s.model(), s.state()).energy();
    double early = 0, late = 0;
    const int frames = static_cast<int>(1000 * 2 * pi / omega / dt), window = frames / 100;
    for (int i = 0; i < frames; ++i) {
        s.advance();
        double& swing = i < window ? early : late;
        if (i < window || i >= frames - window)
            swing = std::max(swing, std::fabs(measure_mechanics(s.model(), s.state()).energy() / energy - 1));
    }
    analytic::expect_plain_steps(s);
    // A symplectic scheme keeps a neighbouring energy: E swings by (ω dt)²/4 (second order), ω dt/2 (first order, or
    // the velocity of half a step ago), twice that when the start is at the far side, and does not drift.
    const double swing = claim.order == 2 && claim.velocity_lag == 0 ? std::pow(omega * dt, 2) / 4 : omega * dt / 2;
    analytic::expect_within("swing of the energy, first ten periods", early, 2 * swing);
    analytic::expect_within("growth of the swing in 1000 periods", late / early - 1, 1e-5);  // measured 3e-7 … 2e-6
}

TEST_P(SpringOscillator, AStiffSpringShortensTheStepAndNothingElse) {
    const auto& claim = GetParam();
    // Steps are kept below 1/√(2k/m) = 1/(ω√2): at ω dt = 3 that is three halvings, dt/8.
    const double dt = 1.0 / 64, stiff = mass * std::pow(3 / dt, 2);
    Simulator coarse(oscillator(claim, dt, stiff)), fine(oscillator(claim, dt / 8, stiff));
    for (int frame = 0; frame < 100; ++frame) {
        EXPECT_EQ(coarse.advance().steps, 8);
        for (int i = 0; i < 8; ++i) EXPECT_EQ(fine.advance().steps, 1);
        ASSERT_EQ(coarse.state().x, fine.state().x) << frame;
        ASSERT_EQ(coarse.state().v, fine.state().v) << frame;
    }
    EXPECT_EQ(coarse.report().rejected, 0);
    EXPECT_LT(std::fabs(coarse.state().x[1].x - rest), 2 * amplitude) << "it oscillates";
}

}  // namespace
}  // namespace armature::spring

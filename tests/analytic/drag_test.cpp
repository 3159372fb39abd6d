// Drag:  m v̇ = −c v  →  v = v₀ e^{−ct/m},  x = x₀ + v₀ (m/c)(1 − e^{−ct/m});   J ω̇ = −c ω  →  ω = ω₀ e^{−ct/J}.
// Damped spring:  m ẍ = −k x − c ẋ  →  x = e^{−γt}(x₀ cos Ωt + (v₀ + γx₀)/Ω sin Ωt),  γ = c/2m,  Ω² = k/m − γ².
#include "analytic/analytic.h"

namespace armature::drag {
namespace {

constexpr double mass = 2, v0 = 3;

Spec sliding(const analytic::Claims& claim, double dt, double drag) {
    Spec spec = analytic::scene(claim, dt);
    SolidSpec& ball = spec.add_solid("ball");
    ball.mass = mass;
    ball.inertia_G = Mat3::diagonal({0.5, 0.5, 0.5});
    ball.velocity = {v0, 0, 0};
    ball.spin = {0, 0.4, 0};
    spec.add_force("drag").law = DragSpec{"ball", drag, 0.3 * drag};
    return spec;
}

ANALYTIC_SUITE(DragDecay);

TEST_P(DragDecay, VelocityAndSpinDecayExponentially) {
    const auto& claim = GetParam();
    const double c = 1.5, end = 2;
    const auto error = [&](double dt) {
        Simulator s(sliding(claim, dt, c));
        s.advance_to(end);
        analytic::expect_plain_steps(s);
        const double t = end - claim.velocity_lag * dt;
        return std::array{s.state().v[1].x - v0 * std::exp(-c * t / mass),
                          s.state().w[1].y - 0.4 * std::exp(-0.3 * c * t / 0.5),
                          s.state().x[1].x - v0 * mass / c * (1 - std::exp(-c * end / mass))};
    };
    analytic::expect_order("place", analytic::converge(1.0 / 32, [&](double dt) { return error(dt)[2]; }), claim.order);
    // The decay over a step is exact: round-off, measured 3e-15.
    analytic::expect_within("velocity, m/s", error(1.0 / 32)[0], 3e-14);
    analytic::expect_within("spin, rad/s", error(1.0 / 32)[1], 3e-14);
}

TEST_P(DragDecay, NoDragHoweverStrongTurnsAVelocityRound) {
    for (const double c : {1.0, 1e2, 1e4, 1e8}) {
        Simulator s(sliding(GetParam(), 1.0 / 32, c));
        double speed = v0, spin = 0.4;
        for (int i = 0; i < 20; ++i) {
            s.advance();
            const double v = s.state().v[1].x, w = s.state().w[1].y;
            EXPECT_GE(v, 0) << c;
            EXPECT_LE(v, speed) << c;
            EXPECT_GE(w, 0) << c;
            EXPECT_LE(w, spin) << c;
            speed = v;
            spin = w;
        }
    }
}

TEST_P(DragDecay, NorDoesItWhenTheStepIsCutShort) {
    Simulator s(sliding(GetParam(), 1.0 / 32, 400.0));
    s.advance();
    s.advance();
    const double before = s.state().v[1].x;
    ASSERT_GT(before, 0);
    State state = s.state();
    state.islands[0].level = 5;  // as after five rejected attempts
    s.set_state(state);
    s.advance();
    EXPECT_GE(s.state().v[1].x, 0);
    EXPECT_LE(s.state().v[1].x, before);
}

TEST_P(DragDecay, TerminalVelocity) {
    // m v̇ = m g − c v  →  v∞ = m g/c.
    const auto& claim = GetParam();
    const auto error = [&](double dt) {
        Spec spec = sliding(claim, dt, 4);
        spec.simulation.gravity = {9.81, 0, 0};
        Simulator s(spec);
        s.advance_to(20);
        return s.state().v[1].x / (9.81 * mass / 4) - 1;
    };
    analytic::expect_order("terminal velocity", analytic::converge(1.0 / 32, error), claim.damped_order);
}

ANALYTIC_SUITE(DampedSpring);

TEST_P(DampedSpring, FollowsTheClosedForm) {
    const auto& claim = GetParam();
    const double k = 8, c = 1, rest = 3, x0 = 0.5, end = 3;
    const double gamma = c / (2 * mass), omega = std::sqrt(k / mass - gamma * gamma);
    const double expected =
        std::exp(-gamma * end) * (x0 * std::cos(omega * end) + gamma * x0 / omega * std::sin(omega * end));
    for (const bool by_drag : {false, true}) {
        const auto error = [&](double dt) {
            Spec spec = analytic::scene(claim, dt);
            SolidSpec& bob = spec.add_solid("bob");
            bob.particle = true;
            bob.mass = mass;
            bob.pose_WB.x = {0, rest + x0, 0};
            spec.add_force("spring").law = SpringSpec{"bob", "world", {}, {}, k, rest, by_drag ? 0 : c};
            if (by_drag) spec.add_force("drag").law = DragSpec{"", c, 0};
            Simulator s(spec);
            s.advance_to(end);
            analytic::expect_plain_steps(s);
            return s.state().x[1].y - rest - expected;
        };
        analytic::expect_order(by_drag ? "spring and drag" : "damped spring", analytic::converge(1.0 / 128, error),
                               claim.damped_order);
    }
}

}  // namespace
}  // namespace armature::drag

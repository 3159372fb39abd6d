// Free fall and the parabola:  x(t) = x₀ + v₀ t + ½ g t²,  v(t) = v₀ + g t.
#include "analytic/analytic.h"

namespace armature::free_fall {
namespace {

const Vec3 g{0.3, -9.81, 0}, x0{1, 2, 3}, v0{4, 5, -6}, w0{0.1, 0.2, -0.3};

Simulator thrown(const analytic::Claims& claim, double dt, double time) {
    Spec spec = analytic::scene(claim, dt);
    spec.simulation.gravity = g;
    SolidSpec& stone = spec.add_solid("stone");
    stone.pose_WB.x = x0;
    stone.velocity = v0;
    stone.spin = w0;
    stone.shapes.emplace_back().geometry = Sphere{0.1};
    Simulator s(spec);
    s.advance_to(time);
    analytic::expect_plain_steps(s);
    return s;
}

Vec3 place_error(const analytic::Claims& claim, double dt) {
    const Simulator s = thrown(claim, dt, 1);
    return s.state().x[1] - (x0 + v0 + 0.5 * g);
}

ANALYTIC_SUITE(FreeFall);

TEST_P(FreeFall, PlacesAreExactOrOfTheClaimedOrder) {
    const auto& claim = GetParam();
    if (claim.exact_fall) {
        analytic::expect_within("place, m", norm(place_error(claim, 1.0 / 64)), 8e-14);  // round-off: 8e-15
        return;
    }
    const auto c = analytic::converge(1.0 / 64, [&](double dt) { return norm(place_error(claim, dt)); });
    analytic::expect_order("place", c, claim.order);
    // The new velocity is used for the whole step: x is ahead by ½ g t dt, and by nothing else.
    analytic::expect_within("place without ½ g t dt, m", norm(place_error(claim, 1.0 / 64) - (0.5 / 64) * g), 8e-14);
}

TEST_P(FreeFall, VelocityIsExactAtItsInstant) {
    const auto& claim = GetParam();
    const Simulator s = thrown(claim, 1.0 / 64, 1);
    const double t = s.state().time - claim.velocity_lag / 64;
    analytic::expect_within("velocity, m/s", norm(s.state().v[1] - (v0 + t * g)), 8e-14);  // round-off
}

TEST_P(FreeFall, ABallTurnsAtItsSpin) {
    const Simulator s = thrown(GetParam(), 1.0 / 64, 1);
    analytic::expect_within("spin, rad/s", norm(s.state().w[1] - w0), 8e-14);  // round-off of 64 turns: 8e-15
    const Quat expected = exp_rotation(w0);                                    // R(t) = exp(ω t) at t = 1 s
    analytic::expect_within("orientation, rad", norm(log_rotation(s.state().q[1] * conjugate(expected))), 5e-14);
}

}  // namespace
}  // namespace armature::free_fall

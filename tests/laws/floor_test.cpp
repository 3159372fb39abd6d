// Standing, sliding, rolling and bouncing on the floor against closed forms.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "armature/sim/simulator.h"

namespace armature::floor {
namespace {

constexpr double g = 9.81;

/// A floor tilted by `angle` about z: it falls towards +x... of the tilted frame.
SolidSpec& add_floor(Spec& spec, double friction, double restitution = 0, double angle = 0) {
    SolidSpec& floor = spec.add_solid("floor");
    floor.kernel = Kernel::fixed;
    floor.shapes.emplace_back().geometry = Plane{};
    floor.pose_WB.q = from_axis_angle({0, 0, 1}, -angle);
    floor.contact = ContactSpec{friction, std::nullopt, restitution};
    return floor;
}

/// Of the tilted floor: down the slope, and out of it.
Vec3 down_slope(double angle) {
    return {std::cos(angle), -std::sin(angle), 0};
}
Vec3 out_of_slope(double angle) {
    return {std::sin(angle), std::cos(angle), 0};
}

SolidSpec& add_on_slope(Spec& spec, const Geometry& shape, double height, double angle) {
    SolidSpec& s = spec.add_solid("body");
    s.shapes.emplace_back().geometry = shape;
    s.pose_WB.q = from_axis_angle({0, 0, 1}, -angle);
    s.pose_WB.x = height * out_of_slope(angle);
    return s;
}

TEST(Floor, ABoxAtRestForAMinuteMovesLessThanATenThousandthOfItsSize) {
    for (const double size : {0.1, 1.0}) {
        Spec spec;
        add_floor(spec, 0.5);
        add_on_slope(spec, Box{{size, 0.6 * size, size}}, 0.3 * size, 0);
        Simulator s(spec);
        const Vec3 begin = s.state().x[2];
        s.advance_to(60);
        EXPECT_LT(norm(s.state().x[2] - begin), 1e-4 * size) << s.state().x[2].y - begin.y;
        EXPECT_LT(norm(log_rotation(s.state().q[2])), 1e-4);
    }
}

TEST(Floor, ABoxStaysOnASlopeBelowTheAngleOfFriction) {
    for (const double mu : {0.3, 0.8}) {
        const double angle = std::atan(mu) - 0.02;
        Spec spec;
        add_floor(spec, mu, 0, angle);
        add_on_slope(spec, Box{{1, 0.4, 1}}, 0.2, angle);
        Simulator s(spec);
        s.advance_to(0.5);
        const Vec3 begin = s.state().x[2];
        s.advance_to(10);
        EXPECT_LT(norm(s.state().x[2] - begin), 1e-4)
            << "mu " << mu << " slid " << dot(s.state().x[2] - begin, down_slope(angle));
    }
}

TEST(Floor, ABoxSlidesBeyondTheAngleOfFrictionWithTheAccelerationOfCoulomb) {
    for (const double mu : {0.0, 0.2, 0.6}) {
        const double angle = std::atan(mu) + 0.2;
        Spec spec;
        add_floor(spec, mu, 0, angle);
        add_on_slope(spec, Box{{1, 0.2, 1}}, 0.1, angle);
        Simulator s(spec);
        s.advance_to(0.5);
        const double x0 = dot(s.state().x[2], down_slope(angle)), v0 = dot(s.state().v[2], down_slope(angle));
        s.advance_to(2.5);
        const double x1 = dot(s.state().x[2], down_slope(angle)), v1 = dot(s.state().v[2], down_slope(angle));
        const double a = g * (std::sin(angle) - mu * std::cos(angle));
        EXPECT_NEAR((v1 - v0) / 2, a, 0.01 * a) << "mu " << mu;
        EXPECT_NEAR(x1 - x0, v0 * 2 + 2 * a, 0.01 * (v0 * 2 + 2 * a)) << "mu " << mu;
        EXPECT_NEAR(dot(s.state().x[2], out_of_slope(angle)), 0.1, 2e-4);
    }
}

TEST(Floor, StaticFrictionHoldsWhatSlidingFrictionWouldNot) {
    Spec spec;
    const double angle = std::atan(0.5);
    add_floor(spec, 0.3, 0, angle).contact->static_friction = 0.7;
    add_on_slope(spec, Box{{1, 0.2, 1}}, 0.1, angle);
    Simulator still(spec);
    still.advance_to(3);
    EXPECT_LT(norm(still.state().x[2] - 0.1 * out_of_slope(angle)), 1e-3);
    spec.find_solid("body")->velocity = 0.5 * down_slope(angle);
    Simulator moving(spec);
    moving.advance_to(3);
    const double a = g * (std::sin(angle) - 0.3 * std::cos(angle));
    EXPECT_NEAR(dot(moving.state().v[2], down_slope(angle)), 0.5 + 3 * a, 0.02 * 3 * a);
}

TEST(Floor, ABallRollsDownAtFiveSevenths) {
    for (const double angle : {0.1, 0.4}) {
        Spec spec;
        add_floor(spec, 0.8, 0, angle);
        add_on_slope(spec, Sphere{0.3}, 0.3, angle);
        Simulator s(spec);
        s.advance_to(3);
        const double v = dot(s.state().v[2], down_slope(angle)), a = 5.0 / 7 * g * std::sin(angle);
        EXPECT_NEAR(v / 3, a, 0.01 * a);
        EXPECT_NEAR(dot(s.state().x[2], down_slope(angle)), 0.5 * a * 9, 0.01 * 0.5 * a * 9);
        EXPECT_NEAR(-s.state().w[2].z * 0.3, v, 0.01 * v) << "slides";
    }
}

TEST(Floor, ACylinderRollsDownAtTwoThirds) {
    const double angle = 0.2;
    Spec spec;
    add_floor(spec, 0.8, 0, angle);
    SolidSpec& c = add_on_slope(spec, Cylinder{0.25, 0.5}, 0.25, angle);
    c.shapes[0].X_BS.q = from_axis_angle({1, 0, 0}, pi / 2);
    Simulator s(spec);
    s.advance_to(3);
    const double a = 2.0 / 3 * g * std::sin(angle);
    EXPECT_NEAR(dot(s.state().v[2], down_slope(angle)) / 3, a, 0.01 * a);
    EXPECT_NEAR(s.state().x[2].z, 0, 1e-3);
}

TEST(Floor, ABallBouncesToTheSquareOfTheRestitution) {
    for (const double e : {0.5, 0.8, 1.0})
        for (const double dt : {1.0 / 60, 1.0 / 240}) {
            Spec spec;
            spec.simulation.dt = dt;
            add_floor(spec, 0.5, e);
            SolidSpec& ball = spec.add_solid("ball");
            ball.shapes.emplace_back().geometry = Sphere{0.1};
            ball.pose_WB.x = {0, 1.1, 0};
            Simulator s(spec);
            double top = 1, previous = 0;
            bool rising = false;
            int bounces = 0;
            for (int i = 0; i < static_cast<int>(6 / dt) && bounces < 3; ++i) {
                s.advance();
                const double v = s.state().v[2].y;
                if (rising && v <= 0) {
                    // The top lies between two frames: what is left of the speed is height too.
                    const double height = previous;
                    EXPECT_NEAR(height, e * e * top, 0.02 * e * e * top)
                        << fmt::format("e {} dt {} bounce {}", e, dt, bounces);
                    top = height;
                    ++bounces;
                }
                rising = v > 0;
                previous = s.state().x[2].y - 0.1 + v * v / (2 * g);
            }
            EXPECT_EQ(bounces, 3);
        }
}

TEST(Floor, WithoutRestitutionWhatFallsStaysDown) {
    Spec spec;
    add_floor(spec, 0.5);
    SolidSpec& box = spec.add_solid("box");
    box.shapes.emplace_back().geometry = Box{{0.3, 0.3, 0.3}};
    box.pose_WB.x = {0, 1, 0};
    Simulator s(spec);
    double highest = 0;
    while (s.state().time < 3) {
        s.advance();
        if (s.state().time > 0.6) highest = std::max(highest, s.state().x[2].y);
    }
    EXPECT_LT(highest, 0.15 + 2e-3);
    EXPECT_GT(s.state().x[2].y, 0.15 - 2e-3);
    EXPECT_LT(norm(s.state().v[2]), 0.01);
}

TEST(Floor, ATumblingBoxNeverGainsEnergyAndComesToRest) {
    Spec spec;
    add_floor(spec, 0.5, 0.3);
    SolidSpec& box = spec.add_solid("box");
    box.shapes.emplace_back().geometry = Box{{0.5, 0.2, 0.3}};
    box.pose_WB.x = {0, 1.5, 0};
    box.spin = {3, 5, -4};
    box.velocity = {2, 0, 1};
    Simulator s(spec);
    double energy = s.report().first.energy(), most = 0;
    s.advance();
    energy = s.report().last.energy();
    while (s.state().time < 8) {
        s.advance();
        most = std::max(most, s.report().last.energy() - energy);
        energy = std::min(energy, s.report().last.energy());
    }
    EXPECT_LT(most, 0.01 * 30 * g * 1.5);
    EXPECT_LT(norm(s.state().v[2]), 0.02);
    EXPECT_NEAR(s.state().x[2].y, 0.1, 2e-3);
}

}  // namespace
}  // namespace armature::floor

// Soft constraints: rest under a load, energy, momentum, any stiffness.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "armature/sim/free_motion.h"
#include "armature/sim/simulator.h"

namespace armature::soft {
namespace {

constexpr double g = 9.81;

SolidSpec& add_cube(Spec& spec, const std::string& name, double mass = 1) {
    SolidSpec& s = spec.add_solid(name);
    s.shapes.emplace_back().geometry = Box{{0.2, 0.2, 0.2}};
    s.mass = mass;
    return s;
}

TEST(Soft, AWeightRestsAtForceOverStiffness) {
    for (const Scheme scheme : {Scheme::newton, Scheme::euler})
        for (double k = 1e-2; k < 2e9; k *= 10) {
            const double mass = std::min(1.0, 1e-2 * k);  // not to fall for a kilometre
            Spec spec;
            spec.simulation.scheme = scheme;
            add_cube(spec, "weight", mass);
            ConstraintSpec& c = spec.add_constraint("weight", "world");
            c.hinge.emplace();
            c.soft = SoftSpec{k, 2 * std::sqrt(k * mass), 0, 0};
            spec.find_solid("weight")->pose_WB.x = {0, -0.9 * mass * g / k, 0};
            Simulator s(spec);
            s.advance_to(20);
            const double sag = -s.state().x[1].y, exact = mass * g / k;
            EXPECT_NEAR(sag, exact, 1e-3 * exact) << fmt::format("k {} scheme {}", k, static_cast<int>(scheme));
        }
}

TEST(Soft, AnArmRestsAtTorqueOverStiffness) {
    // A bar on a pin along z, level at rest; its weight turns it by m g l cos θ = k θ.
    for (const double k : {20.0, 1e3, 1e6}) {
        Spec spec;
        SolidSpec& arm = spec.add_solid("arm");
        arm.shapes.emplace_back().geometry = Box{{1, 0.1, 0.1}};
        arm.mass = 2;
        arm.pose_WB.x = {0.5, 0, 0};
        ConstraintSpec& pin = spec.add_constraint("arm", "world");
        pin.hinge = HingeSpec{{-0.5, 0, 0}, {}, PointDomain{}};
        pin.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
        ConstraintSpec& spring = spec.add_constraint("arm", "world");
        spring.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, pi};
        spring.twist = TwistSpec{{1, 0, 0}, {1, 0, 0}, 0, 0};
        spring.soft = SoftSpec{0, 0, k, std::sqrt(k)};
        Simulator s(spec);
        s.advance_to(30);
        double theta = 0;
        for (int i = 0; i < 100; ++i) theta = 2 * g * 0.5 * std::cos(theta) / k;
        const double turned = -2 * std::asin(s.state().q[1].z);
        EXPECT_NEAR(turned, theta, 1e-3 * theta) << k;
    }
}

TEST(Soft, UndampedItKeepsItsEnergyWithinAPercent) {
    for (const double k : {1.0, 100.0, 1e4, 1e6, 1e9}) {
        Spec spec;
        spec.simulation.gravity = {};
        add_cube(spec, "a");
        add_cube(spec, "b", 2).pose_WB.x = {0.5, 0, 0};
        spec.find_solid("b")->velocity = {0, 0.5, 0};
        ConstraintSpec& c = spec.add_constraint("a", "b");
        c.hinge = HingeSpec{{0.1, 0.05, 0}, {-0.1, 0, 0.02}, PointDomain{}};
        c.soft = SoftSpec{k, 0, 0, 0};
        Simulator s(spec);
        double most = 0;
        const double first = measure_mechanics(s.model(), s.state()).energy();
        while (s.state().time < 10) {
            s.advance();
            most = std::max(most, measure_mechanics(s.model(), s.state()).energy());
        }
        EXPECT_LE(most, 1.01 * first) << k;
        if (k < 1e3) {
            EXPECT_GT(measure_mechanics(s.model(), s.state()).energy(), 0.9 * first) << k;
        }
    }
}

// Every scheme and every share of settling has its own rule for velocities; none of them may feed an undamped spring.
TEST(Soft, UndampedItGainsNothingUnderAnySchemeAndSettling) {
    for (const Scheme scheme : {Scheme::newton, Scheme::euler, Scheme::stormer, Scheme::verlet})
        for (const double settle : {0.0, 0.1, 0.5, 1.0})
            for (const double k : {1.0, 100.0, 1e4, 3e4, 1e5, 1e6, 1e9}) {
                Spec spec;
                spec.simulation.gravity = {};
                spec.simulation.scheme = scheme;
                spec.simulation.settle = settle;
                add_cube(spec, "bob").pose_WB.x = {0.3, 0, 0};
                ConstraintSpec& c = spec.add_constraint("bob", "world");
                c.hinge.emplace();
                c.soft = SoftSpec{k, 0, 0, 0};
                Simulator s(spec);
                const double first = measure_mechanics(s.model(), s.state()).energy();
                double most = 0;
                while (s.state().time < 2) {
                    s.advance();
                    most = std::max(most, measure_mechanics(s.model(), s.state()).energy());
                }
                EXPECT_LE(most, 1.01 * first) << scheme_info(scheme).name << " settle " << settle << " k " << k;
            }
}

TEST(Soft, ItSwingsWithItsOwnFrequency) {
    const double k = 40, mass = 1;
    Spec spec;
    spec.simulation.gravity = {};
    add_cube(spec, "bob", mass).pose_WB.x = {0.3, 0, 0};
    ConstraintSpec& c = spec.add_constraint("bob", "world");
    c.hinge.emplace();
    c.soft = SoftSpec{k, 0, 0, 0};
    Simulator s(spec);
    s.advance_to(5);
    EXPECT_NEAR(s.state().x[1].x, 0.3 * std::cos(std::sqrt(k / mass) * 5), 0.3 * 0.02);
}

TEST(Soft, MomentumIsKept) {
    Spec spec;
    spec.simulation.gravity = {};
    for (int i = 0; i < 6; ++i) {
        SolidSpec& s = add_cube(spec, fmt::format("c{}", i), std::pow(3, i));
        s.pose_WB.x = {0.4 * i, 0.1 * (i % 2), 0.05 * i};
        s.velocity = {0.1 * i, -0.2, 0.3 * (i % 3)};
        if (i == 0) continue;
        ConstraintSpec& c = spec.add_constraint(fmt::format("c{}", i - 1), fmt::format("c{}", i));
        c.hinge = HingeSpec{{0.1, 0, 0}, {-0.1, 0, 0}, PointDomain{}};
        c.angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 0.1};
        c.soft = SoftSpec{500.0 * i, 1, 20, 0.1};
    }
    Simulator s(spec);
    const Mechanics first = measure_mechanics(s.model(), s.state());
    s.advance_to(10);
    const Mechanics last = measure_mechanics(s.model(), s.state());
    EXPECT_LT(norm(last.momentum - first.momentum), 1e-11 * norm(first.momentum));
    EXPECT_LE(last.energy(), 1.001 * first.energy());
}

TEST(Soft, InsideItsDomainItDoesNothing) {
    Spec spec;
    spec.simulation.gravity = {};
    add_cube(spec, "puck").velocity = {0.1, 0, 0};
    ConstraintSpec& c = spec.add_constraint("puck", "world");
    c.hinge = HingeSpec{{}, {}, SegmentDomain{{1, 0, 0}, -1, 1}};
    c.soft = SoftSpec{1e5, 10, 0, 0};
    Simulator s(spec);
    s.advance_to(9);
    EXPECT_NEAR(s.state().x[1].x, 0.9, 1e-9);
    s.advance_to(15);
    EXPECT_LT(s.state().x[1].x, 1.01);
}

}  // namespace
}  // namespace armature::soft

// What acts along freedoms – limits, springs, dampers, motors, threads – against closed forms.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "armature/sim/simulator.h"

namespace armature::freedom {
namespace {

constexpr double g = 9.81;

/// A rotor on a pin along z: moment of inertia 1 kg m² about it, nothing else acting.
struct Rotor {
    Spec spec;
    FreedomSpec* turn = nullptr;
    double J = 1;

    Rotor() {
        spec.simulation.gravity = {};
        SolidSpec& s = spec.add_solid("rotor");
        s.shapes.emplace_back().geometry = Box{{1, 1, 0.1}};
        s.mass = 6;  // m (a² + b²)/12 = 1
        ConstraintSpec& pin = spec.add_constraint("rotor", "world");
        pin.name = "pin";
        pin.hinge.emplace();
        pin.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
        FreedomSpec f;
        f.name = "turn";
        f.kind = FreedomKind::turn;
        f.axis1_B = f.axis2_B = {0, 0, 1};
        pin.freedoms.push_back(f);
        turn = &pin.freedoms[0];
    }
};

/// A block of 2 kg sliding along x.
struct Sled {
    Spec spec;
    FreedomSpec* slide = nullptr;
    double m = 2;

    Sled() {
        SolidSpec& s = spec.add_solid("sled");
        s.shapes.emplace_back().geometry = Box{{0.4, 0.2, 0.2}};
        s.mass = m;
        ConstraintSpec& rail = spec.add_constraint("sled", "world");
        rail.name = "rail";
        rail.hinge = HingeSpec{{}, {}, SegmentDomain{{1, 0, 0}, -infinity, infinity}};
        rail.angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 0};
        rail.twist = TwistSpec{{0, 1, 0}, {0, 1, 0}, 0, 0};
        FreedomSpec f;
        f.name = "slide";
        f.kind = FreedomKind::slide;
        f.axis2_B = {1, 0, 0};
        rail.freedoms.push_back(f);
        slide = &rail.freedoms[0];
    }
};

const FreedomState& first(const Simulator& s) {
    return s.state().freedoms[0];
}

TEST(Freedom, ATorqueGivesUniformAcceleration) {
    Rotor r;
    r.turn->force = ScalarTrack::constant(3);
    Simulator s(r.spec);
    s.advance_to(4);
    EXPECT_NEAR(first(s).rate, 12, 12e-3);
    EXPECT_NEAR(first(s).value, 24, 24e-3);
    EXPECT_NEAR(first(s).force, 3, 1e-9);
    EXPECT_NEAR(s.report().motor_work, 72, 0.3);
}

TEST(Freedom, AForceGivesUniformAcceleration) {
    Sled r;
    r.slide->force = ScalarTrack::constant(5);
    Simulator s(r.spec);
    s.advance_to(3);
    EXPECT_NEAR(first(s).rate, 7.5, 7.5e-3);
    EXPECT_NEAR(first(s).value, 11.25, 12e-3);
}

TEST(Freedom, AKeyedForceGivesItsIntegral) {
    Sled r;
    r.slide->force = ScalarTrack{Interpolation::linear, {{0, 0}, {1, 4}, {2, 0}}};
    Simulator s(r.spec);
    s.advance_to(3);
    EXPECT_NEAR(first(s).rate, 2, 2e-3);
}

TEST(Freedom, AMotorReachesItsSpeedWithItsLargestTorqueAndKeepsIt) {
    Rotor r;
    r.turn->speed = ScalarTrack::constant(6);
    r.turn->max_force = ScalarTrack::constant(2);
    Simulator s(r.spec);
    s.advance_to(1.5);
    EXPECT_NEAR(first(s).rate, 3, 3e-3);
    EXPECT_NEAR(first(s).force, 2, 1e-6);
    s.advance_to(8);
    EXPECT_NEAR(first(s).rate, 6, 1e-3);
    EXPECT_NEAR(first(s).value, 9 + 30, 0.02);
    EXPECT_NEAR(first(s).force, 0, 1e-3);
}

TEST(Freedom, AMotorWithoutALargestForceKeepsItsSpeedUnderLoad) {
    Sled r;
    r.slide->speed = ScalarTrack::constant(0.5);
    r.spec.simulation.gravity = {3, -g, 0};
    Simulator s(r.spec);
    s.advance_to(3);
    const double before = first(s).value;
    s.advance_to(4);
    EXPECT_NEAR(first(s).value - before, 0.5, 1e-4);
    // What is held against an acceleration a shows a velocity of (1/ρ − ½) h a (sim/laws.h).
    const SimulationSpec& settings = s.model().simulation;
    EXPECT_NEAR(first(s).rate, 0.5 + (1 / (2 - settings.settle) - 0.5) * settings.dt * 3, 1e-4);
    EXPECT_NEAR(first(s).force, -3 * r.m, 0.05);
}

TEST(Freedom, ASpringSwingsWithItsFrequency) {
    Rotor r;
    r.turn->stiffness = ScalarTrack::constant(4);
    r.turn->rest = ScalarTrack::constant(1);
    Simulator s(r.spec);
    double most = 0;
    while (s.state().time + 1e-9 < 2 * pi) {
        s.advance();
        most = std::max(most, std::fabs(first(s).value - (1 - std::cos(2 * s.state().time))));
    }
    EXPECT_LT(most, 0.01);
}

TEST(Freedom, ADamperDecaysExponentially) {
    for (const double c : {0.5, 5.0}) {
        Rotor r;
        r.turn->damping = ScalarTrack::constant(c);
        r.spec.find_solid("rotor")->spin = {0, 0, 2};
        Simulator s(r.spec);
        s.advance_to(1);
        EXPECT_NEAR(first(s).rate, 2 * std::exp(-c), 0.01 * 2 * std::exp(-c)) << c;
        s.advance_to(30);
        EXPECT_NEAR(first(s).value, 2 / c, 0.002 * 2 / c) << c;
    }
}

TEST(Freedom, ACriticallyDampedSpringFollowsItsClosedForm) {
    Sled r;
    const double k = 50, w = std::sqrt(k / r.m);
    r.slide->stiffness = ScalarTrack::constant(k);
    r.slide->rest = ScalarTrack::constant(0.5);
    r.slide->damping = ScalarTrack::constant(2 * w * r.m);
    Simulator s(r.spec);
    for (int i = 0; i < 120; ++i) {
        s.advance();
        const double t = s.state().time;
        EXPECT_NEAR(first(s).value, 0.5 * (1 - (1 + w * t) * std::exp(-w * t)), 0.004);
    }
}

TEST(Freedom, AStiffDamperHoldsStill) {
    Rotor r;
    r.turn->damping = ScalarTrack::constant(1e7);
    r.spec.find_solid("rotor")->spin = {0, 0, 2};
    Simulator s(r.spec);
    s.advance_to(1);
    EXPECT_LT(std::fabs(first(s).rate), 1e-3);
}

TEST(Freedom, AWeightOnASpringRestsAtForceOverStiffness) {
    for (double k = 1; k < 2e9; k *= 100) {
        Sled r;
        r.spec.simulation.gravity = {g, 0, 0};
        r.slide->stiffness = ScalarTrack::constant(k);
        r.slide->damping = ScalarTrack::constant(2 * std::sqrt(k * r.m));
        Simulator s(r.spec);
        s.advance_to(20);
        const double exact = r.m * g / k;
        EXPECT_NEAR(first(s).value, exact, 1e-3 * exact) << k;
    }
}

TEST(Freedom, LimitsHoldAndBounceWithTheirRestitution) {
    for (const double e : {0.0, 0.5, 1.0}) {
        Rotor r;
        r.turn->min = ScalarTrack::constant(-0.5);
        r.turn->max = ScalarTrack::constant(1);
        r.turn->restitution = e;
        r.spec.find_solid("rotor")->spin = {0, 0, 2};
        Simulator s(r.spec);
        double most = 0, least = 0;
        s.advance_to(0.75);
        EXPECT_NEAR(first(s).rate, -2 * e, 0.02) << e;
        while (s.state().time < 6) {
            s.advance();
            most = std::max(most, first(s).value);
            least = std::min(least, first(s).value);
        }
        EXPECT_LT(most, 1 + 2e-4) << e;
        EXPECT_GT(least, -0.5 - 2e-4) << e;
        if (e == 1) {
            EXPECT_NEAR(std::fabs(first(s).rate), 2, 0.02);
        }
    }
}

TEST(Freedom, ASledStopsAtItsLimit) {
    Sled r;
    r.slide->max = ScalarTrack::constant(0.7);
    r.spec.simulation.gravity = {2, -g, 0};
    Simulator s(r.spec);
    s.advance_to(5);
    EXPECT_NEAR(first(s).value, 0.7, 1e-4);
    EXPECT_NEAR(first(s).rate, 0, 2e-3);
    double force = 0;  // in one step it is known to the tolerance of the place, divided by the square of the step
    for (int i = 0; i < 60; ++i) {
        s.advance();
        force += first(s).force / 60;
    }
    EXPECT_NEAR(force, -2 * r.m, 0.05);
}

TEST(Freedom, TurnsAreCountedOverFullTurns) {
    Rotor r;
    r.spec.find_solid("rotor")->spin = {0, 0, -10};
    Simulator s(r.spec);
    s.advance_to(10);
    EXPECT_NEAR(first(s).value, -100, 0.01);
}

TEST(Freedom, AScrewKeepsItsPitch) {
    Sled r;
    ConstraintSpec& rail = r.spec.constraints[0];
    rail.twist.reset();
    rail.screw = ScrewSpec{{}, {}, {1, 0, 0}, {1, 0, 0}, 0.2};
    FreedomSpec turn;
    turn.name = "turn";
    turn.axis1_B = turn.axis2_B = {1, 0, 0};
    turn.force = ScalarTrack::constant(0.01);
    rail.freedoms.push_back(turn);
    r.spec.simulation.tolerance = 1e-12;
    Simulator s(r.spec);
    const FreedomId slide = s.model().find_freedom("rail.slide"), turned = s.model().find_freedom("rail.turn");
    double worst = 0;
    while (s.state().time < 3) {
        s.advance();
        const auto& f = s.state().freedoms;
        worst = std::max(worst, std::fabs(f[static_cast<std::size_t>(slide)].value -
                                          0.2 / (2 * pi) * f[static_cast<std::size_t>(turned)].value));
    }
    EXPECT_LT(worst, 2e-12);
    // τ φ = ½ (J + m p²) φ'², p the pitch per radian.
    const double p = 0.2 / (2 * pi), J = 2 * (0.04 + 0.04) / 12;
    EXPECT_NEAR(s.state().freedoms[static_cast<std::size_t>(turned)].rate, 3 * 0.01 / (J + 2 * p * p), 0.01 * 2);
}

}  // namespace
}  // namespace armature::freedom

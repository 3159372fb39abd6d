// Mechanisms of the plane against closed forms, random ones, and those that leave it or are not of it.
#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "armature/sim/mechanics.h"
#include "solvers/planar_mechanisms.h"
#include "support/test_scale.h"

namespace armature::planar {
namespace {

/// A pendulum of one bar: T = 2π √(I/mgr) · (1 + θ²/16 …), I of the bar about its pin.
TEST(PlanarPendulum, SwingsWithThePeriodOfTheClosedForm) {
    Builder b({});
    const std::string bar = b.bar({0, 0, 0}, {0.01, -1, 0});
    b.pin("world", bar, {});
    Spec spec = b.take();
    spec.simulation.gravity = {0, -9.81, 0};
    spec.simulation.scheme = Scheme::exact;
    spec.simulation.dt = 1.0 / 600;
    Simulator s(spec);
    const Body& body = s.model().bodies[1];
    const double r = 0.5 * norm(Vec3{0.01, -1, 0}), inertia = body.inertia_G.row2.z + body.mass * r * r;
    const double period = 2 * pi * std::sqrt(inertia / (body.mass * 9.81 * r));
    double last = s.state().w[1].z, first = -1, latest = -1;
    int crossings = 0;
    for (int i = 0; i < 12'000; ++i) {
        s.advance();
        const double w = s.state().w[1].z;
        if (last < 0 && w >= 0) {
            latest = s.state().time - s.model().simulation.dt * w / (w - last);
            if (first < 0) first = latest;
            ++crossings;
        }
        last = w;
    }
    EXPECT_NEAR((latest - first) / (crossings - 1), period, 1e-5 * period);
    EXPECT_EQ(steps_in_plane(s), s.report().steps);
}

/// A mechanism that closes because it was made closed: bars hung on points of what is there already, singly or in pairs that meet
/// in a knee, at random heights and in random axes.
Spec random_mechanism(Random& random, Scheme scheme) {
    const auto axis = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    const auto turn = [&] { return from_axis_angle(normalized(axis() + Vec3{0, 0, 1.1}), random.uniform(-3, 3)); };
    Builder b({axis(), turn()});
    struct Place {
        std::string body;
        Vec3 at;
    };
    std::vector<Place> places{{"world", {}}, {"world", {0.7, 0.1, 0}}};
    const auto somewhere = [&](const Place& from) {
        const double angle = random.uniform(-pi, pi), length = random.uniform(0.2, 0.6);
        return from.at + length * Vec3{std::cos(angle), std::sin(angle), 0};
    };
    const auto any_place = [&] {
        return places[static_cast<std::size_t>(random.integer(0, static_cast<int>(places.size()) - 1))];
    };
    const auto sign = [&] { return random.unit() < 0.5 ? 1.0 : -1.0; };
    const int steps = random.integer(2, 8);
    for (int i = 0; i < steps; ++i) {
        const Place one = any_place(), two = any_place();
        const Vec3 end = somewhere(one);
        const std::string first = b.bar(one.at, end, random.uniform(-0.1, 0.1), turn());
        b.pin(one.body, first, one.at, sign());
        places.push_back({first, end});
        if (norm(two.at - one.at) < 0.05 || norm(two.at - end) < 0.1) continue;
        const std::string second = b.bar(two.at, end, random.uniform(-0.1, 0.1), turn());
        b.pin(second, two.body, two.at, sign());
        b.pin(second, first, end, sign());
    }
    Spec spec = b.take();
    spec.simulation.scheme = scheme;
    return spec;
}

TEST(PlanarSlow, RandomMechanismsHoldAndStayInThePlane) {
    Random random(41);
    const int count = test::scaled(200, 10);
    long long steps = 0, in_plane = 0;
    for (int i = 0; i < count; ++i) {
        const Scheme scheme = i % 2 == 0 ? Scheme::newton : Scheme::exact;
        Simulator s(random_mechanism(random, scheme));
        s.advance();
        const double before = measure_mechanics(s.model(), s.state()).energy();
        double most = 0, kinetic = 0;
        for (int frame = 0; frame < 120; ++frame) {
            s.advance();
            const Mechanics now = measure_mechanics(s.model(), s.state());
            most = std::max(most, std::fabs(now.energy() - before));
            kinetic = std::max(kinetic, now.kinetic);
        }
        ASSERT_LE(s.report().gap.value, 1e-9) << i;
        ASSERT_LE(s.report().angle.value, 1e-9) << i;
        ASSERT_EQ(s.report().unconverged, 0) << i;
        if (scheme == Scheme::exact && s.report().forced == 0) {
            EXPECT_LE(most, 1e-6 * kinetic + 1e-10) << i;  // some are trusses
        }
        steps += s.report().steps;
        in_plane += steps_in_plane(s);
    }
    std::printf("[ measured ] %lld of %lld steps in the plane\n", in_plane, steps);
    EXPECT_GE(static_cast<double>(in_plane), 0.95 * static_cast<double>(steps));
}

TEST(PlanarLeaves, WhatIsPushedOutOfThePlaneIsHeldInSpace) {
    Spec spec = build(Mechanism::scissor, Scheme::newton, false);
    spec.simulation.gravity = {0, -9, 4};
    Simulator across(spec);
    across.advance_to(0.5);
    EXPECT_EQ(steps_in_plane(across), 0);
    EXPECT_LE(across.report().gap.value, 1e-9);

    Spec kicked = build(Mechanism::scissor, Scheme::newton, false);
    kicked.solids[3].velocity = {0, 0, 1};
    kicked.solids[4].spin = {2, 1, 0};
    Simulator back(kicked);
    back.advance_to(6);
    // Each step keeps nine tenths of a speed that the joints forbid (`settle 0.1`); some 200 take the kick.
    EXPECT_GT(steps_in_plane(back), 60);
    EXPECT_LT(steps_in_plane(back), back.report().steps);
    EXPECT_LE(back.report().gap.value, 1e-9);
    EXPECT_LE(back.report().angle.value, 1e-9);
}

/// A pendulum on a stop, and a motor that is too weak to lift it: those steps go by rows of any kind, the others in the plane.
TEST(PlanarLeaves, BoundsThatAreMetAreLeftToRowsOfAnyKind) {
    for (const bool stop : {true, false}) {
        const auto pendulum = [&](bool the_long_way) {
            Builder b({});
            const std::string bar = b.bar({0, 0, 0}, {0.6, 0, 0});
            b.pin(bar, "world", {});
            FreedomSpec& turn = b.turn();
            if (stop) {
                turn.min = ScalarTrack::constant(-1.2);
            } else {
                turn.speed = ScalarTrack::constant(1);
                turn.max_force = ScalarTrack::constant(2);
            }
            Spec spec = b.take();
            spec.simulation.gravity = {0, -9.81, 0};
            if (the_long_way) spec.constraints[0].from = -1;
            return spec;
        };
        Simulator quick(pendulum(false)), slow(pendulum(true));
        for (int frame = 0; frame < 60; ++frame) {
            quick.advance();
            slow.advance();
            ASSERT_LE(norm(quick.state().x[1] - slow.state().x[1]), 1e-8) << frame;
            ASSERT_NEAR(quick.state().freedoms[0].force, slow.state().freedoms[0].force, 1e-5) << frame;
        }
        EXPECT_LT(steps_in_plane(quick), quick.report().steps);
        EXPECT_GT(steps_in_plane(quick), 0);  // until it meets the stop, and while the motor is strong enough
    }
}

/// A motor that keeps a speed gives what the pendulum's weight asks for:  τ = m g r cos φ.
TEST(PlanarMotor, GivesTheTorqueOfTheClosedForm) {
    Builder b({});
    const std::string bar = b.bar({0, 0, 0}, {0.6, 0, 0});
    b.pin(bar, "world", {});
    b.turn().speed = ScalarTrack::constant(1);
    Spec spec = b.take();
    spec.simulation.gravity = {0, -9.81, 0};
    spec.simulation.scheme = Scheme::exact;
    spec.solids[0].spin = {0, 0, 1};
    spec.solids[0].velocity = {0, 0.3, 0};
    Simulator s(spec);
    const double dt = s.model().simulation.dt;
    for (int frame = 1; frame <= 300; ++frame) {
        s.advance();
        const double torque = s.model().bodies[1].mass * 9.81 * 0.3 * std::cos(dt * (frame - 0.5));
        EXPECT_NEAR(s.state().freedoms[0].force, torque, 1e-3 * s.model().bodies[1].mass * 9.81 * 0.3) << frame;
    }
    EXPECT_EQ(steps_in_plane(s), s.report().steps);
}

TEST(PlanarLeaves, WhatIsNotOfOnePlaneIsNotTaken) {
    const auto in_plane = [](const Spec& spec) {
        Simulator s(spec);
        s.advance_to(0.2);
        return steps_in_plane(s) > 0;
    };
    EXPECT_TRUE(in_plane(build(Mechanism::staggered_chain, Scheme::newton, false)));
    Spec ball = build(Mechanism::staggered_chain, Scheme::newton, false);
    ball.constraints.back().angle.reset();
    EXPECT_FALSE(in_plane(ball));
    Spec floating = build(Mechanism::staggered_chain, Scheme::newton, false);
    floating.constraints.erase(floating.constraints.begin());
    EXPECT_FALSE(in_plane(floating));
}

}  // namespace
}  // namespace armature::planar

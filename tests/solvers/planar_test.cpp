// Mechanisms of the plane move in it as they do in space, carry the same loads, and leave it when something pushes them out.
#include "armature/solvers/linearized/planar/planar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/sim/mechanics.h"
#include "armature/sim/simulator.h"
#include "support/test_scale.h"

namespace armature::planar {
namespace {

enum class Mechanism {
    four_bar,
    parallelogram,
    scissor,
    staggered_chain,
    crank_with_legs,
    driven,
    driven_crank,
    lopsided
};

/// Bars between points of the plane z = 0; all of it can be placed and tilted anyhow.
class Builder {
  public:
    explicit Builder(const Pose& pose_WP) : pose_WP_(pose_WP) {
        spec_.simulation.solver = "linearized";
        spec_.simulation.gravity = rotate(pose_WP.q, {3, -9, 0});
    }
    /// From p to q, at the height z; its own axes are turned by `own` within it.
    std::string bar(const Vec3& p, const Vec3& q, double z = 0, const Quat& own = {}) {
        const Vec3 along = q - p, middle = 0.5 * (p + q) + Vec3{0, 0, z};
        const std::string name = fmt::format("bar{}", poses_.size());
        SolidSpec& s = spec_.add_solid(name);
        const Pose pose_PB{middle, from_axis_angle({0, 0, 1}, std::atan2(along.y, along.x)) * own};
        s.shapes.push_back({"", Box{{norm(along), 0.03, 0.02}}, Pose{{}, conjugate(own)}, {}});
        s.mass = 0.5 + 2 * norm(along);
        s.pose_WB = pose_WP_ * pose_PB;
        poses_[name] = pose_PB;
        return name;
    }
    /// What turns the pin that was added last.
    FreedomSpec& turn() {
        FreedomSpec& turn = spec_.constraints.back().freedoms.emplace_back();
        turn = idle_;
        return turn;
    }
    /// At p, with the axis ±n.
    void pin(const std::string& one, const std::string& two, const Vec3& p, double sign = 1) {
        const auto frame = [&](const std::string& body) {
            const Pose pose_PB = body == "world" ? inverse(pose_WP_) : poses_.at(body);
            const Vec3 axis = rotate_back(pose_PB.q, {0, 0, sign});
            return JointFrame{rotate_back(pose_PB.q, p - pose_PB.x), axis, any_perpendicular(axis)};
        };
        ConstraintSpec pin = make_joint(JointType::pin, one, frame(one), two, frame(two));
        idle_ = pin.freedoms.at(0);
        pin.freedoms.clear();
        spec_.constraints.push_back(pin);
    }
    Spec take() { return std::move(spec_); }

  private:
    Pose pose_WP_;
    std::map<std::string, Pose> poses_;
    Spec spec_;
    FreedomSpec idle_;
};

void add_parallelogram(Builder& b, bool twice) {
    const std::string left = b.bar({0, 0, 0}, {0.1, 0.3, 0}), top = b.bar({0.1, 0.3, 0}, {0.7, 0.3, 0}),
                      right = b.bar({0.6, 0, 0}, {0.7, 0.3, 0}, 0, from_axis_angle({1, 2, 3}, 1));
    b.pin("world", left, {0, 0, 0});
    b.pin(left, top, {0.1, 0.3, 0});
    b.pin(right, top, {0.7, 0.3, 0}, -1);
    b.pin("world", right, {0.6, 0, 0}, -1);
    if (!twice) return;
    const std::string middle = b.bar({0.25, 0, 0}, {0.35, 0.3, 0});
    b.pin("world", middle, {0.25, 0, 0});
    b.pin(middle, top, {0.35, 0.3, 0});
}

void add_scissor(Builder& b, int stages) {
    std::string up, down;
    const Vec3 pivot{0.26, -0.05, 0};  // a short crank keeps it away from where all bars are in line
    for (int i = 0; i < stages; ++i) {
        const Vec3 l{0, 0.2 * i, 0}, r{0.35, 0.2 * i, 0}, l1{0, 0.2 * (i + 1), 0}, r1{0.35, 0.2 * (i + 1), 0};
        const std::string rising = b.bar(l, r1), falling = b.bar(r, l1);
        b.pin(rising, falling, {0.175, 0.2 * i + 0.1, 0});
        if (i == 0) {
            b.pin("world", rising, l);
            const std::string crank = b.bar(pivot, r);
            b.pin("world", crank, pivot);
            b.pin(crank, falling, r);
        } else {
            b.pin(down, rising, l);
            b.pin(up, falling, r);
        }
        up = rising;
        down = falling;
    }
}

/// Each link above or below the one before: their pulls tilt it.
void add_staggered_chain(Builder& b, int links) {
    std::string last = "world";
    for (int i = 0; i < links; ++i) {
        const std::string link = b.bar({0.2 * i, 0, 0}, {0.2 * (i + 1), 0, 0}, i % 2 == 0 ? 0.03 : -0.02);
        b.pin(last, link, {0.2 * i, 0, 0});
        last = link;
    }
}

/// Four-bars at different heights around one crank, which is a hub.
void add_crank(Builder& b, int legs, bool driven = false) {
    const std::string crank = b.bar({-0.1, 0, 0}, {0.1, 0, 0});
    b.pin("world", crank, {});
    if (driven) b.turn().speed = ScalarTrack::constant(2);
    for (int i = 0; i < legs; ++i) {
        const double z = 0.05 * i, angle = 2 * pi / legs * i;
        const Vec3 on{0.1 * std::cos(angle), 0.1 * std::sin(angle), z}, bolt{0.5, 0.05 * i, z}, knee{0.35, 0.4, z};
        const std::string rod = b.bar(on - Vec3{0, 0, z}, knee - Vec3{0, 0, z}, z),
                          rocker = b.bar(bolt - Vec3{0, 0, z}, knee - Vec3{0, 0, z}, z);
        b.pin(crank, rod, on);
        b.pin(rod, rocker, knee);
        b.pin("world", rocker, bolt);
    }
}

/// A bar on a spring and damper, one with a push and stops that are not met on it, and a motor that turns all of it.
void add_driven_chain(Builder& b) {
    const std::string one = b.bar({0, 0, 0}, {0.3, 0, 0}), two = b.bar({0.3, 0, 0}, {0.5, 0.1, 0}, 0.02),
                      three = b.bar({0.5, 0.1, 0}, {0.5, 0.4, 0});
    b.pin("world", one, {0, 0, 0}, -1);
    b.turn().speed = ScalarTrack::constant(3);
    b.pin(two, one, {0.3, 0, 0});
    FreedomSpec& spring = b.turn();
    spring.stiffness = ScalarTrack::constant(20);
    spring.damping = ScalarTrack::constant(0.3);
    b.pin(two, three, {0.5, 0.1, 0});
    FreedomSpec& pushed = b.turn();
    pushed.force = ScalarTrack::constant(0.2);
    pushed.min = ScalarTrack::constant(-20);
    pushed.max = ScalarTrack::constant(20);
}

Spec build(Mechanism mechanism, Scheme scheme, bool tilted, bool the_long_way = false) {
    Builder b(tilted ? Pose{{0.3, -0.2, 0.7}, from_axis_angle({1, -2, 0.5}, 0.8)} : Pose{});
    switch (mechanism) {
        case Mechanism::four_bar:
            add_parallelogram(b, false);
            break;
        case Mechanism::parallelogram:
            add_parallelogram(b, true);
            break;
        case Mechanism::scissor:
            add_scissor(b, 9);
            break;
        case Mechanism::staggered_chain:
            add_staggered_chain(b, 9);
            break;
        case Mechanism::crank_with_legs:
            add_crank(b, 7);
            break;
        case Mechanism::driven:
            add_driven_chain(b);
            break;
        case Mechanism::driven_crank:
            add_crank(b, 7, true);
            break;
        case Mechanism::lopsided:
            add_staggered_chain(b, 5);
            break;
    }
    Spec spec = b.take();
    spec.simulation.scheme = scheme;
    if (mechanism == Mechanism::lopsided) {  // by turning about n they are tilted
        spec.solids[1].inertia_G = Mat3{{0.02, 0, 0.005}, {0, 0.03, 0.004}, {0.005, 0.004, 0.04}};
        spec.solids[3].inertia_G = Mat3{{0.02, 0.001, -0.003}, {0.001, 0.01, 0}, {-0.003, 0, 0.02}};
    }
    // A joint that holds since before the start always holds, and is still not one of those that the short ways know.
    if (the_long_way)
        for (ConstraintSpec& c : spec.constraints) c.from = -1;
    return spec;
}

bool is_tree(Mechanism mechanism) {
    return mechanism == Mechanism::staggered_chain || mechanism == Mechanism::driven ||
           mechanism == Mechanism::lopsided;
}

int steps_in_plane(const Simulator& s) {
    return static_cast<int>(s.report().ways[static_cast<std::size_t>(LinearWay::pins_in_plane)]);
}

class Planar : public testing::TestWithParam<std::tuple<Mechanism, Scheme, bool>> {};

TEST_P(Planar, MovesAsRowsOfAnyKindDoInSpace) {
    const auto [mechanism, scheme, tilted] = GetParam();
    Simulator quick(build(mechanism, scheme, tilted)), slow(build(mechanism, scheme, tilted, true));
    for (int frame = 0; frame < 30; ++frame) {
        quick.advance();
        slow.advance();
        for (std::size_t i = 0; i < quick.state().x.size(); ++i) {
            ASSERT_LE(norm(quick.state().x[i] - slow.state().x[i]), 1e-8) << frame;
            ASSERT_LE(norm(quick.state().w[i] - slow.state().w[i]), 1e-5) << frame;
        }
    }
    EXPECT_LE(quick.report().gap.value, 1e-9);
    EXPECT_LE(quick.report().angle.value, 1e-9);
    EXPECT_EQ(quick.report().unconverged, 0);
    EXPECT_GE(steps_in_plane(quick), quick.report().steps - 1);  // the first may have to put right what was written
    EXPECT_EQ(steps_in_plane(slow), 0);
}

/// Out of the plane: where there are loops only the balance is given, along a tree all of it.
Vec3 across(const Vec3& v, const Vec3& normal) {
    return v - dot(v, normal) * normal;
}
TEST_P(Planar, LoadsAreThoseOfTheRowsAndBalanceOutOfThePlane) {
    const auto [mechanism, scheme, tilted] = GetParam();
    Simulator quick(build(mechanism, scheme, tilted)), slow(build(mechanism, scheme, tilted, true));
    for (int frame = 0; frame < 10; ++frame) {
        quick.advance();
        slow.advance();
    }
    const Model& model = quick.model();
    const bool determined = mechanism != Mechanism::parallelogram, tree = is_tree(mechanism);
    const Vec3 normal = tilted ? rotate(from_axis_angle({1, -2, 0.5}, 0.8), {0, 0, 1}) : Vec3{0, 0, 1};
    std::vector<Vec3> torque(model.bodies.size());
    double largest = 0;
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
        const JointLoad &a = quick.state().loads[k], &b = slow.state().loads[k];
        if (determined) {
            EXPECT_LE(norm(across(a.force - b.force, normal)), 1e-5 * (1 + norm(b.force))) << k;
        }
        if (tree) {
            EXPECT_LE(norm(a.torque - b.torque), 1e-4 * (1 + norm(b.torque))) << k;
        }
        const Joint& joint = model.joints[k];
        const auto& point = std::get<PointPart>(joint.parts[0]);
        const auto add = [&](BodyId body, const Vec3& arm_G, double sign) {
            const auto i = static_cast<std::size_t>(body);
            const Vec3 of_force = cross(rotate(quick.state().q[i], arm_G), a.force);
            largest = std::max(largest, norm(of_force));
            torque[i] += sign * (of_force + a.torque);
        };
        add(joint.body1, point.p1_G, 1);
        add(joint.body2, point.p2_G, -1);
    }
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
        const Vec3 axis = rotate_back(quick.state().q[i], normal),
                   across_axis = cross(model.bodies[i].inertia_G * axis, axis);
        if (norm(across_axis) > 1e-10) continue;  // lopsided: it takes a torque to keep it in the plane
        EXPECT_LE(norm(cross(torque[i], normal)), 1e-10 * largest) << model.bodies[i].name;
    }
}

TEST_P(Planar, WideMachinesGiveTheSameBits) {
    const auto [mechanism, scheme, tilted] = GetParam();
    const Spec spec = build(mechanism, scheme, tilted);
    Simulator wide(spec);
    wide.advance_to(1);
    lanes::limit_machine(lanes::Machine::plain);
    Simulator plain(spec);
    plain.advance_to(1);
    lanes::limit_machine(lanes::Machine::widest);
    EXPECT_EQ(hash(wide.state()), hash(plain.state()));
}

TEST_P(Planar, OneIterationClosesTheTreeToRoundOff) {
    const auto [mechanism, scheme, tilted] = GetParam();
    Spec spec = build(mechanism, scheme, tilted);
    spec.simulation.iterations = 1;
    spec.simulation.tolerance = 1e-2;
    Simulator s(spec);
    s.advance_to(0.5);
    EXPECT_GT(steps_in_plane(s), 0);
    EXPECT_LE(s.report().gap.value, is_tree(mechanism) ? 1e-13 : 1e-2);
}

constexpr const char* names[] = {"four_bar",        "parallelogram", "scissor",      "staggered_chain",
                                 "crank_with_legs", "driven",        "driven_crank", "lopsided"};
const auto mechanisms = testing::Values(Mechanism::four_bar, Mechanism::parallelogram, Mechanism::scissor,
                                        Mechanism::staggered_chain, Mechanism::crank_with_legs, Mechanism::lopsided);

std::string name_of(const testing::TestParamInfo<std::tuple<Mechanism, Scheme, bool>>& of) {
    const auto [mechanism, scheme, tilted] = of.param;
    return fmt::format("{}_{}{}", names[static_cast<int>(mechanism)], scheme == Scheme::exact ? "exact" : "newton",
                       tilted ? "_tilted" : "");
}
const auto all_mechanisms =
    testing::Values(Mechanism::four_bar, Mechanism::parallelogram, Mechanism::scissor, Mechanism::staggered_chain,
                    Mechanism::crank_with_legs, Mechanism::driven, Mechanism::driven_crank, Mechanism::lopsided);
INSTANTIATE_TEST_SUITE_P(All, Planar,
                         testing::Combine(all_mechanisms, testing::Values(Scheme::newton, Scheme::exact),
                                          testing::Bool()),
                         name_of);

class PlanarExact : public testing::TestWithParam<std::tuple<Mechanism, bool>> {};

TEST_P(PlanarExact, KeepsEnergyThroughTenThousandFrames) {
    const auto [mechanism, tilted] = GetParam();
    Simulator s(build(mechanism, Scheme::exact, tilted));
    s.advance();
    const double before = measure_mechanics(s.model(), s.state()).energy();
    double most = 0, kinetic = 0;
    for (int i = 0; i < 10'000; ++i) {
        s.advance();
        const Mechanics now = measure_mechanics(s.model(), s.state());
        most = std::max(most, std::fabs(now.energy() - before));
        kinetic = std::max(kinetic, now.kinetic);
    }
    EXPECT_LE(most, 1e-7 * kinetic);
    EXPECT_LE(s.report().gap.value, 1e-9);
    EXPECT_LE(s.report().angle.value, 1e-9);
    // A chain is thrown about; a step in a thousand for which Newton's method finds no motion is taken up in space.
    EXPECT_GE(steps_in_plane(s), s.report().steps - s.report().steps / 1000 - 1);
}

std::string name_of_exact(const testing::TestParamInfo<std::tuple<Mechanism, bool>>& of) {
    const auto [mechanism, tilted] = of.param;
    return fmt::format("{}{}", names[static_cast<int>(mechanism)], tilted ? "_tilted" : "");
}
INSTANTIATE_TEST_SUITE_P(All, PlanarExact, testing::Combine(mechanisms, testing::Bool()), name_of_exact);

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

// The linearized solver: joints to round-off, loops and redundant joints included, at any mass ratio; what cannot be met
// ends in a compromise with its error named.
#include "armature/solvers/linearized/linearized.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/scene/load.h"
#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature::linearized {
namespace {

SolidSpec& add_rod(Spec& spec, const std::string& name, const Vec3& centre, double mass, double thick = 0.02) {
    SolidSpec& s = spec.add_solid(name);
    s.shapes.emplace_back().geometry = Box{{0.2, thick, thick}};
    s.mass = mass;
    s.pose_WB.x = centre;
    return s;
}
void add_ball(Spec& spec, const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2) {
    spec.add_constraint(one, two).hinge = HingeSpec{p1, p2, PointDomain{}};
}
Spec chain(int links, double ratio = 1) {
    Spec spec;
    spec.simulation.solver = "linearized";
    for (int i = 0; i < links; ++i) {
        add_rod(spec, fmt::format("link{}", i), {0.1 + 0.2 * i, 0, 0}, i == links - 1 ? ratio : 1);
        add_ball(spec, fmt::format("link{}", i), {-0.1, 0, 0}, i > 0 ? fmt::format("link{}", i - 1) : "world",
                 {i > 0 ? 0.1 : 0, 0, 0});
    }
    return spec;
}

/// Pins at A, B, C and D, all of it askew in the world; the foot of the last is off by `off`.
Spec four_bar(const Vec3& off = {}) {
    Spec spec;
    spec.simulation.solver = "linearized";
    const Pose askew{{}, from_axis_angle({1, 0.5, 0.2}, 0.7)};
    const auto bar = [&](const char* name, const Vec3& from, const Vec3& to) {
        SolidSpec& s = spec.add_solid(name);
        s.shapes.emplace_back().geometry = Box{{norm(to - from), 0.05, 0.05}};
        s.pose_WB = askew * Pose{0.5 * (from + to), shortest_arc({1, 0, 0}, (to - from) / norm(to - from))};
    };
    const Vec3 A{0, 0, 0}, B{0.3, -0.4, 0}, C{0.9, -0.4, 0}, D{0.6, 0, 0};
    bar("a", A, B);
    bar("b", B, C);
    bar("c", C, D);
    const auto pin = [&](const char* one, const char* two, const Vec3& at, const Vec3& foot) {
        const Vec3 axis = rotate(askew.q, {0, 0, 1}), second = rotate(askew.q, {1, 0, 0});
        const auto pose = [&](const std::string& name) {
            const SolidSpec* s = spec.find_solid(name);
            return s ? s->pose_WB : Pose{};
        };
        spec.constraints.push_back(make_joint(JointType::pin, one, joint_frame(pose(one), askew * at, axis, second),
                                              two, joint_frame(pose(two), askew * foot, axis, second)));
    };
    pin("a", "world", A, A);
    pin("b", "a", B, B);
    pin("c", "b", C, C);
    pin("c", "world", D, D + off);
    return spec;
}

TEST(Linearized, AFallingChainHoldsToANanometre) {
    for (const int links : {2, 10, 100}) {
        Simulator s(chain(links));
        s.advance_to(2);
        EXPECT_LE(s.report().gap.value, 1e-9) << links;
        EXPECT_EQ(s.report().unconverged, 0) << links;
        EXPECT_LE(s.report().mean_iterations, 8) << links;
    }
}

TEST(Linearized, AHeavyBobHangsOnALightChain) {
    for (const double ratio : {1e3, 1e6}) {
        Simulator s(chain(20, ratio));
        s.advance_to(2);
        EXPECT_LE(s.report().gap.value, 1e-9) << ratio;
    }
}

// A planar four-bar of pins has three redundant rows; METHODS asks for the least-squares answer, never a breakdown.
TEST(Linearized, LoopsOfPinsWhoseRowsAreRedundantHold) {
    for (const char* name : {"four_bar", "slider_crank", "peaucellier"}) {
        Simulator s(test::load_scene_model(name, {{"simulation.solver", "linearized"}}));
        s.assemble();
        s.advance_to(3);
        EXPECT_LE(s.report().gap.value, 1e-9) << name;
        EXPECT_LE(s.report().angle.value, 1e-9) << name;
        EXPECT_EQ(s.report().unconverged, 0) << name;
    }
}

// Two rods of a given length cannot reach from wall to wall.
TEST(Linearized, WhatCannotBeMetEndsInACompromiseThatIsNamed) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.gravity = {};
    add_rod(spec, "a", {0.1, 0, 0}, 1);
    add_rod(spec, "b", {0.3, 0, 0}, 1);
    add_ball(spec, "a", {-0.1, 0, 0}, "world", {});
    add_ball(spec, "a", {0.1, 0, 0}, "b", {-0.1, 0, 0});
    add_ball(spec, "b", {0.1, 0, 0}, "world", {0.46, 0, 0});
    Simulator s(spec);
    const AssemblyReport assembly = s.assemble();
    for (int i = 0; i < 60; ++i) s.advance();
    EXPECT_FALSE(s.report().converged(1e-3));
    // 6 cm, the least sum of squares weighted by what the joints give way: twice as much between two rods as to the world.
    EXPECT_NEAR(s.report().gap.value, 0.03, 1e-6);
    EXPECT_EQ(assembly.result, AssemblyResult::impossible);
    ASSERT_EQ(assembly.open.size(), 3u);
    EXPECT_NEAR(assembly.open[2].error, 0.015, 1e-6);
    EXPECT_TRUE(s.report().failures.empty());
}

/// Steps that were undone, and all of them, in five seconds.
struct Cost {
    long long rejected, steps, unconverged;
    double gap, energy_gained;
};
Cost cost_of_five_seconds(const Spec& spec) {
    Simulator s(spec);
    s.assemble();
    const double before = measure_mechanics(s.model(), s.state()).energy();
    double most = before;
    for (int i = 0; i < 300; ++i) {
        s.advance();
        most = std::max(most, measure_mechanics(s.model(), s.state()).energy());
    }
    const RunReport& r = s.report();
    EXPECT_GE(r.gap.joint, 0);
    return {r.rejected, r.steps, r.unconverged, r.gap.value, most - before};
}

// Joints that contradict each other do so at any length of step. All steps of these used to be halved five times: some 1200 were
// undone and 9600 made in 300 frames. Where a light part whirls, shorter steps still follow it.
TEST(Linearized, AContradictionThatMovesIsNotHalvedToNoAvail) {
    for (const Scheme scheme : {Scheme::newton, Scheme::exact}) {
        Spec base;
        base.simulation.solver = "linearized";
        base.simulation.scheme = scheme;
        add_rod(base, "a", {0.1, 0, 0}, 1);
        add_rod(base, "b", {0.3, 0, 0}, 1);
        add_ball(base, "a", {-0.1, 0, 0}, "world", {});
        add_ball(base, "a", {0.1, 0, 0}, "b", {-0.1, 0, 0});
        // Two balls that are a centimetre farther apart in one rod than in the other.
        Spec pair = base;
        add_ball(pair, "b", {0, 0, 0}, "a", {0.21, 0, 0});
        const Cost two = cost_of_five_seconds(pair);
        EXPECT_EQ(two.unconverged, two.steps);
        EXPECT_LE(two.rejected, 16);
        EXPECT_LE(two.steps, 450);
        EXPECT_NEAR(two.gap, 0.005, 2e-3);
        EXPECT_LE(two.energy_gained, 1e-6);
        // Three rods that cannot close.
        Spec triangle = base;
        add_rod(triangle, "c", {0.5, 0, 0}, 1);
        add_ball(triangle, "b", {0.1, 0, 0}, "c", {-0.1, 0, 0});
        add_ball(triangle, "c", {0.1, 0, 0}, "a", {-0.1, 0.5, 0});
        const Cost three = cost_of_five_seconds(triangle);
        EXPECT_EQ(three.unconverged, three.steps);
        EXPECT_LE(three.rejected, 100);
        EXPECT_LE(three.steps, 900);
        EXPECT_LE(three.energy_gained, 1e-6);
    }
}

// The same four-bar as below, with one of its pins 2 cm out of the plane of the others.
TEST(Linearized, ACrookedFourBarTakesOneStepPerFrame) {
    for (const Scheme scheme : {Scheme::newton, Scheme::exact}) {
        Spec spec = four_bar({0, 0, 0.02});
        spec.simulation.scheme = scheme;
        const Cost cost = cost_of_five_seconds(spec);
        EXPECT_EQ(cost.rejected, 0);
        EXPECT_EQ(cost.steps, 300);
        EXPECT_EQ(cost.unconverged, 300);
        EXPECT_NEAR(cost.gap, 2.34e-3, 3e-4);
    }
}

// λ of every pair of rows is opposite, so what floats keeps its momentum.
TEST(Linearized, AFloatingChainKeepsItsMomentum) {
    Spec spec = chain(10);
    spec.constraints.erase(spec.constraints.begin());
    spec.simulation.gravity = {};
    for (std::size_t i = 0; i < spec.solids.size(); ++i)
        spec.solids[i].velocity = {0.1 * static_cast<double>(i), -0.3, 0.2 * static_cast<double>(i % 3)};
    Simulator s(spec);
    s.advance();  // the given velocities do not agree with the joints
    const Mechanics first = measure_mechanics(s.model(), s.state());
    s.advance_to(10);
    const Mechanics last = measure_mechanics(s.model(), s.state());
    EXPECT_LT(norm(last.momentum - first.momentum), 1e-12 * norm(first.momentum));
    EXPECT_LE(s.report().gap.value, 1e-9);
}

// A four-bar of pins, askew in the world so that no row is zero, has three redundant rows.
TEST(Linearized, RedundantPinsCarryNothingAgainstEachOther) {
    for (const Scheme scheme : {Scheme::newton, Scheme::exact}) {
        Spec spec = four_bar();
        spec.simulation.scheme = scheme;
        Simulator s(spec);
        s.advance_to(5);
        EXPECT_LE(s.report().gap.value, 1e-9);
        EXPECT_LE(s.report().angle.value, 1e-9);
        EXPECT_EQ(s.report().rejected, 0);
        EXPECT_LE(s.report().max_iterations, 4);
        for (const JointLoad& load : s.state().loads) EXPECT_LT(norm(load.force), 1e3);
    }
}

/// Arms of 20 cm in a row, each pinned to the one before with a stop at −0.3 rad, the first to the world.
Spec limited_arms(int arms, Scheme scheme) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    for (int i = 0; i < arms; ++i) {
        const std::string name = fmt::format("arm{}", i), before = i > 0 ? fmt::format("arm{}", i - 1) : "world";
        const Pose pose = add_rod(spec, name, {0.1 + 0.2 * i, 0, 0}, 1).pose_WB;
        const Pose other = i > 0 ? spec.find_solid(before)->pose_WB : Pose{};
        const Vec3 at{0.2 * i, 0, 0};
        ConstraintSpec c = make_joint(JointType::pin, name, joint_frame(pose, at, {0, 0, 1}, {1, 0, 0}), before,
                                      joint_frame(other, at, {0, 0, 1}, {1, 0, 0}));
        c.freedoms[0].min = ScalarTrack::constant(-0.3);
        spec.constraints.push_back(c);
    }
    return spec;
}

class LinearizedStops : public testing::TestWithParam<std::tuple<int, Scheme>> {};

// A limit is met exactly, does not pull, and what has come to rest on it stays there: the last five of ten seconds show no
// motion at all beyond the goal of Newton's method (3e-10 rad, in steps of 1/60 s).
TEST_P(LinearizedStops, AreMetExactlyAndWithoutChatter) {
    const auto [arms, scheme] = GetParam();
    Simulator s(limited_arms(arms, scheme));
    double overshoot = 0, least = 1, most = -1, fastest = 0;
    int turned_back = 0;
    std::vector<double> rate(static_cast<std::size_t>(arms), 0);
    while (s.state().time < 10 - 1e-9) {
        s.advance();
        for (std::size_t i = 0; i < rate.size(); ++i) {
            const FreedomState& f = s.state().freedoms[i];
            overshoot = std::max(overshoot, -0.3 - f.value);
            if (s.state().time <= 5) continue;
            least = std::min(least, f.value);
            most = std::max(most, f.value);
            fastest = std::max(fastest, std::fabs(f.rate));
            turned_back += rate[i] * f.rate < 0 && std::fabs(f.rate) > 1e-6;
            rate[i] = f.rate;
        }
    }
    fmt::print("[ measured ] overshoot {:.2g} rad, later {:.2g} rad about, at most {:.2g} rad/s, {} hits\n", overshoot,
               most - least, fastest, s.report().hits);
    EXPECT_LE(overshoot, 1e-9);
    EXPECT_LE(most - least, 1e-9);
    EXPECT_NEAR(most, -0.3, 1e-9);
    EXPECT_LE(fastest, 1e-6);
    EXPECT_EQ(turned_back, 0);
    EXPECT_EQ(s.report().unconverged, 0);
}

INSTANTIATE_TEST_SUITE_P(Arms, LinearizedStops,
                         testing::Combine(testing::Values(1, 4), testing::Values(Scheme::newton, Scheme::exact)));

TEST(Linearized, RefusesFloorsByName) {
    const Model model = test::load_scene_model("slope");
    const std::vector<std::string> no = LinearizedSolver::refusals(model);
    ASSERT_EQ(no.size(), 1u);
    EXPECT_NE(no[0].find("contact with floors"), std::string::npos);
}

class LinearizedScenes : public testing::TestWithParam<std::string> {};

TEST_P(LinearizedScenes, HoldToANanometreOrAreRefusedByName) {
    Model model = test::load_scene_model(GetParam(), {{"simulation.solver", "linearized"}});
    if (const std::vector<std::string> no = LinearizedSolver::refusals(model); !no.empty()) {
        try {
            Simulator refused(std::move(model));
            ADD_FAILURE() << "was taken all the same: " << no[0];
        } catch (const InputError& e) {
            EXPECT_NE(e.diagnostics().all().at(0).message.find(no[0]), std::string::npos);
        }
        return;
    }
    Simulator s(std::move(model));
    s.assemble();
    s.advance_to(2);
    EXPECT_EQ(s.report().unconverged, 0);
    // A hand that leads a loop of one freedom along keys asks for what the loop cannot do, by some micrometres between them.
    EXPECT_LE(s.report().gap.value, GetParam() == "dragged_four_bar" ? s.model().simulation.tolerance : 1e-9);
    EXPECT_TRUE(s.report().failures.empty());
}

INSTANTIATE_TEST_SUITE_P(Gallery, LinearizedScenes, testing::ValuesIn(test::scene_names()),
                         [](const auto& scene) { return test::one_word(scene.param); });

}  // namespace
}  // namespace armature::linearized

// The linearized solver: joints to round-off, loops and redundant joints included, at any mass ratio; what cannot be met
// ends in a compromise with its error named.
#include "armature/solvers/linearized/linearized.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

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
        Spec spec;
        spec.simulation.solver = "linearized";
        spec.simulation.scheme = scheme;
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
        const auto pin = [&](const char* one, const char* two, const Vec3& at) {
            const Vec3 axis = rotate(askew.q, {0, 0, 1}), second = rotate(askew.q, {1, 0, 0}), place = askew * at;
            const auto pose = [&](const std::string& name) {
                const SolidSpec* s = spec.find_solid(name);
                return s ? s->pose_WB : Pose{};
            };
            spec.constraints.push_back(make_joint(JointType::pin, one, joint_frame(pose(one), place, axis, second), two,
                                                  joint_frame(pose(two), place, axis, second)));
        };
        pin("a", "world", A);
        pin("b", "a", B);
        pin("c", "b", C);
        pin("c", "world", D);
        Simulator s(spec);
        s.advance_to(5);
        EXPECT_LE(s.report().gap.value, 1e-9);
        EXPECT_LE(s.report().angle.value, 1e-9);
        EXPECT_EQ(s.report().rejected, 0);
        EXPECT_LE(s.report().max_iterations, 4);
        for (const JointLoad& load : s.state().loads) EXPECT_LT(norm(load.force), 1e3);
    }
}

// A limit is met exactly, and does not pull.
TEST(Linearized, APendulumRestsOnItsStop) {
    Spec spec;
    spec.simulation.solver = "linearized";
    SolidSpec& arm = add_rod(spec, "arm", {0.1, 0, 0}, 1);
    ConstraintSpec c = make_joint(JointType::pin, "arm", joint_frame(arm.pose_WB, {}, {0, 0, 1}, {1, 0, 0}), "world",
                                  joint_frame({}, {}, {0, 0, 1}, {1, 0, 0}));
    c.freedoms[0].min = ScalarTrack::constant(-0.5);
    spec.constraints.push_back(c);
    Simulator s(spec);
    double least = 0;
    while (s.state().time < 10 - 1e-9) {
        s.advance();
        least = std::min(least, s.state().freedoms[0].value);
    }
    EXPECT_GE(least, -0.5 - 1e-9);
    EXPECT_NEAR(s.state().freedoms[0].value, -0.5, 1e-6);
    EXPECT_LT(std::fabs(s.state().freedoms[0].rate), 0.02);
}

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

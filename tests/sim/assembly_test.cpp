// Assembly from scattered parts, and its three verdicts.
#include <gtest/gtest.h>

#include <limits>

#include "armature/math/random.h"
#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

/// Every solid anywhere within a box of this half size about its place, turned at random.
void scatter_parts(Spec& spec, double half, std::uint64_t seed) {
    Random random(seed);
    for (SolidSpec& s : spec.solids) {
        s.pose_WB.x += random.in_box(half);
        s.pose_WB.q = random.orientation();
        s.velocity = random.in_box(2);
        s.spin = random.in_box(2);
    }
}

void expect_assembled(const Spec& spec) {
    Simulator sim(spec);
    const State before = sim.state();
    const AssemblyReport r = sim.assemble();
    EXPECT_EQ(r.result, AssemblyResult::satisfied) << to_text(sim.model(), r);
    EXPECT_TRUE(r.open.empty());
    EXPECT_LE(r.worst_error, spec.simulation.tolerance);
    EXPECT_EQ(sim.state().v, before.v);
    EXPECT_EQ(sim.state().w, before.w);
    EXPECT_NE(sim.state().x, before.x);
    EXPECT_EQ(sim.state().time, 0);
    std::vector<double> errors;
    const JointErrors e = measure_joints(sim.model(), sim.state(), errors);
    EXPECT_LE(e.worst_gap, spec.simulation.tolerance);
    EXPECT_LE(e.worst_angle, spec.simulation.tolerance);
}

TEST(Assembly, PutsAScatteredChainTogetherAndLeavesVelocitiesAlone) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Spec spec;
        test::add_chain(spec, "link", 8);
        scatter_parts(spec, 1, seed);
        expect_assembled(spec);
    }
}

TEST(Assembly, ClosesALoopFromScatteredParts) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Spec spec;
        test::add_chain(spec, "link", 6);
        test::add_ball(spec, "link5", {0.2, 0, 0}, "world", {0.8, 0, 0});
        scatter_parts(spec, 0.5, seed);
        expect_assembled(spec);
    }
}

TEST(Assembly, PutsEveryKindOfJointTogether) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Spec spec;
        test::add_every_joint(spec);
        scatter_parts(spec, 0.3, seed);
        expect_assembled(spec);
    }
}

/// One point held in two places a metre apart.
Spec contradiction() {
    Spec spec;
    test::add_brick(spec, "torn", {0.1, 0.2, 0.3});
    test::add_ball(spec, "torn", {}, "world", {0, 0, 0}).name = "here";
    test::add_ball(spec, "torn", {}, "world", {1, 0, 0}).name = "there";
    return spec;
}

TEST(Assembly, OfAContradictionRestsInTheMiddleAndNamesBothSides) {
    for (const bool accelerate : {false, true})
        for (const int variant : {1, 2}) {
            Spec spec = contradiction();
            test::add_chain(spec, "fine", 3, {0, 0, 5});
            spec.simulation.displacement.accelerate = accelerate;
            spec.simulation.displacement.variant = variant;
            Simulator sim(spec);
            const AssemblyReport r = sim.assemble();
            EXPECT_EQ(r.result, AssemblyResult::least_squares);
            EXPECT_LT(norm(sim.state().x[1] - Vec3{0.5, 0, 0}), 1e-6);
            ASSERT_EQ(r.open.size(), 2u) << "the chain beside it is fine";
            for (const OpenJoint& open : r.open) EXPECT_NEAR(open.error, 0.5, 1e-6);
            const std::string text = to_text(sim.model(), r);
            EXPECT_NE(text.find("`here`"), std::string::npos) << text;
            EXPECT_NE(text.find("`there`"), std::string::npos) << text;
            EXPECT_LT(r.iterations, spec.simulation.assembly_iterations);
        }
}

TEST(Assembly, ThatRunsOutOfIterationsSaysSo) {
    Spec spec;
    test::add_chain(spec, "link", 8);
    scatter_parts(spec, 1, 3);
    spec.simulation.assembly_iterations = 3;
    Simulator sim(spec);
    const AssemblyReport r = sim.assemble();
    EXPECT_EQ(r.result, AssemblyResult::not_converged);
    EXPECT_EQ(r.iterations, 3);
    ASSERT_FALSE(r.open.empty());
    for (std::size_t i = 1; i < r.open.size(); ++i) EXPECT_GE(r.open[i - 1].error, r.open[i].error) << "worst first";
    EXPECT_NE(to_text(sim.model(), r).find("NOT CONVERGED"), std::string::npos);
}

TEST(Assembly, LeavesAnIslandThatIsNotFiniteAlone) {
    Spec spec;
    test::add_chain(spec, "a", 3);
    test::add_chain(spec, "b", 3, {0, 0, 2});
    scatter_parts(spec, 0.3, 1);
    Simulator sim(spec);
    State s = sim.state();
    s.x[1].x = std::numeric_limits<double>::quiet_NaN();
    const Vec3 neighbour = s.x[2];
    sim.set_state(s);
    const AssemblyReport r = sim.assemble();
    EXPECT_NE(r.result, AssemblyResult::satisfied);
    EXPECT_EQ(sim.state().x[2], neighbour);
    std::vector<double> errors;
    measure_joints(sim.model(), sim.state(), errors);
    for (const JointId j : {3, 4, 5}) EXPECT_LE(errors[static_cast<std::size_t>(j)], spec.simulation.tolerance);
}

TEST(Assembly, OfASceneWithoutJointsIsDoneAtOnce) {
    Spec spec;
    Simulator empty(spec);
    EXPECT_EQ(empty.assemble().result, AssemblyResult::satisfied);
    test::add_brick(spec, "loose", {});
    Simulator loose(spec);
    EXPECT_EQ(loose.assemble().result, AssemblyResult::satisfied);
}

}  // namespace
}  // namespace armature

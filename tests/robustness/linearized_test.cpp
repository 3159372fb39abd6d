// The linearized solver on any structure: 500 trees, loops and over-constrained sets hold to a billionth of their size after every
// frame, and what cannot hold is named. Mass ratios to a million, needles and discs, hinges, narrow cones.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/test_scale.h"

namespace armature::linearized {
namespace {

constexpr int batches = 10, scenes_per_batch = 50;
const int frames = test::scaled(60, 30);

bool finite(const State& s) {
    for (std::size_t i = 0; i < s.x.size(); ++i)
        if (!is_finite(s.x[i]) || !is_finite(s.q[i]) || !is_finite(s.v[i]) || !is_finite(s.w[i])) return false;
    return true;
}

double size_of(const Model& model) {
    double size = 0;
    for (const Island& island : model.islands) size = std::fmax(size, island.size);
    return size;
}

/// Trees, structures with one to three loops, and such as are held more often than needed, in turn.
test::StructureOptions random_options(Random& random, int scene) {
    test::StructureOptions options;
    options.bodies = static_cast<int>(std::lround(random.log_uniform(2, 30)));
    options.mass_ratio = random.log_uniform(1, 1e6);
    options.anchored = random.unit() < 0.6;
    if (scene % 3 == 1) options.loops = random.integer(1, 3);
    if (scene % 3 == 2) {
        options.loops = random.integer(0, 1);
        options.again = random.integer(1, 5);
    }
    return options;
}

class RandomLinearizedSlow : public testing::TestWithParam<int> {};

// Needles of 1:1000, cones of a few degrees and masses of 1 to a million are among them. All can hold: they do where they begin,
// and no joint forbids all motion at once.
TEST_P(RandomLinearizedSlow, TreesLoopsAndOverConstrainedSetsHoldToABillionthOfTheirSize) {
    for (int k = 0; k < test::scaled(scenes_per_batch, 3); ++k) {
        const int scene = GetParam() * scenes_per_batch + k;
        SCOPED_TRACE(fmt::format("scene {}", scene));
        Random random(static_cast<std::uint64_t>(scene) + 1);
        Spec spec = test::random_structure(random, random_options(random, scene));
        spec.simulation.solver = "linearized";
        if (random.unit() < 0.4) spec.simulation.scheme = Scheme::exact;
        Simulator sim(spec);
        EXPECT_EQ(sim.assemble().result, AssemblyResult::satisfied) << "it was built to hold";
        for (int frame = 0; frame < frames; ++frame) {
            sim.advance();
            ASSERT_TRUE(finite(sim.state())) << "frame " << frame;
        }
        const RunReport& r = sim.report();
        EXPECT_LE(r.gap.value, 1e-9 * size_of(sim.model())) << "t = " << r.gap.time;
        EXPECT_LE(r.angle.value, 1e-9) << "t = " << r.angle.time;
        EXPECT_EQ(r.unconverged, 0);
        EXPECT_TRUE(r.failures.empty());
    }
}

// A tree of balls and hinges alone, which goes the short way of bilateral.h: it said 1e-12 m and left 4e-6 m, once in 60 frames.
TEST(RandomLinearized, WhatTheShortWaySaysIsWhereThingsAre) {
    Random random(116);
    test::StructureOptions options;
    options.bodies = static_cast<int>(std::lround(random.log_uniform(2, 30)));
    options.mass_ratio = random.log_uniform(1, 1e6);
    options.anchored = random.unit() < 0.6;
    Spec spec = test::random_structure(random, options);
    for (ConstraintSpec& c : spec.constraints)
        if (c.angle && c.angle->min != c.angle->max) c.angle.reset();
    spec.simulation.solver = "linearized";
    Simulator sim(spec);
    for (int frame = 0; frame < 60; ++frame) sim.advance();
    EXPECT_LE(sim.report().gap.value, 1e-9 * size_of(sim.model()));
    EXPECT_EQ(sim.report().unconverged, 0);
}

// The same with joints that cannot hold together: what stays open is told by name, and nothing else happens.
TEST_P(RandomLinearizedSlow, WhatCannotHoldIsNamed) {
    for (int k = 0; k < test::scaled(5, 1); ++k) {
        const int scene = GetParam() * 5 + k;
        SCOPED_TRACE(fmt::format("scene {}", scene));
        Random random(static_cast<std::uint64_t>(scene) + 4000);
        test::StructureOptions options = random_options(random, 2);
        options.bodies = std::min(options.bodies, 10);
        options.contradiction = 0.1;
        Spec spec = test::random_structure(random, options);
        spec.simulation.solver = "linearized";
        if (random.unit() < 0.4) spec.simulation.scheme = Scheme::exact;
        Simulator sim(spec);
        const AssemblyReport assembly = sim.assemble();
        EXPECT_NE(assembly.result, AssemblyResult::satisfied);
        EXPECT_FALSE(assembly.open.empty());
        for (int frame = 0; frame < frames / 2; ++frame) {
            sim.advance();
            ASSERT_TRUE(finite(sim.state())) << "frame " << frame;
        }
        const RunReport& r = sim.report();
        EXPECT_EQ(r.unconverged, r.steps);
        EXPECT_GT(r.gap.value, 1e-4);
        ASSERT_GE(r.gap.joint, 0);
        EXPECT_LT(r.gap.value, size_of(sim.model()));
        EXPECT_TRUE(r.failures.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Batch, RandomLinearizedSlow, testing::Range(0, batches));

}  // namespace
}  // namespace armature::linearized

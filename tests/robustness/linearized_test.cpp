// The linearized solver on any structure: trees hold to a billionth of their size, and what is not met is told. Mass ratios to a million, needles and discs, trees and loops.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/test_scale.h"

namespace armature::linearized {
namespace {

constexpr int batches = 10, scenes_per_batch = 15;
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

class RandomLinearizedSlow : public testing::TestWithParam<int> {
  protected:
    /// Runs scenes of this kind, and gives each to `judge` when it has run.
    template <class Judge>
    void run(int loops, bool cones, Judge judge) {
        for (int k = 0; k < test::scaled(scenes_per_batch, 2); ++k) {
            const int scene = GetParam() * scenes_per_batch + k;
            SCOPED_TRACE(fmt::format("scene {}", scene));
            Random random(static_cast<std::uint64_t>(scene) + 1);
            test::StructureOptions options;
            options.bodies = static_cast<int>(std::lround(random.log_uniform(2, 30)));
            options.mass_ratio = random.log_uniform(1, 1e6);
            options.anchored = random.unit() < 0.6;
            options.loops = loops;
            Spec spec = test::random_structure(random, options);
            for (ConstraintSpec& c : spec.constraints)
                if (c.angle && !cones && c.angle->min != c.angle->max) c.angle.reset();
            spec.simulation.solver = "linearized";
            if (scene % 3 == 0) spec.simulation.scheme = Scheme::exact;
            Simulator sim(spec);
            EXPECT_EQ(sim.assemble().result, AssemblyResult::satisfied) << "it was built to hold";
            for (int frame = 0; frame < frames; ++frame) {
                sim.advance();
                ASSERT_TRUE(finite(sim.state())) << "frame " << frame;
            }
            judge(sim);
        }
    }
};

TEST_P(RandomLinearizedSlow, TreesOfBallsAndHingesHoldToABillionthOfTheirSize) {
    run(0, false, [](const Simulator& sim) {
        EXPECT_LE(sim.report().gap.value, 1e-9 * size_of(sim.model()));
        EXPECT_LE(sim.report().angle.value, 1e-8);
        EXPECT_EQ(sim.report().unconverged, 0);
    });
}

// Random loops run into positions in which they cannot go on, and needles into narrow cones: there the error may be larger,
// never the verdict wrong.
TEST_P(RandomLinearizedSlow, WithLoopsAndConesTheVerdictIsTrue) {
    run(1 + GetParam() % 3, true, [](const Simulator& sim) {
        const RunReport& r = sim.report();
        EXPECT_EQ(r.converged(1e-3), r.gap.value <= 1e-3 && r.angle.value <= 1e-3);
        EXPECT_TRUE(r.failures.empty());
    });
}

INSTANTIATE_TEST_SUITE_P(Batch, RandomLinearizedSlow, testing::Range(0, batches));

}  // namespace
}  // namespace armature::linearized

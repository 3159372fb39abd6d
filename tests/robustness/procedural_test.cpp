// Unreasonable drags with the procedural solver: targets that jump a thousand sizes away and back, circle at 50 Hz, in steps
// from 0.1 ms to 1 s, with mass ratios to a million. Nothing stops being finite, every joint of every tree holds, and no limit
// is ever exceeded.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/test_scale.h"

namespace armature {
namespace {

constexpr int batches = 20, sequences_per_batch = 500;  // 10 000 sequences

bool finite(const State& s) {
    for (std::size_t i = 0; i < s.x.size(); ++i)
        if (!is_finite(s.x[i]) || !is_finite(s.q[i]) || !is_finite(s.v[i]) || !is_finite(s.w[i])) return false;
    return true;
}

/// A tree of solids of any shape with limits, dragged by any of its points; returns how large it is.
Spec random_tree(Random& random) {
    test::StructureOptions options;
    options.bodies = static_cast<int>(std::lround(random.log_uniform(1, 25)));
    options.mass_ratio = random.log_uniform(1, 1e6);
    options.anchored = false;
    Spec spec = test::random_structure(random, options);
    for (ConstraintSpec& c : spec.constraints)
        if (c.angle && c.angle->max > 0 && random.unit() < 0.5)
            c.twist = TwistSpec{any_perpendicular(c.angle->a1_B), any_perpendicular(c.angle->a2_B), -0.3, 0.6};
    spec.simulation.solver = "procedural";
    spec.simulation.verlet_keep = random.unit();
    spec.simulation.dt = random.log_uniform(1e-4, 1);
    if (random.unit() < 0.2) spec.simulation.procedural.h = random.log_uniform(1e-6, 1e3);
    const SolidSpec& held = spec.solids[static_cast<std::size_t>(random.integer(0, options.bodies - 1))];
    DraggedSpec& hand = spec.add_drag("hand", held.name);
    hand.at_B = random.in_box(0.2);
    hand.orient = random.unit() < 0.3;
    hand.path.keys.push_back({0, {held.pose_WB * hand.at_B, held.pose_WB.q}});
    return spec;
}

class UnreasonableDragsSlow : public testing::TestWithParam<int> {};

TEST_P(UnreasonableDragsSlow, LeaveEveryTreeWholeAndFinite) {
    double worst = 0;
    for (int k = 0; k < test::scaled(sequences_per_batch, 5); ++k) {
        const int sequence = GetParam() * sequences_per_batch + k;
        SCOPED_TRACE(fmt::format("sequence {}", sequence));
        Random random(static_cast<std::uint64_t>(sequence) + 1);
        Simulator sim(random_tree(random));
        const double size = sim.model().islands.at(0).size;
        EXPECT_EQ(sim.assemble().result, AssemblyResult::satisfied);
        const Vec3 home = sim.drags()[0].path.keys[0].pose.x;
        const int kind = random.integer(0, 2);
        for (int frame = 0; frame < 12; ++frame) {
            Pose target{home, random.orientation()};
            const double t = sim.state().time + sim.model().simulation.dt;
            if (kind == 0 && frame % 2 == 0) target.x += 1000 * size * random.direction();
            if (kind == 1) target.x += size * Vec3{std::cos(2 * pi * 50 * t), std::sin(2 * pi * 50 * t), 0};
            if (kind == 2) target.x += random.log_uniform(1e-6, 1e3) * size * random.direction();
            sim.pull("hand", target);
            const StepReport& step = sim.advance();
            ASSERT_TRUE(finite(sim.state())) << "frame " << frame;
            EXPECT_EQ(step.unconverged, 0);
            // Places 1000 sizes away have a round-off of 1e-13 sizes.
            std::vector<double> errors;
            const JointErrors e = measure_joints(sim.model(), sim.state(), errors);
            worst = std::fmax(worst, e.worst_gap / size);
            ASSERT_LE(e.worst_gap, 1e-11 * size) << "frame " << frame;
            ASSERT_LE(e.worst_angle, 1e-9) << "frame " << frame;
        }
    }
    fmt::print("[ measured ] worst gap {:.2g} sizes\n", worst);
}
INSTANTIATE_TEST_SUITE_P(Batch, UnreasonableDragsSlow, testing::Range(0, batches));

}  // namespace
}  // namespace armature

// Assembly by the linearized solver of structures whose parts lie about at random.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/scene/load.h"
#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/test_scale.h"

namespace armature {
namespace {

TEST(ScatteredParts, NinetyNineOfAHundredComeTogetherAndTheRestIsTold) {
    int assembled = 0, again = 0;
    const int scenes = test::scaled(200, 20);
    for (int scene = 0; scene < scenes; ++scene) {
        SCOPED_TRACE(fmt::format("scene {}", scene));
        Random random(static_cast<std::uint64_t>(scene) + 7000);
        test::StructureOptions options;
        options.bodies = random.integer(2, 15);
        options.mass_ratio = random.log_uniform(1, 1e3);
        options.loops = scene % 3;
        Spec spec = test::random_structure(random, options);
        spec.simulation.solver = "linearized";
        for (SolidSpec& s : spec.solids) s.pose_WB = {random.in_box(2), random.orientation()};
        Simulator sim(spec);
        const AssemblyReport report = sim.assemble();
        std::vector<double> errors;
        measure_joints(sim.model(), sim.state(), errors);
        double worst = 0;
        for (const double e : errors) worst = std::fmax(worst, e);
        const bool holds = worst <= 1e-9;
        EXPECT_EQ(report.result == AssemblyResult::satisfied, holds) << worst;
        assembled += holds;
        again += report.restarts > 0;
    }
    RecordProperty("started_again", again);
    EXPECT_GE(assembled, 0.99 * scenes);
}

/// FAU's figures, hand in hand and foot by foot: 176 solids, limits at every limb, the parts of all of them in one heap.
TEST(ScatteredParts, TheFigureRingComesTogetherFromAHeap) {
    const int heaps = test::scaled(20, 3);
    for (int heap = 0; heap < heaps; ++heap) {
        SCOPED_TRACE(fmt::format("heap {}", heap));
        Random random(static_cast<std::uint64_t>(heap) + 1);
        Diagnostics diagnostics;
        Spec spec = load_file(ARMATURE_SOURCE_DIR "/scenes/figure_ring.arm", {}, diagnostics).spec;
        for (SolidSpec& s : spec.solids)
            if (s.kernel == Kernel::dynamic) s.pose_WB = {random.in_box(3), random.orientation()};
        Simulator sim(spec);
        EXPECT_EQ(sim.assemble().result, AssemblyResult::satisfied);
        std::vector<double> errors;
        measure_joints(sim.model(), sim.state(), errors);
        for (std::size_t j = 0; j < errors.size(); ++j) EXPECT_LE(errors[j], 1e-9) << sim.model().joints[j].name;
    }
}

// The island that solvers are given lacks the hands that do not hold yet; the procedural solver knows islands by their place in the model.
TEST(ScatteredParts, AHandThatComesLaterDoesNotDisturbThem) {
    Random random(1);
    Diagnostics diagnostics;
    Spec spec = load_file(ARMATURE_SOURCE_DIR "/scenes/figure_ring.arm", {}, diagnostics).spec;
    std::string taken;
    for (SolidSpec& s : spec.solids)
        if (s.kernel == Kernel::dynamic) {
            s.pose_WB = {random.in_box(3), random.orientation()};
            taken = s.name;
        }
    DraggedSpec& hand = spec.add_drag("hand", taken);
    hand.path.keys = {{0, {}}};
    hand.from = 5;
    Simulator sim(spec);
    const AssemblyReport report = sim.assemble();
    EXPECT_EQ(report.result, AssemblyResult::satisfied);
    EXPECT_GT(report.restarts, 0);
}

}  // namespace
}  // namespace armature

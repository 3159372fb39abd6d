// The dragged scenes: feet stay, hands arrive, and what is out of reach is told.
#include <algorithm>
#include <cmath>

#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

double error_of(const Simulator& sim, const std::string& joint) {
    std::vector<double> errors;
    measure_joints(sim.model(), sim.state(), errors);
    return errors[static_cast<std::size_t>(sim.model().find_joint(joint))];
}

TEST(Marionette, HasFifteenPartsOrMore) {
    const Model model = test::load_scene_model("marionette");
    EXPECT_GE(std::count_if(model.bodies.begin(), model.bodies.end(), [](const Body& b) { return b.dynamic(); }), 15);
}

// 150 sweeps at most: measured 138.
TEST(Marionette, KeepsItsFeetAndFollowsTheHandWithin150Sweeps) {
    Simulator sim(test::load_scene_model("marionette"));
    sim.assemble();
    int most = 0;
    while (sim.state().frame < sim.frame_count()) {
        most = std::max(most, sim.advance().max_iterations);
        ASSERT_LE(std::fmax(error_of(sim, "pin[1]"), error_of(sim, "pin[2]")), 1e-6) << sim.state().time;
        ASSERT_LE(error_of(sim, "hand"), 1e-4) << sim.state().time;
    }
    EXPECT_LE(most, 150);
    EXPECT_LE(sim.report().angle.value, 1e-6);
}

TEST(Marionette, PulledTooFarItKeepsItsFeetAndSaysHowFarTheHandIsOff) {
    Diagnostics diagnostics;
    const Scene scene = load_file(test::scene_path("marionette"), {{{"far", "3"}}}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors());
    Simulator sim(compile(scene.spec));
    sim.assemble();
    for (int k = 0; k < 120; ++k) {
        sim.advance();
        ASSERT_LE(std::fmax(error_of(sim, "pin[1]"), error_of(sim, "pin[2]")), 1e-6) << sim.state().time;
    }
    EXPECT_FALSE(sim.report().converged(1e-3));
    EXPECT_EQ(sim.model().joints[static_cast<std::size_t>(sim.report().gap.joint)].name, "hand");
    EXPECT_GT(sim.report().gap.value, 1);
}

}  // namespace
}  // namespace armature

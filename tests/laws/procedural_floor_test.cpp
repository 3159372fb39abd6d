// Floors under the procedural solver: what has entered one is pushed out, joints hold all the same.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

Spec floor_scene(double friction) {
    Spec spec;
    spec.simulation.solver = "procedural";
    SolidSpec& floor = spec.add_solid("floor");
    floor.kernel = Kernel::fixed;
    floor.shapes.push_back({"", Plane{}, {}, {}});
    floor.contact = ContactSpec{friction, {}, 0};
    return spec;
}

/// How deep the lowest corner of a brick is below y = 0.
double depth(const Simulator& sim, const std::string& brick) {
    double low = infinity;
    for (const double x : {-0.2, 0.2})
        for (const double y : {-0.1, 0.1})
            for (const double z : {-0.05, 0.05}) low = std::fmin(low, (sim.pose(brick) * Vec3{x, y, z}).y);
    return -low;
}

TEST(ProceduralFloor, ABrickComesToRestOnIt) {
    Spec spec = floor_scene(0.5);
    test::add_brick(spec, "brick", {0, 0.5, 0}).pose_WB.q = exp_rotation({0.1, 0.2, 0.3});
    Simulator sim(spec);
    sim.advance_to(4);
    EXPECT_LE(std::fabs(depth(sim, "brick")), 1e-3);
    EXPECT_LE(norm(sim.state().v[2]), 0.05);
    EXPECT_EQ(sim.report().unbalanced, 0);
}

TEST(ProceduralFloor, AChainLiesOnItWithItsJointsHolding) {
    Spec spec = floor_scene(0.5);
    test::add_chain(spec, "link", 6, {0, 0.8, 0}, false);
    spec.simulation.verlet_keep = 0.98;
    Simulator sim(spec);
    for (int k = 0; k < 240; ++k) {
        sim.advance();
        for (int i = 0; i < 6; ++i) EXPECT_LE(depth(sim, fmt::format("link{}", i)), 1e-3) << sim.state().time;
    }
    EXPECT_LE(sim.report().gap.value, 1e-12);
    EXPECT_LE(sim.pose("link3").x.y, 0.25) << "it lies";
}

// Coulomb: it stops after v²/(2 μ g), to the length of a step.
TEST(ProceduralFloor, FrictionBrakesWhatSlides) {
    Spec spec = floor_scene(0.4);
    test::add_brick(spec, "brick", {0, 0.1, 0}).velocity = {1, 0, 0};
    spec.simulation.dt = 1.0 / 240;
    Simulator sim(spec);
    sim.advance_to(2);
    EXPECT_NEAR(sim.pose("brick").x.x, 1 / (2 * 0.4 * 9.81), 0.02);
    EXPECT_LE(norm(sim.state().v[2]), 1e-3);
}

}  // namespace
}  // namespace armature

// Nets of thin rods on ball joints: every mesh is a loop, and rods turn about their axis at the slightest torque.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../bench/scenes.h"
#include "armature/sim/simulator.h"

namespace armature::net {
namespace {

/// The net of the benchmarks: n × n meshes of rods of 0.1 m, 5 mm thick, from a shallow bowl, held by two corners.
Spec net(int n) {
    Spec spec = bench::net(n);
    spec.simulation.solver = "linearized";
    return spec;
}

double worst_gap(const Simulator& s) {
    double worst = 0;
    for (const Joint& joint : s.model().joints) {
        const auto at = [&](BodyId body) {
            const Pose pose = s.state().pose_WB(s.model(), body);
            return Placement{pose.x, to_matrix(pose.q)};
        };
        for (const Part& part : joint.parts) worst = std::max(worst, violation(part, at(joint.body1), at(joint.body2)));
    }
    return worst;
}

TEST(Net, NoStepNeedsRowsOfAnyKind) {
    Simulator s(net(10));
    s.advance_to(2);
    const auto& ways = s.report().ways;
    const auto tied = static_cast<std::size_t>(LinearWay::tied_points);
    for (std::size_t w = 0; w < ways.size(); ++w) EXPECT_EQ(ways[w] == 0, w != tied) << linear_way_names[w];
    EXPECT_EQ(s.report().unconverged, 0);
    EXPECT_LE(s.report().gap.value, 1e-9);
}

// Closed along a tree, gaps of a hundredth of a millimetre would add up to millimetres where it closes the loops.
TEST(Net, ThreeIterationsKeepEveryGapWithinTheTolerance) {
    Spec spec = net(10);
    spec.simulation.tolerance = 1e-3;
    spec.simulation.iterations = 3;
    Simulator s(spec);
    double worst = 0;
    for (int frame = 0; frame < 120; ++frame) {
        s.advance();
        worst = std::max(worst, worst_gap(s));
    }
    EXPECT_LE(worst, 1e-3);
    fmt::print("[ measured ] worst gap {:.2g} m\n", worst);
}

// Stiffness of what the joints are expected to carry saves an iteration, and expecting it keeps no load that nothing asks for:
// in a net at rest nobody could tell how long it has been hanging.
TEST(Net, LoadsDoNotGrowWithTime) {
    Spec spec = net(6);
    spec.forces.push_back({"", DragSpec{"", 0.2, 1e-4}, {}});
    Simulator s(spec);
    const auto largest = [&] {
        double most = 0;
        for (const JointLoad& load : s.state().loads) most = std::max(most, norm(load.force));
        return most;
    };
    s.advance_to(8);
    const double early = largest();
    s.advance_to(30);
    EXPECT_NEAR(largest(), early, 0.01 * early);
}

}  // namespace
}  // namespace armature::net

// Nets of thin rods on ball joints: every mesh is a loop, and rods turn about their axis at the slightest torque.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "armature/sim/simulator.h"

namespace armature::net {
namespace {

/// n × n meshes of rods of 0.1 m, 5 mm thick, from a shallow bowl, held by the corners.
Spec net(int n) {
    constexpr double bend = pi / 3, side = 0.1;  // rad, half the angle of the arcs; m
    const double step = 2 * bend / n, radius = side / (2 * std::sin(0.5 * step));
    const auto knot = [&](int i, int j) {
        const double a = i * step - bend, b = j * step - bend;
        return radius * Vec3{std::sin(a), -std::cos(a) - std::cos(b), std::sin(b)};
    };
    Spec spec;
    struct End {
        std::string solid;
        Vec3 at;
    };
    std::map<std::pair<int, int>, End> last;  // at each knot
    for (const auto& corner : {std::pair{0, 0}, {n, 0}, {0, n}, {n, n}})
        last[corner] = {"world", knot(corner.first, corner.second)};
    const auto add_rod = [&](const std::string& name, std::pair<int, int> from, std::pair<int, int> to) {
        const Vec3 x1 = knot(from.first, from.second), x2 = knot(to.first, to.second);
        SolidSpec& s = spec.add_solid(name);
        s.shapes.push_back({"", Box{{side, 0.005, 0.005}}, {}, {}});
        s.mass = 0.02;
        s.pose_WB = {0.5 * (x1 + x2), shortest_arc({1, 0, 0}, normalized(x2 - x1))};
        for (const auto& [at, end] : {std::pair{from, -0.5 * side}, std::pair{to, 0.5 * side}}) {
            if (const auto before = last.find(at); before != last.end())
                spec.add_constraint(before->second.solid, name).hinge =
                    HingeSpec{before->second.at, {end, 0, 0}, PointDomain{}};
            last[at] = {name, {end, 0, 0}};
        }
    };
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            if (i < n) add_rod(fmt::format("c{}_{}", i, j), {i, j}, {i + 1, j});
            if (j < n) add_rod(fmt::format("r{}_{}", i, j), {i, j}, {i, j + 1});
        }
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

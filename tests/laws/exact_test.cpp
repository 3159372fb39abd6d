// The scheme `exact`: energy and momentum are kept to round-off by every joint that does no work, at a step of 1/60 s.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"

namespace armature {
namespace {

Spec exact_scene() {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = Scheme::exact;
    return spec;
}

SolidSpec& add_rod(Spec& spec, const std::string& name, const Vec3& centre) {
    SolidSpec& s = spec.add_solid(name);
    s.shapes.emplace_back().geometry = Box{{1, 0.1, 0.1}};
    s.mass = 10;
    s.pose_WB.x = centre;
    return s;
}

/// Rods of a metre and 10 kg in a row along x, jointed by balls, the first to the world when `held`.
Spec chain(int links, bool held) {
    Spec spec = exact_scene();
    for (int i = 0; i < links; ++i) {
        add_rod(spec, fmt::format("link{}", i), {0.5 + i, 0, 0});
        if (i == 0 && !held) continue;
        spec.add_constraint(fmt::format("link{}", i), i > 0 ? fmt::format("link{}", i - 1) : "world").hinge =
            HingeSpec{{-0.5, 0, 0}, {i > 0 ? 0.5 : 0, 0, 0}, PointDomain{}};
    }
    return spec;
}

/// The largest change of energy over the run, as a share of the largest kinetic energy.
double worst_change(Simulator& s, double time) {
    const double before = measure_mechanics(s.model(), s.state()).energy();
    double worst = 0, kinetic = 0;
    while (s.state().time < time - 1e-9) {
        s.advance();
        const Mechanics m = measure_mechanics(s.model(), s.state());
        worst = std::fmax(worst, std::fabs(m.energy() - before));
        kinetic = std::fmax(kinetic, m.kinetic);
    }
    EXPECT_EQ(s.report().unconverged, 0);
    EXPECT_LE(s.report().gap.value, 1e-9);
    return worst / kinetic;
}

TEST(Exact, ASwingingChainOfTenKeepsItsEnergyForTenSeconds) {
    Simulator s(chain(10, true));
    EXPECT_LE(worst_change(s, 10), 1e-6);
}

TEST(ExactSlow, AChainOfAHundredKeepsItsEnergyThroughTheWhip) {
    Simulator s(chain(100, true));  // its end cracks at about 4.7 s
    EXPECT_LE(worst_change(s, 10), 1e-6);
}

TEST(Exact, AFloatingChainKeepsEnergyAndBothMomenta) {
    Spec spec = chain(10, false);
    spec.simulation.gravity = {};
    for (std::size_t i = 0; i < spec.solids.size(); ++i)
        spec.solids[i].velocity = {0.1 * static_cast<double>(i), -0.3, 2 * std::sin(static_cast<double>(i))};
    spec.solids[3].spin = {3, 1, -2};
    Simulator s(spec);
    s.advance();  // fits the given velocities to the joints
    const Mechanics first = measure_mechanics(s.model(), s.state());
    EXPECT_LE(worst_change(s, 10), 1e-8);
    const Mechanics last = measure_mechanics(s.model(), s.state());
    EXPECT_LE(norm(last.momentum - first.momentum), 1e-12 * norm(first.momentum));
    EXPECT_LE(norm(last.angular_momentum - first.angular_momentum), 1e-9 * norm(first.angular_momentum));
}

// T = 4 √(I/(m g l)) K(sin ½θ₀), K(k) = π/(2 AGM(1, √(1 − k²))): a rod let go at 60° from below.
TEST(Exact, ThePeriodOfAPendulumIsOfSecondOrder) {
    const auto error_at = [](double dt) {
        Spec spec = exact_scene();
        spec.simulation.dt = dt;
        SolidSpec& rod = add_rod(spec, "rod", {});
        rod.pose_WB.q = from_axis_angle({0, 0, 1}, -pi / 6);  // x of the rod points down at 60° from the vertical
        rod.pose_WB.x = rotate(rod.pose_WB.q, {0.5, 0, 0});
        spec.add_constraint("rod", "world").hinge = HingeSpec{{-0.5, 0, 0}, {}, PointDomain{}};
        Simulator s(spec);
        std::vector<double> crossings;
        double before = s.state().x[1].x;
        while (crossings.size() < 3 && s.state().time < 10) {
            s.advance();
            const double now = s.state().x[1].x;
            if (before * now < 0) crossings.push_back(s.state().time - dt * now / (now - before));
            before = now;
        }
        double a = 1, b = std::cos(pi / 6);  // √(1 − sin²30°)
        for (int i = 0; i < 10; ++i) std::tie(a, b) = std::pair{0.5 * (a + b), std::sqrt(a * b)};
        const double inertia = 10 * ((1 + 0.01) / 12 + 0.25);
        const double period = 4 * std::sqrt(inertia / (10 * 9.81 * 0.5)) * pi / (2 * a);
        return crossings.size() == 3 ? std::fabs(crossings[2] - crossings[0] - period) : infinity;
    };
    const double coarse = error_at(1.0 / 60), fine = error_at(1.0 / 240);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.4) << coarse << " " << fine;
}

TEST(Exact, FittingVelocitiesKeepsMomentum) {
    Spec spec = chain(4, false);
    spec.simulation.gravity = {};
    for (std::size_t i = 0; i < spec.solids.size(); ++i) spec.solids[i].velocity = {0, static_cast<double>(i * i), 0};
    Simulator s(spec);
    const Mechanics before = measure_mechanics(s.model(), s.state());
    s.advance();
    const Mechanics after = measure_mechanics(s.model(), s.state());
    EXPECT_LE(norm(after.momentum - before.momentum), 1e-12 * norm(before.momentum));
    EXPECT_LE(norm(after.angular_momentum - before.angular_momentum), 1e-9 * norm(before.angular_momentum));
    EXPECT_LT(after.kinetic, before.kinetic) << "the joints took up what they do not allow";
}

/// A heavy frame that tumbles freely, with something jointed to it at (0.5, 0, 0).
Spec tumbling_pair(JointType type) {
    Spec spec = exact_scene();
    spec.simulation.gravity = {};
    SolidSpec& frame = spec.add_solid("frame");
    frame.shapes.emplace_back().geometry = Box{{1, 0.3, 0.6}};
    frame.mass = 5;
    frame.spin = {1, 2, 0.5};
    SolidSpec& arm = add_rod(spec, "arm", {1, 0, 0});
    arm.mass = 2;
    arm.spin = {1, 2, 3};
    arm.velocity = {0.1, 0, -0.2};
    const Vec3 at{0.5, 0, 0}, axis{0, 0, 1}, second{1, 0, 0};
    // `frame` is gone: the list of solids has grown since.
    spec.constraints.push_back(make_joint(type, "arm", joint_frame(arm.pose_WB, at, axis, second), "frame",
                                          joint_frame(spec.find_solid("frame")->pose_WB, at, axis, second)));
    return spec;
}

class ExactJoints : public testing::TestWithParam<JointType> {};

TEST_P(ExactJoints, DoNoWorkOnATumblingFrame) {
    Simulator s(tumbling_pair(GetParam()));
    s.advance();
    const Mechanics first = measure_mechanics(s.model(), s.state());
    EXPECT_LE(worst_change(s, 5), 1e-8);
    const Mechanics last = measure_mechanics(s.model(), s.state());
    EXPECT_LE(norm(last.momentum - first.momentum), 1e-12 * (1 + norm(first.momentum)));
    EXPECT_LE(norm(last.angular_momentum - first.angular_momentum), 1e-9 * norm(first.angular_momentum));
}

INSTANTIATE_TEST_SUITE_P(Joint, ExactJoints,
                         testing::Values(JointType::embedding, JointType::pin, JointType::sliding,
                                         JointType::cylindrical, JointType::ball, JointType::ball_in_cylinder,
                                         JointType::plane_on_plane, JointType::ball_on_plane),
                         [](const auto& type) { return std::string(joint_type(type.param).name); });

}  // namespace
}  // namespace armature

// Mechanisms of the plane move in it as they do in space, and carry the same loads.
#include "armature/solvers/linearized/planar/planar.h"

#include <gtest/gtest.h>

#include "armature/sim/mechanics.h"
#include "solvers/planar_mechanisms.h"

namespace armature::planar {
namespace {

class Planar : public testing::TestWithParam<std::tuple<Mechanism, Scheme, bool>> {};

TEST_P(Planar, MovesAsRowsOfAnyKindDoInSpace) {
    const auto [mechanism, scheme, tilted] = GetParam();
    Simulator quick(build(mechanism, scheme, tilted)), slow(build(mechanism, scheme, tilted, true));
    for (int frame = 0; frame < 30; ++frame) {
        quick.advance();
        slow.advance();
        for (std::size_t i = 0; i < quick.state().x.size(); ++i) {
            ASSERT_LE(norm(quick.state().x[i] - slow.state().x[i]), 1e-8) << frame;
            ASSERT_LE(norm(quick.state().w[i] - slow.state().w[i]), 1e-5) << frame;
        }
    }
    EXPECT_LE(quick.report().gap.value, 1e-9);
    EXPECT_LE(quick.report().angle.value, 1e-9);
    EXPECT_EQ(quick.report().unconverged, 0);
    EXPECT_GE(steps_in_plane(quick), quick.report().steps - 1);  // the first may have to put right what was written
    EXPECT_EQ(steps_in_plane(slow), 0);
}

/// Out of the plane: where there are loops only the balance is given, along a tree all of it.
Vec3 across(const Vec3& v, const Vec3& normal) {
    return v - dot(v, normal) * normal;
}
TEST_P(Planar, LoadsAreThoseOfTheRowsAndBalanceOutOfThePlane) {
    const auto [mechanism, scheme, tilted] = GetParam();
    Simulator quick(build(mechanism, scheme, tilted)), slow(build(mechanism, scheme, tilted, true));
    for (int frame = 0; frame < 10; ++frame) {
        quick.advance();
        slow.advance();
    }
    const Model& model = quick.model();
    const bool determined = mechanism != Mechanism::parallelogram, tree = is_tree(mechanism);
    const Vec3 normal = tilted ? rotate(from_axis_angle({1, -2, 0.5}, 0.8), {0, 0, 1}) : Vec3{0, 0, 1};
    std::vector<Vec3> torque(model.bodies.size());
    double largest = 0;
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
        const JointLoad &a = quick.state().loads[k], &b = slow.state().loads[k];
        if (determined) {
            EXPECT_LE(norm(across(a.force - b.force, normal)), 1e-5 * (1 + norm(b.force))) << k;
        }
        if (tree) {
            EXPECT_LE(norm(a.torque - b.torque), 1e-4 * (1 + norm(b.torque))) << k;
        }
        const Joint& joint = model.joints[k];
        const auto& point = std::get<PointPart>(joint.parts[0]);
        const auto add = [&](BodyId body, const Vec3& arm_G, double sign) {
            const auto i = static_cast<std::size_t>(body);
            const Vec3 of_force = cross(rotate(quick.state().q[i], arm_G), a.force);
            largest = std::max(largest, norm(of_force));
            torque[i] += sign * (of_force + a.torque);
        };
        add(joint.body1, point.p1_G, 1);
        add(joint.body2, point.p2_G, -1);
    }
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
        const Vec3 axis = rotate_back(quick.state().q[i], normal),
                   across_axis = cross(model.bodies[i].inertia_G * axis, axis);
        if (norm(across_axis) > 1e-10) continue;  // lopsided: it takes a torque to keep it in the plane
        EXPECT_LE(norm(cross(torque[i], normal)), 1e-10 * largest) << model.bodies[i].name;
    }
}

TEST_P(Planar, WideMachinesGiveTheSameBits) {
    const auto [mechanism, scheme, tilted] = GetParam();
    const Spec spec = build(mechanism, scheme, tilted);
    Simulator wide(spec);
    wide.advance_to(1);
    lanes::limit_machine(lanes::Machine::plain);
    Simulator plain(spec);
    plain.advance_to(1);
    lanes::limit_machine(lanes::Machine::widest);
    EXPECT_EQ(hash(wide.state()), hash(plain.state()));
}

TEST_P(Planar, OneIterationClosesTheTreeToRoundOff) {
    const auto [mechanism, scheme, tilted] = GetParam();
    Spec spec = build(mechanism, scheme, tilted);
    spec.simulation.iterations = 1;
    spec.simulation.tolerance = 1e-2;
    Simulator s(spec);
    s.advance_to(0.5);
    EXPECT_GT(steps_in_plane(s), 0);
    EXPECT_LE(s.report().gap.value, is_tree(mechanism) ? 1e-13 : 1e-2);
}

constexpr const char* names[] = {"four_bar",        "parallelogram", "scissor",      "staggered_chain",
                                 "crank_with_legs", "driven",        "driven_crank", "lopsided"};
const auto mechanisms = testing::Values(Mechanism::four_bar, Mechanism::parallelogram, Mechanism::scissor,
                                        Mechanism::staggered_chain, Mechanism::crank_with_legs, Mechanism::lopsided);

std::string name_of(const testing::TestParamInfo<std::tuple<Mechanism, Scheme, bool>>& of) {
    const auto [mechanism, scheme, tilted] = of.param;
    return fmt::format("{}_{}{}", names[static_cast<int>(mechanism)], scheme == Scheme::exact ? "exact" : "newton",
                       tilted ? "_tilted" : "");
}
const auto all_mechanisms =
    testing::Values(Mechanism::four_bar, Mechanism::parallelogram, Mechanism::scissor, Mechanism::staggered_chain,
                    Mechanism::crank_with_legs, Mechanism::driven, Mechanism::driven_crank, Mechanism::lopsided);
INSTANTIATE_TEST_SUITE_P(All, Planar,
                         testing::Combine(all_mechanisms, testing::Values(Scheme::newton, Scheme::exact),
                                          testing::Bool()),
                         name_of);

class PlanarExact : public testing::TestWithParam<std::tuple<Mechanism, bool>> {};

TEST_P(PlanarExact, KeepsEnergyThroughTenThousandFrames) {
    const auto [mechanism, tilted] = GetParam();
    Simulator s(build(mechanism, Scheme::exact, tilted));
    s.advance();
    const double before = measure_mechanics(s.model(), s.state()).energy();
    double most = 0, kinetic = 0;
    for (int i = 0; i < 10'000; ++i) {
        s.advance();
        const Mechanics now = measure_mechanics(s.model(), s.state());
        most = std::max(most, std::fabs(now.energy() - before));
        kinetic = std::max(kinetic, now.kinetic);
    }
    EXPECT_LE(most, 1e-7 * kinetic);
    EXPECT_LE(s.report().gap.value, 1e-9);
    EXPECT_LE(s.report().angle.value, 1e-9);
    // A chain is thrown about; a step in a thousand for which Newton's method finds no motion is taken up in space.
    EXPECT_GE(steps_in_plane(s), s.report().steps - s.report().steps / 1000 - 1);
}

std::string name_of_exact(const testing::TestParamInfo<std::tuple<Mechanism, bool>>& of) {
    const auto [mechanism, tilted] = of.param;
    return fmt::format("{}{}", names[static_cast<int>(mechanism)], tilted ? "_tilted" : "");
}
INSTANTIATE_TEST_SUITE_P(All, PlanarExact, testing::Combine(mechanisms, testing::Bool()), name_of_exact);

}  // namespace
}  // namespace armature::planar

// The inner loop for ball joints and pins finds what the rows of any kind find, and the same bits on every machine.
#include "armature/solvers/linearized/bilateral.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/model/joint_library.h"
#include "armature/sim/free_motion.h"
#include "armature/sim/simulator.h"

namespace armature {
namespace {

enum class Structure { chain, pins, ring, heavy };

/// A joint that holds since before the start always holds, and is still not one of those that the inner loop knows.
Spec build(Structure structure, Scheme scheme, bool the_long_way) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    const int links = structure == Structure::ring ? 12 : 8;
    for (int i = 0; i < links; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("link{}", i));
        s.shapes.emplace_back().geometry = Box{{0.2, 0.03, 0.02}};
        s.mass = structure == Structure::heavy && i == links - 1 ? 1000 : 1;
        const double angle = 2 * pi / links * i;
        if (structure == Structure::ring) {
            const double radius = 0.1 / std::tan(pi / links);
            s.pose_WB = {{radius * std::sin(angle), radius * std::cos(angle), 0}, from_axis_angle({0, 0, 1}, -angle)};
            s.spin = {0, 0, 2};
            s.velocity = cross(s.spin, s.pose_WB.x);
        } else {
            s.pose_WB.x = {0.1 + 0.2 * i, 0, 0};
        }
    }
    for (int i = structure == Structure::ring ? 0 : -1; i < links; ++i) {
        if (structure != Structure::ring && i == links - 1) break;
        const std::string one = i < 0 ? "world" : fmt::format("link{}", i),
                          two = fmt::format("link{}", (i + 1) % links);
        const Vec3 p1{i < 0 ? 0 : 0.1, 0, 0}, p2{-0.1, 0, 0}, axis{0, 0, 1};
        if (structure == Structure::pins) {
            ConstraintSpec pin = make_joint(JointType::pin, one, {p1, axis, {1, 0, 0}}, two, {p2, axis, {1, 0, 0}});
            pin.freedoms.clear();
            spec.constraints.push_back(pin);
        } else {
            spec.add_constraint(one, two).hinge = HingeSpec{p1, p2, PointDomain{}};
        }
    }
    if (the_long_way)
        for (ConstraintSpec& c : spec.constraints) c.from = -1;
    return spec;
}

class Bilateral : public testing::TestWithParam<std::tuple<Structure, Scheme>> {};

TEST_P(Bilateral, MovesAsRowsOfAnyKindDo) {
    const auto [structure, scheme] = GetParam();
    Simulator quick(build(structure, scheme, false)), slow(build(structure, scheme, true));
    // Until the two differ by what chaos makes of round-off.
    for (int frame = 0; frame < 20; ++frame) {
        quick.advance();
        slow.advance();
        for (std::size_t i = 0; i < quick.state().x.size(); ++i) {
            ASSERT_LE(norm(quick.state().x[i] - slow.state().x[i]), 1e-8) << frame;
            ASSERT_LE(norm(quick.state().w[i] - slow.state().w[i]), 1e-5) << frame;
        }
    }
    EXPECT_LE(quick.report().gap.value, 1e-9);
    EXPECT_EQ(quick.report().unconverged, 0);
}

TEST_P(Bilateral, FourNumbersAtOnceGiveTheSameBitsAsOne) {
    const auto [structure, scheme] = GetParam();
    const Spec spec = build(structure, scheme, false);
    Simulator wide(spec);
    wide.advance_to(1);
    BilateralNewton::allow_wide(false);
    Simulator plain(spec);
    plain.advance_to(1);
    BilateralNewton::allow_wide(true);
    EXPECT_EQ(hash(wide.state()), hash(plain.state()));
}

TEST_P(Bilateral, LoadsOfTheJointsAreThoseOfTheRows) {
    const auto [structure, scheme] = GetParam();
    Simulator quick(build(structure, scheme, false)), slow(build(structure, scheme, true));
    for (int frame = 0; frame < 10; ++frame) {
        quick.advance();
        slow.advance();
    }
    for (std::size_t k = 0; k < quick.model().joints.size(); ++k) {
        const JointLoad &a = quick.state().loads[k], &b = slow.state().loads[k];
        EXPECT_LE(norm(a.force - b.force), 1e-5 * (1 + norm(b.force))) << k;
        EXPECT_LE(norm(a.torque - b.torque), 1e-4 * (1 + norm(b.torque))) << k;
    }
}

std::string name_of(const testing::TestParamInfo<std::tuple<Structure, Scheme>>& parameters) {
    static const std::map<Structure, std::string> structures{
        {Structure::chain, "chain"}, {Structure::pins, "pins"}, {Structure::ring, "ring"}, {Structure::heavy, "heavy"}};
    const auto [structure, scheme] = parameters.param;
    return fmt::format("{}_{}", structures.at(structure), scheme_info(scheme).name);
}

INSTANTIATE_TEST_SUITE_P(Structures, Bilateral,
                         testing::Combine(testing::Values(Structure::chain, Structure::pins, Structure::ring,
                                                          Structure::heavy),
                                          testing::Values(Scheme::newton, Scheme::exact, Scheme::euler)),
                         name_of);

}  // namespace
}  // namespace armature

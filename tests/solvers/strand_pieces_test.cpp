// Chains that are longer than what the second cache holds go in pieces (lockstep/plan_strands.cpp), which are condensed ahead of each
// other: the same motion as by rows of any kind, the same bits on every machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/model/compile.h"
#include "armature/sim/simulator.h"
#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature::strand_pieces {
namespace {

enum class Kind { in_space, in_plane, backward, ring };

constexpr int links = 2500;

/// Hung by one end, stretched out level; a ring of them flies and turns.
Spec chain(Kind kind, Scheme scheme, bool the_long_way = false) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    if (kind != Kind::in_plane) spec.simulation.gravity = {0, -9.81, 0.1};
    const double radius = 0.1 / std::tan(pi / links);
    for (int i = 0; i < links; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("link{}", i));
        s.shapes.push_back({"", Box{{0.2, 0.03, 0.02}}, {}, {}});
        s.mass = 1;
        s.pose_WB.x = {0.1 + 0.2 * i, 0, 0};
        if (kind == Kind::ring) {
            const double angle = 2 * pi / links * i;
            s.pose_WB = {{radius * std::sin(angle), radius * std::cos(angle), 0}, from_axis_angle({0, 0, 1}, -angle)};
            s.spin = {0, 0, 0.05};
            s.velocity = cross(s.spin, s.pose_WB.x);
        }
        if (kind == Kind::ring && i == 0) continue;
        const std::string before = i == 0 ? "world" : fmt::format("link{}", i - 1);
        const Vec3 p1{i == 0 ? 0 : 0.1, 0, 0}, p2{-0.1, 0, 0};
        if (kind == Kind::backward)
            spec.add_constraint(s.name, before).hinge = HingeSpec{p2, p1, PointDomain{}};
        else
            spec.add_constraint(before, s.name).hinge = HingeSpec{p1, p2, PointDomain{}};
    }
    if (kind == Kind::ring)
        spec.add_constraint(fmt::format("link{}", links - 1), "link0").hinge =
            HingeSpec{{0.1, 0, 0}, {-0.1, 0, 0}, PointDomain{}};
    if (the_long_way)
        for (ConstraintSpec& c : spec.constraints) c.from = -1;
    return spec;
}

std::size_t strands_of(const Spec& spec) {
    const Model model = compile(spec);
    BilateralPlan plan;
    add_bodies_and_nodes(model, model.islands[0], plan);
    const std::unique_ptr<Lockstep> lockstep = make_lockstep(plan, model.islands[0].dynamic_count);
    return lockstep ? lockstep->strands.size() : 0;
}

class StrandPieces : public testing::TestWithParam<std::tuple<Kind, Scheme>> {};

TEST_P(StrandPieces, MoveAsRowsOfAnyKindDo) {
    const auto [kind, scheme] = GetParam();
    const Spec spec = chain(kind, scheme);
    ASSERT_GE(strands_of(spec), 4u);
    Simulator quick(spec), slow(chain(kind, scheme, true));
    double away = 0;
    for (int frame = 0; frame < 4; ++frame) {
        quick.advance();
        slow.advance();
        for (std::size_t i = 0; i < quick.state().x.size(); ++i)
            away = std::max(away, norm(quick.state().x[i] - slow.state().x[i]));
    }
    fmt::print("[ measured ] {:.1e} m\n", away);
    EXPECT_LE(away, 3e-11);  // ten times what was measured
    EXPECT_LE(quick.report().gap.value, 1e-9);
    EXPECT_EQ(quick.report().unconverged, 0);
}

TEST_P(StrandPieces, HaveTheSameBitsOnMachinesOfAllWidths) {
    const auto [kind, scheme] = GetParam();
    Simulator widest(chain(kind, scheme));
    widest.advance_to(0.1);
    for (const lanes::Machine most : {lanes::Machine::wide, lanes::Machine::plain}) {
        lanes::limit_machine(most);
        Simulator narrow(chain(kind, scheme));
        narrow.advance_to(0.1);
        lanes::limit_machine(lanes::Machine::widest);
        EXPECT_EQ(hash(widest.state()), hash(narrow.state()));
    }
}

INSTANTIATE_TEST_SUITE_P(Chains, StrandPieces,
                         testing::Combine(testing::Values(Kind::in_space, Kind::in_plane, Kind::backward, Kind::ring),
                                          testing::Values(Scheme::newton, Scheme::exact)));

// Whether pieces were begun with ahead, and in which order they are gone through, is of no consequence: a solver that goes on and one
// that begins anew with each frame give the same bits.
TEST(StrandPieces, WhatIsBegunAheadChangesNothing) {
    Spec spec = chain(Kind::in_space, Scheme::newton);
    for (const int iterations : {1, 2, 3, 1000}) {
        spec.simulation.iterations = iterations;
        Simulator goes_on(spec);
        State state = goes_on.state();
        for (int frame = 0; frame < 4; ++frame) {
            Simulator anew(spec);
            anew.set_state(state);
            anew.advance();
            state = anew.state();
            goes_on.advance();
            ASSERT_EQ(hash(goes_on.state()), hash(state)) << iterations << " iterations, frame " << frame;
        }
        EXPECT_LE(goes_on.report().gap.value, 1e-9) << iterations;
    }
}

}  // namespace
}  // namespace armature::strand_pieces

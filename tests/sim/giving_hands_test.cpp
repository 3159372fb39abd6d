// A hand led to where the structure cannot follow gives way; the joints do not.
#include "armature/sim/giving_hands.h"

#include <gtest/gtest.h>

#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature::giving_hands {
namespace {

struct Case {
    const char* name;
    const char* solver;
    Scheme scheme;
    double gap;  ///< m, of joints: round-off, or the tolerance
};

class GivingHands : public testing::TestWithParam<Case> {};

constexpr int links = 6;
constexpr double reach = 0.4 * links;

/// A chain that hangs from the origin, led by its end to twice its reach, held there, and led back.
Spec overreach(const Case& c) {
    Spec spec;
    test::add_chain(spec, "link", links);
    spec.simulation.solver = c.solver;
    spec.simulation.scheme = c.scheme;
    DraggedSpec& hand = spec.add_drag("hand", "link5");
    hand.at_B = {0.2, 0, 0};
    const Vec3 away = 2 * reach * Vec3{0.6, 0.8, 0}, back = 0.5 * reach * Vec3{0, 0.6, 0.8};
    hand.path = {Interpolation::linear,
                 {{0, {{reach, 0, 0}, {}}}, {1, {away, {}}}, {3, {away, {}}}, {4, {back, {}}}, {6, {back, {}}}}};
    return spec;
}

double hand_gap(const Simulator& sim) {
    return norm(sim.pose("link5") * Vec3{0.2, 0, 0} - sim.pose("hand").x);
}

double worst_of_the_others(const Simulator& sim) {
    std::vector<double> errors;
    measure_joints(sim.model(), sim.state(), errors);
    double worst = 0;
    for (std::size_t k = 0; k < errors.size(); ++k)
        if (!sim.model().joints[k].drag) worst = std::max(worst, errors[k]);
    return worst;
}

TEST_P(GivingHands, TheJointsHoldAndTheEndIsAsNearAsItCanBe) {
    Simulator sim(overreach(GetParam()));
    sim.assemble();
    int steps = 0;
    for (int frame = 0; frame < 180; ++frame) {
        const StepReport& report = sim.advance();
        steps += report.steps;
        ASSERT_LE(worst_of_the_others(sim), GetParam().gap) << frame;
        if (frame <= 60) continue;
        ASSERT_EQ(report.worst_joint, sim.model().find_joint("hand")) << "named as what could not be met";
    }
    EXPECT_LE(steps, 180 * 8) << "shorter steps do not help";
    // The nearest point that the end can reach lies on the way from the hook to the hand.
    EXPECT_LE(norm(sim.pose("link5") * Vec3{0.2, 0, 0} - reach * Vec3{0.6, 0.8, 0}), 0.01 * reach);
    EXPECT_LE(sim.mechanics().kinetic, 0.01 * std::fabs(sim.mechanics().energy())) << "and rests there";
}

TEST_P(GivingHands, ItHoldsAgainWhereItIsWithinReach) {
    Simulator sim(overreach(GetParam()));
    sim.assemble();
    sim.advance_to(5.5);
    while (sim.state().time < 5.99) {
        EXPECT_EQ(sim.advance().unconverged, 0);
        EXPECT_LE(hand_gap(sim), sim.model().simulation.tolerance);
    }
}

TEST_P(GivingHands, ASnapshotTakenMeanwhileGoesOnBitForBit) {
    Simulator whole(overreach(GetParam()));
    whole.assemble();
    whole.advance_to(1.5);
    Simulator resumed(overreach(GetParam()));
    resumed.set_state(from_snapshot(resumed.model(), to_snapshot(whole.model(), whole.state())));
    for (int frame = 0; frame < 30; ++frame) {
        whole.advance();
        resumed.advance();
    }
    EXPECT_GT(whole.state().islands[0].giving, 0);
    EXPECT_EQ(hash(whole.state()), hash(resumed.state()));
}

TEST_P(GivingHands, TheOrientationThatAHandHoldsGivesWayToo) {
    Spec spec = overreach(GetParam());
    spec.drags[0].orient = true;
    Simulator sim(spec);
    sim.assemble();
    for (int frame = 0; frame < 180; ++frame) {
        sim.advance();
        ASSERT_LE(worst_of_the_others(sim), GetParam().gap) << frame;
    }
    EXPECT_LE(norm(sim.pose("link5") * Vec3{0.2, 0, 0} - reach * Vec3{0.6, 0.8, 0}), 0.05 * reach);
}

INSTANTIATE_TEST_SUITE_P(Solvers, GivingHands,
                         testing::Values(Case{"linearized", "linearized", Scheme::newton, 1e-9},
                                         Case{"exact", "linearized", Scheme::exact, 1e-9},
                                         Case{"displacement", "displacement", Scheme::newton, 1e-3}),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace armature::giving_hands

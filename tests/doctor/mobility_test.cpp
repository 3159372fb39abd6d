// The doctor's mobility against mechanisms whose mobility is known.
#include <gtest/gtest.h>

#include "armature/doctor/doctor.h"
#include "armature/sim/simulator.h"
#include "doctor/mechanisms.h"
#include "doctor/workshop.h"

namespace armature::test {
namespace {

class Mobility : public testing::TestWithParam<std::size_t> {
  protected:
    const KnownMechanism& known() const { return known_mechanisms()[GetParam()]; }
};

TEST_P(Mobility, IsTheKnownOne) {
    const DoctorReport report = diagnose(known().spec, no_edits);
    EXPECT_EQ(report.mobility, known().mobility) << to_text(report);
    EXPECT_EQ(report.instantaneous, known().mobility) << to_text(report);
    EXPECT_EQ(report.by_count, known().by_count);
    EXPECT_EQ(report.count(FindingKind::contradictory), 0);
    EXPECT_EQ(report.count(FindingKind::singular), 0);
    EXPECT_EQ(report.count(FindingKind::redundant) > 0, known().mobility > known().by_count);
    // Between what holds and what does not lie many orders of magnitude: the count is no matter of taste.
    for (const IslandMobility& island : report.islands) {
        EXPECT_GT(island.accepted, 1e-3);
        EXPECT_LT(island.rejected, 1e-9);
        EXPECT_LT(island.residual, 1e-9);
    }
}

TEST_P(Mobility, EveryFreedomIsToldOnceAndMovesSomething) {
    const DoctorReport report = diagnose(known().spec, no_edits);
    EXPECT_EQ(static_cast<int>(report.freedoms.size()), report.instantaneous);
    for (const RemainingFreedom& freedom : report.freedoms) {
        EXPECT_FALSE(freedom.sentence.empty());
        EXPECT_FALSE(freedom.infinitesimal) << freedom.sentence;
        EXPECT_GT(freedom.solids.size(), 0u);
        EXPECT_EQ(freedom.solids.size(), freedom.motion.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Known, Mobility, testing::Range<std::size_t>(0, known_mechanisms().size()),
                         [](const auto& i) { return known_mechanisms()[i.param].name; });

TEST(KnownMechanisms, AreAtLeastThirty) {
    EXPECT_GE(known_mechanisms().size(), 30u);
}

const KnownMechanism& mechanism(const std::string& name) {
    for (const KnownMechanism& m : known_mechanisms())
        if (m.name == name) return m;
    throw std::out_of_range(name);
}

TEST(Freedoms, ARodBetweenTwoBallsSpinsIdly) {
    const DoctorReport report = diagnose(mechanism("rssr").spec, no_edits);
    ASSERT_EQ(report.freedoms.size(), 2u);
    EXPECT_EQ(report.idle, 1);
    for (const RemainingFreedom& f : report.freedoms)
        if (f.kind == FreedomClass::idle) {
            EXPECT_EQ(f.solids, std::vector<std::string>{"coupler"});
        }
}

TEST(Freedoms, LegsThatSpinAsAWholeAreIdleToo) {
    const DoctorReport report = diagnose(mechanism("stewart_SPS_with_idle_legs").spec, no_edits);
    EXPECT_EQ(report.idle, 6) << to_text(report);
}

TEST(Freedoms, WhatIsNotTiedToTheWorldFloats) {
    const DoctorReport report = diagnose(mechanism("doll").spec, no_edits);
    EXPECT_EQ(report.floating, 6);
    // The others are told without the torso, which has most joints: an arm moves, or a forearm alone.
    for (const RemainingFreedom& f : report.freedoms)
        if (f.kind == FreedomClass::internal) {
            EXPECT_LE(f.solids.size(), 2u) << f.sentence;
        }
}

TEST(Freedoms, OfAPinIsItsTurnAboutItsAxis) {
    const DoctorReport report = diagnose(mechanism("door_with_two_hinges").spec, no_edits);
    ASSERT_EQ(report.freedoms.size(), 1u);
    EXPECT_EQ(report.freedoms[0].sentence, "`door` turns about y through 0 0 0");
}

TEST(Freedoms, PathDrivenAndFixedSolidsHaveNone) {
    Workshop w;
    w.solid("a").solid("rail", {0, 1, 0});
    w.spec.find_solid("rail")->kernel = Kernel::path;
    w.spec.find_solid("rail")->path.keys = {{0, {{0, 1, 0}, {}}}, {1, {{1, 1, 0}, {}}}};
    w.pin("a", "rail", {0, 1, 0});
    const DoctorReport report = diagnose(w.spec, no_edits);
    EXPECT_EQ(report.mobility, 1);
}

TEST(Freedoms, WhatHoldsLaterOrSoftlyDoesNotCount) {
    Workshop w;
    w.solid("a");
    w.pin("a", "world", {0, 1, 0}).from = 0.5;
    w.ball("a", "world", {0, 1, 0}).soft = SoftSpec{100, 1, 0, 0};
    EXPECT_EQ(diagnose(w.spec, no_edits).mobility, 6);
}

TEST(Redundancy, DoesNotKeepASceneFromRunning) {
    for (const std::string name : {"four_bar", "door_with_two_hinges", "sarrus", "over_braced_square"}) {
        Simulator simulator(mechanism(name).spec);
        simulator.assemble();
        simulator.advance_to(1);
        EXPECT_TRUE(simulator.report().converged(1e-3)) << name;
    }
}

}  // namespace
}  // namespace armature::test

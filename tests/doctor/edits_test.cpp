// Every proposed edit, applied, removes its finding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/doctor.h"
#include "armature/math/random.h"
#include "doctor/mechanisms.h"
#include "doctor/workshop.h"
#include "support/scene_files.h"
#include "support/test_scale.h"

namespace armature::test {
namespace {

/// The same kind about the same joints, or part of them; about the whole when it names none.
bool still_there(const Finding& f, const DoctorReport& report) {
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& other) {
        return other.kind == f.kind && std::all_of(other.joints.begin(), other.joints.end(), [&](const auto& joint) {
                   return std::find(f.joints.begin(), f.joints.end(), joint) != f.joints.end();
               });
    });
}

struct Tally {
    int findings = 0, edits = 0;
};

/// Applies every edit to a copy of its own; counts them.
Tally check_edits(const Spec& spec, const std::string& what) {
    const DoctorReport report = diagnose(spec);
    Tally tally;
    for (const Finding& f : report.findings) {
        ++tally.findings;
        if (!f.edit) continue;
        ++tally.edits;
        Spec changed = spec;
        EXPECT_TRUE(apply(*f.edit, changed)) << what;
        const DoctorReport after = diagnose(changed, no_edits);
        EXPECT_FALSE(still_there(f, after)) << what << ": " << f.sentence << "\n"
                                            << f.edit->sentence << "\n"
                                            << to_text(after);
        EXPECT_LE(after.count(FindingKind::contradictory), report.count(FindingKind::contradictory)) << what;
        if (f.kind == FindingKind::redundant) {
            EXPECT_EQ(after.mobility, report.mobility) << what;
            EXPECT_LT(after.instantaneous - after.by_count, report.instantaneous - report.by_count) << what;
        }
    }
    return tally;
}

TEST(Edits, RemoveTheRedundanciesOfEveryKnownMechanism) {
    for (const KnownMechanism& m : known_mechanisms()) {
        const Tally tally = check_edits(m.spec, m.name);
        EXPECT_EQ(tally.edits, tally.findings) << m.name;
    }
}

TEST(Edits, MakeAFourBarFitByOneLooserPin) {
    const DoctorReport report = diagnose(known_mechanisms()[0].spec);
    ASSERT_EQ(report.findings.size(), 1u);
    ASSERT_TRUE(report.findings[0].edit);
    EXPECT_EQ(report.findings[0].edit->sentence, "make `j4` a `ball_in_cylinder`");
    Spec changed = known_mechanisms()[0].spec;
    apply(*report.findings[0].edit, changed);
    const DoctorReport after = diagnose(changed, no_edits);
    EXPECT_TRUE(after.findings.empty()) << to_text(after);
    EXPECT_EQ(after.by_count, 1);
}

TEST(Edits, KeepWhatActsAlongAJoint) {
    // The pin with a motor has to stay a pin: another one gives way.
    Spec spec = known_mechanisms()[0].spec;
    find_freedom(spec.constraints[3], "turn")->speed = ScalarTrack::constant(1);
    const DoctorReport report = diagnose(spec);
    ASSERT_TRUE(report.findings[0].edit);
    EXPECT_NE(std::get<ReplaceConstraint>(report.findings[0].edit->change).name, "j4");
}

TEST(Edits, MoveAPinThatDoesNotFit) {
    // A triangle whose third pin is 5 cm beside: the nearest fit moves it by no more than that.
    Workshop w;
    w.linkage({{"O1", {0, 0, 0}}, {"O2", {1, 0, 0}}, {"C", {0.4, 0.8, 0}}}, {{"O1", "C"}, {"C", "O2"}});
    // Pins about one direction can only disagree within the plane after a bar has turned: take the depth instead.
    w.spec.constraints[2].hinge->p2_B.z += 0.05;
    const DoctorReport report = diagnose(w.spec);
    ASSERT_EQ(report.count(FindingKind::contradictory), 1) << to_text(report);
    ASSERT_TRUE(report.findings[0].edit) << to_text(report);
    EXPECT_EQ(report.findings[0].joints.size(), 3u);
    EXPECT_TRUE(std::holds_alternative<ReplaceConstraint>(report.findings[0].edit->change));
    const Tally tally = check_edits(w.spec, "triangle");
    EXPECT_EQ(tally.edits, tally.findings);
}

TEST(Edits, FindTheLengthThatFits) {
    Workshop w;
    w.particle("p", {0.5, 1, 0});
    const auto bar = [&](const std::string& name, const Vec3& foot, double length) {
        ConstraintSpec& c = w.spec.add_constraint("p", "world");
        c.name = name;
        c.hinge = HingeSpec{{}, foot, SphereDomain{length, length}};
    };
    bar("left", {0, 0, 0}, std::sqrt(1.25));
    bar("right", {1, 0, 0}, std::sqrt(1.25));
    bar("middle", {0.5, 0, 0}, 1.1);
    const DoctorReport report = diagnose(w.spec);
    ASSERT_EQ(report.findings.size(), 1u);
    ASSERT_TRUE(report.findings[0].edit);
    check_edits(w.spec, "three bars");
}

TEST(Edits, WidenALimitThatContradicts) {
    // A door that stands at a quarter turn, held there by a second joint, with a limit at 1 rad.
    Workshop w;
    w.solid("door", {0, 0, -0.5});
    w.pin("door", "world", {}, {0, 1, 0});
    w.ball("door", "world", {0, 0, -1});
    FreedomSpec* turn = find_freedom(w.spec.constraints[0], "turn");
    turn->min = ScalarTrack::constant(0.4);
    const DoctorReport report = diagnose(w.spec);
    ASSERT_GE(report.count(FindingKind::contradictory), 1) << to_text(report);
    const Tally tally = check_edits(w.spec, "door");
    EXPECT_EQ(tally.edits, tally.findings) << to_text(report);
}

TEST(Edits, LeadAwayFromLimits) {
    Workshop w;
    w.solid("door", {0, 0, -0.5});
    w.pin("door", "world", {}, {0, 1, 0});
    find_freedom(w.spec.constraints[0], "turn")->max = ScalarTrack::constant(0);
    w.particle("p", {0.5, 1, 0});
    ConstraintSpec& c = w.spec.add_constraint("p", "world");
    c.name = "rail";
    c.hinge = HingeSpec{{}, {0, 1, 0}, SegmentDomain{{1, 0, 0}, -1, 0.5}};
    w.particle("q", {0, 1, 0});
    ConstraintSpec& box = w.spec.add_constraint("q", "world");
    box.name = "room";
    box.hinge = HingeSpec{{}, {0, 0, 0}, BoxDomain{{2, 2, 2}, {}, false}};
    const Tally tally = check_edits(w.spec, "limits");
    EXPECT_EQ(tally.findings, 3);
    EXPECT_EQ(tally.edits, 3);
}

TEST(Edits, LeadAwayFromSingularPositions) {
    Workshop flat;
    flat.linkage({{"O1", {0, 0, 0}}, {"B", {0.5, 0, 0}}, {"C", {1.3, 0, 0}}, {"O2", {1, 0, 0}}},
                 {{"O1", "B"}, {"B", "C"}, {"C", "O2"}});
    const DoctorReport report = diagnose(flat.spec);
    ASSERT_EQ(report.count(FindingKind::singular), 1);
    EXPECT_TRUE(report.findings[0].edit) << to_text(report);
    check_edits(flat.spec, "flat four-bar");
    // The same, a hair away from it.
    Workshop near;
    near.linkage({{"O1", {0, 0, 0}}, {"B", {0.5, 1e-4, 0}}, {"C", {1.3, 2e-4, 0}}, {"O2", {1, 0, 0}}},
                 {{"O1", "B"}, {"B", "C"}, {"C", "O2"}});
    const DoctorReport nearly = diagnose(near.spec);
    ASSERT_EQ(nearly.count(FindingKind::nearly_singular), 1) << to_text(nearly);
    EXPECT_TRUE(nearly.findings[0].edit) << to_text(nearly);
    check_edits(near.spec, "nearly flat four-bar");
}

TEST(Edits, LeadAwayFromDeadCentres) {
    Workshop w;
    w.solid("crank", {0.15, 0, 0}).solid("rod", {0.7, 0, 0}).solid("slider", {1.1, 0, 0});
    w.pin("crank", "world", {});
    w.pin("rod", "crank", {0.3, 0, 0});
    w.pin("slider", "rod", {1.1, 0, 0});
    w.joint(JointType::sliding, "slider", "world", {1.1, 0, 0}, {1, 0, 0}, {0, 1, 0});
    const Tally tally = check_edits(w.spec, "slider-crank");
    EXPECT_EQ(tally.findings, 2);  // its redundant pins, and the dead centre
    EXPECT_EQ(tally.edits, 2);
}

TEST(Edits, OfRandomSystemsHelpToo) {
    Random random(3);
    Tally all;
    const int systems = scaled(60, 6);
    for (int i = 0; i < systems; ++i) {
        Workshop w;
        const int solids = random.integer(1, 3);
        for (int s = 0; s < solids; ++s) {
            const Vec3 at = random.in_box(1);
            w.solid(fmt::format("s{}", s), at);
        }
        const JointType types[] = {JointType::pin, JointType::ball, JointType::sliding, JointType::universal,
                                   JointType::cylindrical};
        const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const int joints = random.integer(2, 5);
        for (int k = 0; k < joints; ++k) {
            const int a = random.integer(0, solids - 1), b = random.integer(-1, a - 1);
            const JointType type = types[random.integer(0, 4)];
            const int axis = random.integer(0, 2);
            const Vec3 at{1.0 * random.integer(0, 1), 1.0 * random.integer(0, 1), 1.0 * random.integer(0, 1)};
            ConstraintSpec& c =
                w.joint(type, fmt::format("s{}", a), b < 0 ? std::string("world") : fmt::format("s{}", b), at,
                        axes[axis], axes[(axis + 1) % 3]);
            // One in five is out of place.
            if (random.integer(0, 4) == 0) c.hinge->p2_B += Vec3{0.1, 0.05, 0.2};
        }
        const Tally tally = check_edits(w.spec, fmt::format("system {}", i));
        all.findings += tally.findings;
        all.edits += tally.edits;
    }
    EXPECT_GT(all.findings, systems / 2);
    // Not every finding has an edit; nearly all have.
    EXPECT_GE(all.edits, all.findings * 9 / 10) << all.edits << " of " << all.findings;
}

}  // namespace
}  // namespace armature::test

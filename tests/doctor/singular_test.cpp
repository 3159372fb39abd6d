// Positions in which a mechanism can do more, or less, than elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/doctor.h"
#include "doctor/workshop.h"

namespace armature::test {
namespace {

Spec slider_crank(double crank_angle, double crank = 0.3, double rod = 0.8) {
    const Vec3 pin = crank * Vec3{std::cos(crank_angle), std::sin(crank_angle), 0};
    const Vec3 end{pin.x + std::sqrt(rod * rod - pin.y * pin.y), 0, 0};
    Workshop w;
    w.solid("crank", 0.5 * pin).solid("rod", 0.5 * (pin + end)).solid("slider", end);
    w.pin("crank", "world", {});
    w.pin("rod", "crank", pin);
    w.pin("slider", "rod", end);
    w.joint(JointType::sliding, "slider", "world", end, {1, 0, 0}, {0, 1, 0}).name = "rail";
    return w.spec;
}

/// Ground 1, crank 0.5, coupler 0.8, rocker 0.3: all in one line when the crank points to the rocker's foot.
Spec four_bar(double crank_angle) {
    const double a = 0.5, b = 0.8, c = 0.3;
    const Vec3 A{}, D{1, 0, 0}, B = a * Vec3{std::cos(crank_angle), std::sin(crank_angle), 0};
    const double d = norm(D - B), along = (b * b + d * d - c * c) / (2 * d);
    const double across = std::sqrt(std::max(0.0, b * b - along * along));
    const Vec3 u = (D - B) / d, C = B + along * u + across * Vec3{-u.y, u.x, 0};
    Workshop w;
    w.linkage({{"O1", A}, {"B", B}, {"C", C}, {"O2", D}}, {{"O1", "B"}, {"B", "C"}, {"C", "O2"}});
    return w.spec;
}

TEST(Singular, AFourBarThatLiesFlatCanBeginTwoMotions) {
    // Three pins and the fourth on one line: nothing blocks the bars across it to first order.
    const DoctorReport report = diagnose(four_bar(0), no_edits);
    EXPECT_EQ(report.instantaneous, 2) << to_text(report);
    EXPECT_EQ(report.mobility, 1);
    EXPECT_EQ(report.count(FindingKind::singular), 1);
    const DoctorReport away = diagnose(four_bar(0.3), no_edits);
    EXPECT_EQ(away.instantaneous, 1) << to_text(away);
    EXPECT_EQ(away.count(FindingKind::singular), 0);
}

TEST(Singular, AFoldedParallelogramCanFork) {
    Workshop w;
    w.linkage({{"O1", {0, 0, 0}}, {"B", {0.4, 0, 0}}, {"C", {1.4, 0, 0}}, {"O2", {1, 0, 0}}},
              {{"O1", "B"}, {"B", "C"}, {"C", "O2"}});
    const DoctorReport report = diagnose(w.spec, no_edits);
    EXPECT_EQ(report.instantaneous, 2);
    EXPECT_EQ(report.mobility, 1);
    for (const RemainingFreedom& f : report.freedoms) EXPECT_FALSE(f.infinitesimal) << "each is one of the two ways";
}

TEST(Singular, TwoBarsInALineAreShaky) {
    // The knee of two bars as long together as their feet are apart: it can begin to move, and that is all.
    Workshop w;
    w.linkage({{"O1", {0, 0, 0}}, {"K", {0.4, 0, 0}}, {"O2", {1, 0, 0}}}, {{"O1", "K"}, {"K", "O2"}});
    const DoctorReport report = diagnose(w.spec, no_edits);
    EXPECT_EQ(report.instantaneous, 1);
    EXPECT_EQ(report.mobility, 0);
    ASSERT_EQ(report.freedoms.size(), 1u);
    EXPECT_TRUE(report.freedoms[0].infinitesimal);
    EXPECT_EQ(report.count(FindingKind::singular), 1);
}

TEST(Singular, AShakyPartBesideARealFreedomIsFoundOut) {
    Workshop w;
    w.linkage({{"O1", {0, 0, 0}}, {"K", {0.4, 0, 0}}, {"O2", {1, 0, 0}}, {"E", {0.4, 0.5, 0}}},
              {{"O1", "K"}, {"K", "O2"}, {"K", "E"}});
    const DoctorReport report = diagnose(w.spec, no_edits);
    EXPECT_EQ(report.instantaneous, 2);
    EXPECT_EQ(report.mobility, 1);
    EXPECT_EQ(
        std::count_if(report.freedoms.begin(), report.freedoms.end(), [](const auto& f) { return f.infinitesimal; }),
        1);
}

TEST(Singular, ASliderCrankAtItsDeadCentreCannotBeDrivenByItsSlider) {
    for (const double angle : {0.0, pi}) {
        const DoctorReport report = diagnose(slider_crank(angle), no_edits);
        EXPECT_EQ(report.mobility, 1) << to_text(report);
        ASSERT_EQ(report.count(FindingKind::dead_centre), 1) << to_text(report);
        for (const Finding& f : report.findings)
            if (f.kind == FindingKind::dead_centre) {
                EXPECT_EQ(f.joints, std::vector<std::string>{"rail"});
            }
    }
    EXPECT_EQ(diagnose(slider_crank(1), no_edits).count(FindingKind::dead_centre), 0);
    // Crank across the rail is no dead centre of the slider.
    EXPECT_EQ(diagnose(slider_crank(pi / 2), no_edits).count(FindingKind::dead_centre), 0);
}

TEST(Singular, CrankAndRodAlikeForkWhereTheSliderIsAtTheAxle) {
    // There the slider may stay and both turn, or slide on.
    const DoctorReport report = diagnose(slider_crank(pi / 2, 0.5, 0.5), no_edits);
    EXPECT_EQ(report.instantaneous, 2) << to_text(report);
    EXPECT_EQ(report.mobility, 1);
    EXPECT_EQ(report.count(FindingKind::singular), 1);
}

TEST(Singular, NearIsToldAsNear) {
    const DoctorReport report = diagnose(four_bar(2e-4), no_edits);
    EXPECT_EQ(report.count(FindingKind::singular), 0) << to_text(report);
    EXPECT_EQ(report.count(FindingKind::nearly_singular), 1) << to_text(report);
    EXPECT_EQ(report.mobility, 1);
}

TEST(Singular, LongChainsAreNot) {
    Workshop w;
    std::string last = "world";
    for (int i = 0; i < 40; ++i) {
        const std::string name = fmt::format("l{}", i);
        w.solid(name, {0.4 * i + 0.2, 0, 0});
        w.ball(name, last, {0.4 * i, 0, 0});
        last = name;
    }
    EXPECT_TRUE(diagnose(w.spec, no_edits).findings.empty());
}

}  // namespace
}  // namespace armature::test

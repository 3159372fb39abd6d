// Several things to hold at once: met when they can be, and reported with what is left when they cannot.
#include <gtest/gtest.h>

#include "solvers/procedural_problem.h"

namespace armature {
namespace {

using test_procedural::Problem;

/// A chain from each pin to a small ball in the middle, which a hand drags; reach of each chain: links · 0.4 m.
Spec between_pins(const std::vector<Vec3>& pins, int links, bool limits, const Vec3& target) {
    Spec spec;
    SolidSpec& hub = spec.add_solid("hub");
    hub.shapes.push_back({"", Sphere{0.02}, {}, {}});
    for (std::size_t b = 0; b < pins.size(); ++b)
        for (int i = 0; i < links; ++i) {
            const std::string name = fmt::format("l{}_{}", b, i);
            // Laid out from the pin towards the middle, bent to and fro.
            test::add_brick(spec, name, pins[b] * ((links - i - 0.5) / links) + Vec3{0, 0.05 * (i % 2), 0.03 * i});
            if (i == 0)
                test::add_ball(spec, name, {-0.2, 0, 0}, "world", pins[b]).name = fmt::format("pin{}", b);
            else
                test::add_ball(spec, name, {-0.2, 0, 0}, fmt::format("l{}_{}", b, i - 1), {0.2, 0, 0});
            if (i > 0 && limits) spec.constraints.back().angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 2.5};
        }
    for (std::size_t b = 0; b < pins.size(); ++b)
        test::add_ball(spec, fmt::format("l{}_{}", b, links - 1), {0.2, 0, 0}, "hub", {});
    DraggedSpec& hand = spec.add_drag("hand", "hub");
    hand.path.keys.push_back({0, {target, {}}});
    return spec;
}

struct Errors {
    double pins = 0, hand = 0, others = 0;
};
Errors errors(const Problem& p) {
    Errors e;
    for (std::size_t k = 0; k < p.island().joints.size(); ++k) {
        const std::string& name = p.model.joints[idx(p.island().joints[k].joint)].name;
        double& kind = name == "hand" ? e.hand : name.substr(0, 3) == "pin" ? e.pins : e.others;
        kind = std::fmax(kind, p.error(k));
    }
    return e;
}

class Pins : public testing::TestWithParam<bool> {};

TEST_P(Pins, HoldToAMillionthAndTheHandArrivesWithinReach) {
    Random random(11);
    int most = 0;
    for (int k = 0; k < 100; ++k) {
        // Chains of 2 m from three pins 1 m away: everything within 0.9 m of the middle is well within reach.
        const Vec3 target = 0.9 * random.unit() * random.direction();
        Problem p(between_pins({{1, 0, 0}, {-0.5, 0, 0.8}, {-0.5, 0.2, -0.8}}, 5, GetParam(), target));
        const CorrectionReport report = p.correct();
        EXPECT_TRUE(report.converged) << k << " " << report.worst_error;
        const Errors e = errors(p);
        EXPECT_LE(e.pins, 1e-6);
        EXPECT_LE(e.hand, 1e-4);
        EXPECT_LE(e.others, 1e-12);
        most = std::max(most, report.iterations);
    }
    fmt::print("[ measured ] sweeps at most: {}\n", most);
    EXPECT_LE(most, GetParam() ? 500 : 20);
}

// Two chains of 1.6 m from pins at x = ±1. The hub can be where two balls of 1.6 m overlap. Out of that, the nearest place is
// on the rim (0, √(1.6² − 1), 0) for a target straight up, and at (0.6, 0, 0), where one chain is straight, for one to the side.
TEST_P(Pins, OutOfReachTheHandStopsAtTheNearestPlace) {
    const double rim = std::sqrt(1.6 * 1.6 - 1);
    const struct {
        Vec3 target, nearest;
    } cases[] = {{{0, 2, 0}, {0, rim, 0}},
                 {{0, 50, 0}, {0, rim, 0}},
                 {{0.1, 3000, 0}, {0, rim, 0}},
                 {{3, 0, 0}, {0.6, 0, 0}},
                 {{-40, 0, 0}, {-0.6, 0, 0}}};
    for (const auto& c : cases) {
        Problem p(between_pins({{1, 0, 0}, {-1, 0, 0}}, 4, GetParam(), c.target));
        const CorrectionReport report = p.correct();
        const Errors e = errors(p);
        EXPECT_FALSE(report.converged);
        EXPECT_EQ(p.model.joints[idx(report.worst_joint)].name, "hand");
        EXPECT_NEAR(report.worst_error, norm(p.x[0] - c.target), 1e-9) << "what is left is told";
        EXPECT_LE(e.pins, 1e-6);
        EXPECT_LE(e.others, 1e-12);
        fmt::print("[ measured ] {} from the nearest place after {} sweeps\n", norm(p.x[0] - c.nearest),
                   report.iterations);
        // With limits the last case, along a straight chain that it does not hang on, is slow: 1.3 % after all its sweeps.
        EXPECT_LE(norm(p.x[0] - c.nearest), (GetParam() ? 0.015 : 0.01) * 3.2) << c.target.x << " " << c.target.y;
    }
}

INSTANTIATE_TEST_SUITE_P(Limits, Pins, testing::Bool());

TEST(ProceduralPins, ThatContradictEachOtherAreReported) {
    Spec spec;
    test::add_chain(spec, "link", 5);  // 2 m
    test::add_ball(spec, "link4", {0.2, 0, 0}, "world", {3, 0, 0}).name = "far";
    Problem p(spec);
    const CorrectionReport report = p.correct();
    EXPECT_FALSE(report.converged);
    EXPECT_TRUE(report.stalled);
    EXPECT_NEAR(report.worst_error, 1, 0.02) << "two metres of chain for three";
}

TEST(ProceduralPins, LoopsCloseFromOpenStarts) {
    Random random(12);
    for (int k = 0; k < 50; ++k) {
        // A ring of n links whose last joint is open by a tenth of its size.
        Spec spec;
        const int n = random.integer(3, 12);
        const double r = 0.2 / std::sin(pi / n);
        for (int i = 0; i < n; ++i) {
            const double at = 2 * pi * (i + 0.5) / n;
            SolidSpec& s = test::add_brick(spec, fmt::format("b{}", i),
                                           r * std::cos(pi / n) * Vec3{std::cos(at), std::sin(at), 0});
            s.pose_WB.q = exp_rotation({0, 0, at + pi / 2});
            s.pose_WB.x += random.in_box(0.1 * r);
            if (i > 0) test::add_ball(spec, s.name, {-0.2, 0, 0}, fmt::format("b{}", i - 1), {0.2, 0, 0});
        }
        test::add_ball(spec, "b0", {-0.2, 0, 0}, fmt::format("b{}", n - 1), {0.2, 0, 0});
        Problem p(spec);
        const Vec3 centre = p.centre();
        EXPECT_TRUE(p.correct().converged) << n;
        EXPECT_LE(p.error(), 1e-4);
        EXPECT_LE(norm(p.centre() - centre), 1e-13);
    }
}

}  // namespace
}  // namespace armature

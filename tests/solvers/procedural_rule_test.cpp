// The rule of compulsive motion, by itself: θ = φ exp(−h/(|r||s|)), T = (I − R) r + s, and the h that suits the lengths.
#include "armature/solvers/procedural/compulsive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "armature/math/constants.h"
#include "armature/math/random.h"
#include "armature/solvers/procedural/floors.h"

namespace armature {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

double angle_of(const Quat& q) {
    return norm(log_rotation(q));
}
double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

TEST(CompulsiveRule, TheTurnLiesBetweenNoneAndTheWholeAngle) {
    Random random(1);
    for (int k = 0; k < 10000; ++k) {
        const double phi = pi * random.unit();
        const double theta = compulsive_angle(phi, random.log_uniform(1e-12, 1e12), random.log_uniform(1e-12, 1e12));
        EXPECT_GE(theta, 0);
        EXPECT_LE(theta, phi);
    }
}

TEST(CompulsiveRule, WithoutAnArmOrAGapNothingTurns) {
    for (const double h : {0.0, 1e-300, 1.0, 1e300}) {
        EXPECT_EQ(compulsive_angle(1, 0, h), 0);
        EXPECT_EQ(compulsive_turn({}, {1, 2, 3}, h), Quat{});
        EXPECT_EQ(compulsive_turn({1, 2, 3}, {}, h), Quat{});
    }
    EXPECT_EQ(following_turn({}, {1, 2, 3}), Quat{});
    EXPECT_EQ(following_turn({1, 2, 3}, {}), Quat{});
}

TEST(CompulsiveRule, TheTurnRisesWithArmTimesGap) {
    double last = 0;
    for (double rs = 1e-3; rs < 1e3; rs *= 1.1) {
        const double theta = compulsive_angle(1.2, rs, 0.3);
        EXPECT_GT(theta, last);
        last = theta;
    }
}

TEST(CompulsiveRule, LongPullsAndNoHTurnAllTheWay) {
    EXPECT_DOUBLE_EQ(compulsive_angle(1.2, 1e18, 0.3), 1.2);
    EXPECT_DOUBLE_EQ(compulsive_angle(1.2, 0.01, 0), 1.2);
    EXPECT_EQ(compulsive_angle(1.2, 1e-6, 1), 0) << "exp(-1e6) is below every number";
    EXPECT_DOUBLE_EQ(compulsive_angle(1.2, 0.5, 0.5), 1.2 / std::exp(1.0));
}

// r + s = R r + T with T = (I − R) r + s; the paper's −s would leave the point 2s away.
TEST(CompulsiveRule, TurnAndTranslationBringThePointHome) {
    Random random(2);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 r = random.in_box(2), s = random.in_box(2);
        for (const Quat& Q : {compulsive_turn(r, s, 0.3), following_turn(r, s)}) {
            const Vec3 T = r - rotate(Q, r) + s;
            EXPECT_LE(norm(rotate(Q, r) + T - (r + s)), 8 * eps * (norm(r) + norm(s)));
        }
    }
}

TEST(CompulsiveRule, APullStraightAlongTheArmDoesNotTurn) {
    const Vec3 r{0.3, -0.2, 0.5};
    for (const double pull : {1.0, -0.5, -1.0, -3.0}) {
        EXPECT_EQ(compulsive_turn(r, pull * r, 0.1), Quat{});
        EXPECT_EQ(following_turn(r, pull * r), Quat{});
    }
}

// ψ = angle(a, a + s) is reached by the rule with h = |r||s| ln(φ/ψ), and lies in [0, φ].
TEST(SuitableH, MakesTheRuleTheFollowingTurn) {
    Random random(3);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 r = random.in_box(1), s = random.log_uniform(1e-3, 1e3) * random.direction();
        const double reach = random.uniform(1, 2);
        const double phi = angle_between(r, s), psi = angle_between(reach * r, reach * r + s);
        EXPECT_LE(psi, phi * (1 + 1e-12));
        EXPECT_NEAR(angle_of(following_turn(reach * r, s)), psi, 1e-12);
        EXPECT_NEAR(angle_of(compulsive_turn(r, s, suitable_h(r, reach, s))), psi, 1e-9);
    }
}

TEST(SuitableH, GrowsWithTheSquareOfTheLengths) {
    const Vec3 r{0.5, 0, 0}, s{0.1, 0.2, 0.05};
    for (const double scale : {1e-6, 1e-3, 1e3, 1e6})
        EXPECT_NEAR(suitable_h(scale * r, 1.3, scale * s) / (scale * scale * suitable_h(r, 1.3, s)), 1, 1e-12);
}

// A rod of length L pulled at its end across itself turns about the point at 2L/3: s/(2L/3) for a small pull.
TEST(SuitableH, ARodTurnsAboutItsCentreOfPercussion) {
    const double L = 2, s = 1e-6;
    const Vec3 r{L / 2, 0, 0};
    const double reach = percussion(L * L / 12, norm2(r));
    EXPECT_NEAR(angle_of(following_turn(reach * r, {0, s, 0})), s / (2 * L / 3), 1e-12);
}

// Pulled at right angles in ever smaller pulls, the arm follows the tractrix: a point at distance a behind the hand that moves
// across by y has turned to tan(ψ/2) = tanh(y/2a).
TEST(SuitableH, ManySmallPullsMakeATractrix) {
    const double a = 1, y = 1.5;
    const auto error = [&](int pulls) {
        Vec3 arm{a, 0, 0};
        for (int k = 0; k < pulls; ++k) arm = rotate(following_turn(arm, {0, y / pulls, 0}), arm);
        return std::fabs(std::atan2(arm.y, arm.x) - 2 * std::atan(std::tanh(y / (2 * a))));
    };
    EXPECT_LE(error(1000), 1e-3);
    EXPECT_NEAR(error(100) / error(200), 2, 0.05) << "of first order in the pull";
}

TEST(MeetingPoint, KeepsTheMassWeightedCentre) {
    Random random(4);
    for (int k = 0; k < 1000; ++k) {
        const double m1 = random.log_uniform(1e-3, 1e3), m2 = random.log_uniform(1e-3, 1e3);
        const Vec3 c1 = random.in_box(5), c2 = random.in_box(5);
        const Vec3 c = meeting_point(m1, c1, m2, c2);
        EXPECT_LE(norm((m1 + m2) * c - (m1 * c1 + m2 * c2)), 16 * eps * (m1 + m2) * 10);
        EXPECT_LE(norm(cross(c - c1, c2 - c1)), 1e-12) << "it lies between the two";
    }
}

// One point f: turned about c2 = 0 and moved by s, it lies on the line from c1 = s to where it was, as in FABRIK.
TEST(FittingTurn, LeavesOnePointInLine) {
    Random random(5);
    for (int k = 0; k < 200; ++k) {
        const Vec3 f = random.in_box(1), s = random.in_box(1);
        const Vec3 now = rotate(fitting_turn({f}, {}, s), f);
        EXPECT_LE(norm(cross(now, f - s)), 1e-12);
        EXPECT_GE(dot(now, f - s), 0);
    }
}

// In a plane the best turn has a closed form; no other turn leaves the points nearer.
TEST(FittingTurn, IsTheBestInAPlane) {
    Random random(6);
    for (int k = 0; k < 100; ++k) {
        std::vector<Vec3> points;
        for (int i = 0; i < 3; ++i) points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), 0});
        const Vec3 s{random.uniform(-1, 1), random.uniform(-1, 1), 0};
        const auto misfit = [&](const Quat& Q) {
            double sum = 0;
            for (const Vec3& f : points) sum += norm2(rotate(Q, f) + s - f);
            return sum;
        };
        const Quat best = fitting_turn(points, {}, s);
        for (double angle = -3.1; angle < 3.2; angle += 0.1)
            EXPECT_LE(misfit(best), misfit(exp_rotation({0, 0, angle})) + 1e-12);
    }
}

TEST(FittingTurn, PointsAllRoundDoNotTurnIt) {
    EXPECT_EQ(fitting_turn({{1, 0, 0}, {-1, 0, 0}}, {}, {0, 0.2, 0}), Quat{});
    EXPECT_EQ(fitting_turn({{0, 0, 0}}, {}, {0, 0.2, 0}), Quat{});
}

// The height of the tip of an arm that turns about an axis.
TEST(Rise, LiftsTheTipByTheHeightAsked) {
    Random random(6);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 arm = random.in_box(1), n = random.direction(), u = random.direction();
        const double height = random.uniform(0, 0.2), delta = rise(arm, u, n, height);
        const double lifted = dot(n, rotate(exp_rotation(delta * u), arm) - arm);
        const Vec3 across = arm - dot(arm, u) * u;
        const double most = norm(across) * norm(n - dot(n, u) * u) - dot(n, across);
        EXPECT_NEAR(lifted, std::fmin(height, most), 1e-9);
    }
}

}  // namespace
}  // namespace armature

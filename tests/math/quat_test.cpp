#include "armature/math/quat.h"

#include <gtest/gtest.h>

#include "armature/math/pose.h"
#include "armature/math/random.h"
#include "support/test_scale.h"

namespace armature {
namespace {

constexpr double pi = 3.14159265358979323846;

double difference(const Quat& a, const Quat& b) {
    return std::sqrt(norm2(Quat{a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z}));
}
/// As rotations: q and −q are the same one.
double turn_difference(const Quat& a, const Quat& b) {
    return std::fmin(difference(a, b), difference(a, {-b.w, -b.x, -b.y, -b.z}));
}

TEST(Quat, ExponentialAgreesWithExtendedPrecisionAcrossTheSeriesThreshold) {
    Random random(1);
    for (int i = 0; i < test::scaled(5000); ++i) {
        const double angle = i % 2 == 0 ? random.log_uniform(1e-12, 20) : random.uniform(0.0199, 0.0201);
        const Vec3 u = random.direction(), phi = angle * u;
        const long double theta =
            std::sqrt(static_cast<long double>(phi.x) * phi.x + static_cast<long double>(phi.y) * phi.y +
                      static_cast<long double>(phi.z) * phi.z);
        const long double s = std::sin(theta / 2) / theta;
        const Quat expected{static_cast<double>(std::cos(theta / 2)), static_cast<double>(s * phi.x),
                            static_cast<double>(s * phi.y), static_cast<double>(s * phi.z)};
        const Quat q = exp_rotation(phi);
        EXPECT_LT(difference(q, expected), 1e-15 * std::fmax(1, angle)) << angle;
        EXPECT_LT(norm(q.vec() - expected.vec()), 1e-15 * angle) << "relative to a small angle " << angle;
    }
}

TEST(Quat, LogarithmUndoesTheExponentialFromTheTiniestAngleToPi) {
    Random random(2);
    for (int i = 0; i < test::scaled(5000); ++i) {
        const double angle = i % 2 == 0 ? random.log_uniform(1e-200, pi) : pi - random.log_uniform(1e-14, 1);
        const Vec3 phi = angle * random.direction();
        EXPECT_LT(norm(log_rotation(exp_rotation(phi)) - phi), 2e-15 * angle) << angle;
    }
    EXPECT_EQ(log_rotation(exp_rotation({})), (Vec3{}));
}

TEST(Quat, LogarithmIsTheShorterWayAndTheSameForBothSigns) {
    Random random(3);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Vec3 u = random.direction();
        const double angle = random.uniform(pi, 2 * pi);
        const Quat q = exp_rotation(angle * u);
        EXPECT_LT(norm(log_rotation(q) - (angle - 2 * pi) * u), 1e-14);
        EXPECT_EQ(log_rotation({-q.w, -q.x, -q.y, -q.z}), log_rotation(q));
        EXPECT_LE(norm(log_rotation(random.orientation())), pi * (1 + 1e-15));
    }
}

TEST(Quat, RotationFollowsRodriguesFormula) {
    Random random(4);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Vec3 u = random.direction(), v = random.in_box(5);
        const double a = random.uniform(-7, 7);
        const Vec3 expected = std::cos(a) * v + std::sin(a) * cross(u, v) + (1 - std::cos(a)) * dot(u, v) * u;
        const Quat q = from_axis_angle(3.0 * u, a);  // the axis need not be a unit vector
        EXPECT_LT(norm(rotate(q, v) - expected), 1e-14 * 9);
        EXPECT_LT(norm(to_matrix(q) * v - expected), 1e-14 * 9);
        EXPECT_LT(norm(rotate_back(q, expected) - v), 1e-14 * 9);
    }
}

TEST(Quat, ProductRotatesByTheRightFactorFirst) {
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const Quat a = random.orientation(), b = random.orientation();
        const Vec3 v = random.in_box(1);
        EXPECT_LT(norm(rotate(a * b, v) - rotate(a, rotate(b, v))), 1e-14);
        const Vec3 phi = random.in_box(1);
        EXPECT_LT(norm(rotate(turned(a, phi), v) - rotate(exp_rotation(phi), rotate(a, v))), 1e-14);
    }
}

TEST(Quat, MatrixAndBackIsTheSameRotationInEachOfTheFourBranches) {
    Random random(6);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Quat q = random.orientation();
        EXPECT_LT(turn_difference(from_matrix(to_matrix(q)), q), 1e-15);
    }
    // Turns by nearly π about each axis make each component the largest in turn.
    for (int k = 0; k < 3; ++k) {
        Vec3 axis{1e-3, 1e-3, 1e-3};
        axis[k] = 1;
        const Quat q = from_axis_angle(axis, pi - 1e-9);
        EXPECT_LT(turn_difference(from_matrix(to_matrix(q)), q), 1e-15);
    }
}

TEST(Quat, ShortestArcTakesOneDirectionToTheOtherByTheAngleBetweenThem) {
    Random random(7);
    for (int i = 0; i < test::scaled(2000); ++i) {
        const Vec3 a = random.direction(), p = any_perpendicular(a);
        const double angle = i % 2 == 0 ? random.uniform(0, pi - 1e-3) : random.log_uniform(1e-12, 1);
        const Vec3 b = std::cos(angle) * a + std::sin(angle) * p;
        const Quat q = shortest_arc(a, b);
        EXPECT_LT(norm(rotate(q, a) - b), 2e-13);
        EXPECT_NEAR(norm(log_rotation(q)), angle, 2e-13);
        EXPECT_NEAR(dot(q.vec(), a), 0, 2e-13) << "the axis is perpendicular to both";
    }
}

TEST(Quat, ShortestArcOfOppositeAndNearlyOppositeDirectionsIsAHalfTurn) {
    Random random(8);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Vec3 a = random.direction();
        const Quat q = shortest_arc(a, -a);
        EXPECT_LT(norm(rotate(q, a) + a), 1e-15);
        EXPECT_EQ(q.w, 0);
        // Closer to opposite than √(2e-12) rad the two are taken for opposite: the error is at most that
        // angle.
        const double off = random.log_uniform(1e-12, 1e-2);
        const Vec3 b = -std::cos(off) * a + std::sin(off) * any_perpendicular(a);
        const Quat r = shortest_arc(a, b);
        EXPECT_LT(norm(rotate(r, a) - b), 1.5e-6) << off;
        EXPECT_NEAR(norm2(r), 1, 1e-15);
    }
}

TEST(Quat, SlerpTurnsAtAConstantRateAlongTheShorterWay) {
    Random random(9);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Quat a = random.orientation(), b = random.orientation();
        const Vec3 phi = log_rotation(b * conjugate(a));
        EXPECT_LT(turn_difference(slerp(a, b, 0), a), 1e-15);
        EXPECT_LT(turn_difference(slerp(a, b, 1), b), 2e-15);
        const double u = random.unit();
        EXPECT_LT(norm(log_rotation(slerp(a, b, u) * conjugate(a)) - u * phi), 1e-14);
        EXPECT_LT(turn_difference(slerp(a, {-b.w, -b.x, -b.y, -b.z}, u), slerp(a, b, u)), 1e-15);
        EXPECT_LT(turn_difference(slerp(b, a, 1 - u), slerp(a, b, u)), 1e-14) << "backwards is the same way";
    }
}

TEST(Pose, InverseAndCompositionActOnPointsAsTheyShould) {
    Random random(10);
    for (int i = 0; i < test::scaled(500); ++i) {
        const Pose A{random.in_box(10), random.orientation()}, B{random.in_box(10), random.orientation()};
        const Vec3 p = random.in_box(10);
        EXPECT_LT(norm((A * B) * p - A * (B * p)), 1e-13);
        EXPECT_LT(norm(inverse(A) * (A * p) - p), 1e-13);
        EXPECT_LT(norm((A * inverse(A)).x), 1e-13);
    }
}

TEST(Quat, AUnitIsMadeOfWhatIsNearlyOneWithoutARoot) {
    Random random(7);
    for (int k = 0; k < 10'000; ++k) {
        const Vec3 a = random.in_box(1), b = random.in_box(1);
        const double off = 1 + std::pow(10.0, -16.0 + k % 17) * b.y, n = std::sqrt(norm2(a) + b.x * b.x);
        const Quat q{off * a.x / n, off * a.y / n, off * a.z / n, off * b.x / n}, unit = normalized(q);
        EXPECT_NEAR(norm2(unit), 1, 2e-15);
        // Its direction: each number is rounded twice.
        EXPECT_NEAR(unit.w * q.x, unit.x * q.w, 1e-15);
        EXPECT_NEAR(unit.y * q.z, unit.z * q.y, 1e-15);
        // What does not turn must not creep.
        EXPECT_EQ(normalized(unit), unit) << "case " << k;
    }
    EXPECT_EQ(normalized(Quat{0, 0, 0, 0}), Quat{});
}

}  // namespace
}  // namespace armature

#include "armature/math/vec3.h"

#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "support/test_scale.h"

namespace armature {
namespace {

TEST(Vec3, CrossIsPerpendicularToBothAndAsLongAsTheParallelogram) {
    Random random(1);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Vec3 a = random.in_box(10), b = random.in_box(10), c = cross(a, b);
        const double scale = norm(a) * norm(b);
        EXPECT_NEAR(dot(a, c), 0, 1e-14 * scale * norm(a));
        EXPECT_NEAR(dot(b, c), 0, 1e-14 * scale * norm(b));
        // Lagrange: |a × b|² + (a·b)² = |a|² |b|²
        EXPECT_NEAR(norm2(c) + dot(a, b) * dot(a, b), scale * scale, 1e-13 * scale * scale);
    }
    EXPECT_EQ(cross({1, 0, 0}, {0, 1, 0}), (Vec3{0, 0, 1}));
}

TEST(Vec3, NormalizedKeepsTheDirectionOfVectorsWhoseSquareUnderOrOverflows) {
    const Vec3 expected{3.0 / 13, -4.0 / 13, 12.0 / 13};
    for (const double scale : {1e-290, 1e-170, 1e-20, 1.0, 1e20, 1e170, 1e300}) {
        const Vec3 n = normalized(scale * Vec3{3, -4, 12});
        EXPECT_LT(norm(n - expected), 1e-15) << scale;
    }
}

TEST(Vec3, NormalizedFallsBackWhereThereIsNoDirection) {
    const Vec3 fallback{0, 0, 1};
    EXPECT_EQ(normalized({0, 0, 0}, fallback), fallback);
    EXPECT_EQ(normalized({NAN, 0, 0}, fallback), fallback);
    EXPECT_EQ(normalized({INFINITY, 1, 0}, fallback), fallback);
}

TEST(Vec3, AnyPerpendicularIsAUnitVectorAtRightAngles) {
    Random random(2);
    const auto check = [](const Vec3& n) {
        const Vec3 p = any_perpendicular(n);
        EXPECT_NEAR(norm(p), 1, 1e-15);
        EXPECT_NEAR(dot(p, n), 0, 1e-15);
    };
    for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        check(axis);
        check(-axis);
    }
    for (int i = 0; i < test::scaled(1000); ++i) check(random.direction());
}

TEST(Random, GivesThePublishedNumbersOfSplitMix64) {
    Random random(0);
    EXPECT_EQ(random.bits(), 0xe220a8397b1dcdafull);
    EXPECT_EQ(random.bits(), 0x6e789e6aa1b965f4ull);
    EXPECT_EQ(random.bits(), 0x06c45d188009454full);
}

TEST(Random, IntegersReachBothEndsOfTheirRangeAndNeverLeaveIt) {
    Random random(3);
    int low = 100, high = -100;
    for (int i = 0; i < 1000; ++i) {
        const int k = random.integer(-2, 5);
        low = std::min(low, k);
        high = std::max(high, k);
    }
    EXPECT_EQ(low, -2);
    EXPECT_EQ(high, 5);
}

}  // namespace
}  // namespace armature

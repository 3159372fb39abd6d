// The nearest point of a segment or a ring, against samples of it.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/math/random.h"
#include "armature/model/joint_parts.h"
#include "support/placed.h"
#include "support/test_scale.h"

namespace armature {
namespace {

using test::across;
using test::Placed;
using test::random_placed;

/// The distance from P1 to the nearest of many points of the domain, in the frame of solid 2 with P2 at the origin.
double sampled_distance(const Vec3& p, const SegmentDomain& s) {
    double best = infinity;
    const double low = std::fmax(s.min, -5), high = std::fmin(s.max, 5);
    for (int i = 0; i <= 20000; ++i) best = std::fmin(best, norm(p - (low + (high - low) * i / 20000) * s.axis_2));
    return best;
}
double sampled_distance(const Vec3& p, const RingDomain& ring) {
    const Vec3 u = any_perpendicular(ring.normal_2), v = cross(ring.normal_2, u);
    double best = infinity;
    const double high = std::fmin(ring.max, 3);
    for (int i = 0; i <= 100; ++i)
        for (int j = 0; j < 400; ++j) {
            const double radius = ring.min + (high - ring.min) * i / 100, angle = 2 * pi * j / 400;
            best = std::fmin(best, norm(p - radius * (std::cos(angle) * u + std::sin(angle) * v)));
        }
    return best;
}

template <class D>
void expect_nearest(const D& domain, const Vec3& p_2, const Placed& b2, double spacing) {
    // P1 is the centre of solid 1.
    const PointPart part{{}, {0.1, -0.2, 0.3}, domain};
    const Placed b1{b2.x + rotate(b2.q, part.p2_G + p_2), {}};
    const PointError e = measure(part, b1.at(), b2.at());
    EXPECT_NEAR(norm(e.d), violation(part, b1.at(), b2.at()), 1e-15);
    // Nothing sampled is nearer, and something sampled is about as near.
    const double sampled = sampled_distance(p_2, domain);
    EXPECT_LE(norm(e.d), sampled + 1e-12);
    EXPECT_GE(norm(e.d), sampled - spacing);
    // P2' = P1 + d is in the domain itself.
    const Placed there{b1.x + e.d, {}};
    EXPECT_LT(norm(measure(part, there.at(), b2.at()).d), 1e-12);
    EXPECT_LT(norm((b2.x + e.r2) - there.x), 1e-12);
}

TEST(NearestPoint, OfASegmentBesideItAndBeyondItsEnds) {
    Random random(1);
    int beside = 0, beyond = 0;
    for (int k = 0; k < 60; ++k) {
        const SegmentDomain s{random.direction(), -0.3, 0.5};
        const Vec3 p = random.in_box(1.2);
        const double lambda = dot(p, s.axis_2);
        ++(lambda > s.min && lambda < s.max ? beside : beyond);
        expect_nearest(s, p, random_placed(random), 1e-4);
        expect_nearest(SegmentDomain{s.axis_2, -infinity, 0.1}, p, random_placed(random), 1e-3);
    }
    EXPECT_GT(beside, 10);
    EXPECT_GT(beyond, 10);
}

TEST(NearestPoint, OfARingInsideOutsideAboveAndOnIt) {
    Random random(2);
    for (int k = 0; k < 20; ++k) {
        const Vec3 n = random.direction(), u = across(random, n);
        const double height = random.uniform(-1, 1);
        for (const double radius : {0.05, 0.3, 0.45, 0.6, 1.5}) {
            expect_nearest(RingDomain{n, 0.3, 0.6}, radius * u + height * n, random_placed(random), 0.01);
            expect_nearest(RingDomain{n, 0, 0.6}, radius * u + height * n, random_placed(random), 0.01);
            expect_nearest(RingDomain{n, 0.3, infinity}, radius * u + height * n, random_placed(random), 0.02);
            expect_nearest(RingDomain{n, 0.4, 0.4}, radius * u, random_placed(random), 0.01);
        }
    }
}

TEST(NearestPoint, OnTheAxisOfARingIsAnyButAlwaysTheSame) {
    Random random(3);
    for (int k = 0; k < 20; ++k) {
        const Vec3 n = random.direction();
        const double height = k == 0 ? 0 : random.uniform(-1, 1);
        const Placed b2 = random_placed(random);
        expect_nearest(RingDomain{n, 0.3, 0.6}, height * n, b2, 0.01);
        const PointPart part{{}, {}, RingDomain{n, 0.3, 0.6}};
        const Placed b1{b2.x + height * rotate(b2.q, n), {}};
        const PointError e = measure(part, b1.at(), b2.at());
        EXPECT_TRUE(is_finite(e.d));
        EXPECT_NEAR(norm(e.d), std::hypot(0.3, height), 1e-12);
        EXPECT_EQ(measure(part, b1.at(), b2.at()).d, e.d);
    }
}

TEST(NearestPoint, ReportsThePlaceAlongTheDomain) {
    const Placed b1{{0.2, 0.7, 0.1}, {}}, b2{};
    EXPECT_DOUBLE_EQ(measure(PointPart{{}, {}, SegmentDomain{{0, 1, 0}, 0, 0.5}}, b1.at(), b2.at()).place.x, 0.7);
    EXPECT_DOUBLE_EQ(measure(PointPart{{}, {}, RingDomain{{0, 1, 0}, 0, 0.1}}, b1.at(), b2.at()).place.x,
                     std::hypot(0.2, 0.1));
}

}  // namespace
}  // namespace armature

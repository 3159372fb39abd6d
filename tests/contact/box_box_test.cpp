#include "armature/contact/features.h"
#include "contact/reference.h"

namespace armature {
namespace {

using namespace test;
using Features = std::vector<int>;

const Vec3 up{0, 1, 0};

TEST(BoxOnBox, RestsOnALargerOneWithItsFourCorners) {
    const auto found = contacts(Box{{1, 1, 1}}, {{0.2, 0.999, 0.1}, {}}, Box{{4, 1, 4}}, {}, 0.01);
    ASSERT_EQ(features(found), (Features{0, 1, 4, 5}));  // those with −y
    for (const ContactPoint& c : found) {
        EXPECT_EQ(c.normal, up);
        EXPECT_NEAR(c.gap, -0.001, 1e-15);
        EXPECT_LT(norm(c.p1 - Vec3{0.2 + ((c.feature & 1) != 0 ? 0.5 : -0.5), 0.499,
                                   0.1 + ((c.feature & 4) != 0 ? 0.5 : -0.5)}),
                  1e-15);
    }
}

TEST(BoxOnBox, OnASmallerOneIsHeldByTheCornersOfThat) {
    const auto found =
        contacts(Box{{4, 1, 4}}, {{0.2, 0.999, 0.1}, from_axis_angle(up, 0.3)}, Box{{1, 1, 1}}, {}, 0.01);
    ASSERT_EQ(features(found), (Features{10, 11, 14, 15}));  // those of box 2 with +y
    EXPECT_NEAR(held_around(found, {}), 0.5, 1e-12);
}

TEST(BoxOnBox, HalfOverABorderIsHeldByItsCrossings) {
    const auto found = contacts(Box{{1, 1, 1}}, {{0.8, 0.999, 0}, {}}, Box{{1, 1, 4}}, {}, 0.01);
    ASSERT_EQ(found.size(), 4u);
    for (const ContactPoint& c : found) {
        EXPECT_NEAR(std::fabs(c.p1.z), 0.5, 1e-15);
        EXPECT_TRUE(std::fabs(c.p1.x - 0.3) < 1e-15 || std::fabs(c.p1.x - 0.5) < 1e-15);
    }
}

TEST(BoxOnBox, TurnedUprightOnItsEqualIsHeldByAnOctagon) {
    const auto found = contacts(Box{{1, 1, 1}}, {{0, 1, 0}, from_axis_angle(up, pi / 4)}, Box{{1, 1, 1}}, {}, 1e-9);
    EXPECT_EQ(found.size(), 8u);
    EXPECT_NEAR(held_around(found, {}), 0.5, 1e-12);
}

TEST(BoxOnBox, FlushOnItsEqualIsHeldAllAroundHoweverLittleItIsTurnedOrMoved) {
    // Each corner is right at the border: on, over or under by any amount.
    for (int k = 0; k <= 17; ++k)
        for (const double sign : {-1.0, 1.0}) {
            const double d = sign * std::pow(10.0, -k) * 0.1;
            const Box box{{1, 1, 1}};
            const Pose moved{{d, 1, 0.3 * d}, {}}, yawed{{0, 1, 0}, from_axis_angle(up, d)},
                both{{0.7 * d, 1, -d}, from_axis_angle(up, d)};
            for (const Pose& X : {moved, yawed, both}) {
                const auto found = contacts(box, X, box, {}, 1e-9);
                EXPECT_GE(found.size(), 4u) << d;
                EXPECT_GT(held_around(found, {}), 0.35) << d;
                for (const ContactPoint& c : found) expect_sound(c, box, X, box, {}, 1e-9);
            }
        }
}

TEST(BoxOnBox, TiltedALittleKeepsItsFourCorners) {
    for (const double tilt : {1e-16, 1e-12, 1e-9, 1e-6, 1e-3}) {
        const Quat q = turned({}, tilt * normalized(Vec3{1, 0.2, 0.4}));
        const auto found = contacts(Box{{1, 1, 1}}, {{0.2, 0.9999, 0.1}, q}, Box{{4, 1, 4}}, {}, 0.01);
        EXPECT_EQ(features(found), (Features{0, 1, 4, 5})) << tilt;
        for (const ContactPoint& c : found) EXPECT_EQ(c.normal, up);
    }
}

TEST(BoxOnBox, EdgeAcrossEdgeTouchesWhereTheyCross) {
    // One edge on top along z, at height √½; one below along x, crossing it at (0, ·, 0.1).
    const Quat below = from_axis_angle({1, 0, 0}, pi / 4), above = from_axis_angle({0, 0, 1}, pi / 4);
    const auto found =
        contacts(Box{{1, 1, 1}}, {{0.1, 2 * std::sqrt(0.5) - 0.01, 0.1}, below}, Box{{1, 1, 1}}, {{}, above}, 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_GE(found[0].feature, feature::edges(0, 0));
    EXPECT_LT(norm(found[0].normal - up), 1e-14);
    EXPECT_NEAR(found[0].gap, -0.01, 1e-14);
    EXPECT_LT(norm(found[0].p2 - Vec3{0, std::sqrt(0.5), 0.1}), 1e-14);
}

TEST(BoxOnBox, CornerOverCornerIsTheirDistance) {
    const auto found = contacts(Box{{1, 1, 1}}, {{1.1, 1.1, 1.1}, {}}, Box{{1, 1, 1}}, {}, 1);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(least_gap(found), 0.1 * std::sqrt(3.0), 1e-15);
    EXPECT_LT(norm(found[0].normal - normalized(Vec3{1, 1, 1})), 1e-14);
}

TEST(BoxOnBox, DeepInsideGoesOutTheShortestWay) {
    const Box box{{1, 1, 1}}, wide{{4, 2, 6}};
    const auto upwards = contacts(box, {{0.3, 0.4, 0.5}, {}}, wide, {}, 0);
    ASSERT_FALSE(upwards.empty());
    EXPECT_EQ(upwards[0].normal, up);
    EXPECT_NEAR(least_gap(upwards), -1.1, 1e-15);
    const auto sideways = contacts(box, {{-1.9, 0.4, 0.5}, {}}, wide, {}, 0);
    ASSERT_FALSE(sideways.empty());
    EXPECT_EQ(sideways[0].normal, (Vec3{-1, 0, 0}));
    EXPECT_NEAR(least_gap(sideways), -0.6, 1e-15);
}

TEST(BoxOnBox, AtTheSamePlaceGoesOutSomewhere) {
    const auto found = contacts(Box{{1, 1, 1}}, {}, Box{{1, 1, 1}}, {}, 0);
    ASSERT_FALSE(found.empty());
    EXPECT_NEAR(least_gap(found), -1, 1e-15);
}

TEST(BoxOnBox, RestingMovesAlongWithoutChangingItsFeatures) {
    const Features first = features(contacts(Box{{1, 1, 1}}, {{-1, 0.999, 0.1}, {}}, Box{{4, 1, 4}}, {}, 0.01));
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
        const Pose X{{-1 + 0.002 * i, 0.999 + random.uniform(-1e-4, 1e-4), 0.1}, turned({}, 1e-4 * random.direction())};
        EXPECT_EQ(features(contacts(Box{{1, 1, 1}}, X, Box{{4, 1, 4}}, {}, 0.01)), first);
    }
}

}  // namespace
}  // namespace armature

#include <gtest/gtest.h>

#include "contact/contact_test.h"

namespace armature {
namespace {

using test::contacts;

TEST(PlaneContacts, ASphereTouchesWithItsLowestPoint) {
    const auto found = contacts(Sphere{0.5}, {{1, 0.4, 2}, {}}, Plane{}, {}, 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, -0.1, 1e-15);
    EXPECT_EQ(found[0].normal, (Vec3{0, 1, 0}));
    EXPECT_LT(norm(found[0].p1 - Vec3{1, -0.1, 2}), 1e-15);
    EXPECT_LT(norm(found[0].p2 - Vec3{1, 0, 2}), 1e-15);
}

TEST(PlaneContacts, AnEllipsoidTouchesWithItsSupportPoint) {
    // Lying along its axes, and turned by 45° about z: the height of the support is √((a² + b²)/2).
    const auto flat = contacts(Ellipsoid{{0.3, 0.2, 0.5}}, {{0, 0.2, 0}, {}}, Plane{}, {}, 1);
    ASSERT_EQ(flat.size(), 1u);
    EXPECT_NEAR(flat[0].gap, 0, 1e-15);
    const Quat turn = from_axis_angle({0, 0, 1}, pi / 4);
    const auto turned = contacts(Ellipsoid{{0.3, 0.2, 0.5}}, {{0, 1, 0}, turn}, Plane{}, {}, 1);
    ASSERT_EQ(turned.size(), 1u);
    EXPECT_NEAR(turned[0].gap, 1 - std::sqrt((0.09 + 0.04) / 2), 1e-15);
}

TEST(PlaneContacts, ABoxTouchesWithTheCornersWithinTheMargin) {
    const Box box{{2, 4, 6}};
    EXPECT_EQ(contacts(box, {{0, 2, 0}, {}}, Plane{}, {}, 1e-12).size(), 4u);
    EXPECT_EQ(contacts(box, {{0, 2, 0}, {}}, Plane{}, {}, 4.1).size(), 8u);
    EXPECT_EQ(contacts(box, {{0, 2.1, 0}, {}}, Plane{}, {}, 0.05).size(), 0u);
    for (const ContactPoint& c : contacts(box, {{0, 2, 0}, {}}, Plane{}, {}, 1e-12)) {
        EXPECT_EQ(c.feature & 2, 0);  // the lower ones
        EXPECT_LT(norm(c.p1 - Vec3{(c.feature & 1) != 0 ? 1.0 : -1.0, 0, (c.feature & 4) != 0 ? 3.0 : -3.0}), 1e-15);
    }
}

TEST(PlaneContacts, ALyingCapsuleRestsOnBothEnds) {
    const Quat lying = from_axis_angle({0, 0, 1}, pi / 2);
    const auto found = contacts(Capsule{0.2, 1}, {{0, 0.2, 0}, lying}, Plane{}, {}, 1e-12);
    ASSERT_EQ(found.size(), 2u);
    for (const ContactPoint& c : found) {
        EXPECT_NEAR(c.gap, 0, 1e-15);
        EXPECT_NEAR(std::fabs(c.p1.x), 0.5, 1e-15);
    }
    EXPECT_EQ(contacts(Capsule{0.2, 1}, {{0, 0.7, 0}, {}}, Plane{}, {}, 1e-3).size(), 1u);
}

TEST(PlaneContacts, AStandingCylinderIsHeldAllAroundItsRim) {
    const auto found = contacts(Cylinder{0.3, 1}, {{0, 0.5, 0}, {}}, Plane{}, {}, 1e-12);
    ASSERT_EQ(found.size(), 4u);
    Vec3 sum;
    for (const ContactPoint& c : found) {
        sum += c.p1;
        EXPECT_NEAR(norm(c.p1), 0.3, 1e-15);
        EXPECT_NEAR(c.gap, 0, 1e-15);
    }
    EXPECT_LT(norm(sum), 1e-15);
}

TEST(PlaneContacts, ARollingCylinderIsHeldByTheDeepestPointOfEachRim) {
    for (const double angle : {0.0, 0.1, 0.7, 2.0, 3.0}) {
        const Quat rolled = from_axis_angle({1, 0, 0}, angle) * from_axis_angle({0, 0, 1}, pi / 2);
        const auto found = contacts(Cylinder{0.3, 1}, {{0, 0.3, 0}, rolled}, Plane{}, {}, 0.1);
        ASSERT_EQ(found.size(), 2u);
        for (const ContactPoint& c : found) {
            EXPECT_NEAR(c.gap, 0, 1e-15);
            EXPECT_LT(norm(c.p1 - Vec3{c.p1.x < 0 ? -0.5 : 0.5, 0, 0}), 1e-15);
        }
    }
}

TEST(PlaneContacts, ATiltedCylinderTouchesAtTheLowestPointOfItsRim) {
    for (const double tilt : {2e-6, 1e-3, 0.3, 1.0, 1.5}) {
        const Quat tilted = from_axis_angle({0, 0, 1}, tilt);
        const auto found = contacts(Cylinder{0.3, 1}, {{0, 1, 0}, tilted}, Plane{}, {}, 10);
        double least = 10;
        for (const ContactPoint& c : found) least = std::fmin(least, c.gap);
        EXPECT_NEAR(least, 1 - 0.5 * std::cos(tilt) - 0.3 * std::sin(tilt), 1e-15);
    }
}

TEST(PlaneContacts, AMeshTouchesWithItsVerticesAndNotWithThoseItDoesNotUse) {
    TriangleMesh mesh = test::unit_cube();
    mesh.vertices.push_back({0, -5, 0});
    const MeshShape shape{"", std::make_shared<const TriangleMesh>(mesh)};
    const auto found = contacts(shape, {{0, 0.01, 0}, {}}, Plane{}, {}, 0.1);
    ASSERT_EQ(found.size(), 4u);
    for (const ContactPoint& c : found) EXPECT_NEAR(c.gap, 0.01, 1e-15);
}

TEST(PlaneContacts, NothingTouchesWhatHasNoCase) {
    EXPECT_FALSE(contacts_known(Plane{}, Plane{}));
    EXPECT_FALSE(contacts_known(Plane{}, Box{}));
    EXPECT_FALSE(contacts_known(Sphere{}, Sphere{}));
    EXPECT_TRUE(contacts(Plane{}, {}, Plane{}, {}, 1).empty());
    EXPECT_TRUE(contacts(Sphere{}, {}, Sphere{}, {}, 1).empty());
}

}  // namespace
}  // namespace armature

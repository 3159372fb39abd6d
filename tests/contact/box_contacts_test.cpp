// Round shapes and meshes against a fixed box, in poses whose contacts are known.
#include "armature/contact/features.h"
#include "contact/reference.h"

namespace armature {
namespace {

using namespace test;
using Features = std::vector<int>;

const Quat lying_x = from_axis_angle({0, 0, 1}, pi / 2);  ///< turns local y to −x
const Quat lying_z = from_axis_angle({1, 0, 0}, pi / 2);  ///< turns local y to z
/// A box with one edge on top, along z, at height √½.
const Pose on_edge{{0, 0, 0}, from_axis_angle({0, 0, 1}, pi / 4)};
const double edge_height = std::sqrt(0.5);

/// The edges along z at +y: the bits of their numbers are +x and +y.
const Features capsule_borders{feature::capsule_border(10), feature::capsule_border(11)};
const Features side_borders{feature::side_border(10), feature::side_border(11)};

void expect_contact(const ContactPoint& c, const Vec3& p2, const Vec3& normal, double gap) {
    EXPECT_LT(norm(c.p2 - p2), 1e-14);
    EXPECT_LT(norm(c.normal - normal), 1e-14);
    EXPECT_NEAR(c.gap, gap, 1e-14);
}

TEST(SphereOnBox, TouchesFaceEdgeAndCorner) {
    const Box box{{2, 2, 2}};
    const auto one = [&](const Vec3& x) {
        const auto found = contacts(Sphere{0.5}, {x, {}}, box, {}, 10);
        EXPECT_EQ(found.size(), 1u);
        return found.at(0);
    };
    expect_contact(one({0.3, 1.4, 0.2}), {0.3, 1, 0.2}, {0, 1, 0}, -0.1);
    expect_contact(one({2, 2, 0.2}), {1, 1, 0.2}, Vec3{1, 1, 0} / std::sqrt(2.0), std::sqrt(2.0) - 0.5);
    expect_contact(one({-2, 2, 2}), {-1, 1, 1}, Vec3{-1, 1, 1} / std::sqrt(3.0), std::sqrt(3.0) - 0.5);
}

TEST(SphereOnBox, GoesOutThroughTheNearestFace) {
    const auto found = contacts(Sphere{0.5}, {{0.1, -0.9, 0.3}, {}}, Box{{2, 2, 2}}, {}, 0);
    ASSERT_EQ(found.size(), 1u);
    expect_contact(found[0], {0.1, -1, 0.3}, {0, -1, 0}, -0.6);
}

TEST(SphereOnBox, HasANormalInTheVeryMiddleAndOfAThinBox) {
    for (const Vec3& size : {Vec3{2, 2, 2}, Vec3{2, 1e-12, 2}, Vec3{1, 0, 1}}) {
        const auto found = contacts(Sphere{0.5}, {}, Box{size}, {}, 0);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(norm(found[0].normal), 1);
        EXPECT_LT(found[0].gap, 0);
    }
}

TEST(CapsuleOnBox, LiesOnItsEnds) {
    const auto found = contacts(Capsule{0.2, 1}, {{0, 1.2, 0}, lying_x}, Box{{4, 2, 4}}, {}, 0.01);
    ASSERT_EQ(features(found), (Features{feature::capsule_end(0), feature::capsule_end(1)}));
    for (const ContactPoint& c : found) expect_contact(c, {c.p2.x < 0 ? -0.5 : 0.5, 1, 0}, {0, 1, 0}, 0);
}

TEST(CapsuleOnBox, LyingAcrossABeamIsHeldAtBothOfItsBorders) {
    for (const double tilt : {0.0, 1e-15, 1e-10, -1e-10, 1e-5, -1e-5}) {
        const Quat q = from_axis_angle({0, 0, 1}, tilt) * lying_x;
        const auto found = contacts(Capsule{0.2, 3}, {{0.1, 1.2, 0}, q}, Box{{1, 2, 8}}, {}, 0.01);
        ASSERT_EQ(features(found), capsule_borders);
        for (const ContactPoint& c : found) EXPECT_NEAR(std::fabs(c.p1.x), 0.5, 1e-4);
    }
}

TEST(CapsuleOnBox, HalfOverABorderIsHeldByItAndByTheOtherEnd) {
    const auto found = contacts(Capsule{0.2, 1}, {{0.4, 1.2, 0}, lying_x}, Box{{1, 2, 1}}, {}, 0.01);
    ASSERT_EQ(features(found), (Features{feature::capsule_end(1), feature::capsule_border(11)}));
}

TEST(CapsuleOnBox, AcrossAnEdgeTouchesItOnceAndAlongAnEdgeTwice) {
    const auto across = contacts(Capsule{0.2, 1}, {{0, edge_height + 0.19, 0.1}, lying_x}, Box{{1, 1, 1}}, on_edge, 0);
    ASSERT_EQ(across.size(), 1u);
    expect_contact(across[0], {0, edge_height, 0.1}, {0, 1, 0}, -0.01);
    const auto along = contacts(Capsule{0.2, 3}, {{0, edge_height + 0.19, 0.1}, lying_z}, Box{{1, 1, 1}}, on_edge, 0);
    ASSERT_EQ(along.size(), 2u);
    for (const ContactPoint& c : along) expect_contact(c, {0, edge_height, c.p2.z < 0 ? -0.5 : 0.5}, {0, 1, 0}, -0.01);
}

TEST(CapsuleOnBox, AcrossAnEdgeKeepsItsFeatureWhicheverFaceOfTheEdgeIsNearer) {
    Random random(2);
    for (int i = 0; i < 1000; ++i) {
        const Quat q = turned(lying_x, 1e-6 * random.direction());
        const Pose X{{0, edge_height + 0.19, 0.1}, q};
        EXPECT_EQ(features(contacts(Capsule{0.2, 1}, X, Box{{1, 1, 1}}, on_edge, 0)),
                  (Features{feature::capsule_border(11)}));
        EXPECT_EQ(features(contacts(Cylinder{0.2, 1}, X, Box{{1, 1, 1}}, on_edge, 0)),
                  (Features{feature::side_border(11)}));
    }
}

TEST(CapsuleOnBox, StandingTouchesWithOneEnd) {
    const auto found = contacts(Capsule{0.2, 1}, {{0, 1.69, 0}, {}}, Box{{2, 2, 2}}, {}, 0.1);
    ASSERT_EQ(features(found), (Features{feature::capsule_end(0)}));
    expect_contact(found[0], {0, 1, 0}, {0, 1, 0}, -0.01);
}

TEST(CylinderOnBox, IsHeldOnALargeBoxAsOnAPlane) {
    Random random(3);
    const Cylinder s{0.3, 1};
    for (int i = 0; i < 1000; ++i) {
        const Vec3 axis = i < 200 ? Vec3{0, 1, 0} : random.direction();
        const Quat q = shortest_arc({0, 1, 0}, axis) * from_axis_angle({0, 1, 0}, random.uniform(-3, 3));
        Pose X{{0, 0, 0}, q};
        X.x.y = extent(s, rotate_back(q, {0, -1, 0})) - 0.01;
        const double margin = 0.1;
        const auto on_plane = contacts(s, X, Plane{}, {}, margin);
        const auto on_box = contacts(s, X, Box{{10, 10, 10}}, {{0, -5, 0}, {}}, margin);
        ASSERT_EQ(features(on_plane), features(on_box));
        for (std::size_t k = 0; k < on_plane.size(); ++k)
            for (const ContactPoint& c : on_box)
                EXPECT_TRUE(c.feature != on_plane[k].feature || norm(c.p1 - on_plane[k].p1) < 1e-14);
    }
}

TEST(CylinderOnBox, OnASmallBoxIsHeldByItsCorners) {
    const auto found = contacts(Cylinder{1, 1}, {{0, 1, 0}, {}}, Box{{0.8, 1, 0.8}}, {}, 0.01);
    ASSERT_EQ(features(found), (Features{32, 33, 36, 37}));  // the corners with +y
    for (const ContactPoint& c : found) EXPECT_NEAR(c.gap, 0, 1e-15);
    EXPECT_NEAR(held_around(found, {}), 0.4, 1e-12);
}

TEST(CylinderOnBox, StandingOverABorderIsHeldToTheBorder) {
    // The disc about (0.3, 0) of radius 0.5 ends at the border x = 0.5, which it meets at z = ±√(0.25 − 0.04).
    const auto found = contacts(Cylinder{0.5, 1}, {{0.3, 1, 0}, {}}, Box{{1, 1, 4}}, {}, 0.01);
    double x = -infinity, z = 0;
    for (const ContactPoint& c : found) {
        x = std::fmax(x, c.p1.x);
        if (c.p1.x > 0.49) z = std::fmax(z, std::fabs(c.p1.z));
    }
    EXPECT_NEAR(x, 0.5, 1e-15);
    EXPECT_NEAR(z, std::sqrt(0.21), 1e-15);
    EXPECT_GT(held_around(found, {0.3, 0, 0}), 0.1);
}

TEST(CylinderOnBox, LyingAcrossABeamIsHeldAtBothOfItsBorders) {
    for (const double tilt : {0.0, 1e-15, 1e-10, -1e-10, 1e-5, -1e-5}) {
        const Quat q = from_axis_angle({0, 0, 1}, tilt) * lying_x;
        const auto found = contacts(Cylinder{0.2, 3}, {{0.1, 1.2, 0}, q}, Box{{1, 2, 8}}, {}, 0.01);
        ASSERT_EQ(features(found), side_borders);
        for (const ContactPoint& c : found) EXPECT_NEAR(std::fabs(c.p1.x), 0.5, 1e-4);
    }
}

TEST(CylinderOnBox, BalancesOnAnEdge) {
    const auto lying = contacts(Cylinder{0.2, 1}, {{0, edge_height + 0.19, 0}, lying_x}, Box{{1, 1, 1}}, on_edge, 0);
    ASSERT_EQ(lying.size(), 1u);
    expect_contact(lying[0], {0, edge_height, 0}, {0, 1, 0}, -0.01);
    const auto standing = contacts(Cylinder{0.2, 1}, {{0, edge_height + 0.49, 0}, {}}, Box{{1, 1, 1}}, on_edge, 0);
    ASSERT_EQ(standing.size(), 2u);  // where the edge passes under the rim
    for (const ContactPoint& c : standing)
        expect_contact(c, {0, edge_height, c.p2.z < 0 ? -0.2 : 0.2}, {0, 1, 0}, -0.01);
}

TEST(EllipsoidOnBox, IsASphereWhenItsRadiiAreEqual) {
    Random random(5);
    for (int i = 0; i < 1000; ++i) {
        const Pose X1{random.in_box(1.5), random.orientation()}, X2{random.in_box(0.2), random.orientation()};
        const Box box{{1, 1.5, 0.7}};
        const auto ball = contacts(Sphere{0.4}, X1, box, X2, 5),
                   found = contacts(Ellipsoid{{0.4, 0.4, 0.4}}, X1, box, X2, 5);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_NEAR(found[0].gap, ball[0].gap, 1e-13);
        EXPECT_LT(norm(found[0].p2 - ball[0].p2), 1e-11);
    }
}

TEST(MeshOnBox, TouchesWithEveryVertexWithinTheMargin) {
    Random random(9);
    const auto mesh =
        std::make_shared<const TriangleMesh>(moved_mesh(scaled_mesh(unit_ball(2), {0.5, 0.3, 0.4}), {{3, 0, 0}, {}}));
    const ContactShape shape(MeshShape{"", mesh});
    EXPECT_LT(norm(shape.ball.centre_S - Vec3{3, 0, 0}), 1e-15);  // not about the origin of its frame
    EXPECT_NEAR(shape.ball.radius, 0.5, 1e-15);
    const Box box{{1, 1, 1}};
    for (int i = 0; i < 200; ++i) {
        const Pose X1{random.in_box(4), random.orientation()}, X2{{}, random.orientation()};
        const auto found = contacts(MeshShape{"", mesh}, X1, box, X2, 0.1);
        std::size_t expected = 0;
        for (const Vec3& v : mesh->vertices)
            if (distance_to_surface(box, inverse(X2) * (X1 * v)) <= 0.1) ++expected;
        EXPECT_EQ(found.size(), expected);
        for (const ContactPoint& c : found) {
            expect_sound(c, MeshShape{"", mesh}, X1, box, X2, 0.1);
            EXPECT_LT(norm(c.p1 - X1 * mesh->vertices[static_cast<std::size_t>(c.feature)]), 1e-14);
        }
    }
}

}  // namespace
}  // namespace armature

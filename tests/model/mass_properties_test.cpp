#include "armature/model/mass_properties.h"

#include <gtest/gtest.h>

#include <functional>

#include "armature/math/random.h"
#include "support/test_meshes.h"
#include "support/test_scale.h"

namespace armature {
namespace {

MassProperties of_mesh(TriangleMesh mesh) {
    return unit_density_properties(MeshShape{"", std::make_shared<const TriangleMesh>(std::move(mesh))});
}

double largest_difference(const Mat3& a, const Mat3& b) {
    double result = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result = std::fmax(result, std::fabs(a(i, j) - b(i, j)));
    return result;
}

void expect_same(const MassProperties& a, const MassProperties& b, double relative) {
    EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
    const double size = std::sqrt(trace(b.inertia) / b.mass);
    EXPECT_LT(norm(a.centre - b.centre), relative * (size + norm(b.centre)));
    EXPECT_LT(largest_difference(a.inertia, b.inertia), relative * trace(b.inertia));
}

/// An inscribed polyhedron of twice the fineness has a quarter of the error; what extrapolation to zero error
/// then leaves is of the fourth order.
void expect_converging(const Geometry& shape, const std::function<TriangleMesh(int)>& mesh) {
    const MassProperties exact = unit_density_properties(shape);
    const MassProperties coarse = of_mesh(mesh(128)), fine = of_mesh(mesh(256));
    const auto expect_second_order = [](double e, double c, double f, const char* what) {
        EXPECT_NEAR((c - e) / (f - e), 4, 0.05) << what;
        EXPECT_NEAR((4 * f - c) / 3, e, 3e-6 * e) << what;
    };
    expect_second_order(exact.mass, coarse.mass, fine.mass, "volume");
    for (int k = 0; k < 3; ++k)
        expect_second_order(exact.inertia(k, k), coarse.inertia(k, k), fine.inertia(k, k), "inertia");
    EXPECT_EQ(exact.centre, Vec3{});
    EXPECT_LT(norm(fine.centre), 1e-14);
    EXPECT_LT(std::fabs(fine.inertia(0, 1)) + std::fabs(fine.inertia(0, 2)) + std::fabs(fine.inertia(1, 2)),
              1e-13 * trace(fine.inertia));
}

int levels(int sides) {
    return sides == 128 ? 5 : 6;
}

TEST(MassProperties, SphereIsTheLimitOfItsPolyhedra) {
    expect_converging(Sphere{0.7}, [](int n) {
        return test::scaled_mesh(test::unit_ball(levels(n)), {0.7, 0.7, 0.7});
    });
}
TEST(MassProperties, EllipsoidIsTheLimitOfItsPolyhedra) {
    const Vec3 radii{0.7, 0.2, 1.9};
    expect_converging(Ellipsoid{radii}, [&](int n) { return test::scaled_mesh(test::unit_ball(levels(n)), radii); });
}
TEST(MassProperties, CylinderIsTheLimitOfItsPolyhedra) {
    expect_converging(Cylinder{0.3, 1.7}, [](int n) { return test::cylinder_mesh(0.3, 1.7, n); });
    expect_converging(Cylinder{1.3, 0.2}, [](int n) { return test::cylinder_mesh(1.3, 0.2, n); });
}
TEST(MassProperties, CapsuleIsTheLimitOfItsPolyhedra) {
    expect_converging(Capsule{0.3, 1.7}, [](int n) { return test::capsule_mesh(0.3, 1.7, n); });
    expect_converging(Capsule{1.3, 0.2}, [](int n) { return test::capsule_mesh(1.3, 0.2, n); });
}

TEST(MassProperties, BoxIsItsPolyhedron) {
    const Vec3 size{0.5, 2, 3};
    TriangleMesh mesh = test::moved_mesh(test::unit_cube(), {{-0.5, -0.5, -0.5}, {}});
    expect_same(unit_density_properties(Box{size}), of_mesh(test::scaled_mesh(mesh, size)), 1e-15);
}

TEST(MassProperties, UnitCubeMeshIsExact) {
    const MassProperties cube = of_mesh(test::unit_cube());
    EXPECT_DOUBLE_EQ(cube.mass, 1);
    EXPECT_EQ(cube.centre, (Vec3{0.5, 0.5, 0.5}));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(cube.inertia(i, j), i == j ? 1.0 / 6 : 0, 1e-16);
}

TEST(MassProperties, TetrahedronHasThePublishedTensor) {
    // Corner tetrahedron of the unit cube: V = 1/6, c = 1/4, ∫x² = 1/60, ∫xy = 1/120 about the corner.
    const MassProperties p =
        of_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
    EXPECT_NEAR(p.mass, 1.0 / 6, 1e-16);
    EXPECT_LT(norm(p.centre - Vec3{0.25, 0.25, 0.25}), 1e-15);
    const double square = 1.0 / 60 - 1.0 / 96, product = 1.0 / 120 - 1.0 / 96;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(p.inertia(i, j), i == j ? 2 * square : -product, 1e-16);
}

TEST(MassProperties, MeshAThousandKilometresAwayKeepsItsInertia) {
    const TriangleMesh near =
        test::moved_mesh(test::scaled_mesh(test::unit_ball(3), {0.7, 0.2, 1.9}), {{}, exp_rotation({0.3, -0.5, 1})});
    const Vec3 shift{1e6, -1e6, 1e6};
    const MassProperties a = of_mesh(near), b = of_mesh(test::moved_mesh(near, {shift, {}}));
    EXPECT_NEAR(b.mass, a.mass, 1e-9 * a.mass);
    EXPECT_LT(largest_difference(a.inertia, b.inertia), 1e-9 * a.inertia(1, 1));
    EXPECT_LT(norm(b.centre - shift - a.centre), 1e-9);
}

TEST(MassProperties, CavityIsTakenAway) {
    const TriangleMesh inner =
        test::moved_mesh(test::scaled_mesh(test::unit_cube(), {0.5, 0.25, 0.5}), {{0.1, 0.6, 0.3}, {}});
    const MassProperties hollow = of_mesh(test::joined_meshes(test::unit_cube(), test::inside_out(inner)));
    expect_same(combined(hollow, of_mesh(inner)), of_mesh(test::unit_cube()), 1e-14);
}

TEST(MassProperties, MovingTheBodyAndMovingItsPropertiesIsTheSame) {
    Random random(1);
    const TriangleMesh mesh = test::scaled_mesh(test::unit_cube(), {0.4, 1, 2});
    for (int i = 0; i < test::scaled(100); ++i) {
        const Pose X{random.in_box(3), random.orientation()};
        expect_same(transformed(of_mesh(mesh), X), of_mesh(test::moved_mesh(mesh, X)), 2e-14);
    }
}

TEST(MassProperties, PartsOfABoxCombineToTheBox) {
    const auto part = [](double low, double high) {
        return transformed(unit_density_properties(Box{{high - low, 2, 3}}), {{(low + high) / 2, 0, 0}, {}});
    };
    const MassProperties whole = part(-1, 2);
    expect_same(combined(part(-1, 0.25), part(0.25, 2)), whole, 1e-14);
    expect_same(combined(part(0.25, 2), part(-1, 0.25)), whole, 1e-14);
    expect_same(combined(combined(part(-1, 0), part(1, 2)), part(0, 1)), whole, 1e-14);
    EXPECT_EQ(combined(whole, {}).inertia, whole.inertia);
    EXPECT_EQ(combined({}, whole).inertia, whole.inertia);
}

TEST(MassProperties, PlaneHasNone) {
    EXPECT_EQ(unit_density_properties(Plane{}).mass, 0);
}

}  // namespace
}  // namespace armature

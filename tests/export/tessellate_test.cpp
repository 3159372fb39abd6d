// Surfaces are checked as surfaces: closed, facing outwards, and in the limit the shape itself.
#include "armature/export/tessellate.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "armature/model/mass_properties.h"
#include "support/test_meshes.h"

namespace armature {
namespace {

using Point = std::array<float, 3>;

Point in_float(const Vec3& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

/// Every edge twice, once in each direction, after welding vertices whose positions are equal in float32.
bool is_closed(const SurfaceMesh& mesh) {
    std::map<std::pair<Point, Point>, int> sides;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k)
            ++sides[{in_float(mesh.positions[t[k]]), in_float(mesh.positions[t[(k + 1) % 3]])}];
    for (const auto& [side, count] : sides) {
        const auto back = sides.find({side.second, side.first});
        if (side.first == side.second || count != 1 || back == sides.end() || back->second != 1) return false;
    }
    return !sides.empty();
}

Vec3 twice_area(const SurfaceMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    const Vec3 a = mesh.positions[t[0]], b = mesh.positions[t[1]], c = mesh.positions[t[2]];
    return cross(b - a, c - a);
}
double area(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) sum += 0.5 * norm(twice_area(mesh, t));
    return sum;
}
double volume(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) sum += dot(mesh.positions[t[0]], twice_area(mesh, t)) / 6;
    return sum;
}

/// Normals are units on the outer side of every triangle that uses them, and all vertices are used.
void expect_good_normals(const SurfaceMesh& mesh) {
    ASSERT_EQ(mesh.positions.size(), mesh.normals.size());
    for (const Vec3& n : mesh.normals) EXPECT_NEAR(norm(n), 1, 1e-14);
    std::set<std::uint32_t> used;
    for (const auto& t : mesh.triangles) {
        for (const std::uint32_t i : t) {
            ASSERT_LT(i, mesh.positions.size());
            EXPECT_GT(dot(mesh.normals[i], twice_area(mesh, t)), 0);
            used.insert(i);
        }
    }
    EXPECT_EQ(used.size(), mesh.positions.size());
}

struct Case {
    std::string name;
    Geometry geometry;
    double area;  ///< m², closed form
};

/// Area of the spheroid with radii (a, c, a), c > a: 2π a² (1 + c/(a e) asin e), e² = 1 − a²/c².
double spheroid_area(double a, double c) {
    const double e = std::sqrt(1 - a * a / (c * c));
    return 2 * pi * a * a * (1 + c / (a * e) * std::asin(e));
}

const Case cases[] = {
    {"sphere", Sphere{0.7}, 4 * pi * 0.49},
    {"box", Box{{1, 2, 3}}, 2 * (2.0 + 3 + 6)},
    {"cylinder", Cylinder{0.3, 2}, 2 * pi * 0.3 * (2 + 0.3)},
    {"capsule", Capsule{0.3, 2}, 2 * pi * 0.3 * 2 + 4 * pi * 0.09},
    {"ball_capsule", Capsule{0.3, 0}, 4 * pi * 0.09},
    {"ellipsoid", Ellipsoid{{0.5, 0.8, 0.5}}, spheroid_area(0.5, 0.8)},
    {"needle", Cylinder{1e-4, 10}, 2 * pi * 1e-4 * (10 + 1e-4)},
};

class Tessellate : public testing::TestWithParam<Case> {};

TEST_P(Tessellate, IsClosedAndFacesOutwards) {
    for (const int sides : {4, 8, 48, 100}) {
        const SurfaceMesh mesh = tessellate(GetParam().geometry, sides);
        EXPECT_TRUE(is_closed(mesh)) << sides;
        EXPECT_GT(volume(mesh), 0);
        expect_good_normals(mesh);
    }
}

TEST_P(Tessellate, VolumeAndAreaConvergeToTheClosedForms) {
    const Case& c = GetParam();
    const double true_volume = unit_density_properties(c.geometry).mass;
    const auto errors = [&](int sides) {
        const SurfaceMesh mesh = tessellate(c.geometry, sides);
        return std::pair{1 - volume(mesh) / true_volume, 1 - area(mesh) / c.area};
    };
    const auto [v1, a1] = errors(64);
    const auto [v2, a2] = errors(128);
    if (std::holds_alternative<Box>(c.geometry)) {
        EXPECT_NEAR(v1, 0, 1e-15);
        EXPECT_NEAR(a1, 0, 1e-15);
        return;
    }
    // Inscribed, hence smaller. An inscribed n-gon lacks 2π²/3n² of the circle's area, and so does a cylinder; a ball
    // lacks π²/n² more for its meridians.
    const double tube = 2 * pi * pi / 3 / (128 * 128), ball = tube + pi * pi / (128 * 128);
    EXPECT_GT(v2, 0.999 * tube);
    EXPECT_LT(v2, 1.001 * ball);
    EXPECT_GT(a2, 0);
    EXPECT_LT(a2, ball);
    // Second order: a quarter. The next term of the series is O(n⁻⁴), 1e-3 of this one.
    EXPECT_NEAR(v1 / v2, 4, 0.01);
    EXPECT_NEAR(a1 / a2, 4, 0.01);
}

TEST_P(Tessellate, ReachesTheExtremesOnTheAxes) {
    struct Extent {
        Vec3 operator()(const Sphere& s) const { return {s.radius, s.radius, s.radius}; }
        Vec3 operator()(const Box& b) const { return 0.5 * b.size; }
        Vec3 operator()(const Cylinder& c) const { return {c.radius, c.length / 2, c.radius}; }
        Vec3 operator()(const Capsule& c) const { return {c.radius, c.length / 2 + c.radius, c.radius}; }
        Vec3 operator()(const Ellipsoid& e) const { return e.radii; }
        Vec3 operator()(const Plane&) const { return {}; }
        Vec3 operator()(const MeshShape&) const { return {}; }
    };
    const Vec3 extent = std::visit(Extent{}, GetParam().geometry);
    const SurfaceMesh mesh = tessellate(GetParam().geometry);
    for (int i = 0; i < 3; ++i) {
        double low = 0, high = 0;
        for (const Vec3& p : mesh.positions) {
            low = std::min(low, p[i]);
            high = std::max(high, p[i]);
        }
        EXPECT_DOUBLE_EQ(low, -extent[i]);
        EXPECT_DOUBLE_EQ(high, extent[i]);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Tessellate, testing::ValuesIn(cases), [](const auto& c) { return c.param.name; });

TEST(Tessellation, NormalsAreThoseOfTheTrueSurface) {
    const SurfaceMesh ball = tessellate(Sphere{2});
    for (std::size_t i = 0; i < ball.positions.size(); ++i)
        EXPECT_LT(norm(ball.normals[i] - 0.5 * ball.positions[i]), 1e-15);

    const Vec3 r{0.5, 2, 1};
    const SurfaceMesh egg = tessellate(Ellipsoid{r});
    for (std::size_t i = 0; i < egg.positions.size(); ++i) {
        const Vec3& p = egg.positions[i];
        const Vec3 gradient{p.x / (r.x * r.x), p.y / (r.y * r.y), p.z / (r.z * r.z)};
        EXPECT_LT(norm(egg.normals[i] - normalized(gradient)), 1e-14);
    }

    const SurfaceMesh pill = tessellate(Capsule{0.5, 3});
    for (std::size_t i = 0; i < pill.positions.size(); ++i) {
        const Vec3& p = pill.positions[i];
        const Vec3 on_axis{0, std::clamp(p.y, -1.5, 1.5), 0};
        EXPECT_LT(norm(pill.normals[i] - 2 * (p - on_axis)), 1e-14);
    }

    // Flat ends, round side, and nothing in between.
    const SurfaceMesh tin = tessellate(Cylinder{0.5, 3});
    for (std::size_t i = 0; i < tin.positions.size(); ++i) {
        const Vec3 &p = tin.positions[i], &n = tin.normals[i];
        const bool end = std::fabs(n.y) == 1 && std::fabs(p.y) == 1.5;
        EXPECT_TRUE(end || norm(n - 2 * Vec3{p.x, 0, p.z}) < 1e-15);
    }
}

TEST(Tessellation, SmoothPointsHaveOneVertexAndEdgesOnePerSide) {
    EXPECT_EQ(tessellate(Box{}).positions.size(), 24u);
    EXPECT_EQ(tessellate(Sphere{}, 8).positions.size(), 2u + 3 * 8);
    EXPECT_EQ(tessellate(Capsule{}, 8).positions.size(), 2u + 4 * 8);
    EXPECT_EQ(tessellate(Cylinder{}, 8).positions.size(), 2u + 4 * 8);
}

TEST(Tessellation, APlaneIsASquareThatLooksUp) {
    const SurfaceMesh plane = tessellate(Plane{});
    EXPECT_EQ(plane.triangles.size(), 2u);
    EXPECT_EQ(area(plane), plane_edge * plane_edge);
    for (const Vec3& n : plane.normals) EXPECT_EQ(n, (Vec3{0, 1, 0}));
    for (const Vec3& p : plane.positions) EXPECT_EQ(p.y, 0);
    expect_good_normals(plane);
}

TEST(MeshNormals, ACubeKeepsItsEdges) {
    const SurfaceMesh cube = with_normals(test::unit_cube());
    EXPECT_EQ(cube.positions.size(), 24u);
    EXPECT_TRUE(is_closed(cube));
    expect_good_normals(cube);
    for (const Vec3& n : cube.normals)
        EXPECT_EQ(std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z), 1) << n.x << " " << n.y << " " << n.z;
    EXPECT_DOUBLE_EQ(volume(cube), 1);
}

TEST(MeshNormals, ABallIsSmooth) {
    const auto worst = [](int levels) {
        const TriangleMesh ball = test::unit_ball(levels);
        const SurfaceMesh mesh = with_normals(ball);
        EXPECT_EQ(mesh.positions.size(), ball.vertices.size());
        EXPECT_TRUE(is_closed(mesh));
        double largest = 0;
        for (std::size_t i = 0; i < mesh.positions.size(); ++i)
            largest = std::max(largest, norm(mesh.normals[i] - mesh.positions[i]));
        return largest;
    };
    // Twice the measured 0.01 rad. First order: along the edges of the octahedron the triangles change their form.
    EXPECT_LT(worst(4), 0.02);
    EXPECT_NEAR(worst(4) / worst(5), 2, 0.01);
}

TEST(MeshNormals, ACylinderIsSmoothAroundAndSharpAtItsEnds) {
    const SurfaceMesh tin = with_normals(test::cylinder_mesh(0.5, 2, 32));
    EXPECT_EQ(tin.positions.size(), 2u + 4 * 32);
    EXPECT_TRUE(is_closed(tin));
    expect_good_normals(tin);
    for (std::size_t i = 0; i < tin.positions.size(); ++i) {
        const Vec3 &p = tin.positions[i], &n = tin.normals[i];
        // A side vertex sees two triangles of one neighbour and one of the other: half the angle between them at most.
        EXPECT_TRUE(std::fabs(n.y) > 1 - 1e-15 || norm(n - 2 * Vec3{p.x, 0, p.z}) < pi / 32) << n.y;
    }
}

TEST(MeshNormals, TrianglesWithoutAreaDoNoHarm) {
    TriangleMesh mesh = test::unit_cube();
    // The middle of an edge as a vertex of its own: the triangle on one side of the edge is split, and the other side
    // is closed by a sliver of no area.
    mesh.vertices.push_back({0.5, 0, 0});
    const int m = 8;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (mesh.triangles[t] == std::array{0, 1, 5}) mesh.triangles[t] = {0, m, 5};
    }
    mesh.triangles.push_back({m, 1, 5});
    mesh.triangles.push_back({0, 1, m});
    const SurfaceMesh surface = with_normals(mesh);
    EXPECT_TRUE(is_closed(surface));
    for (const Vec3& n : surface.normals) EXPECT_NEAR(norm(n), 1, 1e-15);
    EXPECT_DOUBLE_EQ(volume(surface), 1);
}

TEST(MeshNormals, NothingGivesNothing) {
    EXPECT_TRUE(with_normals({}).triangles.empty());
    EXPECT_TRUE(tessellate(MeshShape{}).triangles.empty());
}

}  // namespace
}  // namespace armature

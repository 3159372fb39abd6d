// Domains for tests, and curves and meshes to hold a point on.
#pragma once

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "armature/model/domain/nearest.h"
#include "support/test_meshes.h"

namespace armature::test {

inline HeldOnCurve on_curve(CurveKind kind, std::vector<Vec3> points, bool closed) {
    return {std::make_shared<const Curve>(kind, points, closed)};
}
inline HeldByMesh by_mesh(const TriangleMesh& mesh, bool inside) {
    return {std::make_shared<const Surface>(mesh), inside};
}

/// A curve of uneven points that bends all ways.
inline std::vector<Vec3> winding_points() {
    return {{-0.8, 0, 0.1}, {-0.3, 0.5, 0}, {0, 0.1, 0.4}, {0.1, -0.4, 0.3}, {0.6, 0, -0.2}, {0.9, 0.6, 0.1}};
}
inline std::vector<Vec3> circle_points(int n, double radius) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * pi * i / n;
        points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
    }
    return points;
}

inline Domain mesh_domain(TriangleMesh mesh, bool inside) {
    return MeshDomain{"", std::make_shared<const TriangleMesh>(std::move(mesh)), {}, inside};
}

/// One of each kind that bends, has an inside or has corners, about `size` large.
inline std::vector<Domain> every_domain(double size) {
    const auto scaled = [&](std::vector<Vec3> points) {
        for (Vec3& p : points) p = size * p;
        return points;
    };
    TriangleMesh ball = unit_ball(2), cube = unit_cube();
    for (Vec3& v : ball.vertices) v = size * v;
    for (Vec3& v : cube.vertices) v = size * v;
    return {SphereDomain{size, size},
            SphereDomain{0.3 * size, size},
            SphereDomain{size, infinity},
            BoxDomain{size * Vec3{1, 2, 1.5}, from_axis_angle({1, 2, 0}, 0.4), false},
            BoxDomain{size * Vec3{1, 2, 1.5}, {}, true},
            CurveDomain{CurveKind::spline, scaled(winding_points()), false},
            CurveDomain{CurveKind::spline, scaled(winding_points()), true},
            CurveDomain{CurveKind::polyline, scaled(winding_points()), false},
            CurveDomain{CurveKind::polyline, scaled(circle_points(5, 1)), true},
            mesh_domain(ball, false),
            mesh_domain(cube, true),
            RingDomain{{0, 1, 0}, size, size}};
}

}  // namespace armature::test

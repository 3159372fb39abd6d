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

}  // namespace armature::test

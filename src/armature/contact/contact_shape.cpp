#include "armature/contact/contact_shape.h"

#include <algorithm>
#include <limits>

namespace armature {

namespace {

std::vector<int> used_vertices(const TriangleMesh& mesh) {
    std::vector<int> used;
    used.reserve(3 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) used.insert(used.end(), triangle.begin(), triangle.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return used;
}

Ball mesh_ball(const TriangleMesh& mesh) {
    Ball ball{reference_point(mesh), 0};
    double r2 = 0;
    for (const auto& triangle : mesh.triangles)
        for (const int i : triangle)
            r2 = std::max(r2, norm2(mesh.vertices[static_cast<std::size_t>(i)] - ball.centre_S));
    ball.radius = std::sqrt(r2);
    return ball;
}

struct BallOf {
    Ball operator()(const Sphere& s) const { return {{}, s.radius}; }
    Ball operator()(const Box& b) const { return {{}, 0.5 * norm(b.size)}; }
    // Not std::hypot: libraries round it differently.
    Ball operator()(const Cylinder& c) const { return {{}, norm({c.radius, 0.5 * c.length, 0})}; }
    Ball operator()(const Capsule& c) const { return {{}, c.radius + 0.5 * c.length}; }
    Ball operator()(const Ellipsoid& e) const { return {{}, std::max({e.radii.x, e.radii.y, e.radii.z})}; }
    Ball operator()(const Plane&) const { return {{}, std::numeric_limits<double>::infinity()}; }
    Ball operator()(const MeshShape& m) const { return m.mesh ? mesh_ball(*m.mesh) : Ball{}; }
};

}  // namespace

Ball bounding_ball(const Geometry& geometry) {
    return std::visit(BallOf{}, geometry);
}

ContactShape::ContactShape(const Geometry& g) : geometry(g), ball(bounding_ball(g)) {
    if (const auto* m = std::get_if<MeshShape>(&g); m && m->mesh) vertices = used_vertices(*m->mesh);
}

}  // namespace armature

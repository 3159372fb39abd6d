#include "armature/export/tessellate.h"

#include <cassert>
#include <cmath>

#include "armature/model/spec.h"  // pi

namespace armature {

namespace {

/// A point of a profile in the half plane (r, y), r ≥ 0, with the surface's normal in that plane.
struct ProfilePoint {
    double r, y;
    double normal_r, normal_y;
};

std::uint32_t add_vertex(SurfaceMesh& mesh, const Vec3& position, const Vec3& normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

/// The profile, from the lower pole to the upper, turned about the y axis. A point that comes twice with two normals is
/// a sharp edge.
SurfaceMesh revolve(const std::vector<ProfilePoint>& profile, int sides) {
    assert(sides >= 4 && sides % 4 == 0);
    const auto n = static_cast<std::uint32_t>(sides);
    SurfaceMesh mesh;
    std::vector<std::uint32_t> first(profile.size());  // vertex of each ring
    for (std::size_t i = 0; i < profile.size(); ++i) {
        const ProfilePoint& p = profile[i];
        first[i] = static_cast<std::uint32_t>(mesh.positions.size());
        const std::uint32_t count = p.r > 0 ? n : 1;
        for (std::uint32_t s = 0; s < count; ++s) {
            const double a = 2 * pi * s / n, c = std::cos(a), z = -std::sin(a);
            add_vertex(mesh, {p.r * c, p.y, p.r * z}, {p.normal_r * c, p.normal_y, p.normal_r * z});
        }
    }
    for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
        const ProfilePoint &low = profile[i], &high = profile[i + 1];
        if (low.r == high.r && low.y == high.y) continue;
        for (std::uint32_t s = 0; s < n; ++s) {
            const std::uint32_t next = (s + 1) % n;
            const std::uint32_t a = first[i] + s, b = first[i] + next, c = first[i + 1] + s, d = first[i + 1] + next;
            if (!(low.r > 0)) {
                mesh.triangles.push_back({first[i], d, c});
            } else if (!(high.r > 0)) {
                mesh.triangles.push_back({a, b, first[i + 1]});
            } else {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({a, d, c});
            }
        }
    }
    return mesh;
}

/// Two half balls whose middles lie at ±half: a ball when half is 0, which then has one equator and not two.
SurfaceMesh rounded(double radius, double half, int sides) {
    std::vector<ProfilePoint> profile;
    const int steps = sides / 4;
    for (const int end : {-1, 1}) {
        for (int i = 0; i <= steps; ++i) {
            const int step = end < 0 ? i - steps : i;
            if (step == 0 && end > 0 && !(half > 0)) continue;
            const bool pole = step == end * steps;
            const double latitude = 0.5 * pi * step / steps;
            const double c = pole ? 0 : std::cos(latitude), s = pole ? end : std::sin(latitude);
            profile.push_back({radius * c, end * half + radius * s, c, s});
        }
    }
    return revolve(profile, sides);
}

SurfaceMesh surface_of(const Sphere& sphere, int sides) {
    return rounded(sphere.radius, 0, sides);
}

SurfaceMesh surface_of(const Capsule& capsule, int sides) {
    return rounded(capsule.radius, 0.5 * capsule.length, sides);
}

SurfaceMesh surface_of(const Cylinder& cylinder, int sides) {
    const double r = cylinder.radius, h = 0.5 * cylinder.length;
    return revolve({{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, 1, 0}, {r, h, 1, 0}, {r, h, 0, 1}, {0, h, 0, 1}}, sides);
}

SurfaceMesh surface_of(const Ellipsoid& ellipsoid, int sides) {
    SurfaceMesh mesh = rounded(1, 0, sides);
    const Vec3& r = ellipsoid.radii;
    for (Vec3& p : mesh.positions) p = cwise_product(r, p);
    // The gradient of Σ (x/a)² at (a u, b v, c w) is along (u/a, v/b, w/c).
    for (Vec3& u : mesh.normals) u = normalized(Vec3{u.x / r.x, u.y / r.y, u.z / r.z});
    return mesh;
}

/// Both triangles of a rectangle at `centre`, seen from outside with `u` to the right and `v` upwards.
void add_rectangle(SurfaceMesh& mesh, const Vec3& centre, const Vec3& u, const Vec3& v) {
    const Vec3 normal = normalized(cross(u, v));
    const std::uint32_t a = add_vertex(mesh, centre - u - v, normal), b = add_vertex(mesh, centre + u - v, normal),
                        c = add_vertex(mesh, centre + u + v, normal), d = add_vertex(mesh, centre - u + v, normal);
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

SurfaceMesh surface_of(const Box& box, int) {
    SurfaceMesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 half[3];
        for (int i = 0; i < 3; ++i) half[i][(axis + i) % 3] = 0.5 * box.size[(axis + i) % 3];
        add_rectangle(mesh, half[0], half[1], half[2]);
        add_rectangle(mesh, -half[0], half[2], half[1]);
    }
    return mesh;
}

SurfaceMesh surface_of(const Plane&, int) {
    SurfaceMesh mesh;
    add_rectangle(mesh, {}, {0, 0, 0.5 * plane_edge}, {0.5 * plane_edge, 0, 0});
    return mesh;
}

SurfaceMesh surface_of(const MeshShape& shape, int) {
    return shape.mesh ? with_normals(*shape.mesh) : SurfaceMesh{};
}

}  // namespace

SurfaceMesh tessellate(const Geometry& geometry, int sides) {
    return std::visit([sides](const auto& shape) { return surface_of(shape, sides); }, geometry);
}

}  // namespace armature

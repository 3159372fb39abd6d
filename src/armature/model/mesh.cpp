#include "armature/model/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace armature {

namespace {

const Vec3& vertex(const TriangleMesh& mesh, int i) {
    return mesh.vertices[static_cast<std::size_t>(i)];
}

struct Bounds {
    Vec3 low, high;
};

Bounds bounds(const TriangleMesh& mesh) {
    Bounds b;
    bool first = true;
    for (const auto& triangle : mesh.triangles) {  // not the vertices: one that no triangle uses is not the mesh
        for (const int i : triangle) {
            const Vec3& p = vertex(mesh, i);
            if (first) b = {p, p};
            first = false;
            b.low = {std::min(b.low.x, p.x), std::min(b.low.y, p.y), std::min(b.low.z, p.z)};
            b.high = {std::max(b.high.x, p.x), std::max(b.high.y, p.y), std::max(b.high.z, p.z)};
        }
    }
    return b;
}

std::string find_bad_number(const TriangleMesh& mesh) {
    const auto count = mesh.vertices.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3& p = mesh.vertices[i];
        if (!is_finite(p))
            return fmt::format("vertex {} at ({}, {}, {}) is not a point: every coordinate must be finite", i, p.x, p.y,
                               p.z);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        for (const int i : {a, b, c})
            if (i < 0 || static_cast<std::size_t>(i) >= count)
                return fmt::format("triangle {} uses vertex {}, but there are {} vertices", t, i, count);
        if (a == b || b == c || c == a)
            return fmt::format("triangle {} uses the same vertex twice ({}, {}, {})", t, a, b, c);
    }
    return {};
}

/// A triangle's side, stored by rising index so that the two triangles of an edge come together when sorted.
struct Side {
    int low, high;
    bool rising;  ///< the triangle runs from low to high
    std::size_t triangle;

    bool same_edge(const Side& o) const { return low == o.low && high == o.high; }
    auto key() const { return std::tie(low, high, triangle); }
};

std::string find_bad_edge(const TriangleMesh& mesh) {
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), a < b, t});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.key() < b.key(); });
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        const Side& side = sides[i];
        while (end < sides.size() && sides[end].same_edge(side)) ++end;
        const auto describe = [&] {
            const Vec3 &p = vertex(mesh, side.low), &q = vertex(mesh, side.high);
            return fmt::format("the edge from vertex {} at ({}, {}, {}) to vertex {} at ({}, {}, {})", side.low, p.x,
                               p.y, p.z, side.high, q.x, q.y, q.z);
        };
        if (end - i == 1) return fmt::format("it is open: {} belongs to triangle {} only", describe(), side.triangle);
        if (end - i > 2)
            return fmt::format("{} is shared by {} triangles (among them {}, {} and {}) where a surface has two",
                               describe(), end - i, side.triangle, sides[i + 1].triangle, sides[i + 2].triangle);
        if (side.rising == sides[i + 1].rising)
            return fmt::format("triangles {} and {} run along {} in the same direction: one of them is inside-out",
                               side.triangle, sides[i + 1].triangle, describe());
    }
    return {};
}

std::string find_bad_volume(const TriangleMesh& mesh) {
    const auto [low, high] = bounds(mesh);
    const Vec3 r = reference_point(mesh);
    double volume = 0, area = 0;
    for (const auto& [ia, ib, ic] : mesh.triangles) {
        const Vec3 a = vertex(mesh, ia) - r, b = vertex(mesh, ib) - r, c = vertex(mesh, ic) - r;
        volume += dot(a, cross(b, c)) / 6;
        area += norm(cross(b - a, c - a)) / 2;
    }
    if (!std::isfinite(volume) || !std::isfinite(area))
        return fmt::format("it reaches from ({}, {}, {}) to ({}, {}, {}), too far for its volume to be computed", low.x,
                           low.y, low.z, high.x, high.y, high.z);
    // Coordinates are only known to their own round-off: a body that is thinner than that has no volume to
    // speak of.
    double reach = 0;
    for (int k = 0; k < 3; ++k) reach = std::max({reach, std::fabs(low[k]), std::fabs(high[k])});
    const double round_off = 4 * std::numeric_limits<double>::epsilon() * reach * area;
    if (std::fabs(volume) <= round_off) return "it is flat: it encloses no volume";
    if (volume < 0)
        return fmt::format(
            "it is inside-out: its triangles run clockwise seen from outside and its volume comes out as "
            "{:.6g} m³",
            volume);
    return {};
}

}  // namespace

Vec3 reference_point(const TriangleMesh& mesh) {
    const auto [low, high] = bounds(mesh);
    return 0.5 * low + 0.5 * high;
}

std::string find_mesh_defect(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return "it has no triangles";
    if (std::string defect = find_bad_number(mesh); !defect.empty()) return defect;
    if (std::string defect = find_bad_edge(mesh); !defect.empty()) return defect;
    return find_bad_volume(mesh);
}

}  // namespace armature

// with_normals() of tessellate.h. A corner is a triangle at one of its vertices, numbered 3 t + k. Corners at one vertex
// whose triangles are joined by smooth edges form a fan, which gets one vertex and one normal.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "armature/export/tessellate.h"

namespace armature {

namespace {

/// Sets of corners that share a vertex; each is known by its smallest member.
class Fans {
  public:
    explicit Fans(std::size_t corners) : parent_(corners) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::size_t> parent_;
};

/// The side of a triangle from corner `from` to the next one, under its vertices in rising order.
struct Side {
    int low, high;
    std::size_t from;
};

std::size_t next_corner(std::size_t corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/// Every edge's sides in a row.
std::vector<Side> sorted_sides(const TriangleMesh& mesh) {
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), 3 * t + k});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.from) < std::tie(b.low, b.high, b.from);
    });
    return sides;
}

}  // namespace

SurfaceMesh with_normals(const TriangleMesh& mesh, double crease) {
    const std::size_t count = mesh.triangles.size();
    const auto vertex = [&](std::size_t corner) { return mesh.triangles[corner / 3][corner % 3]; };
    const auto point = [&](std::size_t corner) { return mesh.vertices[static_cast<std::size_t>(vertex(corner))]; };

    // A triangle without area has no normal; with zero in its place all its edges are sharp, and it joins no fans that a
    // sharp edge keeps apart.
    std::vector<Vec3> face(count);
    std::vector<double> angle(3 * count);
    for (std::size_t t = 0; t < count; ++t) {
        const std::size_t c = 3 * t;
        face[t] = normalized(cross(point(c + 1) - point(c), point(c + 2) - point(c)), Vec3{});
        for (std::size_t k = c; k < c + 3; ++k) {
            const Vec3 u = point(next_corner(k)) - point(k), v = point(next_corner(next_corner(k))) - point(k);
            angle[k] = std::atan2(norm(cross(u, v)), dot(u, v));
        }
    }

    Fans fans(3 * count);
    const std::vector<Side> sides = sorted_sides(mesh);
    const double smooth = std::cos(crease);
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
        if (end - i != 2) continue;  // an open edge, or one where several surfaces touch
        const std::size_t a = sides[i].from, b = sides[i + 1].from;
        // Triangles that run along an edge in the same direction face opposite sides.
        if (vertex(a) == vertex(b) || dot(face[a / 3], face[b / 3]) < smooth) continue;
        fans.join(a, next_corner(b));
        fans.join(next_corner(a), b);
    }

    SurfaceMesh surface;
    surface.triangles.resize(count);
    std::vector<std::uint32_t> number(3 * count);
    for (std::size_t c = 0; c < 3 * count; ++c) {
        const std::size_t fan = fans.find(c);  // ≤ c: numbered before any other corner asks
        if (fan == c) {
            number[c] = static_cast<std::uint32_t>(surface.positions.size());
            surface.positions.push_back(point(c));
            surface.normals.emplace_back();
        }
        number[c] = number[fan];
        surface.normals[number[c]] += angle[c] * face[c / 3];
        surface.triangles[c / 3][c % 3] = number[c];
    }
    for (Vec3& n : surface.normals) n = normalized(n, Vec3{0, 1, 0});
    return surface;
}

}  // namespace armature

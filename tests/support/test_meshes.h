// Closed meshes made by formula, as fine as asked for.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "armature/math/pose.h"
#include "armature/model/mesh.h"

namespace armature::test {

/// The box [0, 1]³: eight vertices, twelve triangles. Vertex i has the bits of i as (x, y, z).
inline TriangleMesh unit_cube() {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {static_cast<double>(i & 1), static_cast<double>(i >> 1 & 1), static_cast<double>(i >> 2 & 1)});
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

/// The unit ball from an octahedron, each triangle split into four `levels` times: second order in 2^-levels.
inline TriangleMesh unit_ball(int levels) {
    TriangleMesh mesh{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [it, is_new] =
                middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(mesh.vertices.size()));
            if (is_new)
                mesh.vertices.push_back(normalized(mesh.vertices[static_cast<std::size_t>(a)] +
                                                   mesh.vertices[static_cast<std::size_t>(b)]));
            return it->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const std::array<int, 3>& t :
                 {std::array{a, ab, ca}, std::array{ab, b, bc}, std::array{ca, bc, c}, std::array{ab, bc, ca}})
                finer.push_back(t);
        }
        mesh.triangles = std::move(finer);
    }
    return mesh;
}

/// The profile (radius, y), from the lower pole (0, y0) to the upper (0, y1), turned about the y axis in
/// `sides` steps.
inline TriangleMesh turned_profile(const std::vector<std::pair<double, double>>& profile, int sides) {
    TriangleMesh mesh;
    const int rings = static_cast<int>(profile.size()) - 2;
    for (int r = 1; r <= rings; ++r) {
        const auto& [radius, y] = profile[static_cast<std::size_t>(r)];
        for (int s = 0; s < sides; ++s) {
            const double angle = 6.283185307179586 * s / sides;
            mesh.vertices.push_back({radius * std::cos(angle), y, -radius * std::sin(angle)});
        }
    }
    const int bottom = rings * sides, top = bottom + 1;
    mesh.vertices.push_back({0, profile.front().second, 0});
    mesh.vertices.push_back({0, profile.back().second, 0});
    for (int s = 0; s < sides; ++s) {
        const int next = (s + 1) % sides;
        mesh.triangles.push_back({bottom, next, s});
        mesh.triangles.push_back({top, (rings - 1) * sides + s, (rings - 1) * sides + next});
        for (int r = 0; r + 1 < rings; ++r) {
            const int a = r * sides + s, b = r * sides + next, c = a + sides, d = b + sides;
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
        }
    }
    return mesh;
}

inline TriangleMesh cylinder_mesh(double radius, double length, int sides) {
    return turned_profile({{0, -length / 2}, {radius, -length / 2}, {radius, length / 2}, {0, length / 2}}, sides);
}

inline TriangleMesh capsule_mesh(double radius, double length, int sides) {
    std::vector<std::pair<double, double>> profile;
    const int steps = sides / 4;
    for (const int end : {-1, 1})
        for (int i = 0; i <= steps; ++i) {
            const double a = 1.5707963267948966 * (end < 0 ? i - steps : i) / steps;  // latitude
            const bool pole = i == (end < 0 ? 0 : steps);
            profile.emplace_back(pole ? 0 : radius * std::cos(a), end * length / 2 + radius * std::sin(a));
        }
    return turned_profile(profile, sides);
}

inline TriangleMesh scaled_mesh(TriangleMesh mesh, const Vec3& factors) {
    for (Vec3& v : mesh.vertices) v = cwise_product(factors, v);
    return mesh;
}

inline TriangleMesh moved_mesh(TriangleMesh mesh, const Pose& X) {
    for (Vec3& v : mesh.vertices) v = X * v;
    return mesh;
}

/// Both as one mesh that does not share vertices.
inline TriangleMesh joined_meshes(TriangleMesh a, const TriangleMesh& b) {
    const int shift = static_cast<int>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& [i, j, k] : b.triangles) a.triangles.push_back({i + shift, j + shift, k + shift});
    return a;
}

inline TriangleMesh inside_out(TriangleMesh mesh) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return mesh;
}

}  // namespace armature::test

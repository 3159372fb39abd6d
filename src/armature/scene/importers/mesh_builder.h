// Builds a mesh from loose triangles: vertices with the same coordinates, bit for bit, become one. No
// tolerance: a program that writes neighbouring triangles writes the same numbers, and a tolerance would
// close real gaps.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "armature/base/hash.h"
#include "armature/model/mesh.h"

namespace armature {

/// Appends a triangle unless two of its corners are the same vertex: its sides then cancel each other, so the
/// surface stays as closed as it was.
inline void add_unless_collapsed(TriangleMesh& mesh, int a, int b, int c) {
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
}

class MeshBuilder {
  public:
    void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
        const int ia = vertex(a), ib = vertex(b), ic = vertex(c);
        add_unless_collapsed(mesh_, ia, ib, ic);
    }
    TriangleMesh take() { return std::move(mesh_); }

  private:
    struct Hash {
        std::size_t operator()(const Vec3& p) const {
            Hasher h;
            h.add_doubles(&p, 1);
            return static_cast<std::size_t>(h.value());
        }
    };

    int vertex(const Vec3& p) {
        const Vec3 key{p.x + 0.0, p.y + 0.0, p.z + 0.0};  // −0 becomes +0: they are equal but hash differently
        const auto [it, is_new] = index_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
        if (is_new) mesh_.vertices.push_back(key);
        return it->second;
    }

    TriangleMesh mesh_;
    std::unordered_map<Vec3, int, Hash> index_;
};

}  // namespace armature

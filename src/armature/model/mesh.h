// Closed triangle meshes as the surface of a solid.
//
//   V = Σ det(a−r, b−r, c−r)/6 over the triangles (a, b, c), for any reference point r.
// r is taken near the mesh: with r at the origin, a mesh far away would be a small difference of huge ones.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "armature/math/vec3.h"

namespace armature {

struct TriangleMesh {
    std::vector<Vec3> vertices;  ///< metres
    /// Indices into vertices, counter-clockwise seen from outside.
    std::vector<std::array<int, 3>> triangles;
};

/// Empty when every edge is shared by exactly two triangles that run along it in opposite directions and the
/// enclosed volume is positive; otherwise a sentence that says what is wrong and at which edge or triangle.
/// Vertices and triangles are counted from 0; the coordinates stand beside them. An inner shell that faces
/// inwards is a cavity and no defect.
std::string find_mesh_defect(const TriangleMesh& mesh);

/// The middle of the bounding box, the r of the formula above.
Vec3 reference_point(const TriangleMesh& mesh);

}  // namespace armature

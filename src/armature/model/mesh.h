// Closed triangle meshes as the surface of a solid.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "armature/math/vec3.h"

namespace armature {

struct TriangleMesh {
    std::vector<Vec3> vertices;                ///< metres
    std::vector<std::array<int, 3>> triangles;  ///< indices into vertices, counter-clockwise seen from outside
};

/// Empty when every edge is shared by exactly two triangles that run along it in opposite directions and the enclosed
/// volume is positive; otherwise a sentence that says what is wrong and at which edge or triangle.
std::string find_mesh_defect(const TriangleMesh& mesh);

}  // namespace armature

// Wavefront OBJ, the part that describes polygons:
//   v x y z            a vertex; what follows (weight, colour) is passed over
//   f i[/t[/n]] …      a polygon; i counts vertices from 1, or backwards from the last one when negative
// Everything else (groups, materials, normals, texture coordinates, lines …) is passed over. Polygons become
// fans around their first corner: exact for the mass integrals even where the polygon is not convex, because
// the parts of the fan that lie outside it count with the opposite sign.
#pragma once

#include <string_view>

#include "armature/scene/importers/mesh_file.h"

namespace armature {

ParsedMesh parse_obj(std::string_view text);

}  // namespace armature

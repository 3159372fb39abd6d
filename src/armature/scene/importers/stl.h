// STL, the two kinds:
//   text    solid NAME { facet normal n n n  outer loop  3 × (vertex x y z)  endloop  endfacet } endsolid
//   binary  80 bytes of anything, the number n of triangles, n × (normal, 3 corners, 2 bytes), little endian,
//   4-byte
//           floats; 84 + 50 n bytes in all.
// The stored normals are passed over (many programs write zeros): the order of the corners says what is
// outside. Triangles come loose in this format; vertices with the same coordinates are made one, so that the
// surface closes.
#pragma once

#include <string_view>

#include "armature/scene/importers/mesh_file.h"

namespace armature {

ParsedMesh parse_stl(std::string_view bytes);

}  // namespace armature

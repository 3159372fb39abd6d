// Triangle meshes from files: Wavefront OBJ and STL (text and binary). Coordinates are taken as metres.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "armature/base/diagnostic.h"
#include "armature/model/mesh.h"

namespace armature {

/// Longer files are refused before they are read.
inline constexpr std::size_t mesh_file_limit = std::size_t{256} << 20;  // bytes

/// What a parser made of a text. `error` is empty when it succeeded.
struct ParsedMesh {
    TriangleMesh mesh;
    std::string error;
    int line = 0;  ///< of the error, from 1; 0 when the format has no lines
};

/// The mesh, or nullptr after reporting "path:line: …" at `place`, the statement that asked for the file. The
/// ending of the name (.obj, .stl, in any case) says which format it is. Whether the mesh bounds a solid is
/// not asked here (find_mesh_defect does).
std::shared_ptr<const TriangleMesh> read_mesh_file(const std::string& path, const SourcePlace& place,
                                                   Diagnostics& diagnostics);

}  // namespace armature

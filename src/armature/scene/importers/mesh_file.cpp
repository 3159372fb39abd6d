#include "armature/scene/importers/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>

#include "armature/scene/importers/mesh_builder.h"
#include "armature/scene/importers/obj.h"
#include "armature/scene/importers/stl.h"

namespace armature {

namespace {

using Parser = ParsedMesh (*)(std::string_view);

Parser parser_for(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    // By hand: tolower of the C library asks the locale.
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (ending == ".obj") return parse_obj;
    if (ending == ".stl") return parse_stl;
    return nullptr;
}

/// The bytes of the file, or the reason why there are none in `error`.
std::string read_bytes(const std::filesystem::path& path, std::string& error) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (!std::filesystem::exists(status)) {
        error = code ? code.message() : "there is no such file";
        return {};
    }
    if (!std::filesystem::is_regular_file(status)) {  // reading a pipe or a terminal would wait for ever
        error = "it is not a file";
        return {};
    }
    const auto size = std::filesystem::file_size(path, code);
    if (code) {
        error = code.message();
        return {};
    }
    if (size > mesh_file_limit) {
        error = fmt::format("it is {} MiB long, and meshes are read up to {} MiB", size >> 20, mesh_file_limit >> 20);
        return {};
    }
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    if (static_cast<std::size_t>(file.gcount()) != bytes.size() || !file.is_open()) {
        error = "it could not be read to its end";
        return {};
    }
    return bytes;
}

/// Some programs write each triangle with vertices of its own, and the surface falls apart. Equal vertices
/// are only made one when that closes it: two bodies that merely touch along an edge are fine as written.
TriangleMesh mended(TriangleMesh mesh) {
    if (find_mesh_defect(mesh).empty()) return mesh;
    MeshBuilder builder;
    for (const auto& [a, b, c] : mesh.triangles) {
        const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
        builder.add_triangle(at(a), at(b), at(c));
    }
    TriangleMesh merged = builder.take();
    return find_mesh_defect(merged).empty() ? merged : mesh;
}

}  // namespace

std::shared_ptr<const TriangleMesh> read_mesh_file(const std::string& path, const SourcePlace& place,
                                                   Diagnostics& diagnostics) {
    const Parser parse = parser_for(path);
    if (!parse) {
        diagnostics.error(place, fmt::format("cannot read the mesh '{}': its format is not known by its name", path),
                          "meshes are read from .obj and .stl files");
        return nullptr;
    }
    try {
        std::string error;
        const std::string bytes = read_bytes(path, error);
        if (!error.empty()) {
            diagnostics.error(place, fmt::format("cannot read the mesh '{}': {}", path, error));
            return nullptr;
        }
        ParsedMesh parsed = parse(bytes);
        if (parsed.error.empty()) return std::make_shared<const TriangleMesh>(mended(std::move(parsed.mesh)));
        const std::string where = parsed.line > 0 ? fmt::format("{}:{}", path, parsed.line) : path;
        diagnostics.error(place, fmt::format("{}: {}", where, parsed.error));
    } catch (const std::bad_alloc&) {
        diagnostics.error(place, fmt::format("cannot read the mesh '{}': there is not enough memory", path));
    }
    return nullptr;
}

}  // namespace armature

// The container of glTF 2.0 binary files [glTF 2.0 specification, §4.4 and §3.6.2]:
//
//   header   magic "glTF", version 2, length of the file           3 × uint32
//   chunk    length, "JSON", the JSON text padded with blanks
//   chunk    length, "BIN\0", the numbers padded with zeros         left out when there are none
//
// All little-endian, every chunk and every block of numbers on a multiple of 4 bytes. Lengths are uint32: a file ends
// at 4 GiB.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "armature/base/atomic_file.h"
#include "armature/export/report_json.h"

namespace armature {

inline constexpr std::uint64_t glb_size_limit = 0xffffffffu;  ///< bytes

/// The numbers of a file, block by block, and the accessors that describe them. What is added is kept as it is, not
/// copied into one long buffer: recordings are large.
class GlbNumbers {
  public:
    enum class Use { vertices, samples };

    // Each returns the index of an accessor.

    /// Values of 1 (SCALAR), 3 (VEC3) or 4 (VEC4) components. With `bounds` the accessor tells the smallest and the
    /// largest of each component, which glTF wants of positions and times.
    int add(std::vector<float> values, int components, Use use, bool bounds = false);
    /// Indices of vertices below `vertex_count`, in 16 bits where they fit.
    int add(const std::vector<std::array<std::uint32_t, 3>>& triangles, std::size_t vertex_count);

    const Json& accessors() const { return accessors_; }
    const Json& views() const { return views_; }
    std::uint64_t size() const { return size_; }  ///< bytes, a multiple of 4
    void write(AtomicFile& file) const;

  private:
    using Block = std::variant<std::vector<float>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;
    /// The accessor of a block that is put behind the others.
    Json& append(Block block, Json view, Json accessor);

    std::vector<Block> blocks_;
    Json accessors_ = Json::array(), views_ = Json::array();
    std::uint64_t size_ = 0;
};

/// `root` is the glTF without `accessors`, `bufferViews` and `buffers`. Throws FileError, also when the file would be
/// longer than `limit`.
void write_glb(AtomicFile& file, Json root, const GlbNumbers& numbers, std::uint64_t limit = glb_size_limit);

/// What to throw when `bytes` are too many for one file.
FileError glb_too_large(const std::filesystem::path& path, double bytes, std::uint64_t limit = glb_size_limit);

}  // namespace armature

#include "armature/export/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <string>
#include <type_traits>
#include <utility>

namespace armature {

namespace {

// Numbers that glTF took over from OpenGL.
constexpr int type_uint16 = 5123, type_uint32 = 5125, type_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;

std::uint64_t padded(std::uint64_t size) {
    return (size + 3) / 4 * 4;
}

template <class Word>
void append_bytes(std::string& bytes, Word word) {
    static_assert(std::is_unsigned_v<Word>);
    for (std::size_t i = 0; i < sizeof word; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xffu);
}

template <class Number>
void append_number(std::string& bytes, Number number) {
    if constexpr (std::is_same_v<Number, float>)
        append_bytes(bytes, std::bit_cast<std::uint32_t>(number));
    else
        append_bytes(bytes, number);
}

std::uint32_t chunk_type(const char (&name)[5]) {
    std::uint32_t type = 0;
    for (std::size_t i = 0; i < 4; ++i)
        type |= std::uint32_t{static_cast<unsigned char>(name[i])} << static_cast<unsigned>(8 * i);
    return type;
}

void begin_chunk(AtomicFile& file, std::uint64_t length, const char (&name)[5]) {
    std::string header;
    append_bytes(header, static_cast<std::uint32_t>(length));
    append_bytes(header, chunk_type(name));
    file.write(header);
}

}  // namespace

Json& GlbNumbers::append(Block block, Json view, Json accessor) {
    const std::uint64_t length = std::visit([](const auto& v) { return std::uint64_t{v.size()} * sizeof v[0]; }, block);
    view["byteOffset"] = size_;
    view["byteLength"] = length;
    accessor["bufferView"] = views_.size();
    size_ += padded(length);
    blocks_.push_back(std::move(block));
    views_.push_back(std::move(view));
    accessors_.push_back(std::move(accessor));
    return accessors_.back();
}

int GlbNumbers::add(std::vector<float> values, int components, Use use, bool bounds) {
    assert(components == 1 || components == 3 || components == 4);
    const auto n = static_cast<std::size_t>(components);
    assert(!values.empty() && values.size() % n == 0);
    std::vector<float> low(values.begin(), values.begin() + components), high = low;
    for (std::size_t i = 0; bounds && i < values.size(); ++i) {
        low[i % n] = std::min(low[i % n], values[i]);
        high[i % n] = std::max(high[i % n], values[i]);
    }
    Json view = {{"buffer", 0}};
    if (use == Use::vertices) view["target"] = target_vertices;
    const char* type = components == 1 ? "SCALAR" : components == 3 ? "VEC3" : "VEC4";
    const std::size_t count = values.size() / n;
    Json& accessor =
        append(std::move(values), std::move(view), {{"componentType", type_float}, {"count", count}, {"type", type}});
    if (bounds) {
        accessor["min"] = low;
        accessor["max"] = high;
    }
    return static_cast<int>(accessors_.size() - 1);
}

int GlbNumbers::add(const std::vector<std::array<std::uint32_t, 3>>& triangles, std::size_t vertex_count) {
    // 65535 is not an index: in 16 bits it means "begin anew" to the hardware.
    const bool small = vertex_count <= 65535;
    std::vector<std::uint16_t> narrow;
    std::vector<std::uint32_t> wide;
    for (const auto& triangle : triangles) {
        for (const std::uint32_t i : triangle) {
            if (small)
                narrow.push_back(static_cast<std::uint16_t>(i));
            else
                wide.push_back(i);
        }
    }
    append(small ? Block(std::move(narrow)) : Block(std::move(wide)), {{"buffer", 0}, {"target", target_indices}},
           {{"componentType", small ? type_uint16 : type_uint32}, {"count", 3 * triangles.size()}, {"type", "SCALAR"}});
    return static_cast<int>(accessors_.size() - 1);
}

void GlbNumbers::write(AtomicFile& file) const {
    constexpr std::size_t piece = 1 << 16;
    std::string bytes;
    for (const Block& block : blocks_) {
        std::visit(
            [&](const auto& numbers) {
                for (const auto number : numbers) {
                    append_number(bytes, number);
                    if (bytes.size() < piece) continue;
                    file.write(bytes);
                    bytes.clear();
                }
            },
            block);
        bytes.resize(padded(bytes.size()), '\0');
    }
    file.write(bytes);
}

FileError glb_too_large(const std::filesystem::path& path, double bytes, std::uint64_t limit) {
    return {"write", path, EFBIG,
            fmt::format("it would take {:.3g} GB, and a .glb file ends at {:.3g} GB; fewer frames would fit (a larger "
                        "dt or a shorter time)",
                        1e-9 * bytes, 1e-9 * static_cast<double>(limit))};
}

void write_glb(AtomicFile& file, Json root, const GlbNumbers& numbers, std::uint64_t limit) {
    const std::uint64_t binary = numbers.size();
    if (binary > 0) {
        root["accessors"] = numbers.accessors();
        root["bufferViews"] = numbers.views();
        root["buffers"] = Json::array({{{"byteLength", binary}}});
    }
    std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize(padded(text.size()), ' ');
    const std::uint64_t total = 12 + 8 + text.size() + (binary > 0 ? 8 + binary : 0);
    if (total > limit) throw glb_too_large(file.path(), static_cast<double>(total), limit);

    std::string header = "glTF";
    append_bytes(header, std::uint32_t{2});
    append_bytes(header, static_cast<std::uint32_t>(total));
    file.write(header);
    begin_chunk(file, text.size(), "JSON");
    file.write(text);
    if (binary == 0) return;
    begin_chunk(file, binary, "BIN\0");
    numbers.write(file);
}

}  // namespace armature

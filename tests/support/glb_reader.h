// Reads .glb files back, for tests: written from the specification and not from our writer.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace armature::test {

struct Glb {
    nlohmann::json json;
    std::string binary;
};

inline std::uint32_t word_at(const std::string& bytes, std::size_t at) {
    if (at + 4 > bytes.size()) throw std::runtime_error("the file ends in the middle of a number");
    std::uint32_t word = 0;
    for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

inline std::size_t size_of_element(const nlohmann::json& accessor) {
    const std::string type = accessor.at("type");
    const std::size_t components = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
    const int number = accessor.at("componentType");
    const std::size_t bytes = number == 5123 ? 2 : number == 5125 || number == 5126 ? 4 : 0;
    if (components * bytes == 0) throw std::runtime_error("an accessor of an unexpected type");
    return components * bytes;
}

/// The numbers of an accessor in a row.
inline std::vector<double> numbers_of(const Glb& glb, const nlohmann::json& index) {
    const auto& accessor = glb.json.at("accessors").at(index.get<std::size_t>());
    const auto& view = glb.json.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
    const std::size_t from = view.at("byteOffset"), length = view.at("byteLength");
    const std::size_t element = size_of_element(accessor), count = accessor.at("count");
    if (count * element != length) throw std::runtime_error("an accessor does not fill its view");
    if (from % 4 != 0) throw std::runtime_error("a view is not aligned");
    if (from + length > glb.binary.size()) throw std::runtime_error("a view ends behind the buffer");
    std::vector<double> values;
    if (accessor.at("componentType") == 5126) {
        std::vector<float> floats(length / 4);
        std::memcpy(floats.data(), glb.binary.data() + from, length);
        values.assign(floats.begin(), floats.end());
    } else if (accessor.at("componentType") == 5125) {
        for (std::size_t i = 0; i < length; i += 4) values.push_back(word_at(glb.binary, from + i));
    } else {
        for (std::size_t i = from; i < from + length; i += 2)
            values.push_back(static_cast<unsigned char>(glb.binary[i]) +
                             256.0 * static_cast<unsigned char>(glb.binary[i + 1]));
    }
    return values;
}

/// Throws when the bytes are not a whole .glb file whose accessors all lie in its buffer.
inline Glb read_glb(const std::string& bytes) {
    if (bytes.substr(0, 4) != "glTF" || word_at(bytes, 4) != 2) throw std::runtime_error("no glTF 2 binary file");
    if (word_at(bytes, 8) != bytes.size()) throw std::runtime_error("the file has another length than it says");
    Glb glb;
    for (std::size_t at = 12, chunk = 0; at < bytes.size(); ++chunk) {
        const std::size_t length = word_at(bytes, at);
        const std::uint32_t type = word_at(bytes, at + 4);
        if (length % 4 != 0) throw std::runtime_error("a chunk is not padded");
        if (at + 8 + length > bytes.size()) throw std::runtime_error("a chunk ends behind the file");
        if (type != (chunk == 0 ? 0x4e4f534au : 0x004e4942u) || chunk > 1) throw std::runtime_error("a wrong chunk");
        const std::string content = bytes.substr(at + 8, length);
        if (chunk == 0)
            glb.json = nlohmann::json::parse(content);
        else
            glb.binary = content;
        at += 8 + length;
    }
    if (glb.json.contains("buffers") && glb.json.at("buffers").at(0).at("byteLength") != glb.binary.size())
        throw std::runtime_error("the buffer has another length than it says");
    if (glb.json.contains("accessors"))
        for (std::size_t i = 0; i < glb.json.at("accessors").size(); ++i) numbers_of(glb, i);
    return glb;
}

/// Keyframes of its animation; 0 when it has none.
inline std::size_t frames_of(const Glb& glb) {
    if (!glb.json.contains("animations")) return 0;
    return numbers_of(glb, glb.json.at("animations").at(0).at("samplers").at(0).at("input")).size();
}

}  // namespace armature::test

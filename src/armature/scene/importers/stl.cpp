#include "armature/scene/importers/stl.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "armature/scene/importers/mesh_builder.h"
#include "armature/scene/importers/word_scanner.h"

namespace armature {

namespace {

constexpr std::size_t header_size = 84, triangle_size = 50;

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
    return value;
}

std::size_t announced_size(std::string_view bytes) {
    return header_size + triangle_size * std::size_t{word_at(bytes, 80)};
}

ParsedMesh failed(std::string message, int line = 0) {
    return {{}, std::move(message), line};
}

ParsedMesh finished(MeshBuilder& builder) {
    TriangleMesh mesh = builder.take();
    if (mesh.triangles.empty()) return failed("there are no triangles in it");
    return {std::move(mesh), {}, 0};
}

ParsedMesh parse_binary(std::string_view bytes) {
    MeshBuilder builder;
    for (std::size_t at = header_size, n = 0; at < bytes.size(); at += triangle_size, ++n) {
        std::array<Vec3, 3> p;
        for (std::size_t k = 0; k < 9; ++k)
            p[k / 3][static_cast<int>(k % 3)] = std::bit_cast<float>(word_at(bytes, at + 12 + 4 * k));
        if (!is_finite(p[0]) || !is_finite(p[1]) || !is_finite(p[2]))
            return failed(fmt::format("triangle {} has a corner that is not finite", n));
        builder.add_triangle(p[0], p[1], p[2]);
    }
    return finished(builder);
}

bool same_word(std::string_view word, std::string_view lower_case) {
    if (word.size() != lower_case.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = word[i];
        if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower_case[i]) return false;
    }
    return true;
}

class TextParser {
  public:
    explicit TextParser(std::string_view text) : scan_(text) {}

    ParsedMesh parse() {
        bool open = false;  // between solid and endsolid
        for (;;) {
            const std::string_view word = scan_.next();
            if (word.empty() && !open) return finished(builder_);
            if (open && same_word(word, "facet")) {
                if (!facet()) return failed(std::move(error_), scan_.line());
            } else if (same_word(word, open ? "endsolid" : "solid")) {
                open = !open;
                scan_.skip_line();  // the name, which may be several words
            } else {
                expected(open ? "'facet' or 'endsolid'" : "'solid'", word);
                return failed(std::move(error_), scan_.line());
            }
        }
    }

  private:
    bool expected(std::string_view what, std::string_view found) {
        error_ = fmt::format("expected {}, found {}", what,
                             found.empty() ? std::string("the end of the file") : quoted(found));
        return false;
    }
    bool take(std::string_view keyword) {
        const std::string_view word = scan_.next();
        return same_word(word, keyword) || expected(fmt::format("'{}'", keyword), word);
    }
    bool facet() {
        if (!take("normal")) return false;
        for (int k = 0; k < 3; ++k) scan_.next();  // not checked: "nan" is common for thin triangles
        if (!take("outer") || !take("loop")) return false;
        std::array<Vec3, 3> p;
        for (Vec3& corner : p) {
            if (!take("vertex")) return false;
            for (int k = 0; k < 3; ++k) {
                const std::string_view word = scan_.next();
                if (!parse_number(word, corner[k])) return expected("a finite number", word);
            }
        }
        builder_.add_triangle(p[0], p[1], p[2]);
        return take("endloop") && take("endfacet");
    }

    WordScanner scan_;
    MeshBuilder builder_;
    std::string error_;
};

}  // namespace

ParsedMesh parse_stl(std::string_view bytes) {
    // By size and not by the word "solid", which some programs also write into the header of binary files. In
    // a text file the count would be made of letters and announce gigabytes: no text that is read is so long.
    const bool has_header = bytes.size() >= header_size;
    if (has_header && announced_size(bytes) == bytes.size()) return parse_binary(bytes);
    if (same_word(WordScanner(bytes).next(), "solid")) {
        // A binary file that was cut off may start with "solid" too; text has no zero bytes.
        if (bytes.find('\0') == std::string_view::npos) return TextParser(bytes).parse();
    }
    if (!has_header)
        return failed("this is no STL file: it does not start with 'solid' and is too short for a binary one");
    return failed(
        fmt::format("this is no STL file: it is not text, and its header announces {} triangles, that is {} bytes "
                    "where there are {}",
                    word_at(bytes, 80), announced_size(bytes), bytes.size()));
}

}  // namespace armature

// A piece of a text, as byte offsets [begin, end).
#pragma once

#include <cstdint>
#include <string_view>

namespace armature {

struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    std::uint32_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
    std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
    bool operator==(const Span&) const = default;
};

/// From the start of a to the end of b.
inline Span join(Span a, Span b) {
    return {a.begin, b.end};
}

}  // namespace armature

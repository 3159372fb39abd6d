#include "armature/scene/document.h"

#include <algorithm>

namespace armature {

namespace {

constexpr std::uint32_t stride = 256;

// Bytes of UTF-8 that begin a character.
std::uint32_t begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u ? 1 : 0;
}

std::uint32_t characters_before(const Document& document, std::uint32_t offset) {
    const std::uint32_t block = offset / stride;
    std::uint32_t n = document.character_counts[block];
    for (std::uint32_t i = block * stride; i < offset; ++i) n += begins_character(document.text[i]);
    return n;
}

}  // namespace

void index_lines(Document& document) {
    document.line_starts.assign(1, 0);
    document.character_counts.clear();
    std::uint32_t characters = 0;
    for (std::size_t i = 0; i < document.text.size(); ++i) {
        if (i % stride == 0) document.character_counts.push_back(characters);
        characters += begins_character(document.text[i]);
        if (document.text[i] == '\n') document.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
    if (document.text.size() % stride == 0) document.character_counts.push_back(characters);
}

SourcePlace Document::place(Span span) const {
    SourcePlace p;
    p.file = name;
    const auto after = std::upper_bound(line_starts.begin(), line_starts.end(), span.begin);
    const std::uint32_t start = line_starts.empty() ? 0 : *(after - 1);
    p.line = static_cast<int>(after - line_starts.begin());
    const std::uint32_t before = characters_before(*this, span.begin);
    p.column = static_cast<int>(1 + before - characters_before(*this, start));
    std::string_view marked = span.of(text);
    marked = marked.substr(0, std::min(marked.find_first_of("\r\n"), std::size_t{1000}));
    std::uint32_t length = 0;
    for (const char c : marked) length += begins_character(c);
    p.length = static_cast<int>(std::max(1u, length));
    return p;
}

std::string_view Document::line(int number) const {
    const auto i = static_cast<std::size_t>(number - 1);
    if (number < 1 || i >= line_starts.size()) return {};
    const std::size_t end = i + 1 < line_starts.size() ? line_starts[i + 1] : text.size();
    std::string_view l = std::string_view(text).substr(line_starts[i], end - line_starts[i]);
    while (!l.empty() && (l.back() == '\n' || l.back() == '\r')) l.remove_suffix(1);
    return l;
}

}  // namespace armature

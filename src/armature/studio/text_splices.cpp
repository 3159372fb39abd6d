#include "armature/studio/text_splices.h"

#include <algorithm>

namespace armature::studio {

using namespace lang;

std::string spliced(std::string text, std::vector<Splice> splices) {
    std::stable_sort(splices.begin(), splices.end(),
                     [](const Splice& a, const Splice& b) { return a.span.begin < b.span.begin; });
    for (auto s = splices.rbegin(); s != splices.rend(); ++s)
        text.replace(s->span.begin, s->span.size(), s->replacement);
    return text;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::uint32_t end_of_line(const Document& d, std::uint32_t at) {
    std::uint32_t end = at;
    const auto token = std::lower_bound(d.tokens.begin(), d.tokens.end(), at,
                                        [](const Token& t, std::uint32_t x) { return t.span.begin < x; });
    for (auto t = token; t != d.tokens.end() && t->is_trivia(); ++t) {
        const std::string_view text = d.slice(t->span);
        const std::size_t line = text.find('\n');
        if (t->kind == TokenKind::blank && line != std::string_view::npos)
            return t->span.begin + static_cast<std::uint32_t>(line);
        if (t->kind == TokenKind::block_comment && line != std::string_view::npos) return at;
        end = t->span.end;
    }
    return end == d.text.size() ? end : at;
}

Span lines_of(const Document& d, const Node& node) {
    Span span = node.span;
    std::uint32_t begin = span.begin;
    while (begin > 0 && is_blank(d.text[begin - 1])) --begin;
    const bool first = begin == 0 || d.text[begin - 1] == '\n';
    std::uint32_t end = end_of_line(d, span.end);
    const bool last = end == d.text.size() || d.text[end] == '\n';
    if (!first || !last) return span;
    if (end < d.text.size()) ++end;
    // One of two empty lines that would meet.
    const bool empty_before = begin == 0 || (begin >= 2 && d.text[begin - 2] == '\n');
    if (empty_before && end < d.text.size() && d.text[end] == '\n') ++end;
    return {begin, end};
}

std::string_view first_word(const Document& d, const Node& n) {
    if (n.group_count == 0) return {};
    const Group& g = d.tree.groups[n.first_group];
    return g.option == nullptr && g.count > 0 ? d.slice(d.tree.values[g.first].span) : std::string_view{};
}

std::string indent_of(const Document& d, std::uint32_t at) {
    std::uint32_t line = at;
    while (line > 0 && is_blank(d.text[line - 1])) --line;
    return line == 0 || d.text[line - 1] == '\n' ? d.text.substr(line, at - line) : std::string();
}

}  // namespace armature::studio

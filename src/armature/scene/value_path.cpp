#include "armature/scene/value_path.h"

#include <charconv>

namespace armature::lang {

namespace {

// The values of one argument inside a group, as [first, first + count).
struct ValueRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

std::optional<ValueRange> component(ValueRange range, const std::string& name) {
    static constexpr std::string_view letters = "xyz";
    const std::size_t i = letters.find(name);
    if (name.size() != 1 || i == letters.npos || range.count != 3) return {};
    return ValueRange{range.first + static_cast<std::uint32_t>(i), 1};
}

// An argument by its name in the schema.
std::optional<ValueRange> argument(const std::vector<ArgSpec>& args, const Group& group, const std::string& name) {
    std::uint32_t offset = 0;
    for (const ArgSpec& a : args) {
        const auto n = a.repeated ? group.count - offset : static_cast<std::uint32_t>(value_count(a));
        if (a.name == name && offset + n <= group.count) return ValueRange{group.first + offset, n};
        offset += n;
    }
    return {};
}

std::optional<ValueRange> narrow(const std::vector<ArgSpec>& args, const Group& group,
                                 const std::vector<std::string>& parts, std::size_t i) {
    ValueRange range{group.first, group.count};
    for (; i < parts.size(); ++i) {
        std::optional<ValueRange> smaller = argument(args, group, parts[i]);
        if (!smaller) smaller = component(range, parts[i]);
        if (!smaller) return {};
        range = *smaller;
    }
    return range.count > 0 ? std::optional(range) : std::nullopt;
}

Span span_of(const Tree& tree, ValueRange range) {
    return join(tree.values[range.first].span, tree.values[range.first + range.count - 1].span);
}

}  // namespace

std::string normal_path(std::string_view path) {
    std::string text;
    for (const char c : path)
        if (c != ' ' && c != '\t') text += c;
    return text;
}

std::optional<ValuePath> parse_value_path(std::string_view text) {
    ValuePath path;
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t dot = text.find('.');
        words.emplace_back(text.substr(0, dot));
        if (words.back().empty()) return {};
        text.remove_prefix(dot == text.npos ? text.size() : dot + 1);
    }
    if (words.empty()) return {};
    path.keyword = words[0];
    if (const std::size_t hash = path.keyword.find('#'); hash != std::string::npos) {
        const char* end = path.keyword.data() + path.keyword.size();
        const auto [stop, error] = std::from_chars(path.keyword.data() + hash + 1, end, path.occurrence);
        if (stop != end || error != std::errc{} || path.occurrence == 0) return {};
        path.keyword.resize(hash);
    }
    path.parts.assign(words.begin() + 1, words.end());
    return path;
}

std::vector<std::pair<std::string, std::string>> split_path(std::string_view path) {
    std::vector<std::pair<std::string, std::string>> cuts;
    for (std::size_t i = path.size(); i-- > 0;)
        if (path[i] == '.' && i > 0 && i + 1 < path.size()) cuts.emplace_back(path.substr(0, i), path.substr(i + 1));
    return cuts;
}

std::optional<Span> locate(const Document& document, const Node& statement, const std::vector<std::string>& parts) {
    const Tree& tree = document.tree;
    if (parts.empty() && statement.group_count > 0 && statement.keyword->args.empty()) {
        // Only options: all of them are the value.
        const Group& last = tree.groups[statement.first_group + statement.group_count - 1];
        return join(tree.groups[statement.first_group].word, arguments_span(tree, last));
    }
    for (std::uint32_t g = 0; g < statement.group_count; ++g) {
        const Group& group = tree.groups[statement.first_group + g];
        const bool plain = group.option == nullptr;
        if (!plain && (parts.empty() || group.option->name != parts[0])) continue;
        if (plain && !parts.empty() && statement.keyword->find_option(parts[0]) != nullptr) continue;
        const auto range =
            plain ? narrow(statement.keyword->args, group, parts, 0) : narrow(group.option->args, group, parts, 1);
        if (range) return span_of(tree, *range);
    }
    return {};
}

std::optional<TextEdit> plan_change(const Document& document, const Node& statement,
                                    const std::vector<std::string>& parts, std::string_view text) {
    if (const auto span = locate(document, statement, parts)) return TextEdit{*span, std::string(text)};
    if (parts.size() != 1 || statement.keyword->find_option(parts[0]) == nullptr) return {};
    // Behind the last argument, before the ';' and any blanks in front of it.
    std::uint32_t end = statement.word.end;
    for (std::uint32_t g = 0; g < statement.group_count; ++g)
        end = arguments_span(document.tree, document.tree.groups[statement.first_group + g]).end;
    return TextEdit{{end, end}, " " + parts[0] + " " + std::string(text)};
}

std::optional<std::string> new_statement(const KeywordSpec& keyword, const std::vector<std::string>& parts,
                                         std::string_view text) {
    std::string statement(keyword.name);
    if (parts.size() == 1 && keyword.find_option(parts[0]) != nullptr)
        statement += " " + parts[0];
    else if (!parts.empty())
        return {};
    return statement + " " + std::string(text) + ";";
}

std::uint32_t find_statement(const Document& document, const Node& block, const ValuePath& path) {
    unsigned seen = 0;
    for (std::uint32_t c = block.first_child; c != no_node; c = document.node(c).next) {
        const Node& child = document.node(c);
        if (child.block == nullptr && child.keyword->name == path.keyword && ++seen == path.occurrence) return c;
    }
    return no_node;
}

std::string replaced(std::string_view text, Span span, std::string_view replacement) {
    std::string result(text.substr(0, span.begin));
    result += replacement;
    return result += text.substr(span.end);
}

}  // namespace armature::lang

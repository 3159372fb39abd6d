#include "armature/studio/statement_edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "armature/scene/value_path.h"
#include "armature/studio/text_splices.h"

namespace armature::studio {

using namespace lang;

namespace {

/// The lines of a statement, or its characters and the blanks on one side of it.
Span whole_statement(const Document& d, const Node& n) {
    Span span = lines_of(d, n);
    if (span != n.span) return span;
    const std::uint32_t begin = span.begin;
    while (span.begin > 0 && is_blank(d.text[span.begin - 1])) --span.begin;
    if (span.begin > 0 && d.text[span.begin - 1] != '\n') return span;
    span.begin = begin;  // the first on its line: what follows moves up to its place
    while (span.end < d.text.size() && is_blank(d.text[span.end])) ++span.end;
    return span;
}

struct Found {
    std::uint32_t document = 0, node = 0;
    std::vector<std::string> parts;
    std::string element, rest;  ///< of a block's statement
};

std::optional<Found> find(const Scene& scene, const std::string& path) {
    if (const auto it = scene.statement_index.find(path); it != scene.statement_index.end()) {
        const NamedStatement& s = scene.statements[it->second];
        if (scene.documents[s.document]->node(s.node).block == nullptr) return Found{s.document, s.node, {}, {}, {}};
    }
    for (const auto& [name, rest] : split_path(path)) {
        const auto it = scene.element_index.find(name);
        const auto inside = parse_value_path(rest);
        if (it == scene.element_index.end() || !inside) continue;
        const Element& e = scene.elements[it->second];
        const Document& d = *scene.documents[e.document];
        const std::uint32_t node = find_statement(d, d.node(e.node), *inside);
        if (node != no_node) return Found{e.document, node, inside->parts, name, rest};
    }
    return {};
}

}  // namespace

std::optional<Edit> plan_removal(const Scene& scene, const std::string& path, Diagnostics& diagnostics) {
    const std::string wanted = normal_path(path);
    const auto refuse = [&](SourcePlace place, const std::string& message, const std::string& hint = {}) {
        diagnostics.error(std::move(place), message, hint);
        return std::nullopt;
    };
    const auto found = find(scene, wanted);
    if (!found) {
        if (scene.element_index.count(wanted) > 0)
            return refuse({}, fmt::format("`{}` is a whole block", wanted), "remove it");
        return refuse({}, fmt::format("the text does not say `{}`", wanted));
    }
    const Document& d = *scene.documents[found->document];
    const Node& n = d.node(found->node);
    Edit edit{found->document, d.name, {}, "", {}};
    if (found->parts.empty()) {
        const Node& block = d.node(n.parent);
        const bool another = find_statement(d, block, {std::string(n.keyword->name), 2, {}}) != no_node;
        if (n.keyword->required && !another)
            return refuse(d.place(n.word), fmt::format("`{}` must be there", n.keyword->name), "give it another value");
        edit.span = whole_statement(d, n);
    } else {
        const OptionSpec* option = found->parts.size() == 1 ? n.keyword->find_option(found->parts[0]) : nullptr;
        if (option == nullptr)
            return refuse(d.place(n.word), fmt::format("`{}` is a part of a value that is written as one", wanted),
                          "give it another value");
        if (option->required)
            return refuse(d.place(n.word), fmt::format("`{}` must have its `{}`", n.keyword->name, option->name),
                          "give it another value, or take the whole statement away");
        const Group* group = nullptr;
        for (std::uint32_t g = 0; g < n.group_count; ++g)
            if (d.tree.groups[n.first_group + g].option == option) group = &d.tree.groups[n.first_group + g];
        if (group == nullptr) return refuse(d.place(n.word), fmt::format("the text does not say `{}`", wanted));
        edit.span = join(group->word, arguments_span(d.tree, *group));
        while (edit.span.begin > 0 && is_blank(d.text[edit.span.begin - 1])) --edit.span.begin;
    }
    if (found->element.empty()) {
        for (const NamedStatement& s : scene.statements)
            if (s.document == found->document && s.node == found->node && s.path != wanted)
                edit.also_affects.push_back(s.path);
        return edit;
    }
    const Element& e = scene.elements[scene.element_index.at(found->element)];
    for (const Element& other : scene.elements)
        if (other.document == e.document && other.node == e.node && other.name != e.name)
            edit.also_affects.push_back(other.name + "." + found->rest);
    return edit;
}

std::vector<ValueEdit> gathered(const Scene& scene, std::vector<ValueEdit> edits) {
    // What an edit goes into, when that is not there yet: block and keyword with its number.
    const auto missing = [&](const ValueEdit& e) -> std::string {
        if (!e.value) return {};
        for (const auto& [name, rest] : split_path(normal_path(e.path))) {
            const auto it = scene.element_index.find(name);
            const auto inside = parse_value_path(rest);
            if (it == scene.element_index.end() || !inside || inside->parts.size() > 1) continue;
            const Element& element = scene.elements[it->second];
            const Document& d = *scene.documents[element.document];
            if (find_statement(d, d.node(element.node), *inside) != no_node) return {};
            return fmt::format("{}.{}#{}", name, inside->keyword, inside->occurrence);
        }
        return {};
    };
    std::vector<ValueEdit> result;
    std::vector<std::pair<std::string, std::size_t>> made;  // what, and where in the result
    for (ValueEdit& e : edits) {
        const std::string what = missing(e);
        const auto before =
            std::find_if(made.begin(), made.end(), [&](const auto& m) { return m.first == what && !what.empty(); });
        if (what.empty()) {
            result.push_back(std::move(e));
            continue;
        }
        const std::string path = normal_path(e.path);
        const std::size_t dot = path.rfind('.');
        const auto inside = parse_value_path(path.substr(what.rfind('.') + 1));
        const bool option = inside && inside->parts.size() == 1;
        std::string words = option ? path.substr(dot + 1) + " " + *e.value : *e.value;
        if (before == made.end()) {
            made.emplace_back(what, result.size());
            result.push_back({what, std::move(words)});
        } else if (std::string& all = *result[before->second].value; option) {
            all += " " + words;
        } else {
            all.insert(0, words + " ");  // plain arguments come before options
        }
    }
    return result;
}

}  // namespace armature::studio

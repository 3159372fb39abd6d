// Paths back to the text they came from.
#include "armature/scene/document.h"
#include "armature/scene/scene.h"
#include "armature/scene/value_path.h"

namespace armature {

using namespace lang;

std::optional<ValueRef> Scene::find_value(std::string_view path) const {
    const std::string wanted = normal_path(path);
    const auto found = [&](std::uint32_t document, Span span) {
        return ValueRef{document, span, std::string(documents[document]->slice(span))};
    };
    if (const auto it = statement_index.find(wanted); it != statement_index.end()) {
        const NamedStatement& s = statements[it->second];
        const Node& node = documents[s.document]->node(s.node);
        const bool has_value = node.keyword->args.size() > 1;  // parameter NAME value, set NAME value
        if (node.block != nullptr) return {};                  // given by an override: no text to show
        if (const auto span = locate(*documents[s.document], node,
                                     has_value ? std::vector<std::string>{"value"} : std::vector<std::string>{}))
            return found(s.document, *span);
    }
    for (const auto& [name, rest] : split_path(wanted)) {
        const auto it = element_index.find(name);
        if (it == element_index.end()) continue;
        const Element& e = elements[it->second];
        const auto inside = parse_value_path(rest);
        if (!inside) continue;
        const Document& document = *documents[e.document];
        const std::uint32_t statement = find_statement(document, document.node(e.node), *inside);
        if (statement == no_node) continue;
        if (const auto span = locate(document, document.node(statement), inside->parts))
            return found(e.document, *span);
    }
    return {};
}

}  // namespace armature

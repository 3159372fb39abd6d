#include "armature/scene/edit.h"

#include <algorithm>

#include "armature/base/suggest.h"
#include "armature/scene/document.h"
#include "armature/scene/load.h"
#include "armature/scene/parser.h"
#include "armature/scene/value_path.h"

namespace armature {

namespace {

using namespace lang;

// The statement, changed and read alone: exactly one statement of the same keyword must come out, or the new text has
// broken out of its place.
bool still_reads(const std::string& statement, const KeywordSpec& keyword, BlockId inside, std::string_view path,
                 Diagnostics& diagnostics) {
    Report report;
    const Document alone = parse("edit of " + std::string(path), statement, report, inside);
    report.deliver(diagnostics);
    if (!alone.well_formed) return false;
    const std::uint32_t only = alone.node(0).first_child;
    if (only != no_node && alone.node(only).next == no_node && alone.node(only).keyword == &keyword &&
        alone.node(only).span == Span{0, static_cast<std::uint32_t>(statement.size())})
        return true;
    SourcePlace place = alone.place({0, static_cast<std::uint32_t>(statement.size())});
    diagnostics.error(place, "this is not one value");
    return false;
}

Edit make_edit(const Scene& scene, std::uint32_t document, Span span, std::string replacement) {
    return {document, scene.documents[document]->name, span, std::move(replacement), {}};
}

std::optional<Edit> edit_statement(const Scene& scene, const NamedStatement& s, const std::string& path,
                                   std::string_view text, Diagnostics& diagnostics) {
    const Document& document = *scene.documents[s.document];
    const Node& node = document.node(s.node);
    if (node.block != nullptr) return {};  // given by an override, not by a text
    const std::vector<std::string> parts =
        node.keyword->args.size() > 1 ? std::vector<std::string>{"value"} : std::vector<std::string>{};
    const auto change = plan_change(document, node, parts, text);
    if (!change) return {};
    const Span inner{change->span.begin - node.span.begin, change->span.end - node.span.begin};
    if (!still_reads(replaced(document.slice(node.span), inner, change->replacement), *node.keyword,
                     document.node(node.parent).block->id, path, diagnostics))
        return {};
    Edit edit = make_edit(scene, s.document, change->span, change->replacement);
    for (const NamedStatement& other : scene.statements)
        if (other.document == s.document && other.node == s.node && other.path != path)
            edit.also_affects.push_back(other.path);
    return edit;
}

// Where a new line goes: before the 'end' of the block, indented like the statements above it.
Edit insert_line(const Scene& scene, std::uint32_t document_index, const Node& block, const std::string& statement) {
    const Document& document = *scene.documents[document_index];
    const std::string_view text = document.text;
    const std::uint32_t end = block.span.end - 3;
    std::uint32_t line = end;
    while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
    const bool own_line = line == 0 || text[line - 1] == '\n';
    if (!own_line) return make_edit(scene, document_index, {end, end}, statement + " ");
    const std::string indent(text.substr(line, end - line));
    return make_edit(scene, document_index, {line, line}, indent + "  " + statement + "\n");
}

std::optional<Edit> edit_element(const Scene& scene, const Element& e, const std::string& rest, const std::string& path,
                                 std::string_view text, Diagnostics& diagnostics) {
    const auto inside = parse_value_path(rest);
    const Document& document = *scene.documents[e.document];
    const Node& block = document.node(e.node);
    const KeywordSpec* keyword = inside ? block.block->find_keyword(inside->keyword) : nullptr;
    if (keyword == nullptr) return {};
    const std::uint32_t index = find_statement(document, block, *inside);
    Edit edit;
    if (index == no_node) {
        if (!document.well_formed) return {};  // where the block ends is not sure
        ValuePath before = *inside;
        --before.occurrence;
        if (before.occurrence > 0 && find_statement(document, block, before) == no_node) return {};
        const auto statement = new_statement(*keyword, inside->parts, text);
        if (!statement || !still_reads(*statement, *keyword, block.block->id, path, diagnostics)) return {};
        edit = insert_line(scene, e.document, block, *statement);
    } else {
        const Node& node = document.node(index);
        const auto change = plan_change(document, node, inside->parts, text);
        if (!change) return {};
        const Span inner{change->span.begin - node.span.begin, change->span.end - node.span.begin};
        if (!still_reads(replaced(document.slice(node.span), inner, change->replacement), *keyword, block.block->id,
                         path, diagnostics))
            return {};
        edit = make_edit(scene, e.document, change->span, change->replacement);
    }
    for (const Element& other : scene.elements)
        if (other.document == e.document && other.node == e.node && other.name != e.name)
            edit.also_affects.push_back(other.name + "." + rest);
    return edit;
}

}  // namespace

std::optional<Edit> plan_edit(const Scene& scene, std::string_view path, std::string_view new_text,
                              Diagnostics& diagnostics) {
    const std::string wanted = normal_path(path);
    const std::size_t before = diagnostics.all().size();
    std::optional<Edit> edit;
    if (const auto it = scene.statement_index.find(wanted); it != scene.statement_index.end())
        edit = edit_statement(scene, scene.statements[it->second], wanted, new_text, diagnostics);
    for (const auto& [name, rest] : split_path(wanted)) {
        if (edit || diagnostics.all().size() > before) break;
        const auto it = scene.element_index.find(name);
        if (it != scene.element_index.end())
            edit = edit_element(scene, scene.elements[it->second], rest, wanted, new_text, diagnostics);
    }
    if (!edit && diagnostics.all().size() == before)
        diagnostics.error({}, "there is no value " + quoted(wanted) + " in the text of the scene");
    return edit;
}

void apply_edit(Scene& scene, const Edit& edit, Diagnostics& diagnostics) {
    Document changed;
    changed.name = scene.documents[edit.document]->name;
    changed.path = scene.documents[edit.document]->path;
    changed.text = replaced(scene.documents[edit.document]->text, edit.span, edit.replacement);
    scene.documents[edit.document] = std::make_shared<Document>(std::move(changed));
    scene = rebuild(scene, diagnostics);
}

std::optional<Edit> edit_value(Scene& scene, std::string_view path, std::string_view new_text,
                               Diagnostics& diagnostics) {
    std::optional<Edit> edit = plan_edit(scene, path, new_text, diagnostics);
    if (edit) apply_edit(scene, *edit, diagnostics);
    return edit;
}

}  // namespace armature

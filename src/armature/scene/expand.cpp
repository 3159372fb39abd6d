#include "armature/scene/expand.h"

#include <algorithm>
#include <cmath>

#include "armature/base/number_text.h"
#include "armature/base/suggest.h"
#include "armature/scene/functions.h"
#include "armature/scene/limits.h"

namespace armature::lang {

namespace {

// The name a block defines, among the groups of its header.
const Value* new_name(const Document& document, const Node& block) {
    for (std::uint32_t g = 0; g < block.group_count; ++g) {
        const Group& group = document.tree.groups[block.first_group + g];
        for (std::uint32_t v = 0; v < group.count; ++v)
            if (document.tree.values[group.first + v].kind == ArgKind::new_name)
                return &document.tree.values[group.first + v];
    }
    return nullptr;
}

const Value& plain_value(const Document& document, const Node& node, std::uint32_t i) {
    return document.tree.values[document.tree.groups[node.first_group].first + i];
}

std::string first_at(const Document& document, Span span) {
    const SourcePlace p = document.place(span);
    return "the first is at " + p.file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

}  // namespace

void Expander::run() {
    Scene& scene = builder_.scene;
    Scope scope(nullptr, false);
    Surroundings around;
    around.scope = &scope;
    include_stack_.push_back(scene.documents[0]->path);
    bytes_ = scene.documents[0]->text.size();
    content({0, scope, around, nullptr, 0}, 0);
    if (scene.element_index.find("simulation") == scene.element_index.end()) override_simulation(builder_, around);
    if (!builder_.going()) return;  // with half of the scene missing, more would only mislead
    builder_.resolve_references();
    // What could not be read may have been the use.
    if (builder_.report.errors() == 0) warn_unused();
}

void Expander::warn_unused() {
    // In the order of the text, whatever the order of the table: what is shown must not depend on it.
    std::vector<std::uint64_t> unused;
    for (const auto& [site, use] : parameters_)
        if (!use.used) unused.push_back(site);
    std::sort(unused.begin(), unused.end());
    for (const std::uint64_t site : unused) {
        const Document& doc = *builder_.scene.documents[site >> 32];
        const Span name = plain_value(doc, doc.node(static_cast<std::uint32_t>(site)), 0).span;
        builder_.report.warning(doc, name, "the parameter " + quoted(doc.slice(name)) + " is never used");
    }
}

bool Expander::too_deep(const Level& level, Span span) {
    if (level.depth < limits::expansion_depth) return false;
    builder_.report.error(document(level), span, "blocks, includes and placements are nested too deeply");
    return true;
}

void Expander::content(const Level& level, std::uint32_t parent) {
    const Document& doc = document(level);
    for (std::uint32_t c = doc.node(parent).first_child; c != no_node; c = doc.node(c).next) {
        if (!builder_.going() || !builder_.count_statement(doc, doc.node(c).word)) return;
        if (doc.node(c).damaged) continue;
        if (doc.node(c).block != nullptr)
            block(level, c);
        else
            statement(level, c);
    }
}

void Expander::statement(const Level& level, std::uint32_t node) {
    const std::string_view keyword = document(level).node(node).keyword->name;
    if (keyword == "parameter") return parameter(level, node);
    if (keyword == "include") return include(level, node);
    if (keyword == "pose") return pose(level, node);
    if (keyword == "title") return title(level, node);
}

void Expander::block(const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    const BlockId id = doc.node(node).block->id;
    if (id == BlockId::repeat) return repeat(level, node);
    if (id == BlockId::group) return group(level, node);
    if (id == BlockId::place) return place(level, node);
    BlockSite site{level.document, node, &level.around, {}};
    if (id == BlockId::simulation) {
        site.name = "simulation";
    } else if (const Value* value = new_name(doc, doc.node(node))) {
        const auto name = builder_.evaluator.name(doc, *value, level.around);
        if (!name) return;
        site.name = level.around.prefix + *name;
    }
    switch (id) {
        case BlockId::simulation:
            return build_simulation(builder_, site);
        case BlockId::object:
            return build_object(builder_, site);
        case BlockId::particle:
            return build_particle(builder_, site);
        case BlockId::path:
            return build_path(builder_, site);
        case BlockId::constraint:
            return build_constraint(builder_, site);
        case BlockId::joint:
            return build_joint(builder_, site);
        case BlockId::track:
            return build_track(builder_, site);
        case BlockId::drag:
            return build_drag(builder_, site);
        default:
            return build_force(builder_, site);
    }
}

bool Expander::read(Arguments& arguments, const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    return arguments.read(doc, doc.node(node), level.around, builder_.evaluator, builder_.report);
}

std::pair<std::uint32_t, std::uint32_t> Expander::overridden(const std::string& path, std::uint32_t document,
                                                             std::uint32_t node,
                                                             const std::vector<std::string>& parts) {
    const std::vector<Overrides::Entry>* entries = builder_.overrides.of(path);
    if (entries == nullptr) return {document, node};
    const Document& doc = *builder_.scene.documents[document];
    const BlockId inside = doc.node(doc.node(node).parent).block->id;
    std::shared_ptr<const Document> changed;
    for (const Overrides::Entry& e : *entries) {
        if (!e.path.keyword.empty()) continue;
        auto next = builder_.overrides.change({e.index, {{}, 1, parts}}, doc, doc.node(node), inside, builder_.report);
        if (next) changed = std::move(next);
    }
    if (!changed) return {document, node};
    return {builder_.add_document(changed), 1};
}

void Expander::remember(const std::string& path, std::uint32_t document, std::uint32_t node) {
    Scene& scene = builder_.scene;
    const auto index = static_cast<std::uint32_t>(scene.statements.size());
    if (scene.statement_index.emplace(path, index).second) scene.statements.push_back({path, document, node});
}

void Expander::title(const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    if (const auto it = builder_.scene.statement_index.find("title"); it != builder_.scene.statement_index.end()) {
        const NamedStatement& first = builder_.scene.statements[it->second];
        const Document& where = *builder_.scene.documents[first.document];
        return builder_.report.error(doc, doc.node(node).word, "'title' is given twice", {},
                                     {first_at(where, where.node(first.node).word)});
    }
    remember("title", level.document, node);
    const auto [d, n] = overridden("title", level.document, node, {});
    Arguments a;
    if (read(a, {d, level.scope, level.around, nullptr, 0}, n)) builder_.scene.spec.title = a.text();
}

void Expander::parameter(const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    const Span span = plain_value(doc, doc.node(node), 0).span;
    const std::string_view name = doc.slice(span);
    Report& report = builder_.report;
    if (is_reserved(name))
        return report.error(doc, span, quoted(name) + " already has a meaning in expressions", "choose another name");
    if (const Variable* first = level.scope.find_clash(name))
        return report.error(doc, span, "the name " + quoted(name) + " is used twice", {},
                            {first_at(*builder_.scene.documents[first->document], first->span)});
    ParameterUse& use = parameters_[std::uint64_t{level.document} << 32 | node];
    Variable variable{name, 0, level.document, span, &use.used};
    const std::string path = level.around.prefix + std::string(name);
    SetValue* given = nullptr;
    if (level.sets != nullptr)
        for (SetValue& s : *level.sets)
            if (s.name == name) given = &s;
    if (given != nullptr) {
        given->used = true;
        variable.value = given->value;
        remember(path, given->document, given->node);
    } else {
        remember(path, level.document, node);
    }
    const auto [d, n] = overridden(path, level.document, node, {"value"});
    Arguments a;
    if (given == nullptr || d != level.document) {
        if (read(a, {d, level.scope, level.around, nullptr, 0}, n))
            variable.value = a.number();
        else
            use.used = true;  // it is known to be wrong already
    }
    level.scope.define(variable);
}

void Expander::pose(const Level& level, std::uint32_t node) {
    Arguments a;
    if (!read(a, level, node)) return;
    PoseChange change;
    if (const ArgumentList* at = a.option("at")) change.at = at->vec();
    if (a.option("turn") != nullptr || a.option("quaternion") != nullptr) {
        change.orientation = orientation_of(a);
        if (!change.orientation) return;
    }
    const BlockSite site{level.document, node, &level.around, {}};
    builder_.refer(Reference::Slot::pose, builder_.poses.size(), site, a.text(), a.document(), a.span_of(""));
    builder_.poses.push_back(change);
}

void Expander::repeat(const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    Arguments a;
    if (too_deep(level, doc.node(node).word) || !read(a, level, node)) return;
    Report& report = builder_.report;
    const Span span = plain_value(doc, doc.node(node), 0).span;
    const std::string_view name = doc.slice(span);
    if (is_reserved(name))
        return report.error(doc, span, quoted(name) + " already has a meaning in expressions", "choose another name");
    if (const Variable* first = level.scope.find_clash(name))
        return report.error(doc, span, "the name " + quoted(name) + " is used twice", {},
                            {first_at(*builder_.scene.documents[first->document], first->span)});
    const double from = a.number_or("from", 0), to = a.number_or("to", 0), step = a.number_or("step", 1);
    if (step == 0) return report.error(doc, a.span_of("step"), "the step is zero", {}, level.around.notes);
    // The last value is met even if round-off puts it a hair beyond.
    const double turns = std::floor((to - from) / step + 1e-9) + 1;
    if (!(turns <= static_cast<double>(limits::statements)))
        return report.error(
            doc, doc.node(node).span.empty() ? span : join(doc.node(node).word, a.span_of("to")),
            "this repeats " + to_text(turns) + " times; " + std::to_string(limits::statements) + " is the limit");
    Surroundings around = level.around;
    around.notes.emplace_back();
    for (double k = 0; k < turns && builder_.going(); k += 1) {
        if (!builder_.count_statement(doc, doc.node(node).word)) return;
        Scope scope(&level.scope, true);
        const double value = from + k * step;
        scope.define(Variable{name, value, level.document, span, nullptr});
        around.scope = &scope;
        around.notes.back() = "with " + std::string(name) + " = " + to_text(value);
        content({level.document, scope, around, level.sets, level.depth + 1}, node);
    }
}

void Expander::group(const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    const Span span = plain_value(doc, doc.node(node), 0).span;
    const std::string_view name = doc.slice(span);
    if (const GroupDefinition* first = level.scope.find_own_group(name)) {
        const Document& where = *builder_.scene.documents[first->document];
        return builder_.report.error(doc, span, "the group " + quoted(name) + " is defined twice", {},
                                     {first_at(where, where.node(first->node).word)});
    }
    level.scope.define(name, GroupDefinition{level.document, node, &level.scope});
}

}  // namespace armature::lang

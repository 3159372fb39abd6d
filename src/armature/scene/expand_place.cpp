// Placed groups and included files: the parts of the expansion that leave the text they stand in.
#include "armature/base/suggest.h"
#include "armature/scene/expand.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"
#include "armature/scene/parser.h"

namespace armature::lang {

void Expander::place(const Level& level, std::uint32_t node) {
    const Document& doc = document(level);
    Arguments a;
    if (too_deep(level, doc.node(node).word) || !read(a, level, node)) return;
    Report& report = builder_.report;
    const std::string group_name = a.text();
    const GroupDefinition* group = level.scope.find_group(group_name);
    if (group == nullptr) {
        if (!doc.tree.broken_header) {
            std::string hint = did_you_mean(group_name, level.scope.group_names());
            if (hint.empty()) hint = "a group must be defined before it is placed";
            report.error(doc, a.span_of(""), "there is no group " + quoted(group_name), std::move(hint),
                         level.around.notes);
        }
        return;
    }
    const Site definition{group->document, group->node};
    for (const Site& s : placing_)
        if (s == definition)
            return report.error(doc, a.span_of(""), "the group " + quoted(group_name) + " places itself");
    if (placing_.size() >= limits::placement_depth)
        return report.error(doc, doc.node(node).word, "groups are placed inside one another too deeply");
    const BlockSite site{level.document, node, &level.around, level.around.prefix + a.option("as")->text()};
    if (!builder_.count_object(doc, doc.node(node).word)) return;
    if (!builder_.define(site)) return builder_.check_only(site);
    Pose pose;
    std::vector<SetValue> sets = read_sets(level, site, pose);

    Surroundings around;
    Scope scope(group->scope, false);
    around.scope = &scope;
    around.prefix = site.name + ".";
    around.placement = level.around.placed ? level.around.placement * pose : pose;
    around.placed = true;
    around.notes.push_back("placed as " + site.name);  // the name tells the outer placements too
    placing_.push_back(definition);
    content({group->document, scope, around, &sets, level.depth + 1}, group->node);
    placing_.pop_back();
    if (!builder_.going()) return;
    check_sets(level, *group, sets);
}

std::vector<Expander::SetValue> Expander::read_sets(const Level& level, const BlockSite& site, Pose& pose) {
    std::vector<SetValue> sets;
    const Document& doc = document(level);
    builder_.read_properties(site, [&](const Arguments& a) {
        if (a.keyword() == "at") pose.x = a.vec();
        if (a.keyword() == "turn" || a.keyword() == "quaternion") {
            const auto q = a.keyword() == "turn"
                               ? turn_of(a, a.vec(), a.number(3))
                               : quaternion_of(a, {a.number(0), a.number(1), a.number(2), a.number(3)});
            if (q) pose.q = normalized(*q * pose.q);
        }
        if (a.keyword() != "set") return;
        const Document& in = a.document();
        const Span span = in.tree.values[in.tree.groups[a.statement().first_group].first].span;
        for (const SetValue& s : sets)
            if (s.name == in.slice(span)) a.error(quoted(s.name) + " is set twice");
        // A statement that an override made has a text of its own and is not where the value can be edited.
        const bool own = &in == &doc;
        const auto index = own ? static_cast<std::uint32_t>(&a.statement() - doc.tree.nodes.data()) : site.node;
        sets.push_back({in.slice(span), a.number(), level.document, index, false});
    });
    return sets;
}

void Expander::check_sets(const Level& level, const GroupDefinition& group, const std::vector<SetValue>& sets) {
    const Document& defined = *builder_.scene.documents[group.document];
    const Document& doc = document(level);
    for (const SetValue& s : sets) {
        if (s.used || builder_.report.full()) continue;
        std::vector<std::string_view> known;
        for (std::uint32_t c = defined.node(group.node).first_child; c != no_node; c = defined.node(c).next) {
            const Node& n = defined.node(c);
            if (n.block == nullptr && n.keyword->name == "parameter" && n.group_count > 0)
                known.push_back(defined.slice(defined.tree.values[defined.tree.groups[n.first_group].first].span));
        }
        builder_.report.error(doc, doc.node(s.node).span, "the group has no parameter " + quoted(s.name),
                              did_you_mean(s.name, known), level.around.notes);
    }
}

void Expander::include(const Level& level, std::uint32_t node) {
    Arguments a;
    const Document& doc = document(level);
    if (too_deep(level, doc.node(node).word) || !read(a, level, node)) return;
    Report& report = builder_.report;
    const Span span = a.span_of("");
    const auto fail = [&](std::string message) { report.error(doc, span, std::move(message), {}, level.around.notes); };
    FoundFile file = find_inside(builder_.scene.folder, doc.path, a.text());
    if (!file.error.empty()) return fail(std::move(file.error));
    for (const std::string& open : include_stack_)
        if (open == file.path) return fail("this file includes itself, directly or through others");
    if (include_stack_.size() >= limits::include_depth)
        return fail("more than " + std::to_string(limits::include_depth) + " files include one another");

    auto [it, fresh] = included_.try_emplace(file.path, 0);
    if (fresh) {
        const auto held = held_.find(file.path);
        FileText read_text =
            held != held_.end() ? FileText{held->second, {}} : read_text_file(file.path, limits::file_bytes);
        if (read_text.error.empty() && bytes_ + read_text.text.size() > limits::total_bytes)
            read_text.error =
                "the files of the scene are larger than " + std::to_string(limits::total_bytes >> 20) + " MiB together";
        if (!read_text.error.empty()) {
            included_.erase(it);
            return fail(a.text() + ": " + read_text.error);
        }
        bytes_ += read_text.text.size();
        auto parsed =
            std::make_shared<Document>(parse(shown_beside(doc.name, a.text()), std::move(read_text.text), report));
        parsed->path = file.path;
        it->second = builder_.add_document(std::move(parsed));
    }
    const std::uint32_t index = it->second;
    // Inside a group or a repeat only some statements may stand, in an included file too.
    const Document& text = *builder_.scene.documents[index];
    const BlockSpec& inside = *doc.node(doc.node(node).parent).block;
    for (std::uint32_t c = text.node(0).first_child; c != no_node && inside.id != BlockId::file;
         c = text.node(c).next) {
        const Node& n = text.node(c);
        if (n.block != nullptr ? !inside.may_contain(n.block->id) : inside.find_keyword(n.keyword->name) == nullptr)
            return fail("the file holds " + quoted(n.keyword->name) + ", which cannot stand inside " +
                        quoted(inside.name));
    }
    const SourcePlace place = doc.place(doc.node(node).word);
    level.around.notes.push_back("included at " + place.file + ":" + std::to_string(place.line));
    include_stack_.push_back(file.path);
    content({index, level.scope, level.around, level.sets, level.depth + 1}, 0);
    include_stack_.pop_back();
    level.around.notes.pop_back();
}

}  // namespace armature::lang

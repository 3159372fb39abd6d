#include "armature/studio/copies.h"

#include <map>

#include "armature/scene/parser.h"
#include "armature/studio/named_blocks.h"
#include "armature/studio/text_splices.h"
#include "armature/studio/unroll.h"

namespace armature::studio {

using namespace lang;

namespace {

/// `ball[2]` → `ball_`, `seat2` → `seat`: what a number is put behind.
std::string stem_of(std::string name) {
    for (char& c : name)
        if (c == '[' || c == ']' || c == '.') c = '_';
    while (!name.empty() && (name.back() == '_' || (name.back() >= '0' && name.back() <= '9'))) name.pop_back();
    return name.empty() ? "copy" : name;
}

std::string fresh_name(const std::string& name, std::set<std::string>& taken) {
    const std::string stem = stem_of(name);
    int n = 2;
    while (!taken.insert(stem + std::to_string(n)).second) ++n;
    return stem + std::to_string(n);
}

/// These, and what holds or pulls one of them to another.
std::set<std::string> with_what_joins(const Scene& scene, const std::vector<std::string>& names) {
    std::set<std::string> wanted(names.begin(), names.end());
    for (const auto& [user, solids] : users_of_solids(scene.spec))
        if (solids.size() == 2 && wanted.count(solids[0]) > 0 && wanted.count(solids[1]) > 0) wanted.insert(user);
    return wanted;
}

const SolidSpec* solid_of(const Scene& scene, const std::string& name) {
    for (const SolidSpec& s : scene.spec.solids)
        if (s.name == name) return &s;
    return nullptr;
}

/// The names below a node that have a copy become those of the copies; places count from `base`.
void rename_below(const Document& d, const Node& n, const std::map<std::string, std::string>& copy_of,
                  std::uint32_t base, std::vector<Splice>& changes) {
    for (std::uint32_t g = n.first_group; g < n.first_group + n.group_count; ++g)
        for (std::uint32_t v = 0; v < d.tree.groups[g].count; ++v) {
            const Value& value = d.tree.values[d.tree.groups[g].first + v];
            if (!is_name(value.kind)) continue;
            const auto copy = copy_of.find(std::string(d.slice(value.span)));
            if (copy != copy_of.end())
                changes.push_back({{value.span.begin - base, value.span.end - base}, copy->second});
        }
    for (std::uint32_t c = n.first_child; c != no_node; c = d.node(c).next)
        rename_below(d, d.node(c), copy_of, base, changes);
}

/// The text of a block with other names and, of a solid, at another place.
std::string copied(const Document& d, const Node& block, const std::map<std::string, std::string>& copy_of,
                   const SolidSpec* solid, const Vec3& offset) {
    std::vector<Splice> changes;
    rename_below(d, block, copy_of, block.span.begin, changes);
    bool has_at = false;
    for (std::uint32_t c = block.first_child; c != no_node; c = d.node(c).next) {
        const Node& n = d.node(c);
        if (n.block != nullptr || solid == nullptr || n.keyword->name != "at" || n.group_count == 0) continue;
        has_at = true;
        const Span at = arguments_span(d.tree, d.tree.groups[n.first_group]);
        changes.push_back(
            {{at.begin - block.span.begin, at.end - block.span.begin}, rounded_text(solid->pose_WB.x + offset)});
    }
    if (solid != nullptr && !has_at && offset != Vec3{}) {
        const std::uint32_t end = block.span.size() - 3;
        changes.push_back({{end, end}, "  at " + rounded_text(solid->pose_WB.x + offset) + ";\n"});
    }
    return spliced(std::string(d.slice(block.span)), std::move(changes));
}

}  // namespace

std::set<std::string> names_in(const Scene& scene) {
    std::set<std::string> names;
    for (const Element& e : scene.elements) names.insert(e.name);
    return names;
}

Duplicate with_copies(const Scene& scene, const std::vector<std::string>& names, const Vec3& offset,
                      Diagnostics& diagnostics, std::vector<std::string>* shared) {
    NamedBlocks blocks(scene, diagnostics, shared);
    const std::set<std::string> wanted = with_what_joins(scene, names);
    // A fresh name for each: its own with the first number that is free.
    std::set<std::string> taken = names_in(scene);
    std::map<std::string, std::string> copy_of;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> nodes;  // in the order of the texts
    for (const std::string& name : wanted) {
        const Element* e = blocks.find(name);
        if (e == nullptr) continue;
        if (blocks.made_by(*e).size() > 1) {
            blocks.report_shared(*e);
            continue;
        }
        nodes.emplace(std::pair{e->document, e->node}, name);
        if (first_word(blocks.text_of(*e), blocks.node_of(*e)).empty()) continue;  // has no name to change
        copy_of[name] = fresh_name(name, taken);
    }

    Duplicate result;
    std::map<std::size_t, std::vector<Splice>> insertions;
    for (const auto& placed : nodes) {
        const std::string& name = placed.second;
        const Document& d = *scene.documents[placed.first.first];
        const Node& block = d.node(placed.first.second);
        const std::string text = copied(d, block, copy_of, solid_of(scene, name), offset);
        const std::uint32_t at = end_of_line(d, block.span.end);
        insertions[placed.first.first].push_back({{at, at}, "\n\n" + indent_of(d, block.span.begin) + text});
        if (const auto copy = copy_of.find(name); copy != copy_of.end()) result.names.push_back(copy->second);
    }
    for (auto& [k, splices] : insertions) result.texts[k] = spliced(scene.documents[k]->text, std::move(splices));
    return result;
}

std::string text_of_blocks(const Scene& scene, const std::vector<std::string>& names, Diagnostics& diagnostics,
                           std::vector<std::string>* shared) {
    NamedBlocks blocks(scene, diagnostics, shared);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> nodes;  // in the order of the texts
    for (const std::string& name : with_what_joins(scene, names)) {
        const Element* e = blocks.find(name);
        if (e == nullptr) continue;
        if (blocks.made_by(*e).size() > 1)
            blocks.report_shared(*e);
        else
            nodes.emplace(std::pair{e->document, e->node}, name);
    }
    std::string text;
    for (const auto& [at, name] : nodes) {
        const Document& d = *scene.documents[at.first];
        // Its place in numbers: the parameters that it is written with are another scene's.
        text += (text.empty() ? "" : "\n") + copied(d, d.node(at.second), {}, solid_of(scene, name), {}) + "\n";
    }
    return text;
}

std::string with_pasted(const Scene& scene, const std::string& blocks, const Vec3& offset, Diagnostics& diagnostics) {
    Report report;
    const Document d = parse("what is pasted", blocks, report);
    report.deliver(diagnostics);
    if (diagnostics.has_errors() || !d.well_formed) return {};
    std::set<std::string> taken = names_in(scene);
    const std::set<std::string> there = taken;
    std::map<std::string, std::string> copy_of;
    for (std::uint32_t c = d.node(0).first_child; c != no_node; c = d.node(c).next) {
        const Node& n = d.node(c);
        // The first word of a repeat is its variable, which is nobody else's business.
        if (n.block == nullptr || n.block->id == BlockId::repeat) continue;
        const std::string name(first_word(d, n));
        if (there.count(name) > 0 && copy_of.count(name) == 0) copy_of[name] = fresh_name(name, taken);
    }
    std::vector<Splice> changes;
    rename_below(d, d.node(0), copy_of, 0, changes);
    const std::string text = with_block(scene.documents[0]->text, spliced(blocks, std::move(changes)));
    const Scene pasted = with_texts(scene, {{0, text}}, diagnostics);
    if (diagnostics.has_errors() || copy_of.empty() || offset == Vec3{}) return text;
    std::map<std::string, Pose> beside;
    for (const SolidSpec& s : pasted.spec.solids)
        if (there.count(s.name) == 0 && s.name != "world") beside[s.name] = {s.pose_WB.x + offset, s.pose_WB.q};
    return placed_text(pasted, beside, diagnostics);
}

}  // namespace armature::studio

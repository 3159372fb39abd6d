#include "armature/studio/block_edits.h"

#include <algorithm>
#include <set>

#include "armature/studio/named_blocks.h"
#include "armature/studio/text_splices.h"

namespace armature::studio {

namespace {

using namespace lang;

/// A repeat all of whose blocks go, goes with them.
void drop_emptied_repeats(const Document& d, std::set<std::uint32_t>& nodes) {
    for (bool again = true; again;) {
        again = false;
        for (const std::uint32_t n : nodes) {
            const std::uint32_t parent = d.node(n).parent;
            if (parent == no_node || parent == 0 || d.node(parent).block->id != BlockId::repeat) continue;
            bool all = true;
            for (std::uint32_t c = d.node(parent).first_child; c != no_node; c = d.node(c).next)
                all = all && (d.node(c).block == nullptr || nodes.count(c) > 0);
            if (!all) continue;
            for (std::uint32_t c = d.node(parent).first_child; c != no_node; c = d.node(c).next) nodes.erase(c);
            nodes.insert(parent);
            again = true;
            break;
        }
    }
}

}  // namespace

std::string with_block(const std::string& text, const std::string& block) {
    std::string out = text;
    if (!out.empty() && out.back() != '\n') out += '\n';
    if (!out.empty()) out += '\n';
    out += block;
    if (out.empty() || out.back() != '\n') out += '\n';
    return out;
}

Texts without_blocks(const Scene& scene, const std::vector<std::string>& names, Diagnostics& diagnostics,
                     std::vector<std::string>* shared) {
    NamedBlocks blocks(scene, diagnostics, shared);
    std::set<std::string> gone(names.begin(), names.end());
    for (const auto& [user, solids] : users_of_solids(scene.spec))
        if (std::any_of(solids.begin(), solids.end(), [&](const auto& s) { return gone.count(s) > 0 && s != "world"; }))
            if (scene.element_index.count(user) > 0) gone.insert(user);
    std::map<std::size_t, std::set<std::uint32_t>> nodes;  // per text
    for (const std::string& name : gone) {
        const Element* e = blocks.find(name);
        if (e == nullptr) continue;
        const auto& made = blocks.made_by(*e);
        if (std::all_of(made.begin(), made.end(), [&](const auto& n) { return gone.count(n) > 0; }))
            nodes[e->document].insert(e->node);
        else
            blocks.report_shared(*e);
    }
    for (std::size_t k = 0; k < scene.documents.size(); ++k) {
        const Document& d = *scene.documents[k];
        for (std::uint32_t c = d.node(0).first_child; c != no_node; c = d.node(c).next)
            if (d.node(c).block == nullptr && d.node(c).keyword->name == "pose" &&
                gone.count(std::string(first_word(d, d.node(c)))) > 0)
                nodes[k].insert(c);
    }
    Texts texts;
    for (auto& [k, gone_nodes] : nodes) {
        const Document& d = *scene.documents[k];
        drop_emptied_repeats(d, gone_nodes);
        std::vector<Splice> cuts;
        for (const std::uint32_t n : gone_nodes) cuts.push_back({lines_of(d, d.node(n)), ""});
        texts[k] = spliced(d.text, std::move(cuts));
    }
    return texts;
}

namespace {

/// `ball[2]` → `ball_`, `seat2` → `seat`: what a number is put behind.
std::string stem_of(std::string name) {
    for (char& c : name)
        if (c == '[' || c == ']' || c == '.') c = '_';
    while (!name.empty() && (name.back() == '_' || (name.back() >= '0' && name.back() <= '9'))) name.pop_back();
    return name.empty() ? "copy" : name;
}

/// The text of a block with other names and, of a solid, at another place.
std::string copied(const Document& d, const Node& block, const std::map<std::string, std::string>& copy_of,
                   const SolidSpec* solid, const Vec3& offset) {
    std::vector<Splice> changes;
    const auto local = [&](Span s) { return Span{s.begin - block.span.begin, s.end - block.span.begin}; };
    const auto rename = [&](const Node& n) {
        for (std::uint32_t g = n.first_group; g < n.first_group + n.group_count; ++g)
            for (std::uint32_t v = 0; v < d.tree.groups[g].count; ++v) {
                const Value& value = d.tree.values[d.tree.groups[g].first + v];
                if (!is_name(value.kind)) continue;
                const auto copy = copy_of.find(std::string(d.slice(value.span)));
                if (copy != copy_of.end()) changes.push_back({local(value.span), copy->second});
            }
    };
    rename(block);
    bool has_at = false;
    for (std::uint32_t c = block.first_child; c != no_node; c = d.node(c).next) {
        const Node& n = d.node(c);
        if (n.block != nullptr) continue;
        rename(n);
        if (solid == nullptr || n.keyword->name != "at" || n.group_count == 0) continue;
        has_at = true;
        changes.push_back(
            {local(arguments_span(d.tree, d.tree.groups[n.first_group])), rounded_text(solid->pose_WB.x + offset)});
    }
    if (solid != nullptr && !has_at && offset != Vec3{}) {
        const std::uint32_t end = block.span.size() - 3;
        changes.push_back({{end, end}, "  at " + rounded_text(solid->pose_WB.x + offset) + ";\n"});
    }
    return spliced(std::string(d.slice(block.span)), std::move(changes));
}

}  // namespace

Duplicate with_copies(const Scene& scene, const std::vector<std::string>& names, const Vec3& offset,
                      Diagnostics& diagnostics, std::vector<std::string>* shared) {
    NamedBlocks blocks(scene, diagnostics, shared);
    std::set<std::string> wanted(names.begin(), names.end());
    for (const auto& [user, solids] : users_of_solids(scene.spec))
        if (solids.size() == 2 && wanted.count(solids[0]) > 0 && wanted.count(solids[1]) > 0) wanted.insert(user);

    // A fresh name for each: its own with the first number that is free.
    std::set<std::string> taken;
    for (const Element& e : scene.elements) taken.insert(e.name);
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
        const std::string stem = stem_of(name);
        int n = 2;
        while (taken.count(stem + std::to_string(n)) > 0) ++n;
        copy_of[name] = stem + std::to_string(n);
        taken.insert(copy_of[name]);
    }

    Duplicate result;
    std::map<std::size_t, std::vector<Splice>> insertions;
    for (const auto& placed : nodes) {
        const std::string& name = placed.second;  // clang does not let a lambda see a structured binding
        const Document& d = *scene.documents[placed.first.first];
        const Node& block = d.node(placed.first.second);
        const auto solid = std::find_if(scene.spec.solids.begin(), scene.spec.solids.end(),
                                        [&](const SolidSpec& s) { return s.name == name; });
        const std::string text =
            copied(d, block, copy_of, solid == scene.spec.solids.end() ? nullptr : &*solid, offset);
        const std::uint32_t at = end_of_line(d, block.span.end);
        insertions[placed.first.first].push_back({{at, at}, "\n\n" + indent_of(d, block.span.begin) + text});
        if (const auto copy = copy_of.find(name); copy != copy_of.end()) result.names.push_back(copy->second);
    }
    for (auto& [k, splices] : insertions) result.texts[k] = spliced(scene.documents[k]->text, std::move(splices));
    return result;
}

}  // namespace armature::studio

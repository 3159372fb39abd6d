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

}  // namespace armature::studio

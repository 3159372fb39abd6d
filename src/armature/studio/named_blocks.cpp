#include "armature/studio/named_blocks.h"

#include <fmt/format.h>

#include "armature/base/suggest.h"
#include "armature/model/compile.h"

namespace armature::studio {

NamedBlocks::NamedBlocks(const Scene& s, Diagnostics& diagnostics, std::vector<std::string>* shared)
    : scene(s), diagnostics_(diagnostics), shared_(shared) {
    for (const Element& e : s.elements) makes_[{e.document, e.node}].push_back(e.name);
}

const Element* NamedBlocks::find(const std::string& name) {
    const auto it = scene.element_index.find(name);
    if (it != scene.element_index.end()) return &scene.elements[it->second];
    std::vector<std::string_view> known;
    for (const Element& e : scene.elements) known.push_back(e.name);
    diagnostics_.error({}, fmt::format("there is no block `{}`", name), did_you_mean(name, known));
    return nullptr;
}

void NamedBlocks::report_shared(const Element& e) {
    // What a group makes can only be told apart by placing another group: there is nothing to write out.
    bool in_group = false;
    if (shared_ != nullptr) shared_->push_back(e.name);
    const Document& d = text_of(e);
    for (std::uint32_t n = node_of(e).parent; n != lang::no_node && n != 0; n = d.node(n).parent)
        in_group = in_group || d.node(n).block->id == lang::BlockId::group;
    diagnostics_.error(
        d.place(node_of(e).word), fmt::format("`{}` is one of {} that the same lines make", e.name, made_by(e).size()),
        in_group ? "change the group in the text: what is changed there changes wherever it is placed" : unroll_hint);
}

std::vector<std::pair<std::string, std::vector<std::string>>> users_of_solids(const Spec& spec) {
    std::vector<std::pair<std::string, std::vector<std::string>>> users;
    const std::vector<std::string> names = constraint_names(spec);
    for (std::size_t i = 0; i < names.size(); ++i)
        users.push_back({names[i], {spec.constraints[i].solid1, spec.constraints[i].solid2}});
    for (const ForceSpec& f : spec.forces) {
        struct Solids {
            std::vector<std::string> operator()(const PointForceSpec& l) const { return {l.solid}; }
            std::vector<std::string> operator()(const TorqueSpec& l) const { return {l.solid}; }
            std::vector<std::string> operator()(const SpringSpec& l) const { return {l.solid1, l.solid2}; }
            std::vector<std::string> operator()(const DragSpec& l) const { return {l.solid}; }
        };
        users.push_back({f.name, std::visit(Solids{}, f.law)});
    }
    for (const DraggedSpec& d : spec.drags) users.push_back({d.name, {d.solid}});
    return users;
}

}  // namespace armature::studio

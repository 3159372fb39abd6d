// Names are looked up when everything is written out, so that the order of blocks in a file does not matter.
#include <variant>

#include "armature/base/suggest.h"
#include "armature/scene/build/builder.h"
#include "armature/scene/limits.h"

namespace armature::lang {

namespace {

bool is_solid(BlockId id) {
    return id == BlockId::object || id == BlockId::particle;
}

// "a.b." → "a." → "".
bool outward(std::string& prefix) {
    if (prefix.empty()) return false;
    prefix.pop_back();
    const std::size_t dot = prefix.rfind('.');
    prefix.resize(dot == std::string::npos ? 0 : dot + 1);
    return true;
}

}  // namespace

const Element* Builder::resolve(const Reference& reference) {
    std::string prefix = reference.prefix;
    do {
        const auto it = scene.element_index.find(prefix + reference.name);
        if (it != scene.element_index.end()) return &scene.elements[it->second];
    } while (outward(prefix));
    return nullptr;
}

void Builder::unknown_name(const Reference& reference) {
    for (const auto& d : scene.documents)
        if (d->tree.broken_header) return;  // the name may stand in what could not be read
    const bool path = reference.slot == Reference::Slot::path;
    std::vector<std::string_view> known;
    if (!path) known.push_back("world");
    for (const Element& e : scene.elements) {
        const BlockId id = scene.documents[e.document]->node(e.node).block->id;
        if (path ? id != BlockId::path : !is_solid(id)) continue;
        std::string_view name = e.name;
        if (name.substr(0, reference.prefix.size()) == reference.prefix) name.remove_prefix(reference.prefix.size());
        known.push_back(name);
    }
    report.error(*scene.documents[reference.document], reference.span,
                 std::string("there is no ") + (path ? "path " : "object ") + quoted(reference.name),
                 did_you_mean(reference.name, known));
}

void Builder::resolve_references() {
    for (const Reference& r : references) {
        if (report.full()) return;
        const Element* e = resolve(r);
        if (e == nullptr) {
            unknown_name(r);
            continue;
        }
        const BlockSpec& block = *scene.documents[e->document]->node(e->node).block;
        const bool path = r.slot == Reference::Slot::path;
        if (path ? block.id != BlockId::path : !is_solid(block.id)) {
            report.error(
                *scene.documents[r.document], r.span,
                quoted(r.name) + " is a " + std::string(block.name) + ", not " + (path ? "a path" : "an object"));
            continue;
        }
        assign(r, e->name);
    }
    apply_poses();
}

void Builder::assign(const Reference& r, const std::string& name) {
    Spec& spec = scene.spec;
    switch (r.slot) {
        case Reference::Slot::constraint1:
            spec.constraints[r.index].solid1 = name;
            break;
        case Reference::Slot::constraint2:
            spec.constraints[r.index].solid2 = name;
            break;
        case Reference::Slot::spring1:
            std::get<SpringSpec>(spec.forces[r.index].law).solid1 = name;
            break;
        case Reference::Slot::spring2:
            std::get<SpringSpec>(spec.forces[r.index].law).solid2 = name;
            break;
        case Reference::Slot::force: {
            auto& law = spec.forces[r.index].law;
            if (auto* f = std::get_if<PointForceSpec>(&law)) f->solid = name;
            if (auto* t = std::get_if<TorqueSpec>(&law)) t->solid = name;
            if (auto* d = std::get_if<DragSpec>(&law)) d->solid = name;
            break;
        }
        case Reference::Slot::path: {
            const PoseTrack& track = paths[name];
            path_keys_ += track.keys.size();
            if (path_keys_ > limits::path_keys) {
                if (path_keys_ - track.keys.size() <= limits::path_keys)
                    report.error(*scene.documents[r.document], r.span,
                                 "too many objects follow paths with too many keys");
                break;
            }
            spec.solids[r.index].path = track;
            break;
        }
        case Reference::Slot::pose:
            poses[r.index].object = name;
            break;
    }
}

void Builder::apply_poses() {
    if (poses.empty()) return;
    std::unordered_map<std::string_view, SolidSpec*> solids;
    for (SolidSpec& s : scene.spec.solids) solids.emplace(s.name, &s);
    for (const PoseChange& p : poses) {
        const auto it = solids.find(p.object);
        if (it == solids.end()) continue;
        if (p.at) it->second->pose_WB.x = *p.at;
        if (p.orientation) it->second->pose_WB.q = *p.orientation;
    }
}

}  // namespace armature::lang

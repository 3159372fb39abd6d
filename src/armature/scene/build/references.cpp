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

/// What a reference may name.
struct Wanted {
    std::string_view kind;  ///< with its article
    bool (*fits)(BlockId);
    std::string_view missing;
};
Wanted wanted(Reference::Slot slot) {
    if (slot == Reference::Slot::path) return {"a path", [](BlockId id) { return id == BlockId::path; }, "path"};
    if (slot == Reference::Slot::track)
        return {"a track", [](BlockId id) { return id == BlockId::track; }, "parameter or track"};
    return {"an object", is_solid, "object"};
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
    const Wanted want = wanted(reference.slot);
    std::vector<std::string_view> known;
    if (want.fits(BlockId::object)) known.push_back("world");
    for (const Element& e : scene.elements) {
        const BlockId id = scene.documents[e.document]->node(e.node).block->id;
        if (!want.fits(id)) continue;
        std::string_view name = e.name;
        if (name.substr(0, reference.prefix.size()) == reference.prefix) name.remove_prefix(reference.prefix.size());
        known.push_back(name);
    }
    std::string hint = did_you_mean(reference.name, known);
    report.error(*scene.documents[reference.document], reference.span,
                 "there is no " + std::string(want.missing) + " " + quoted(reference.name),
                 hint.empty() ? reference.hint : std::move(hint));
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
        const Wanted want = wanted(r.slot);
        if (!want.fits(block.id)) {
            report.error(*scene.documents[r.document], r.span,
                         quoted(r.name) + (block.id == BlockId::object ? " is an " : " is a ") +
                             std::string(block.name) + ", not " + std::string(want.kind));
            continue;
        }
        assign(r, e->name);
    }
    apply_poses();
    finish_joints(*this);
}

// Every use of a path or a track has its own copy of the keys.
bool Builder::count_keys(const Reference& r, std::size_t keys) {
    keys_ += keys;
    if (keys_ <= limits::path_keys) return true;
    if (keys_ - keys <= limits::path_keys)
        report.error(*scene.documents[r.document], r.span, "paths and tracks with too many keys are used too often");
    return false;
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
        case Reference::Slot::drag:
            spec.drags[r.index].solid = name;
            break;
        case Reference::Slot::path: {
            const PoseTrack& track = paths[name];
            if (!count_keys(r, track.keys.size())) break;
            spec.solids[r.index].path = track;
            break;
        }
        case Reference::Slot::pose:
            poses[r.index].object = name;
            break;
        case Reference::Slot::track: {
            const TrackUse& use = track_uses[r.index];
            const ScalarTrack& track = tracks[name];
            if (!count_keys(r, track.keys.size())) break;
            joints[use.joint].freedoms[use.freedom].*use.value = track;
            break;
        }
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

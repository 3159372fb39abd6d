// `drag`: with keys a point is pulled as if by hand, without them a solid is slowed.
#include "armature/scene/build/builder.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

struct Draft {
    DraggedSpec drag{};
    DragSpec slowing{};
    // The object, to be looked up once it is known which of the two it is for.
    std::string object{};
    const Document* document = nullptr;
    Span span{};
    std::string of_keys{}, of_slowing{};  ///< the first keyword of either kind
};

void key(Draft& d, A a) {
    PoseTrack& path = d.drag.path;
    const std::optional<Quat> q = orientation_of(a);
    if (!path.keys.empty() && !(a.number() > path.keys.back().t))
        return a.error("the times of the keys must rise", "this key is not later than the one before it");
    const bool turns = a.option("turn") != nullptr || a.option("quaternion") != nullptr;
    if (path.keys.empty()) d.drag.orient = turns;
    if (turns != d.drag.orient)
        return a.error("some keys of this drag have an orientation and some have none",
                       "give one in every key, or in none");
    if (q) path.keys.push_back({a.number(), {a.vec(1), *q}});
}

const Setter<Draft> setters[] = {
    {"object",
     [](Draft& d, A a) {
         d.object = a.text();
         d.document = &a.document();
         d.span = a.span_of("");
     }},
    {"linear", [](Draft& d, A a) { d.slowing.linear = a.number(); }},
    {"angular", [](Draft& d, A a) { d.slowing.angular = a.number(); }},
    {"at", [](Draft& d, A a) { d.drag.at_B = a.vec(); }},
    {"key", key},
    {"interpolation", [](Draft& d, A a) { d.drag.path.interpolation = a.choice<Interpolation>(); }},
    {"closing", [](Draft& d, A a) { d.drag.closing = a.number(); }},
    {"valid",
     [](Draft& d, A a) {
         d.drag.from = a.number_or("from", -infinity);
         d.drag.until = a.number_or("until", infinity);
     }},
};

void note_kind(Draft& d, A a) {
    const bool slows = a.keyword() == "linear" || a.keyword() == "angular";
    if (a.keyword() == "object") return;
    std::string& first = slows ? d.of_slowing : d.of_keys;
    if (first.empty()) first = a.keyword();
    if (!d.of_slowing.empty() && !d.of_keys.empty())
        a.error(quoted(d.of_slowing) + " and " + quoted(d.of_keys) + " exclude each other",
                "a drag either slows an object or, with keys, pulls it: write two");
}

}  // namespace

void build_drag(Builder& b, const BlockSite& site) {
    if (!b.define(site)) return b.check_only(site);
    Draft d;
    d.drag.path.interpolation = Interpolation::linear;
    const Origin origin = b.read_properties(site, [&](A a) {
        note_kind(d, a);
        apply_setter(d, setters, a);
    });
    const auto refer = [&](Reference::Slot slot, std::size_t index) {
        if (d.document) b.refer(slot, index, site, d.object, *d.document, d.span);
    };
    if (d.of_keys.empty()) {
        d.slowing.solid = d.object;
        refer(Reference::Slot::force, b.scene.spec.forces.size());
        b.scene.spec.forces.push_back({site.name, d.slowing, origin});
        return;
    }
    const auto fault = [&](std::string message, std::string hint) {
        b.report.error(b.document(site), b.node(site).word, std::move(message), std::move(hint), site.around->notes);
    };
    if (d.object.empty()) return fault("this 'drag' has no object to pull", "write: object OBJECT;");
    if (d.drag.path.keys.empty()) return fault("this 'drag' has no key to pull to", "write: key t <position>;");
    d.drag.name = site.name;
    d.drag.solid = d.object;
    d.drag.origin = origin;
    if (site.around->placed)
        for (PoseKey& k : d.drag.path.keys) k.pose = site.around->placement * k.pose;
    refer(Reference::Slot::drag, b.scene.spec.drags.size());
    b.scene.spec.drags.push_back(std::move(d.drag));
}

}  // namespace armature::lang

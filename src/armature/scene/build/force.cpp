#include "armature/scene/build/builder.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

struct Draft {
    Builder& builder;
    const BlockSite& site;
    // Fields of all three laws: a block has keywords for its own only.
    std::string solid{}, solid1 = "world", solid2 = "world";
    Vec3 at{}, p1{}, p2{};
    VectorTrack track{};
    bool constant = false;
    Frame frame = Frame::world;
    double stiffness = 0, rest = 0, damping = 0;
};

void object(Draft& d, A a, Reference::Slot slot, std::string& solid) {
    solid = a.text();
    d.builder.refer(slot, d.builder.scene.spec.forces.size(), d.site, a.text(), a.document(), a.span_of(""));
}

void value_at(Draft& d, A a, bool constant) {
    if (!d.track.keys.empty() && (constant || d.constant))
        a.error("'vector' and 'key' exclude each other", "keep the constant value or the keys");
    else if (!d.track.keys.empty() && !constant && !(a.number() > d.track.keys.back().t))
        a.error("the times of the keys must rise", "this key is not later than the one before it");
    d.constant |= constant;
    d.track.keys.push_back(constant ? VectorKey{0, a.vec()} : VectorKey{a.number(), a.vec(1)});
}

const Setter<Draft> setters[] = {
    {"object", [](Draft& d, A a) { object(d, a, Reference::Slot::force, d.solid); }},
    {"object1", [](Draft& d, A a) { object(d, a, Reference::Slot::spring1, d.solid1); }},
    {"object2", [](Draft& d, A a) { object(d, a, Reference::Slot::spring2, d.solid2); }},
    {"at", [](Draft& d, A a) { d.at = a.vec(); }},
    {"vector", [](Draft& d, A a) { value_at(d, a, true); }},
    {"key", [](Draft& d, A a) { value_at(d, a, false); }},
    {"interpolation", [](Draft& d, A a) { d.track.interpolation = a.choice<Interpolation>(); }},
    {"frame", [](Draft& d, A a) { d.frame = a.choice<Frame>(); }},
    {"between",
     [](Draft& d, A a) {
         d.p1 = a.vec();
         d.p2 = a.vec(3);
     }},
    {"stiffness", [](Draft& d, A a) { d.stiffness = a.number(); }},
    {"rest", [](Draft& d, A a) { d.rest = a.number(); }},
    {"damping", [](Draft& d, A a) { d.damping = a.number(); }},
};

void move_along(Draft& d, const Pose& X) {
    if (d.frame == Frame::world)
        for (VectorKey& key : d.track.keys) key.value = rotate(X.q, key.value);
    if (d.solid1 == "world") d.p1 = X * d.p1;
    if (d.solid2 == "world") d.p2 = X * d.p2;
}

}  // namespace

void build_force(Builder& b, const BlockSite& site) {
    if (!b.define(site)) return b.check_only(site);
    Draft d{b, site};
    ForceSpec force;
    force.name = site.name;
    force.origin = b.read_properties(site, [&](A a) { apply_setter(d, setters, a); });
    if (site.around->placed) move_along(d, site.around->placement);
    switch (b.node(site).block->id) {
        case BlockId::force:
            force.law = PointForceSpec{d.solid, d.at, std::move(d.track), d.frame};
            break;
        case BlockId::torque:
            force.law = TorqueSpec{d.solid, std::move(d.track), d.frame};
            break;
        default:
            force.law = SpringSpec{d.solid1, d.solid2, d.p1, d.p2, d.stiffness, d.rest, d.damping};
            break;
    }
    b.scene.spec.forces.push_back(std::move(force));
}

}  // namespace armature::lang

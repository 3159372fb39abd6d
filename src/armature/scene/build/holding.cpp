#include "armature/scene/build/holding.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

const Setter<ConstraintSpec> setters[] = {
    {"soft",
     [](ConstraintSpec& c, A a) {
         c.soft = SoftSpec{a.number_or("stiffness", 0), a.number_or("damping", 0), a.number_or("angular_stiffness", 0),
                           a.number_or("angular_damping", 0)};
     }},
    {"closing", [](ConstraintSpec& c, A a) { c.closing = a.number(); }},
    {"valid",
     [](ConstraintSpec& c, A a) {
         c.from = a.number_or("from", -infinity);
         c.until = a.number_or("until", infinity);
     }},
    {"alpha", [](ConstraintSpec& c, A a) { c.alpha = a.number(); }},
    {"mobility", [](ConstraintSpec& c, A a) { c.mobility = a.number(); }},
    {"h", [](ConstraintSpec& c, A a) { c.h = a.number(); }},
};

}  // namespace

bool set_holding(Builder& builder, const BlockSite& site, ConstraintSpec& spec, A a) {
    if (a.keyword() == "object1" || a.keyword() == "object2") {
        const bool first = a.keyword() == "object1";
        (first ? spec.solid1 : spec.solid2) = a.text();
        builder.refer(first ? Reference::Slot::constraint1 : Reference::Slot::constraint2,
                      builder.scene.spec.constraints.size(), site, a.text(), a.document(), a.span_of(""));
        return true;
    }
    for (const Setter<ConstraintSpec>& s : setters) {
        if (s.keyword != a.keyword()) continue;
        s.set(spec, a);
        return true;
    }
    return false;
}

}  // namespace armature::lang

// Joints: what a block says of one. What it is made of is put together in joint_frames.cpp, when placements are known.
#include <cmath>

#include "armature/base/number_text.h"
#include "armature/base/suggest.h"
#include "armature/scene/build/holding.h"

namespace armature::lang {

namespace {

using A = const Arguments&;

/// Where a statement stands that is only understood when the type is known.
struct Statement {
    const Document* document = nullptr;
    Span span;
};

struct Draft {
    Builder& builder;
    const BlockSite& site;
    ConstraintSpec spec{};
    PendingJoint joint{};
    const JointTypeInfo* type = nullptr;
    std::optional<Statement> pitch{};
    std::vector<Statement> freedoms{};  ///< of joint.freedoms

    void error(const Statement& at, std::string message, std::string hint) const {
        builder.report.error(*at.document, at.span, std::move(message), std::move(hint), site.around->notes);
    }
};

Vec3 direction(A a, std::size_t i) {
    if (a.vec(i) == Vec3{}) a.error("this direction is 0 0 0", "a direction is for example 0 1 0");
    return a.vec(i);
}
std::optional<Vec3> second_direction(A a) {
    return a.plain().numbers.size() == 6 ? std::optional(direction(a, 3)) : std::nullopt;
}

const Setter<Draft> setters[] = {
    {"type",
     [](Draft& d, A a) {
         const KeywordSpec& row = *a.statement().keyword;
         d.type = find_joint_type(split_choices(row.args[0].choices)[static_cast<std::size_t>(a.integer())]);
     }},
    {"at",
     [](Draft& d, A a) {
         d.joint.at1 = a.vec();
         if (a.plain().numbers.size() == 6) d.joint.at2 = a.vec(3);
     }},
    {"axis",
     [](Draft& d, A a) {
         d.joint.axis1 = direction(a, 0);
         d.joint.axis2 = second_direction(a);
     }},
    {"across",
     [](Draft& d, A a) {
         d.joint.across1 = direction(a, 0);
         d.joint.across2 = second_direction(a);
     }},
    {"pitch",
     [](Draft& d, A a) {
         d.joint.pitch = a.number();
         d.pitch = Statement{&a.document(), a.statement().word};
     }},
};

struct FreedomOption {
    std::string_view name;
    ScalarTrack FreedomSpec::*value;
    double none;  ///< the value that means the same as leaving it out; NaN: there is no such value
};
const double never = std::nan("");
const FreedomOption freedom_options[] = {
    {"min", &FreedomSpec::min, -infinity},         {"max", &FreedomSpec::max, infinity},
    {"stiffness", &FreedomSpec::stiffness, never}, {"rest", &FreedomSpec::rest, never},
    {"damping", &FreedomSpec::damping, never},     {"force", &FreedomSpec::force, never},
    {"speed", &FreedomSpec::speed, never},         {"max_force", &FreedomSpec::max_force, infinity},
};

void read_option(Draft& d, A a, const FreedomOption& o, FreedomSpec& f) {
    const ArgumentList* list = a.option(o.name);
    if (list == nullptr) return;
    if (list->is_track()) {
        // A track is found when all names are known, a parameter that was meant only now.
        const std::vector<std::string_view> parameters = d.site.around->scope->names();
        if (!d.builder.evaluator.spend(parameters.size(), a.document(), a.statement().word)) return;
        d.builder.refer(Reference::Slot::track, d.builder.track_uses.size(), d.site, list->text(), a.document(),
                        a.span_of(o.name), did_you_mean(list->text(), parameters));
        d.builder.track_uses.push_back({d.builder.joints.size(), d.joint.freedoms.size(), o.value});
        return;
    }
    const double x = list->number();
    if (x == o.none) return;
    if (!std::isfinite(x)) return a.error(a.span_of(o.name), "this number must be finite");
    if (f.name == "swing" && o.name == "max" && x > pi)
        a.warning(a.span_of(o.name), "a swing of " + to_text(x) + " is beyond half a turn: this limits nothing",
                  x > 6.3 ? "angles are in radians; did you mean " + to_text(x) + " deg?" : "a swing is at most pi");
    f.*o.value = ScalarTrack::constant(x);
}

void need(A a, std::string_view given, std::initializer_list<std::string_view> one_of) {
    if (a.option(given) == nullptr) return;
    std::string names;
    for (const std::string_view name : one_of) {
        if (a.option(name) != nullptr) return;
        names += (names.empty() ? "" : " or ") + quoted(name);
    }
    a.error(quoted(given) + " does nothing without " + names);
}

void read_freedom(Draft& d, A a) {
    FreedomSpec f;
    f.name = a.keyword();
    f.restitution = a.number_or("restitution", 0);
    for (const FreedomOption& o : freedom_options) read_option(d, a, o, f);
    need(a, "restitution", {"min", "max"});
    need(a, "rest", {"stiffness"});
    need(a, "max_force", {"speed"});
    d.joint.freedoms.push_back(std::move(f));
    d.freedoms.push_back({&a.document(), a.statement().word});
}

bool parallel(const Vec3& u, const Vec3& w) {
    return u != Vec3{} && w != Vec3{} && norm(cross(u, w)) <= 1e-9 * norm(u) * norm(w);
}

/// What can only be said when all statements are read.
void check(const Draft& d) {
    const JointTypeInfo& type = *d.type;
    const std::string what = "a joint of type " + quoted(type.name);
    for (std::size_t i = 0; i < d.freedoms.size(); ++i) {
        if (type.find_freedom(d.joint.freedoms[i].name) != nullptr) continue;
        std::string names;
        for (const JointFreedomInfo& f : type.freedoms) names += (names.empty() ? "" : ", ") + std::string(f.name);
        d.error(d.freedoms[i], what + " has no freedom " + quoted(d.joint.freedoms[i].name),
                names.empty() ? "it leaves nothing free" : "it has " + names);
    }
    if (d.pitch && type.type != JointType::screw)
        d.error(*d.pitch, what + " has no pitch", "only a screw couples its slide to its turn");
    const Statement block{&d.builder.document(d.site), d.builder.node(d.site).word};
    if (!d.pitch && type.type == JointType::screw)
        d.error(block, "a screw needs 'pitch'", "write: pitch p; in m per turn");
    const PendingJoint& j = d.joint;
    if ((j.across1 && parallel(j.axis1, *j.across1)) || (j.axis2 && j.across2 && parallel(*j.axis2, *j.across2)))
        d.error(block, "'across' runs along the axis", "give a direction at an angle to it");
}

// What is fixed to the world moves along with the group.
void place_world_side(PendingJoint& j, const ConstraintSpec& c, const Pose& X) {
    const auto move = [&](std::optional<Vec3>& p) {
        if (p) p = X * *p;
    };
    const auto turn = [&](std::optional<Vec3>& u) {
        if (u) u = rotate(X.q, *u);
    };
    if (c.solid1 == "world") {
        j.at1 = X * j.at1;
        j.axis1 = rotate(X.q, j.axis1);
        turn(j.across1);
    }
    if (c.solid2 == "world") {
        move(j.at2);
        turn(j.axis2);
        turn(j.across2);
    }
}

bool is_freedom(std::string_view keyword) {
    for (const JointTypeInfo& info : joint_types())
        if (info.find_freedom(keyword) != nullptr) return true;
    return false;
}

}  // namespace

void build_joint(Builder& b, const BlockSite& site) {
    if (!b.count_joint(b.document(site), b.node(site).word)) return;
    if (!b.define(site)) return b.check_only(site);
    Draft d{b, site};
    d.spec.name = site.name;
    d.joint.constraint = b.scene.spec.constraints.size();
    d.spec.origin = b.read_properties(site, [&](A a) {
        if (set_holding(b, site, d.spec, a)) return;
        if (is_freedom(a.keyword())) return read_freedom(d, a);
        apply_setter(d, setters, a);
    });
    if (d.type != nullptr) {
        d.joint.type = d.type->type;
        check(d);
    }
    if (site.around->placed) place_world_side(d.joint, d.spec, site.around->placement);
    b.scene.spec.constraints.push_back(std::move(d.spec));
    b.joints.push_back(std::move(d.joint));
}

}  // namespace armature::lang

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "armature/model/compile.h"
#include "armature/model/compile_domain.h"
#include "armature/model/compile_freedoms.h"
#include "armature/model/compile_internal.h"

namespace armature::detail {

namespace {

/// One constraint on its way to a Joint.
struct ConstraintCompiler {
    Compilation& c;
    const ConstraintSpec& spec;
    Joint& joint;

    const Body& body(BodyId id) const { return c.model.bodies[static_cast<std::size_t>(id)]; }
    std::string of(const char* what) const { return fmt::format("{} of constraint `{}`", what, joint.name); }

    bool check_interval(const char* keyword, double min, double max) {
        if (min <= max) return true;
        c.error(spec.origin, keyword, fmt::format("{}: min {} is above max {}", of(keyword), min, max),
                std::isnan(min) || std::isnan(max) ? "give numbers" : "exchange them");
        return false;
    }

    /// What require_direction accepts.
    static bool is_direction(const Vec3& v) { return is_finite(v) && norm(v) >= 1e-12; }

    void add_hinge(const HingeSpec& h) {
        const Origin& o = spec.origin;
        if (!c.require_finite(h.p1_B, o, "hinge", of("the first point")) ||
            !c.require_finite(h.p2_B, o, "hinge", of("the second point")))
            return;
        const PointPart part{h.p1_B - body(joint.body1).centre_B, h.p2_B - body(joint.body2).centre_B,
                             compile_domain(c, h.domain, o, fmt::format("constraint `{}`", joint.name))};
        for (const auto& [id, p] : {std::pair{joint.body1, h.p1_B}, std::pair{joint.body2, h.p2_B}})
            if (body(id).particle && p != Vec3{})
                c.error(o, "hinge",
                        fmt::format("`{}` is a particle: a constraint can only hold it at 0 0 0", body(id).name),
                        "use 0 0 0, or an object instead of a particle");
        joint.parts.push_back(part);
    }

    void check_not_particle(const char* keyword) {
        for (const BodyId id : {joint.body1, joint.body2})
            if (body(id).particle)
                c.error(spec.origin, keyword,
                        fmt::format("`{}` is a particle and has no orientation to constrain", body(id).name),
                        "use an object instead of a particle");
    }

    void add_angle(const AngleSpec& a) {
        const Origin& o = spec.origin;
        check_not_particle("angle");
        AnglePart part{c.require_direction(a.a1_B, o, "angle", of("the first angle vector")),
                       c.require_direction(a.a2_B, o, "angle", of("the second angle vector")), a.min, a.max};
        if (!check_interval("angle", a.min, a.max)) return;
        if (a.min < 0 || a.max > pi + 1e-12)
            c.error(o, "angle", fmt::format("{}: [{}, {}] reaches outside [0, π]", of("angle"), a.min, a.max),
                    "the angle between two vectors lies in [0, 3.14159] rad = [0, 180] deg");
        part.max = std::min(a.max, pi);
        if (part.min > 0 || part.max < pi) joint.parts.push_back(part);  // the whole range blocks nothing
    }

    void add_twist(const TwistSpec& t) {
        const Origin& o = spec.origin;
        check_not_particle("twist");
        if (!spec.angle)
            return c.error(o, "twist", of("twist") + " has no axis to turn about",
                           "add `angle` with the axes a1 and a2; without min and max it only gives the axes");
        // A faulty axis was reported with the angle; what follows from it would only confuse.
        if (!is_direction(spec.angle->a1_B) || !is_direction(spec.angle->a2_B)) return;
        TwistPart part;
        part.a1_B = normalized(spec.angle->a1_B);
        part.a2_B = normalized(spec.angle->a2_B);
        part.min = t.min;
        part.max = t.max;
        const auto across = [&](const Vec3& b, const Vec3& a, const char* what) {
            const Vec3 unit = c.require_direction(b, o, "twist", of(what));
            const Vec3 p = unit - dot(unit, a) * a;
            if (norm(p) > 1e-9) return normalized(p);
            if (is_direction(b))
                c.error(o, "twist", of(what) + " runs along the axis", "give a vector at an angle to it");
            return any_perpendicular(a);
        };
        part.b1_B = across(t.b1_B, part.a1_B, "the first twist vector");
        part.b2_B = across(t.b2_B, part.a2_B, "the second twist vector");
        if (!check_interval("twist", t.min, t.max)) return;
        if (std::fabs(t.min) > 2 * pi + 1e-9 || std::fabs(t.max) > 2 * pi + 1e-9)
            c.error(o, "twist", fmt::format("{}: [{}, {}] reaches beyond a full turn", of("twist"), t.min, t.max),
                    "give bounds between −360 deg and 360 deg");
        if (t.max - t.min < 2 * pi) joint.parts.push_back(part);
    }

    void check_soft(const SoftSpec& s) {
        for (const auto& [value, what] :
             {std::pair{s.stiffness, "stiffness"}, std::pair{s.damping, "damping"},
              std::pair{s.angular_stiffness, "angular stiffness"}, std::pair{s.angular_damping, "angular damping"}})
            if (!(value >= 0) || !std::isfinite(value))
                c.error(spec.origin, "soft", fmt::format("{} is {}", of(what), value), "give 0 or more");
    }

    /// A hand may have to pull too, see sim/giving_hands.h.
    void add_soft_coordinates() {
        for (const Part& part : joint.parts) {
            if (const auto* a = std::get_if<AnglePart>(&part))
                joint.soft_coordinates.push_back(SwingCoordinate{a->a1_B, a->a2_B});
            if (const auto* t = std::get_if<TwistPart>(&part))
                joint.soft_coordinates.push_back(TurnCoordinate{t->a1_B, t->a2_B, t->b1_B, t->b2_B});
        }
    }

    void check_scalars() {
        const Origin& o = spec.origin;
        if (!(spec.from < spec.until))
            c.error(
                o, "valid",
                fmt::format("{} ends at {} s, not after its start at {} s", of("the validity"), spec.until, spec.from),
                "give a later `until`");
        if (spec.alpha && (!(*spec.alpha > 0) || !std::isfinite(*spec.alpha)))
            c.error(o, "alpha", fmt::format("{} is {}", of("alpha"), *spec.alpha), "give a positive mass in kg");
        if (!(spec.closing >= 0) || !std::isfinite(spec.closing))
            c.error(o, "closing", fmt::format("{} is {} s", of("closing"), spec.closing), "give 0 or a time in s");
        if (!(spec.mobility > 0 && spec.mobility < 1))
            c.error(o, "mobility", fmt::format("{} is {}", of("mobility"), spec.mobility),
                    "give a number between 0 and 1");
        if (spec.h && (!(*spec.h >= 0) || !std::isfinite(*spec.h)))
            c.error(o, "h", fmt::format("{} is {}", of("h"), *spec.h), "give an area of 0 m² or more");
    }
};

void compile_constraint(Compilation& c, const ConstraintSpec& spec, const std::string& name) {
    Joint joint;
    joint.name = name;
    joint.from = spec.from;
    joint.until = spec.until;
    joint.alpha = spec.alpha;
    joint.mobility = spec.mobility;
    joint.h = spec.h;
    joint.drag = spec.drag;
    joint.soft = spec.soft;
    joint.closing = spec.closing;
    joint.origin = spec.origin;
    const std::string user = fmt::format("constraint `{}`", name);
    const BodyId b1 = c.resolve_solid(spec.solid1, spec.origin, "object1", user);
    const BodyId b2 = c.resolve_solid(spec.solid2, spec.origin, "object2", user);
    joint.body1 = std::max(b1, 0);
    joint.body2 = std::max(b2, 0);
    ConstraintCompiler compiler{c, spec, joint};
    compiler.check_scalars();
    if (b1 >= 0 && b1 == b2)
        return c.error(spec.origin, "object2", fmt::format("{} joins `{}` to itself", user, spec.solid1),
                       "name two different objects");
    if (!spec.hinge && !spec.angle && !spec.twist && !spec.screw && spec.freedoms.empty())
        return c.error(spec.origin, "", user + " constrains nothing", "give it a hinge, an angle or a twist");
    if (spec.hinge) compiler.add_hinge(*spec.hinge);
    if (spec.angle) compiler.add_angle(*spec.angle);
    if (spec.twist) compiler.add_twist(*spec.twist);
    if (spec.soft) compiler.check_soft(*spec.soft);
    if (spec.soft || spec.drag) compiler.add_soft_coordinates();
    FreedomCompiler freedoms{c, spec, joint};
    if (spec.screw) freedoms.add_screw(*spec.screw);
    for (const FreedomSpec& f : spec.freedoms) freedoms.add(f);
    if (b1 >= 0 && b2 >= 0 && !compiler.body(b1).dynamic() && !compiler.body(b2).dynamic())
        c.warning(spec.origin, "", fmt::format("{} joins two objects that cannot give way", user),
                  "make one of them dynamic, or remove the constraint");
    c.model.joints.push_back(std::move(joint));
}

}  // namespace

void compile_constraints(Compilation& c) {
    const std::vector<std::string> names = constraint_names(c.spec);
    std::unordered_map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const ConstraintSpec& spec = c.spec.constraints[i];
        if (const auto [it, fresh] = first.emplace(names[i], i); !fresh) {
            const SourcePlace& place = c.spec.constraints[it->second].origin.block;
            c.error(spec.origin, "", fmt::format("there are two constraints named `{}`", names[i]),
                    place.known() ? fmt::format("the first is at {}:{}; rename one", place.file, place.line)
                                  : "rename one");
        }
        compile_constraint(c, spec, names[i]);
    }
    // Anchors belong to a body's extent: a joint far outside the shape still sets the scale of its motion. Those of hands do
    // not: what happens before somebody takes hold must not depend on where that will be.
    for (const Joint& j : c.model.joints)
        if (!j.drag)
            for (const Part& part : j.parts)
                if (const auto* p = std::get_if<PointPart>(&part)) {
                    Body& b1 = c.model.bodies[static_cast<std::size_t>(j.body1)];
                    Body& b2 = c.model.bodies[static_cast<std::size_t>(j.body2)];
                    if (b1.dynamic()) b1.size = std::max(b1.size, norm(p->p1_G));
                    if (b2.dynamic()) b2.size = std::max(b2.size, norm(p->p2_G) + reach_of(p->domain));
                }
}

}  // namespace armature::detail

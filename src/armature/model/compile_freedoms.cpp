#include "armature/model/compile_freedoms.h"

#include <fmt/format.h>

#include <cmath>

namespace armature::detail {

std::string FreedomCompiler::of(const std::string& what) const {
    return fmt::format("{} of constraint `{}`", what, joint.name);
}

Placement FreedomCompiler::placed(BodyId id) const {
    const Body& b = body(id);
    return {b.pose_WB * b.centre_B, to_matrix(b.pose_WB.q)};
}

void FreedomCompiler::push(Freedom freedom, const std::string& name) {
    freedom.name = joint.name + "." + name;
    freedom.joint = static_cast<JointId>(c.model.joints.size());
    for (const FreedomId id : joint.freedoms)
        if (c.model.freedoms[static_cast<std::size_t>(id)].name == freedom.name)
            c.error(spec.origin, name, fmt::format("there are two freedoms named `{}`", freedom.name), "rename one");
    joint.freedoms.push_back(static_cast<FreedomId>(c.model.freedoms.size()));
    c.model.freedoms.push_back(std::move(freedom));
}

void FreedomCompiler::check_tracks(const FreedomSpec& f, const std::string& what) {
    const auto check = [&](const ScalarTrack& track, const char* name, bool may_be_negative) {
        if (!track.given()) return;
        const std::string whose = of(fmt::format("{} of {}", name, what));
        c.check_key_times(track.keys, spec.origin, whose);
        for (const ScalarKey& k : track.keys) {
            if (!c.require_finite(k.value, spec.origin, f.name, whose)) return;
            if (!may_be_negative && k.value < 0)
                return c.error(spec.origin, f.name, fmt::format("{} is {}", whose, k.value), "give 0 or more");
        }
    };
    check(f.min, "min", true);
    check(f.max, "max", true);
    check(f.stiffness, "the stiffness", false);
    check(f.rest, "the rest", true);
    check(f.damping, "the damping", false);
    check(f.force, "the force", true);
    check(f.speed, "the speed", true);
    check(f.max_force, "the largest force", false);
    // Limits are compared where either has a key; between keys both are near enough to straight.
    if (!f.min.given() || !f.max.given()) return;
    for (const ScalarTrack* track : {&f.min, &f.max})
        for (const ScalarKey& k : track->keys) {
            const double min = evaluate(f.min, k.t).value, max = evaluate(f.max, k.t).value;
            if (min > max)
                return c.error(spec.origin, f.name, fmt::format("{}: min {} is above max {}", of(what), min, max),
                               "exchange them");
        }
}

Vec3 FreedomCompiler::across(const Vec3& b, const Vec3& a, const std::string& what) {
    const Vec3 p = b - dot(b, a) * a;
    if (norm(p) > 1e-9 * norm(b)) return normalized(p);
    c.error(spec.origin, "across", of("the direction across " + what) + " runs along the axis",
            "give a vector at an angle to it");
    return any_perpendicular(a);
}

TurnCoordinate FreedomCompiler::turn(const Vec3& axis1, const Vec3& axis2, const Vec3& across1, const Vec3& across2,
                                     const std::string& what) {
    TurnCoordinate t;
    t.a1_B = c.require_direction(axis1, spec.origin, "axis", of("the first axis of " + what));
    t.a2_B = c.require_direction(axis2, spec.origin, "axis", of("the second axis of " + what));
    if (across1 == Vec3{} && across2 == Vec3{}) {
        // Zero is where the scene begins: carry a direction of solid 2 over to solid 1 as they are placed.
        t.b2_B = any_perpendicular(t.a2_B);
        const Placement b1 = placed(joint.body1), b2 = placed(joint.body2);
        const Vec3 a1 = b1.R * t.a1_B, a2 = b2.R * t.a2_B;
        const Vec3 b = rotate(shortest_arc(a2, a1), b2.R * t.b2_B);
        t.b1_B = normalized(transposed_times(b1.R, b));
    } else {
        t.b1_B = across(across1, t.a1_B, what);
        t.b2_B = across(across2, t.a2_B, what);
    }
    return t;
}

DialCoordinate FreedomCompiler::dial(const FreedomSpec& f, bool on_solid1, const std::string& what) {
    const Vec3 axis1 = c.require_direction(f.axis1_B, spec.origin, "axis", of("the first axis of " + what));
    const Vec3 axis2 = c.require_direction(f.axis2_B, spec.origin, "axis", of("the second axis of " + what));
    DialCoordinate d;
    d.a_B = on_solid1 ? axis1 : axis2;
    d.p_B = on_solid1 ? axis2 : axis1;
    d.side = on_solid1 ? -1 : 1;
    Vec3 zero = on_solid1 ? f.across1_B : f.across2_B;
    if (zero == Vec3{}) {
        // Zero is where the pointer stands when the scene begins.
        const Placement carrier = placed(on_solid1 ? joint.body1 : joint.body2);
        const Placement other = placed(on_solid1 ? joint.body2 : joint.body1);
        zero = transposed_times(carrier.R, other.R * d.p_B);
    }
    d.z_B = across(zero, d.a_B, what);
    return d;
}

void FreedomCompiler::add(const FreedomSpec& f) {
    const Origin& o = spec.origin;
    const std::string what = fmt::format("`{}`", f.name);
    Freedom out;
    switch (f.kind) {
        case FreedomKind::slide:
            out.coordinate = SlideCoordinate{f.p1_B - body(joint.body1).centre_B, f.p2_B - body(joint.body2).centre_B,
                                             c.require_direction(f.axis2_B, o, "axis", of("the axis of " + what))};
            c.require_finite(f.p1_B, o, "at", of("the first point of " + what));
            c.require_finite(f.p2_B, o, "at", of("the second point of " + what));
            break;
        case FreedomKind::turn:
            out.coordinate = turn(f.axis1_B, f.axis2_B, f.across1_B, f.across2_B, what);
            break;
        case FreedomKind::swing:
            out.coordinate =
                SwingCoordinate{c.require_direction(f.axis1_B, o, "axis", of("the first axis of " + what)),
                                c.require_direction(f.axis2_B, o, "axis", of("the second axis of " + what))};
            break;
        case FreedomKind::dial1:
        case FreedomKind::dial2:
            out.coordinate = dial(f, f.kind == FreedomKind::dial1, what);
            break;
    }
    check_tracks(f, what);
    if (!(f.restitution >= 0 && f.restitution <= 1))
        c.error(o, f.name, fmt::format("{}: the restitution is {}", of(what), f.restitution),
                "give a number between 0 and 1");
    out.min = f.min;
    out.max = f.max;
    out.restitution = f.restitution;
    out.stiffness = f.stiffness;
    out.rest = f.rest;
    out.damping = f.damping;
    out.force = f.force;
    out.speed = f.speed;
    out.max_force = f.max_force;
    for (const BodyId id : {joint.body1, joint.body2})
        if (f.kind != FreedomKind::slide && body(id).particle && !out.idle())
            c.error(o, f.name, fmt::format("`{}` is a particle and has no orientation to act on", body(id).name),
                    "use an object instead of a particle");
    push(std::move(out), f.name);
}

void FreedomCompiler::add_screw(const ScrewSpec& s) {
    if (!c.require_finite(s.pitch, spec.origin, "pitch", of("the pitch"))) return;
    Freedom out;
    out.locked = true;
    ScrewCoordinate screw;
    screw.slide = {s.p1_B - body(joint.body1).centre_B, s.p2_B - body(joint.body2).centre_B,
                   c.require_direction(s.axis2_B, spec.origin, "axis", of("the axis of the screw"))};
    screw.turn = turn(s.axis1_B, s.axis2_B, {}, {}, "the screw");
    screw.per_radian = s.pitch / (2 * pi);
    // The thread is engaged as the solids are placed.
    screw.offset = measure(screw.slide, placed(joint.body1), placed(joint.body2), 0).value;
    out.coordinate = screw;
    push(std::move(out), "thread");
}

}  // namespace armature::detail

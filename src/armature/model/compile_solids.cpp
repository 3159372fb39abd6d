#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/math/track.h"
#include "armature/model/compile_internal.h"
#include "armature/model/mass_properties.h"

namespace armature::detail {

namespace {

/// Radius about the shape's own origin that holds it.
double extent(const Geometry& geometry) {
    struct Visitor {
        double operator()(const Sphere& s) const { return s.radius; }
        double operator()(const Box& b) const { return 0.5 * norm(b.size); }
        double operator()(const Cylinder& c) const { return std::hypot(c.radius, 0.5 * c.length); }
        double operator()(const Capsule& c) const { return c.radius + 0.5 * c.length; }
        double operator()(const Ellipsoid& e) const { return std::max({e.radii.x, e.radii.y, e.radii.z}); }
        double operator()(const Plane&) const { return 0; }  // endless; it does not set the scale of a scene
        double operator()(const MeshShape& m) const {
            double r2 = 0;
            if (m.mesh)
                for (const Vec3& p : m.mesh->vertices) r2 = std::max(r2, norm2(p));
            return std::sqrt(r2);
        }
    };
    return std::visit(Visitor{}, geometry);
}

void check_contact(Compilation& c, const SolidSpec& s) {
    const auto fault = [&](const char* what, double value, const char* hint) {
        c.error(s.origin, "contact", fmt::format("the {} of `{}` is {}", what, s.name, value), hint);
    };
    const ContactSpec& k = *s.contact;
    if (!(k.friction >= 0) || !std::isfinite(k.friction)) fault("friction", k.friction, "give 0 or more");
    if (k.static_friction && (!(*k.static_friction >= k.friction) || !std::isfinite(*k.static_friction)))
        fault("static friction", *k.static_friction, "give at least the friction while sliding");
    if (!(k.restitution >= 0 && k.restitution <= 1))
        fault("restitution", k.restitution, "give a number between 0 and 1");
}

void check_placement(Compilation& c, const SolidSpec& s) {
    const std::string of = fmt::format(" of `{}`", s.name);
    c.require_finite(s.pose_WB.x, s.origin, "at", "the place" + of);
    c.require_finite(s.velocity, s.origin, "velocity", "the velocity" + of);
    c.require_finite(s.spin, s.origin, "spin", "the spin" + of);
    if (!is_finite(s.pose_WB.q) || !(norm2(s.pose_WB.q) > 1e-12))
        c.error(s.origin, "turn", "the orientation" + of + " is not a rotation",
                "give an axis that is not zero and a finite angle");
    if (!(s.ability_to_rotate > 0) || !std::isfinite(s.ability_to_rotate))
        c.error(s.origin, "ability_to_rotate", fmt::format("ability_to_rotate{} is {}", of, s.ability_to_rotate),
                "give a positive number (1/m²)");
    if (s.h && (!(*s.h >= 0) || !std::isfinite(*s.h)))
        c.error(s.origin, "h", fmt::format("h{} is {}", of, *s.h), "give an area of 0 m² or more");
    if (s.kernel == Kernel::fixed && (s.velocity != Vec3{} || s.spin != Vec3{}))
        c.warning(s.origin, "velocity", fmt::format("`{}` is fixed: its velocity and spin are ignored", s.name),
                  "use a path for a solid that moves as told");
}

void check_path(Compilation& c, const SolidSpec& s) {
    if (s.kernel != Kernel::path) {
        if (!s.path.keys.empty())
            c.error(s.origin, "follow", fmt::format("`{}` has a path but its kernel is not `path`", s.name),
                    "write `kernel path;` or remove the path");
        return;
    }
    const std::string what = fmt::format("the path of `{}`", s.name);
    c.check_key_times(s.path.keys, s.origin, what);
    for (const PoseKey& key : s.path.keys)
        if (!is_finite(key.pose) || !(norm2(key.pose.q) > 1e-12))
            c.error(s.origin, "follow", what + " has a key that is not a placement",
                    "give finite numbers and an axis that is not zero");
}

void check_name(Compilation& c, const SolidSpec& s) {
    if (s.name.empty()) return c.error(s.origin, "", "an object has no name", "give it one: object NAME … end");
    if (s.name == "world")
        return c.error(s.origin, "", "`world` is the name of the fixed frame around everything", "choose another name");
    const auto [it, fresh] = c.body_of_name.emplace(s.name, static_cast<BodyId>(c.model.bodies.size()));
    if (fresh) return;
    const SourcePlace& first = c.model.bodies[static_cast<std::size_t>(it->second)].origin.block;
    c.error(s.origin, "", fmt::format("there are two objects named `{}`", s.name),
            first.known() ? fmt::format("the first is at {}:{}; rename one", first.file, first.line) : "rename one");
}

Body make_body(Compilation& c, const SolidSpec& s) {
    Body b;
    b.name = s.name;
    b.kernel = s.kernel;
    b.particle = s.particle;
    b.pose_WB = {s.pose_WB.x, normalized(s.pose_WB.q)};
    b.path = s.path;
    b.shapes = s.shapes;
    b.color = s.color;
    b.contact = s.contact;
    b.untouchable = s.untouchable;
    if (s.contact) check_contact(c, s);
    b.ability_to_rotate = s.ability_to_rotate;
    b.h = s.h;
    b.root = s.root;
    b.origin = s.origin;
    for (PoseKey& key : b.path.keys)  // one of unit length keeps its bits: what was pulled by hand is replayed
        if (!(std::fabs(norm2(key.pose.q) - 1) <= 1e-14)) key.pose.q = normalized(key.pose.q);
    if (s.kernel == Kernel::dynamic) {
        const MassProperties m = solid_mass_properties(s, c.diagnostics);
        b.velocity = s.velocity;
        b.spin = s.particle ? Vec3{} : s.spin;
        b.mass = m.mass;
        b.inv_mass = 1 / m.mass;
        b.centre_B = m.centre;
        b.inertia_G = m.inertia;
        if (!s.particle) {
            b.inv_inertia_G = inverse(m.inertia);
            b.gyration = std::sqrt(symmetric_eigen(m.inertia).values.x / m.mass);
        }
        if (!c.diagnostics.has_errors() && (!is_finite(b.inv_inertia_G) || !std::isfinite(b.inv_mass)))
            c.error(s.origin, "mass", fmt::format("the mass properties of `{}` are too small to compute with", s.name),
                    "use a larger size or density");
    } else if (s.kernel == Kernel::path && !s.path.keys.empty()) {
        const PoseAndVelocity at = evaluate(b.path, 0);
        b.pose_WB = at.pose;
        b.velocity = at.v;
        b.spin = at.w;
    }
    for (const Shape& shape : s.shapes)
        b.size = std::max(b.size, extent(shape.geometry) + norm(shape.X_BS.x - b.centre_B));
    return b;
}

}  // namespace

void compile_solids(Compilation& c) {
    Body world;
    world.name = "world";
    c.model.bodies.push_back(world);
    c.body_of_name.emplace("world", world_id);
    for (const SolidSpec& s : c.spec.solids) {
        check_name(c, s);
        check_placement(c, s);
        check_path(c, s);
        // For dynamic solids the mass properties check them.
        if (s.kernel != Kernel::dynamic) check_shapes(s, c.diagnostics);
        c.model.bodies.push_back(make_body(c, s));
    }
}

}  // namespace armature::detail

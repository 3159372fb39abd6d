#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "armature/model/compile_internal.h"

namespace armature::detail {

namespace {

struct ForceCompiler {
    Compilation& c;
    const ForceSpec& spec;
    ResolvedForces& out;

    std::string user() const { return fmt::format("force `{}`", spec.name); }
    const Body& body(BodyId id) const { return c.model.bodies[static_cast<std::size_t>(id)]; }

    void check_track(const VectorTrack& track, const char* keyword) {
        c.check_key_times(track.keys, spec.origin, user());
        for (const VectorKey& key : track.keys)
            if (!c.require_finite(key.value, spec.origin, keyword, user())) return;
    }
    bool check_not_negative(double value, const char* keyword) {
        if (value >= 0 && std::isfinite(value)) return true;
        c.error(spec.origin, keyword, fmt::format("{} of {} is {}", keyword, user(), value),
                "give a finite number of 0 or more");
        return false;
    }
    BodyId solid(const std::string& name, const char* keyword) {
        return c.resolve_solid(name, spec.origin, keyword, user());
    }
    void warn_if_not_dynamic(BodyId id) {
        if (id >= 0 && !body(id).dynamic())
            c.warning(spec.origin, "object",
                      fmt::format("{} acts on `{}`, which is not dynamic and does not feel it", user(), body(id).name));
    }

    void operator()(const PointForceSpec& f) {
        const BodyId id = solid(f.solid, "object");
        check_track(f.force, "vector");
        c.require_finite(f.at_B, spec.origin, "at", "the place of " + user());
        warn_if_not_dynamic(id);
        if (id >= 0) out.forces.push_back({id, f.at_B - body(id).centre_B, f.force, f.frame});
    }
    void operator()(const TorqueSpec& f) {
        const BodyId id = solid(f.solid, "object");
        check_track(f.torque, "vector");
        warn_if_not_dynamic(id);
        if (id >= 0 && body(id).particle)
            c.error(spec.origin, "object",
                    fmt::format("{} turns `{}`, a particle, which has no orientation", user(), body(id).name),
                    "use an object instead of a particle");
        if (id >= 0) out.torques.push_back({id, f.torque, f.frame});
    }
    void operator()(const SpringSpec& f) {
        const BodyId b1 = solid(f.solid1, "object1"), b2 = solid(f.solid2, "object2");
        c.require_finite(f.p1_B, spec.origin, "between", "the first point of " + user());
        c.require_finite(f.p2_B, spec.origin, "between", "the second point of " + user());
        check_not_negative(f.stiffness, "stiffness");
        check_not_negative(f.damping, "damping");
        check_not_negative(f.rest, "rest");
        if (b1 < 0 || b2 < 0) return;
        if (b1 == b2)
            return c.error(spec.origin, "object2", fmt::format("{} joins `{}` to itself", user(), f.solid1),
                           "name two different objects");
        out.springs.push_back(
            {b1, b2, f.p1_B - body(b1).centre_B, f.p2_B - body(b2).centre_B, f.stiffness, f.rest, f.damping});
    }
    void operator()(const DragSpec& f) {
        check_not_negative(f.linear, "linear");
        check_not_negative(f.angular, "angular");
        if (!f.solid.empty()) {
            const BodyId id = solid(f.solid, "object");
            warn_if_not_dynamic(id);
            if (id >= 0) out.drags.push_back({id, f.linear, f.angular, 0});
            return;
        }
        for (std::size_t i = 0; i < c.model.bodies.size(); ++i)
            if (c.model.bodies[i].dynamic()) out.drags.push_back({static_cast<BodyId>(i), f.linear, f.angular, 0});
    }
};

}  // namespace

ResolvedForces compile_forces(Compilation& c) {
    ResolvedForces out;
    std::unordered_set<std::string> names;
    for (const ForceSpec& spec : c.spec.forces) {
        if (!spec.name.empty() && !names.insert(spec.name).second)
            c.error(spec.origin, "", fmt::format("there are two forces named `{}`", spec.name), "rename one");
        std::visit(ForceCompiler{c, spec, out}, spec.law);
    }
    return out;
}

}  // namespace armature::detail

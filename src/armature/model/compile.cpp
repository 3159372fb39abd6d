#include "armature/model/compile.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "armature/base/suggest.h"
#include "armature/model/compile_internal.h"

namespace armature {

namespace detail {

void Compilation::error(const Origin& origin, const std::string& keyword, std::string message, std::string hint) {
    diagnostics.add({Severity::error, origin.at(keyword), std::move(message), std::move(hint), origin.notes});
}

void Compilation::warning(const Origin& origin, const std::string& keyword, std::string message, std::string hint) {
    diagnostics.add({Severity::warning, origin.at(keyword), std::move(message), std::move(hint), origin.notes});
}

bool Compilation::require_finite(double value, const Origin& origin, const std::string& keyword,
                                 const std::string& what) {
    if (std::isfinite(value)) return true;
    error(origin, keyword, fmt::format("{} is {}", what, value), "give a finite number");
    return false;
}

bool Compilation::require_finite(const Vec3& value, const Origin& origin, const std::string& keyword,
                                 const std::string& what) {
    if (is_finite(value)) return true;
    error(origin, keyword, fmt::format("{} is {} {} {}", what, value.x, value.y, value.z), "give finite numbers");
    return false;
}

Vec3 Compilation::require_direction(const Vec3& value, const Origin& origin, const std::string& keyword,
                                    const std::string& what) {
    if (!require_finite(value, origin, keyword, what)) return {1, 0, 0};
    if (norm(value) < 1e-12) {
        error(origin, keyword, what + " is the zero vector, which has no direction",
              "give a vector such as 1 0 0; its length does not matter");
        return {1, 0, 0};
    }
    return normalized(value);
}

BodyId Compilation::resolve_solid(const std::string& name, const Origin& origin, const std::string& keyword,
                                  const std::string& user) {
    if (const auto it = body_of_name.find(name); it != body_of_name.end()) return it->second;
    std::vector<std::string_view> known;
    for (const Body& b : model.bodies) known.push_back(b.name);
    error(origin, keyword, fmt::format("{} names the object `{}`, which does not exist", user, name),
          did_you_mean(name, known));
    return -1;
}

}  // namespace detail

std::vector<std::string> constraint_names(const Spec& spec) {
    std::vector<std::string> names;
    std::map<std::pair<std::string, std::string>, int> seen;
    for (const ConstraintSpec& c : spec.constraints) {
        if (!c.name.empty()) {
            names.push_back(c.name);
            continue;
        }
        const int n = ++seen[{c.solid1, c.solid2}];
        names.push_back(n == 1 ? fmt::format("{}~{}", c.solid1, c.solid2)
                               : fmt::format("{}~{}#{}", c.solid1, c.solid2, n));
    }
    return names;
}

std::optional<Model> compile(const Spec& spec, Diagnostics& diagnostics) {
    if (!spec.drags.empty()) {
        Diagnostics found;
        const Spec with = detail::with_trackers(spec, found);
        for (const Diagnostic& d : found.all()) diagnostics.add(d);
        std::optional<Model> model = compile(with, diagnostics);
        if (!model || found.has_errors()) return std::nullopt;
        for (std::size_t i = spec.solids.size() + 1; i < model->bodies.size(); ++i) {
            Body& tracker = model->bodies[i];
            tracker.tracker = true;
            tracker.velocity = tracker.spin = {};
        }
        model->drags = spec.drags;
        return model;
    }
    Model model;
    model.title = spec.title;
    model.simulation = spec.simulation;
    Diagnostics found;  // apart, so that errors of an earlier stage do not count as ours
    detail::Compilation c{spec, model, found, {}};
    detail::compile_simulation(c);
    detail::compile_solids(c);
    detail::compile_constraints(c);
    const detail::ResolvedForces forces = detail::compile_forces(c);
    const bool usable = !found.has_errors();
    for (const Diagnostic& d : found.all()) diagnostics.add(d);
    if (!usable) return std::nullopt;
    detail::build_islands(model, forces);
    model.fingerprint = detail::fingerprint(model);
    return model;
}

Model compile(const Spec& spec) {
    Diagnostics diagnostics;
    std::optional<Model> model = compile(spec, diagnostics);
    if (!model) throw InputError(diagnostics);
    return std::move(*model);
}

BodyId Model::find_body(const std::string& name) const {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].name == name) return static_cast<BodyId>(i);
    return -1;
}

JointId Model::find_joint(const std::string& name) const {
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (joints[i].name == name) return static_cast<JointId>(i);
    return -1;
}

FreedomId Model::find_freedom(const std::string& name) const {
    for (std::size_t i = 0; i < freedoms.size(); ++i)
        if (freedoms[i].name == name) return static_cast<FreedomId>(i);
    return -1;
}

}  // namespace armature

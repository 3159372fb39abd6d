#include <fmt/format.h>

#include "armature/solvers/procedural/procedural.h"

namespace armature {

std::vector<std::string> ProceduralSolver::refusals(const Model& model) {
    std::vector<std::string> list;
    const Scheme scheme = model.simulation.scheme;
    const char* named = scheme == Scheme::newton    ? "newton"
                        : scheme == Scheme::exact   ? "exact"
                        : scheme == Scheme::stormer ? "stormer"
                                                    : nullptr;
    if (named)
        list.push_back(
            fmt::format("the scheme `{}`, whose velocities are more than the displacement of a step (it runs "
                        "with `scheme verlet` and `euler`; solver {} runs with `{}`)",
                        named, scheme == Scheme::exact ? "linearized" : "displacement", named));
    for (const Joint& j : model.joints)
        if (j.soft)
            list.push_back(
                fmt::format("the soft constraint `{}`, which pulls with a force (solvers displacement and "
                            "linearized do)",
                            j.name));
    for (const Freedom& f : model.freedoms) {
        const char* what = f.stiffness.given()                  ? "a spring"
                           : f.damping.given()                  ? "a damper"
                           : f.force.given() || f.speed.given() ? "a motor"
                                                                : nullptr;
        if (what)
            list.push_back(fmt::format("{} along `{}`, which acts by a force (solvers displacement and linearized do)",
                                       what, f.name));
    }
    return list;
}

}  // namespace armature

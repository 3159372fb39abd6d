#include "armature/solvers/registry.h"

#include <fmt/format.h>

#include "armature/base/suggest.h"

namespace armature {

const std::vector<SolverInfo>& solver_list() {
    static const std::vector<SolverInfo> list{{DisplacementSolver::name, DisplacementSolver::summary},
                                              {LinearizedSolver::name, LinearizedSolver::summary},
                                              {ProceduralSolver::name, ProceduralSolver::summary}};
    return list;
}

Solver make_solver(const Model& model, Diagnostics& diagnostics) {
    const SimulationSpec& s = model.simulation;
    const SourcePlace& place = s.origin.at("solver");
    const auto refuse = [&](std::vector<std::string> refusals) {
        for (std::string& what : refusals)
            diagnostics.error(place, fmt::format("the solver `{}` does not support {}", s.solver, what),
                              "choose another solver");
    };
    if (s.solver == DisplacementSolver::name) {
        refuse(DisplacementSolver::refusals(model));
        return DisplacementSolver(s.displacement);
    }
    if (s.solver == LinearizedSolver::name) {
        refuse(LinearizedSolver::refusals(model));
        return LinearizedSolver(s.linearized);
    }
    if (s.solver == ProceduralSolver::name) {
        refuse(ProceduralSolver::refusals(model));
        return ProceduralSolver(s.procedural);
    }
    std::vector<std::string_view> names;
    for (const SolverInfo& info : solver_list()) names.push_back(info.name);
    std::string hint = did_you_mean(s.solver, names);
    if (hint.empty()) hint = fmt::format("solvers are: {}", fmt::join(names, ", "));
    diagnostics.error(place, fmt::format("there is no solver named `{}`", s.solver), hint);
    return DisplacementSolver(s.displacement);
}

}  // namespace armature

// The closed list of solvers. A new one is a folder, a line in `Solver` and a line in registry.cpp.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/displacement/displacement.h"

namespace armature {

using Solver = std::variant<DisplacementSolver>;

struct SolverInfo {
    std::string_view name;
    std::string_view summary;
};
const std::vector<SolverInfo>& solver_list();

/// The solver that the model's settings name, with its parameters. Reports an unknown name, and everything in the model
/// that the solver refuses.
Solver make_solver(const Model& model, Diagnostics& diagnostics);

inline CorrectionReport correct(Solver& solver, CorrectionProblem& problem) {
    return std::visit([&](auto& s) { return s.correct(problem); }, solver);
}

}  // namespace armature

// The closed list of solvers. A new one is a folder, a line in `Solver` and a line in registry.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/displacement/displacement.h"
#include "armature/solvers/linearized/linearized.h"
#include "armature/solvers/procedural/procedural.h"

namespace armature {

using Solver = std::variant<DisplacementSolver, LinearizedSolver, ProceduralSolver>;

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

/// Sets of islands, by their index, that the solver would rather correct together; a function of the model. Only who gave some is
/// asked for the other.
inline std::span<const std::vector<std::size_t>> equal_islands(Solver& solver, const Model& model) {
    using Sets = std::span<const std::vector<std::size_t>>;
    return std::visit(
        [&](auto& s) -> Sets {
            if constexpr (requires { s.equal_islands(model); }) return s.equal_islands(model);
            return {};
        },
        solver);
}
/// How many at a time, at most.
inline constexpr std::size_t most_together = EqualIslands::at_a_time;
inline void correct_together(Solver& solver, std::span<CorrectionProblem* const> problems,
                             std::span<CorrectionReport> reports) {
    std::visit(
        [&](auto& s) {
            if constexpr (requires { s.correct_together(problems, reports); }) s.correct_together(problems, reports);
        },
        solver);
}

/// It cannot fail at a long step, so none is halved; and its velocities are the displacements it made, nothing else.
inline bool takes_any_step(const Solver& solver) {
    return std::visit(
        [](const auto& s) {
            return requires {
                s.takes_any_step;
            };
        },
        solver);
}

/// How often assembly may start the solver again from somewhere else.
inline int assembly_restarts(const Solver& solver) {
    return std::visit(
        [](const auto& s) {
            if constexpr (requires { s.restarts; }) return s.restarts;
            return 0;
        },
        solver);
}

/// Takes from the velocities what the joints, as they are placed, do not allow; the least change of momentum that does. Only
/// solvers that have this do anything. `speeds`: per law of the problem, or null.
inline void project_velocities(Solver& solver, CorrectionProblem& problem, std::vector<Vec3>& v, std::vector<Vec3>& w,
                               const std::vector<LawSpeed>* speeds = nullptr) {
    std::visit(
        [&](auto& s) {
            if constexpr (requires { s.project(problem, v, w, speeds); }) s.project(problem, v, w, speeds);
        },
        solver);
}

}  // namespace armature

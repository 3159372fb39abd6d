#include "armature/sim/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "armature/sim/flush_denormals.h"
#include "armature/sim/laws.h"
#include "armature/sim/local_bodies.h"
#include "armature/sim/mechanics.h"

namespace armature {

AssemblyReport assemble(const Model& model, State& state, Solver& solver) {
    const FlushDenormals flush;
    AssemblyReport report;
    LocalBodies local;
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;
    Laws laws;
    bool exhausted = false;
    for (std::size_t k = 0; k < model.islands.size(); ++k) {
        const Island& island = model.islands[k];
        if (island.joints.empty()) continue;
        gather(island, state, local);
        if (find_not_finite(island, local) >= 0) continue;
        place_kinematic(model, island, state.time, local);
        CorrectionProblem problem{model,
                                  island,
                                  state.time,
                                  local.x,
                                  local.q,
                                  nullptr,
                                  nullptr,
                                  moved,
                                  impulses,
                                  model.simulation.tolerance,
                                  model.simulation.assembly_iterations};
        collect_hard_laws(model, island, state.time, local, state.freedoms, laws);
        problem.laws = &laws.rows;
        const CorrectionReport r = correct(solver, problem);
        report.iterations = std::max(report.iterations, r.iterations);
        report.worst_error = std::max(report.worst_error, r.worst_error);
        exhausted = exhausted || (!r.converged && !r.stalled);
        if (find_not_finite(island, local) < 0) scatter(island, local, state);
    }
    measure_freedoms(model, state);
    std::vector<double> errors;
    measure_joints(model, state, errors);
    for (std::size_t j = 0; j < errors.size(); ++j)
        if (!(errors[j] <= model.simulation.tolerance)) report.open.push_back({static_cast<JointId>(j), errors[j]});
    std::stable_sort(report.open.begin(), report.open.end(),
                     [](const OpenJoint& a, const OpenJoint& b) { return a.error > b.error; });
    if (!report.open.empty()) report.result = exhausted ? AssemblyResult::not_converged : AssemblyResult::least_squares;
    return report;
}

std::string to_text(const Model& model, const AssemblyReport& report) {
    std::string out;
    switch (report.result) {
        case AssemblyResult::satisfied:
            return fmt::format("assembled: every joint holds within {:g} after {} iterations\n",
                               model.simulation.tolerance, report.iterations);
        case AssemblyResult::least_squares:
            out = fmt::format("LEAST SQUARES: the constraints cannot all hold; at rest after {} iterations with\n",
                              report.iterations);
            break;
        case AssemblyResult::not_converged:
            out = fmt::format("NOT CONVERGED: still moving after {} iterations; open are\n", report.iterations);
            break;
    }
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(most, report.open.size()); ++i) {
        const Joint& j = model.joints[static_cast<std::size_t>(report.open[i].joint)];
        out += fmt::format("  {:<10.3g} `{}`", report.open[i].error, j.name);
        if (j.origin.block.known()) out += fmt::format("  ({}:{})", j.origin.block.file, j.origin.block.line);
        out += '\n';
    }
    if (report.open.size() > most) out += fmt::format("  … and {} more\n", report.open.size() - most);
    return out;
}

}  // namespace armature

#include "armature/sim/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/math/random.h"
#include "armature/sim/active_islands.h"
#include "armature/sim/flush_denormals.h"
#include "armature/sim/laws.h"
#include "armature/sim/local_bodies.h"
#include "armature/sim/mechanics.h"

namespace armature {

namespace {

/// Three assembled placements are enough to choose from.
constexpr int enough_found = 3;
/// A placement holds when its worst error is below this share of the tolerance; of several that hold the nearest is taken.
constexpr double well_within = 1e-5;
/// Sweeps of the procedural solver, which need not arrive.
constexpr int most_sweeps = 200;
/// Rests whose worst errors differ by less are the same rest.
constexpr double same_rest = 0.02;

/// One island, from the author's placement and, where that fails, from others.
class IslandAssembly {
  public:
    IslandAssembly(const Model& model, const State& state, const Island& island, std::size_t index, Solver& solver,
                   int most_restarts)
        : model_(model),
          state_(state),
          island_(island),
          index_(index),
          solver_(solver),
          most_restarts_(most_restarts < 0 ? assembly_restarts(solver) : most_restarts) {}

    void run() {
        gather(island_, state_, start_);
        if (find_not_finite(island_, start_) >= 0) return;
        place_kinematic(model_, island_, state_.time, start_);
        best = start_;
        report = correct_from(best);
        iterations = report.iterations;
        found_ = true;
        if (report.converged) return;
        const double first_error = report.worst_error;
        bool same = report.stalled;
        int found = 0;
        double nearest = infinity;
        for (int k = 1; k <= most_restarts_ && found < enough_found; ++k) {
            LocalBodies other = k == 1 ? start_ : shaken(k);
            if (k % 2 == 1) bring_together(other);
            const CorrectionReport r = correct_from(other);
            iterations = std::max(iterations, r.iterations);
            restarts = k;
            same = same && r.stalled && std::fabs(r.worst_error - first_error) < same_rest * first_error;
            // Within the tolerance where a solver usually arrives at round-off: a place it can hardly stay in.
            const bool holds = r.converged && r.worst_error <= well_within * model_.simulation.tolerance;
            found += holds;
            const double away = holds ? distance(other) : infinity;
            const bool better = holds ? away < nearest : found == 0 && r.worst_error < report.worst_error;
            if (!better) continue;
            best = std::move(other);
            report = r;
            nearest = away;
        }
        impossible = same && restarts > 0;
    }

    bool found_anything() const { return found_; }
    LocalBodies best;
    CorrectionReport report;
    int iterations = 0, restarts = 0;
    bool impossible = false;

  private:
    CorrectionReport correct_from(LocalBodies& local) {
        CorrectionProblem problem{model_,
                                  island_,
                                  state_.time,
                                  local.x,
                                  local.q,
                                  nullptr,
                                  nullptr,
                                  moved_,
                                  impulses_,
                                  model_.simulation.tolerance,
                                  model_.simulation.assembly_iterations};
        collect_hard_laws(model_, island_, state_.time, local, state_.freedoms, laws_);
        problem.laws = &laws_.rows;
        CorrectionReport r = correct(solver_, problem);
        if (find_not_finite(island_, local) >= 0) {
            r.converged = false;
            r.worst_error = infinity;
        }
        return r;
    }

    /// The procedural solver puts parts that lie about where their joints and limits want them, one after the other, however far
    /// that is: Newton's method gets stuck where limits stand in the way of the shortest turn, and finishes what is nearly right.
    /// It skips hands that do not hold yet by itself, and knows islands by their place in the model.
    void bring_together(LocalBodies& local) {
        CorrectionProblem problem{
            model_,    model_.islands[index_],      state_.time, local.x, local.q, nullptr, nullptr, moved_,
            impulses_, model_.simulation.tolerance, most_sweeps};
        ProceduralSolver hand(model_.simulation.procedural);
        hand.correct(problem);
    }

    /// Wider each time: from a tenth of the size and of a turn to all of it.
    LocalBodies shaken(int k) const {
        Random random(1000 * static_cast<std::uint64_t>(index_) + static_cast<std::uint64_t>(k));
        const double share = std::min(1.0, 0.1 * k);
        LocalBodies other = start_;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            other.x[i] += random.in_box(0.5 * share * island_.size);
            other.q[i] = turned(other.q[i], (share * pi * random.unit()) * random.direction());
        }
        return other;
    }

    /// Mean square of the ways from the author's placement.
    double distance(const LocalBodies& at) const {
        double sum = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            const double turn = norm(log_rotation(at.q[i] * conjugate(start_.q[i]))) * island_.size;
            sum += norm2(at.x[i] - start_.x[i]) + turn * turn;
        }
        return sum;
    }

    const Model& model_;
    const State& state_;
    const Island& island_;
    std::size_t index_;
    Solver& solver_;
    int most_restarts_;
    LocalBodies start_;
    std::vector<Vec3> moved_;
    std::vector<JointLoad> impulses_;
    Laws laws_;
    bool found_ = false;
};

}  // namespace

AssemblyReport assemble(const Model& model, State& state, Solver& solver, int restarts) {
    const FlushDenormals flush;
    AssemblyReport report;
    bool exhausted = false, impossible = false;
    for (std::size_t k = 0; k < model.islands.size(); ++k) {
        if (model.islands[k].joints.empty()) continue;
        const Island active = without_idle_drags(model, model.islands[k], state.time, state.time);
        const bool same = active.joints.size() == model.islands[k].joints.size() || takes_any_step(solver);
        IslandAssembly island(model, state, same ? model.islands[k] : active, k, solver, restarts);
        island.run();
        if (!island.found_anything()) continue;
        report.iterations = std::max(report.iterations, island.iterations);
        report.restarts = std::max(report.restarts, island.restarts);
        report.worst_error = std::max(report.worst_error, island.report.worst_error);
        exhausted = exhausted || (!island.report.converged && !island.report.stalled);
        impossible = impossible || (!island.report.converged && island.impossible);
        if (find_not_finite(model.islands[k], island.best) < 0) scatter(model.islands[k], island.best, state);
    }
    measure_freedoms(model, state);
    std::vector<double> errors;
    measure_joints(model, state, errors);
    for (std::size_t j = 0; j < errors.size(); ++j)
        if (!(errors[j] <= model.simulation.tolerance)) report.open.push_back({static_cast<JointId>(j), errors[j]});
    std::stable_sort(report.open.begin(), report.open.end(),
                     [](const OpenJoint& a, const OpenJoint& b) { return a.error > b.error; });
    if (!report.open.empty())
        report.result = impossible  ? AssemblyResult::impossible
                        : exhausted ? AssemblyResult::not_converged
                                    : AssemblyResult::least_squares;
    return report;
}

std::string to_text(const Model& model, const AssemblyReport& report) {
    std::string out;
    switch (report.result) {
        case AssemblyResult::satisfied:
            out = fmt::format("assembled: every joint holds within {:g} after {} iterations\n",
                              model.simulation.tolerance, report.iterations);
            if (report.restarts > 0)
                out += fmt::format(
                    "  not from where the scene puts it: {} other starts were tried, the nearest was taken\n",
                    report.restarts);
            return out;
        case AssemblyResult::least_squares:
            out = fmt::format("LEAST SQUARES: the constraints cannot all hold; at rest after {} iterations with\n",
                              report.iterations);
            break;
        case AssemblyResult::impossible:
            out = fmt::format(
                "IMPOSSIBLE: {} other starts come to the same rest; the constraints contradict each other in\n",
                report.restarts);
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

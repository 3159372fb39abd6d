#include "armature/sim/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/math/random.h"
#include "armature/sim/active_islands.h"
#include "armature/sim/assembly_branch.h"
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
/// Other starts where it holds with an elbow turned over, and how Newton's flow is followed there.
constexpr int starts_for_the_branch = 4, steps_of_flow = 40;
constexpr double share_of_flow = 0.2;
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
        const AssemblyBranch branch(model_, island_, state_.time);
        if (report.converged)
            keep_the_branch(branch);
        else
            start_elsewhere(branch);
        if (report.converged) turned_over = branch.turned_over(start_, best);
    }

    bool found_anything() const { return found_; }
    LocalBodies best;
    CorrectionReport report;
    int iterations = 0, restarts = 0;
    bool impossible = false;
    std::vector<JointId> turned_over;

    /// How far body i is from where the author put it, its turn measured at its size.
    double away(std::size_t i) const {
        const double size = model_.bodies[static_cast<std::size_t>(island_.bodies[i])].size;
        return norm(best.x[i] - start_.x[i]) + size * turn(i);
    }
    double way(std::size_t i) const { return norm(best.x[i] - start_.x[i]); }
    double turn(std::size_t i) const { return norm(log_rotation(best.q[i] * conjugate(start_.q[i]))); }

  private:
    bool holds(const CorrectionReport& r) const {
        // Within the tolerance where a solver usually arrives at round-off: a place it can hardly stay in.
        return r.converged && r.worst_error <= well_within * model_.simulation.tolerance;
    }

    void start_elsewhere(const AssemblyBranch& branch) {
        const double first_error = report.worst_error;
        bool same = report.stalled;
        int found = 0;
        std::size_t fewest = 0;
        double nearest = infinity;
        for (int k = 1; k <= most_restarts_ && found < enough_found; ++k) {
            LocalBodies other = k == 1 ? start_ : shaken(k);
            if (k % 2 == 1) bring_together(other);
            const CorrectionReport r = correct_from(other);
            iterations = std::max(iterations, r.iterations);
            restarts = k;
            same = same && r.stalled && std::fabs(r.worst_error - first_error) < same_rest * first_error;
            const bool arrived = holds(r);
            const std::size_t over = arrived ? branch.turned_over(start_, other).size() : 0;
            const double away = arrived ? distance(other) : infinity;
            const bool better = arrived ? found == 0 || over < fewest || (over == fewest && away < nearest)
                                        : found == 0 && r.worst_error < report.worst_error;
            found += arrived;
            if (!better) continue;
            best = std::move(other);
            report = r;
            nearest = away;
            fewest = over;
        }
        impossible = same && restarts > 0;
    }

    /// It holds from where the author put it, but elbows bend another way: they may not have to.
    void keep_the_branch(const AssemblyBranch& branch) {
        std::size_t fewest = branch.turned_over(start_, best).size();
        double nearest = distance(best);
        const int most = std::min(most_restarts_, starts_for_the_branch);
        for (int k = 1; k <= most && fewest > 0; ++k) {
            LocalBodies other = k <= 2 ? start_ : shaken(k - 2);
            if (k == 2)
                bring_together(other);
            else
                flow(other);
            const CorrectionReport r = correct_from(other);
            iterations = std::max(iterations, r.iterations);
            restarts = k;
            if (!holds(r)) continue;
            const std::size_t over = branch.turned_over(start_, other).size();
            const double away = distance(other);
            if (over > fewest || (over == fewest && away >= nearest)) continue;
            best = std::move(other);
            report = r;
            nearest = away;
            fewest = over;
        }
    }

    /// Newton's method a share of each iteration at a time.
    void flow(LocalBodies& local) {
        for (int step = 0; step < steps_of_flow; ++step) {
            const LocalBodies before = local;
            correct_from(local, 1);
            for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
                local.x[i] = before.x[i] + share_of_flow * (local.x[i] - before.x[i]);
                local.q[i] = slerp(before.q[i], local.q[i], share_of_flow);
            }
        }
    }

    CorrectionReport correct_from(LocalBodies& local) {
        return correct_from(local, model_.simulation.assembly_iterations);
    }
    CorrectionReport correct_from(LocalBodies& local, int most_iterations) {
        CorrectionProblem problem{model_,         island_, state_.time, local.x,   local.q,
                                  nullptr,        nullptr, moved_,      impulses_, model_.simulation.tolerance,
                                  most_iterations};
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
            const Vec3 about = random.direction();  // one draw after the other: in one expression compilers differ
            other.q[i] = turned(other.q[i], (share * pi * random.unit()) * about);
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
    double farthest = 0;
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
        report.turned_over.insert(report.turned_over.end(), island.turned_over.begin(), island.turned_over.end());
        for (std::size_t i = 0; i < static_cast<std::size_t>(model.islands[k].dynamic_count); ++i) {
            if (!(island.away(i) > farthest)) continue;
            farthest = island.away(i);
            report.farthest = {model.islands[k].bodies[i], island.way(i), island.turn(i)};
        }
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

namespace {

/// What became of the placement and the branch that the author wrote.
std::string branch_text(const Model& model, const AssemblyReport& report) {
    std::string out;
    if (report.farthest.body >= 0 && report.farthest.way + report.farthest.turn > model.simulation.tolerance)
        out += fmt::format("  farthest from where the scene puts it: `{}`, by {:.3g} m and {:.3g} degrees\n",
                           model.bodies[static_cast<std::size_t>(report.farthest.body)].name, report.farthest.way,
                           report.farthest.turn * 180 / pi);
    if (report.turned_over.empty()) return out;
    std::string names;
    constexpr std::size_t most = 5;
    for (std::size_t i = 0; i < std::min(most, report.turned_over.size()); ++i)
        names += fmt::format("{}`{}`", i > 0 ? ", " : "",
                             model.joints[static_cast<std::size_t>(report.turned_over[i])].name);
    if (report.turned_over.size() > most) names += fmt::format(" and {} more", report.turned_over.size() - most);
    return out + fmt::format(
                     "  ANOTHER BRANCH: {} {} to the other side than the scene has it; no assembly was found in "
                     "which {}\n",
                     names, report.turned_over.size() > 1 ? "bend" : "bends",
                     report.turned_over.size() > 1 ? "fewer do" : "it does not");
}

}  // namespace

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
            out += branch_text(model, report);
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

// The ways of planar.h, bilateral.h and lockstep/equals.h, before rows of any kind.
#include "armature/solvers/linearized/goal.h"
#include "armature/solvers/linearized/linearized.h"

namespace armature {

template <class Newton, class Close>
bool LinearizedSolver::goes(Newton& newton, CorrectionProblem& problem, CorrectionReport& report, Close&& close) {
    if (!newton.fits(problem)) return false;
    if (settings_.method == LinearMethod::automatic && gradients_pay(newton.cost())) return false;
    TimeBudget budget(problem.time_left);
    const TiedResult result = newton.correct(problem, goal_of(problem), problem.max_iterations, budget);
    if (result.end == TiedEnd::lost) return false;
    tell(result, problem, report, close);
    return true;
}

template <class Close>
void LinearizedSolver::tell(const TiedResult& result, CorrectionProblem& problem, CorrectionReport& report,
                            Close&& close) {
    report.iterations = result.iterations;
    if (result.flat) report.way = LinearWay::points_in_plane;
    LeftOpen left{result.worst, result.worst_joint};
    if (result.end == TiedEnd::stopped) {
        // The shifts along the tree add up to a gap where it closes a loop: no good where all gaps are small enough.
        if (!result.loops || result.worst > problem.tolerance) left = close();
        report.hurried = result.worst > problem.tolerance;
    }
    report.worst_error = left.worst;
    report.worst_joint = left.joint < 0 ? -1 : problem.island.joints[idx(left.joint)].joint;
    report.converged = left.worst <= problem.tolerance;
    report.balanced = result.unbalanced <= problem.tolerance;
}

bool LinearizedSolver::goes_a_short_way(CorrectionProblem& problem, CorrectionReport& report) {
    problem_ = &problem;
    if (settings_.method == LinearMethod::gradients) return false;
    report.way = LinearWay::pins_in_plane;
    if (goes(planar_, problem, report, [&] { return planar_.close(problem); })) return true;
    report.way = LinearWay::tied_points;
    return goes(bilateral_, problem, report, [&] { return closing_.close(problem); });
}

const std::vector<std::vector<std::size_t>>& LinearizedSolver::equal_islands(const Model& model) {
    static const std::vector<std::vector<std::size_t>> none;
    const bool by_themselves = settings_.method == LinearMethod::gradients || settings_.budget > 0;
    return by_themselves ? none : equals_.sets(model);
}

void LinearizedSolver::correct_together(std::span<CorrectionProblem* const> problems,
                                        std::span<CorrectionReport> reports) {
    std::array<TiedResult, EqualIslands::at_a_time> results;
    equals_.correct(problems, results);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        CorrectionProblem& p = *problems[i];
        reports[i] = {};
        reports[i].way = LinearWay::tied_points;
        if (results[i].end == TiedEnd::lost)
            reports[i] = correct(p);
        else
            tell(results[i], p, reports[i], [&] { return closing_.close(p); });
    }
}

}  // namespace armature

// The ways of planar.h and bilateral.h, before rows of any kind.
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
    report.iterations = result.iterations;
    LeftOpen left{result.worst, result.worst_joint};
    if (result.end == TiedEnd::stopped) {
        left = close();
        report.hurried = result.worst > problem.tolerance;
    }
    report.worst_error = left.worst;
    report.worst_joint = left.joint < 0 ? -1 : problem.island.joints[idx(left.joint)].joint;
    report.converged = left.worst <= problem.tolerance;
    report.balanced = result.unbalanced <= problem.tolerance;
    return true;
}

bool LinearizedSolver::goes_a_short_way(CorrectionProblem& problem, CorrectionReport& report) {
    problem_ = &problem;
    if (settings_.method == LinearMethod::gradients) return false;
    report.way = LinearWay::pins_in_plane;
    if (goes(planar_, problem, report, [&] { return planar_.close(problem); })) return true;
    report.way = LinearWay::tied_points;
    return goes(bilateral_, problem, report, [&] { return closing_.close(problem); });
}

}  // namespace armature

#include "armature/solvers/linearized/bilateral.h"

#include "armature/math/exact_turn.h"
#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

bool use_wide() {
    return lanes::machine() != lanes::Machine::plain;
}

}  // namespace

bool only_joints(const CorrectionProblem& p) {
    const auto none = [](const auto* list) { return !list || list->empty(); };
    return p.start_q && !p.slack && none(p.laws) && none(p.soft_points) && none(p.contacts);
}

bool BilateralNewton::fits(const CorrectionProblem& p) {
    if (!only_joints(p)) return false;
    return plan_.take(p, [&](BilateralPlan& fresh) { make_plan(p, fresh); }).fits;
}

double BilateralNewton::cost() const {
    return plan_->cost(27);
}

void BilateralNewton::begin(const CorrectionProblem& p, bool warm) {
    const BilateralPlan& plan = *plan_;
    if (plan.lockstep) return begin_lockstep(plan, p, *plan.lockstep, warm);
    BilateralNumbers& n = numbers_;
    n.half_way = p.half_way;
    n.exact = p.exact != nullptr;
    n.dynamic_count = p.island.dynamic_count;
    n.starts.resize(plan.bodies.size());
    n.bodies.resize(plan.bodies.size());
    n.arms.resize(2 * plan.nodes.size());
    n.arms_now.resize(n.arms.size());
    n.errors.resize(plan.nodes.size());
    n.kept_back.resize(plan.hubs.empty() ? 0 : plan.nodes.size());
    n.lambdas.resize(plan.nodes.size());
    n.expected.resize(plan.nodes.size());
    n.axes.resize(plan.nodes.size() > plan.joints ? plan.nodes.size() : 0);
    n.turns.resize(plan.bodies.size());
    if (use_wide())
        begin_wide(p, plan, n, warm);
    else
        begin_plain(p, plan, n, warm);
}

void BilateralNewton::finish(CorrectionProblem& p) const {
    if (plan_->lockstep) return finish_lockstep(*plan_, *plan_->lockstep, p, {p.x, p.q, p.moved, p.impulses});
    p.moved.assign(plan_->bodies.size(), Vec3{});
    for (int local = 0; local < numbers_.dynamic_count; ++local) {
        const std::size_t i = idx(local);
        const BilateralNumbers::BodyNow& b = numbers_.bodies[i];
        // Linear momentum wants places and impulses to agree to the last digit.
        p.moved[i] = plan_->bodies[i].inv_mass * four::store(b.P);
        p.x[i] += p.moved[i];
        const Vec3 theta = four::store(b.theta);
        p.q[i] = normalized(numbers_.exact ? cayley(theta) * (*p.start_q)[i] : exp_rotation(theta) * p.q[i]);
    }
    p.impulses.resize(plan_->joints);
    for (std::size_t k = 0; k < plan_->nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan_->nodes[k];
        JointLoad& load = p.impulses[idx(node.joint)];
        const four::V& lambda = numbers_.lambdas[k].v;
        if (node.axis)
            load.torque = lambda[0] * four::store(numbers_.arms_now[2 * k].middle) +
                          lambda[1] * four::store(numbers_.arms_now[2 * k + 1].middle);
        else
            load = {four::store(lambda), {}};
    }
}

BilateralNewton::Result BilateralNewton::iterate(double goal, int most, TimeBudget& budget) {
    if (plan_->lockstep) return iterate_lockstep(*plan_, *plan_->lockstep, goal, most, budget);
    return use_wide() ? iterate_wide(*plan_, numbers_, goal, most, budget)
                      : iterate_plain(*plan_, numbers_, goal, most, budget);
}

BilateralNewton::Result BilateralNewton::correct(CorrectionProblem& p, double goal, int most, TimeBudget& budget) {
    const bool warm = p.expected != nullptr && (plan_->tree || !plan_->lockstep);
    const auto from = [&](bool warm_start) {
        begin(p, warm_start);
        return iterate(goal, most, budget);
    };
    Result result = from(warm);
    if (result.end == End::lost && warm) result = from(false);
    if (result.end != End::lost) finish(p);
    result.loops = !plan_->tree;
    return result;
}

}  // namespace armature

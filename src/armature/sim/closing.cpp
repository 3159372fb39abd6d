#include "armature/sim/closing.h"

namespace armature {

namespace {

const Joint& joint_at(const Model& model, const Island& island, std::size_t k) {
    return model.joints[idx(island.joints[k].joint)];
}

}  // namespace

double violation_at(const Model& model, const Island& island, const LocalBodies& at, std::size_t k) {
    const Island::LocalJoint& local = island.joints[k];
    double worst = 0;
    for (const Part& part : joint_at(model, island, k).parts)
        worst = std::max(worst, violation(part, placement_of(at, local.body1), placement_of(at, local.body2)));
    return worst;
}

bool any_closes_at_once(const Model& model, const Island& island, const State& state, const LocalBodies& start,
                        double t1) {
    for (const int place : island.timed) {
        const Joint& j = joint_at(model, island, idx(place));
        if (state.slack[idx(island.joints[idx(place)].joint)] < 0 && j.valid_at(t1) && j.closing == 0 && !j.soft &&
            violation_at(model, island, start, idx(place)) > model.simulation.tolerance)
            return true;
    }
    return false;
}

bool Closing::begin(const Model& model, const Island& island, const State& state, const LocalBodies& start, double t1) {
    const std::size_t joints = island.timed.empty() ? 0 : island.joints.size();
    slack.assign(joints, 0);
    slack0.assign(joints, 0);
    begun.assign(joints, 0);
    any_begun = false;
    bool any = false;
    for (const int place : island.timed) {
        const std::size_t k = idx(place);
        const Joint& j = joint_at(model, island, k);
        slack0[k] = state.slack[idx(island.joints[k].joint)];
        if (slack0[k] == 0 || !j.valid_at(t1)) continue;
        if (slack0[k] < 0) {
            begun[k] = 1;
            slack0[k] = j.soft ? 0 : std::max(violation_at(model, island, start, k) - model.simulation.tolerance, 0.0);
        }
        slack[k] = allowed_slack(j, slack0[k], t1);
        // From the instant at which nothing is left to draw in, the joint is one like the others.
        if (slack[k] <= 0) {
            begun[k] = 1;
            slack0[k] = 0;
        }
        any_begun = any_begun || begun[k] != 0;
        any = any || slack[k] > 0;
    }
    return any;
}

double Closing::work(const Model& model, const Island& island, const std::vector<JointLoad>& impulses,
                     double t0) const {
    double work = 0;
    for (const int place : island.timed) {
        const std::size_t k = idx(place);
        const double shorter = allowed_slack(joint_at(model, island, k), slack0[k], t0) - slack[k];
        work += (norm(impulses[k].force) + norm(impulses[k].torque)) * std::max(shorter, 0.0);
    }
    return work;
}

void Closing::keep(const Island& island, State& state) const {
    for (const int place : island.timed) state.slack[idx(island.joints[idx(place)].joint)] = slack0[idx(place)];
}

}  // namespace armature

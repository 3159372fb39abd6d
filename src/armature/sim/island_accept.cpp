// What is kept of a step that was made, and what is left of an island that cannot go on.
#include <algorithm>

#include "armature/sim/island_stepper.h"

namespace armature {

void IslandStepper::accept(double h) {
    std::swap(room_.start, room_.now);
    if (give_way_) add_hand_pulls();
    const double joint_rate = rate();
    // stormer moves by h·(h + h_last)/2 under a constant force, the others by h² divided by their rate.
    const bool stormer = model_.simulation.scheme == Scheme::stormer;
    keep_loads(impulse_share_ * (stormer ? 2 / (h * (h + control_.h_last)) : joint_rate / (h * h)));
    control_.h_last = h;
    ++control_.clean_steps;
    measure_law_forces(model_, island_, h, joint_rate, room_.laws, state_.freedoms);
    remember_contacts(room_.contacts, impulse_share_ * joint_rate / (h * h), state_.contacts[index_]);
    room_.closing.keep(island_, state_);
    measure_moving_freedoms();
    report_.motor_work += work_.motors;
    if (hit_) ++report_.hits;
    control_.debt = debt_;
    control_.liveliness = liveliness_;
    if (closing_) report_.closing_work += std::max(0.0, energy(room_.start) - energy(room_.now));  // swapped
    ++report_.steps;
    report_.iterations += correction_.iterations;
    report_.max_iterations = std::max(report_.max_iterations, correction_.iterations);
    ++report_.ways[static_cast<std::size_t>(correction_.way)];
    if (give_way_) add_hand_errors();
    if (!correction_.converged) ++report_.unconverged;
    if (!correction_.balanced) ++report_.unbalanced;
    if (correction_.worst_error > report_.worst_error) {
        report_.worst_error = correction_.worst_error;
        report_.worst_joint = correction_.worst_joint;
    }
}

void IslandStepper::keep_loads(double per_impulse) {
    const auto load = [&](const JointLoad& impulse) {
        return JointLoad{per_impulse * impulse.force, per_impulse * impulse.torque};
    };
    const std::size_t joints = island_.joints.size();
    if (island_.in_a_row && joints > 0) {
        const auto first = state_.loads.begin() + island_.joints[0].joint;
        std::transform(room_.impulses.begin(), room_.impulses.begin() + static_cast<std::ptrdiff_t>(joints), first,
                       load);
    } else {
        for (std::size_t k = 0; k < joints; ++k) state_.loads[joint_of(k)] = load(room_.impulses[k]);
    }
}

void IslandStepper::measure_moving_freedoms() {
    for (const int k : island_.acting) {
        const Island::LocalJoint& local = island_.joints[idx(k)];
        const Joint& joint = model_.joints[idx(local.joint)];
        if (joint.freedoms.empty()) continue;
        const auto moving = [&](int l) {
            return Moving{placement_of(room_.start, l), room_.start.v[idx(l)], room_.start.w[idx(l)]};
        };
        measure_freedoms(model_, joint, moving(local.body1), moving(local.body2), state_.freedoms);
    }
}

/// What a hand is away from where it is led is what could not be met.
void IslandStepper::add_hand_errors() {
    for (const int hand : island_.hands) {
        const double away = violation_at(model_, island_, room_.start, idx(hand));
        correction_.converged = correction_.converged && away <= model_.simulation.tolerance;
        if (!(away > correction_.worst_error)) continue;
        correction_.worst_error = away;
        correction_.worst_joint = island_.joints[idx(hand)].joint;
    }
}

void IslandStepper::add_hand_pulls() {
    for (const SoftPoint& pull : room_.laws.soft)
        if (model_.joints[joint_of(idx(pull.joint))].drag) room_.impulses[idx(pull.joint)].force = pull.impulse;
}

/// Kinetic and that of gravity and springs.
double IslandStepper::energy(const LocalBodies& at) const {
    return kinetic_energy(model_, island_, at) + potential_energy(model_, island_, at);
}

/// The island stands still from here, with its last finite numbers; a body that came in without any is put back
/// where the scene began.
void IslandStepper::fail(int local) {
    over_ = true;
    const BodyId culprit = island_.bodies[idx(local)];
    control_.failed_body = culprit;
    if (report_.failed_body < 0) report_.failed_body = culprit;
    for (std::size_t i = 0; i < idx(island_.dynamic_count); ++i) {
        const Body& b = model_.bodies[idx(island_.bodies[i])];
        if (!is_finite(room_.start.x[i]) || !is_finite(room_.start.q[i])) {
            room_.start.q[i] = b.pose_WB.q;
            room_.start.x[i] = b.pose_WB * b.centre_B;
        }
        room_.start.v[i] = room_.start.w[i] = {};
    }
    for (const Island::LocalJoint& j : island_.joints) state_.loads[idx(j.joint)] = {};
    state_.contacts[index_].clear();
    scatter(island_, room_.start, state_);
}

}  // namespace armature

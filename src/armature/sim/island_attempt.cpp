// One step of an island, stage by stage, and the verdict on it.
#include <algorithm>
#include <cmath>

#include "armature/sim/island_step.h"
#include "armature/sim/island_stepper.h"

namespace armature {

IslandStepper::Verdict IslandStepper::attempt(double t0, double t1, double h, bool shortest, bool last_resort) {
    const SimulationSpec& s = model_.simulation;
    const SchemeInfo& scheme = scheme_info(s.scheme);
    const auto begin = Clock::now();
    corrected_ = false;

    const LocalForces* acting = forces(t0, t1, h);
    const auto forces_done = acting ? Clock::now() : begin;

    copy_kinematic(t1);
    const FreeMotion free = move_freely(model_, island_, h, control_.h_last, ws_.start, acting, ws_.free, ws_.now);
    if (!free.finite) {
        not_finite_ = find_not_finite(island_, ws_.free);
        return Verdict::not_finite;
    }
    const bool any_step = takes_any_step(ws_.solver);
    const bool too_large = !any_step && h * free.most_spin > s.max_rotation;
    const auto free_done = Clock::now();
    // A step that will be undone anyway need not be corrected, unless it is already the shortest.
    if (too_large && !shortest) {
        add_times({begin, forces_done, free_done, free_done, free_done});
        return Verdict::too_large;
    }

    const bool closing = closing_ = ws_.closing.begin(model_, island_, state_, ws_.start, t1);
    collect_laws(model_, island_, t0, t1, correction_rate(s, !closing), ws_.start, ws_.free, state_.freedoms, ws_.laws,
                 give_way_);
    collect_contacts(model_, island_, h, ws_.start, ws_.free, state_.contacts[index_], ws_.contacts);
    CorrectionProblem problem{model_,       island_,      t1,           ws_.now.x,
                              ws_.now.q,    &ws_.start.x, &ws_.start.q, ws_.moved,
                              ws_.impulses, s.tolerance,  s.iterations, scheme.impulses_at_midpoint};
    const ExactStep exact{h, ws_.start.w, ws_.forces.torque};
    if (s.scheme == Scheme::exact) problem.exact = &exact;
    problem.laws = &ws_.laws.rows;
    problem.soft_points = &ws_.laws.soft;
    problem.contacts = &ws_.contacts.rows;
    problem.slack = closing ? &ws_.closing.slack : nullptr;
    problem.hands_give_way = give_way_;
    problem.last_try = last_resort && (!hands_ || give_way_);
    problem.expected = expected_impulses(h);
    if (budgeted()) problem.time_left = std::max(seconds(free_done, deadline_), 1e-9);
    correction_ = correct(ws_.solver, problem);
    corrected_ = true;
    const auto correction_done = Clock::now();

    StepChange change =
        velocities_from_correction(model_, island_, h, {ws_.start, ws_.free, ws_.moved, rate()}, ws_.now);
    work_ = law_work(h, rate(), ws_.laws, ws_.start, ws_.now);
    hit_ = !any_step &&
           resolve_impacts({model_, island_, t1, h, rate(), ws_.start, ws_.laws, ws_.contacts, ws_.closing, give_way_},
                           ws_.now, ws_.impacts);
    const bool project = !any_step && ws_.impacts.project;
    if (project) project_after_impact(t1);
    if (hit_ || project) change = change_of(island_, s.gravity, ws_.free, ws_.now);
    drawn_in_ = closing ? rate() / (h * h) * ws_.closing.work(model_, island_, ws_.impulses, t0) : 0;
    if (give_way_) work_.springs += hand_work(model_, island_, ws_.laws, rate() / (h * h), ws_.start, ws_.now);
    const double work = work_.springs + work_.motors + drawn_in_;
    const bool sound = correction_.converged && correction_.balanced && !correction_.restless && !correction_.hurried;
    const EnergyLimit limit = limit_energy(model_, island_, sound, change, ws_.free, ws_.now, t1, work, control_.debt,
                                           control_.liveliness, give_way_);
    impulse_share_ = limit.share;
    debt_ = std::max(0.0, control_.debt + limit.gain);
    // Forgotten within some seconds.
    liveliness_ = std::max(limit.kinetic, control_.liveliness * (1 - std::min(0.2 * h, 1.0)));
    const auto velocities_done = Clock::now();
    add_times({begin, forces_done, free_done, correction_done, velocities_done});
    if (budgeted()) remember_cost(seconds(begin, velocities_done));
    if (limit.limited || !change.finite) {
        not_finite_ = find_not_finite(island_, ws_.now);
        if (not_finite_ >= 0) return Verdict::not_finite;
    }
    if (any_step) limit_spins(h, pi);
    if (too_large || (!any_step && too_far(change))) return Verdict::too_large;
    if (correction_.restless) return Verdict::not_converged;
    if (s.scheme == Scheme::exact) return Verdict::clean;  // it cannot gain
    if (correction_.contradictory) return Verdict::clean;  // it may, at any length: see run()
    // The other schemes know their velocities at other instants than their places: what looks like a gain may be none.
    const bool telling = s.scheme == Scheme::newton;
    const bool gains = limit.gain > (sound ? 0.3 : 0.01) * limit.allowed && debt_ > limit.allowed;
    return telling && gains ? Verdict::gains_energy : Verdict::clean;
}

/// Null where nothing but weight acts, and no more needs to be known.
const LocalForces* IslandStepper::forces(double t0, double t1, double h) {
    const Scheme scheme = model_.simulation.scheme;
    if (scheme == Scheme::newton && island_.only_weight()) return nullptr;
    if (scheme_info(scheme).forces_at_midpoint) {
        const bool places_matter = !island_.forces.empty() || !island_.torques.empty() || !island_.springs.empty();
        if (places_matter) drift(0.5 * h, 0.5 * (t0 + t1));
        const LocalBodies& at = places_matter ? ws_.drifted : ws_.start;
        evaluate_forces(model_, island_, 0.5 * (t0 + t1), h, at.x, at.q, ws_.start, ws_.forces);
    } else {
        const double push = push_time(scheme, h, control_.h_last);
        evaluate_forces(model_, island_, t0, push, ws_.start.x, ws_.start.q, ws_.start, ws_.forces);
    }
    return &ws_.forces;
}

/// Half-way with the old velocities, where the newton scheme looks at its forces.
void IslandStepper::drift(double h, double t) {
    ws_.drifted = ws_.start;
    for (std::size_t i = 0; i < idx(island_.dynamic_count); ++i) {
        ws_.drifted.x[i] += h * ws_.start.v[i];
        if (ws_.start.w[i] != Vec3{}) ws_.drifted.q[i] = turned(ws_.start.q[i], h * ws_.start.w[i]);
    }
    place_kinematic(model_, island_, t, ws_.drifted);
}

/// Free motion fills in the dynamic bodies.
void IslandStepper::copy_kinematic(double t1) {
    for (LocalBodies* to : {&ws_.free, &ws_.now}) {
        to->resize(island_.bodies.size());
        for (std::size_t i = idx(island_.dynamic_count); i < island_.bodies.size(); ++i) {
            to->x[i] = ws_.start.x[i];
            to->q[i] = ws_.start.q[i];
            to->v[i] = ws_.start.v[i];
            to->w[i] = ws_.start.w[i];
        }
        place_kinematic(model_, island_, t1, *to);
    }
}

/// What the joints carried in the step before, as impulses of this one.
const std::vector<JointLoad>* IslandStepper::expected_impulses(double h) {
    const double impulse_of = h * h / correction_rate(model_.simulation, true);
    const auto impulse = [&](const JointLoad& load) {
        return JointLoad{impulse_of * load.force, impulse_of * load.torque};
    };
    const std::size_t joints = island_.joints.size();
    ws_.expected.resize(joints);
    if (island_.in_a_row && joints > 0) {
        const auto first = state_.loads.begin() + island_.joints[0].joint;
        std::transform(first, first + static_cast<std::ptrdiff_t>(joints), ws_.expected.begin(), impulse);
    } else {
        for (std::size_t k = 0; k < joints; ++k) ws_.expected[k] = impulse(state_.loads[joint_of(k)]);
    }
    return &ws_.expected;
}

/// What was stopped by a limit leaves with the speed that it should, and all joints agree with that.
void IslandStepper::project_after_impact(double t1) {
    Impacts& room = ws_.impacts;
    CorrectionProblem problem{model_,  island_, t1,         ws_.now.x,     ws_.now.q,
                              nullptr, nullptr, room.moved, room.impulses, model_.simulation.tolerance,
                              1};
    problem.laws = &ws_.laws.rows;
    problem.slack = closing_ ? &ws_.closing.slack : nullptr;
    problem.hands_give_way = give_way_;
    project_velocities(ws_.solver, problem, ws_.now.v, ws_.now.w, &room.speeds);
}

bool IslandStepper::too_far(const StepChange& change) const {
    const SimulationSpec& s = model_.simulation;
    const double reach = s.max_correction * island_.size, most = std::sin(0.5 * s.max_rotation);
    return change.shift2 > reach * reach || change.sin2_half_turn > most * most;
}

/// At the shortest step a jointed body that still turns too far is slowed to what the step can follow: a turn of
/// several radians per step is noise, and the joints would turn noise into energy. Reported as forced.
void IslandStepper::limit_spins(double h, double most_turn) {
    if (island_.joints.empty() && most_turn < pi) return;
    const double most = most_turn / h;
    for (std::size_t i = 0; i < idx(island_.dynamic_count); ++i) {
        const double w = norm(ws_.now.w[i]);
        if (w > most) ws_.now.w[i] *= most / w;
    }
}

/// A correction that did not arrive and made energy at any length of the step: the step is not made.
void IslandStepper::stand_still() {
    debt_ = std::max(0.0, control_.debt - kinetic_energy(model_, island_, ws_.start));
    work_ = {};  // nothing moved: motors did nothing
    for (std::size_t i = 0; i < idx(island_.dynamic_count); ++i) {
        ws_.now.x[i] = ws_.start.x[i];
        ws_.now.q[i] = ws_.start.q[i];
        ws_.now.v[i] = ws_.now.w[i] = {};
    }
}

/// Drawing in is followed cautiously too: the rule of the joints would throw what is being drawn.
double IslandStepper::rate() const {
    return correction_rate(model_.simulation,
                           correction_.converged && !correction_.restless && !correction_.hurried && !closing_);
}

/// What a step costs per solid and joint, or did lately: one slow step must not make the next hundred hasty.
void IslandStepper::remember_cost(double took) {
    const double cost = took / static_cast<double>(size_of(island_));
    ws_.step_seconds = cost > ws_.step_seconds ? cost : 0.9 * ws_.step_seconds + 0.1 * cost;
}

void IslandStepper::add_times(const std::array<Clock::time_point, 5>& at) {
    for (std::size_t i = 0; i < 4; ++i) report_.seconds[i] += seconds(at[i], at[i + 1]);
}

}  // namespace armature

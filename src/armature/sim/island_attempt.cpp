// One step of an island, stage by stage, and the verdict on it.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "armature/sim/island_step.h"
#include "armature/sim/island_stepper.h"

namespace armature {

std::optional<IslandStepper::Verdict> IslandStepper::prepare() {
    const SimulationSpec& s = model_.simulation;
    const auto [t0, t1, h] = std::tuple{trial_.t0, trial_.t1, trial_.h};
    trial_.begin = Clock::now();
    corrected_ = false;

    const LocalForces* acting = forces(t0, t1, h);
    const auto forces_done = acting ? Clock::now() : trial_.begin;
    add_time(Stage::forces, seconds(trial_.begin, forces_done));

    copy_kinematic(t1);
    const FreeMotion free =
        move_freely(model_, island_, h, control_.h_last, room_.start, acting, room_.free, room_.now);
    if (!free.finite) {
        not_finite_ = find_not_finite(island_, room_.free);
        return Verdict::not_finite;
    }
    trial_.too_large = !takes_any_step(solver_) && h * free.most_spin > s.max_rotation;
    trial_.free_done = Clock::now();
    add_time(Stage::free_motion, seconds(forces_done, trial_.free_done));
    // A step that will be undone anyway need not be corrected, unless it is already the shortest.
    if (trial_.too_large && !trial_.shortest) return Verdict::too_large;

    closing_ = room_.closing.begin(model_, island_, state_, room_.start, t1);
    collect_laws(model_, island_, t0, t1, correction_rate(s, !closing_), room_.start, room_.free, state_.freedoms,
                 room_.laws, give_way_);
    collect_contacts(model_, island_, h, room_.start, room_.free, state_.contacts[index_], room_.contacts);
    set_problem(closing_);
    return std::nullopt;
}

void IslandStepper::set_problem(bool closing) {
    const SimulationSpec& s = model_.simulation;
    CorrectionProblem& problem = problem_.emplace(CorrectionProblem{
        model_, island_, trial_.t1, room_.now.x, room_.now.q, &room_.start.x, &room_.start.q, room_.moved,
        room_.impulses, s.tolerance, s.iterations, scheme_info(s.scheme).impulses_at_midpoint});
    if (s.scheme == Scheme::exact)
        problem.exact = &exact_.emplace(ExactStep{trial_.h, room_.start.w, room_.forces.torque});
    problem.laws = &room_.laws.rows;
    problem.soft_points = &room_.laws.soft;
    problem.contacts = &room_.contacts.rows;
    problem.slack = closing ? &room_.closing.slack : nullptr;
    problem.hands_give_way = give_way_;
    problem.last_try = trial_.last_resort && (!hands_ || give_way_);
    problem.expected = expected_impulses(trial_.h);
    if (budgeted()) problem.time_left = std::max(seconds(trial_.free_done, deadline_), 1e-9);
}

IslandStepper::Verdict IslandStepper::judge(Clock::time_point correction_done) {
    const SimulationSpec& s = model_.simulation;
    const auto [t0, t1, h] = std::tuple{trial_.t0, trial_.t1, trial_.h};
    const bool any_step = takes_any_step(solver_);
    StepChange change =
        velocities_from_correction(model_, island_, h, {room_.start, room_.free, room_.moved, rate()}, room_.now);
    work_ = law_work(h, rate(), room_.laws, room_.start, room_.now);
    hit_ = !any_step && resolve_impacts({model_, island_, t1, h, rate(), room_.start, room_.laws, room_.contacts,
                                         room_.closing, give_way_},
                                        room_.now, room_.impacts);
    const bool project = !any_step && room_.impacts.project;
    if (project) project_after_impact(t1);
    if (hit_ || project) change = change_of(island_, s.gravity, room_.free, room_.now);
    drawn_in_ = closing_ ? rate() / (h * h) * room_.closing.work(model_, island_, room_.impulses, t0) : 0;
    if (give_way_) work_.springs += hand_work(model_, island_, room_.laws, rate() / (h * h), room_.start, room_.now);
    const double work = work_.springs + work_.motors + drawn_in_;
    const bool sound = correction_.converged && correction_.balanced && !correction_.restless && !correction_.hurried;
    const EnergyLimit limit = limit_energy(model_, island_, sound, change, room_.free, room_.now, t1, work,
                                           control_.debt, control_.liveliness, give_way_);
    impulse_share_ = limit.share;
    debt_ = std::max(0.0, control_.debt + limit.gain);
    // Forgotten within some seconds.
    liveliness_ = std::max(limit.kinetic, control_.liveliness * (1 - std::min(0.2 * h, 1.0)));
    const auto velocities_done = Clock::now();
    add_time(Stage::velocities, seconds(correction_done, velocities_done));
    if (budgeted()) remember_cost(seconds(trial_.begin, velocities_done));
    if (limit.limited || !change.finite) {
        not_finite_ = find_not_finite(island_, room_.now);
        if (not_finite_ >= 0) return Verdict::not_finite;
    }
    if (any_step) limit_spins(h, pi);
    if (trial_.too_large || (!any_step && too_far(change))) return Verdict::too_large;
    if (correction_.restless) return Verdict::not_converged;
    if (s.scheme == Scheme::exact) return Verdict::clean;  // it cannot gain
    if (correction_.contradictory) return Verdict::clean;  // it may, at any length: see settle()
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
        const LocalBodies& at = places_matter ? room_.drifted : room_.start;
        evaluate_forces(model_, island_, 0.5 * (t0 + t1), h, at.x, at.q, room_.start, room_.forces);
    } else {
        const double push = push_time(scheme, h, control_.h_last);
        evaluate_forces(model_, island_, t0, push, room_.start.x, room_.start.q, room_.start, room_.forces);
    }
    return &room_.forces;
}

/// Half-way with the old velocities, where the newton scheme looks at its forces.
void IslandStepper::drift(double h, double t) {
    room_.drifted = room_.start;
    for (std::size_t i = 0; i < idx(island_.dynamic_count); ++i) {
        room_.drifted.x[i] += h * room_.start.v[i];
        if (room_.start.w[i] != Vec3{}) room_.drifted.q[i] = turned(room_.start.q[i], h * room_.start.w[i]);
    }
    place_kinematic(model_, island_, t, room_.drifted);
}

/// Free motion fills in the dynamic bodies.
void IslandStepper::copy_kinematic(double t1) {
    for (LocalBodies* to : {&room_.free, &room_.now}) {
        to->resize(island_.bodies.size());
        for (std::size_t i = idx(island_.dynamic_count); i < island_.bodies.size(); ++i) {
            to->x[i] = room_.start.x[i];
            to->q[i] = room_.start.q[i];
            to->v[i] = room_.start.v[i];
            to->w[i] = room_.start.w[i];
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
    room_.expected.resize(joints);
    if (island_.in_a_row && joints > 0) {
        const auto first = state_.loads.begin() + island_.joints[0].joint;
        std::transform(first, first + static_cast<std::ptrdiff_t>(joints), room_.expected.begin(), impulse);
    } else {
        for (std::size_t k = 0; k < joints; ++k) room_.expected[k] = impulse(state_.loads[joint_of(k)]);
    }
    return &room_.expected;
}

/// What was stopped by a limit leaves with the speed that it should, and all joints agree with that.
void IslandStepper::project_after_impact(double t1) {
    Impacts& impacts = room_.impacts;
    CorrectionProblem problem{model_,
                              island_,
                              t1,
                              room_.now.x,
                              room_.now.q,
                              nullptr,
                              nullptr,
                              impacts.moved,
                              impacts.impulses,
                              model_.simulation.tolerance,
                              1};
    problem.laws = &room_.laws.rows;
    problem.slack = closing_ ? &room_.closing.slack : nullptr;
    problem.hands_give_way = give_way_;
    project_velocities(solver_, problem, room_.now.v, room_.now.w, &impacts.speeds);
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
        const double w = norm(room_.now.w[i]);
        if (w > most) room_.now.w[i] *= most / w;
    }
}

/// A correction that did not arrive and made energy at any length of the step: the step is not made.
void IslandStepper::stand_still() {
    debt_ = std::max(0.0, control_.debt - kinetic_energy(model_, island_, room_.start));
    work_ = {};  // nothing moved: motors did nothing
    for (std::size_t i = 0; i < idx(island_.dynamic_count); ++i) {
        room_.now.x[i] = room_.start.x[i];
        room_.now.q[i] = room_.start.q[i];
        room_.now.v[i] = room_.now.w[i] = {};
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
    room_.step_seconds = cost > room_.step_seconds ? cost : 0.9 * room_.step_seconds + 0.1 * cost;
}

}  // namespace armature

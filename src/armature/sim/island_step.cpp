// Which steps an island makes in a frame, and which of them are undone.
#include "armature/sim/island_step.h"

#include <algorithm>

#include "armature/sim/island_stepper.h"

namespace armature {

namespace {

/// Clean steps in a row before a longer one is tried.
constexpr std::int64_t grow_after = 8;

/// A frame is never cut into more than 2^this steps by halving: frames of hours would take hours.
constexpr std::int64_t max_halvings = 10;

/// Steps that gain energy they cannot give back, or whose motion the solver does not find, are halved this often: what does
/// not help by then will not.
constexpr std::int64_t few_halvings = 5;

/// The procedural solver makes its structure anew whenever a joint begins or ends, and knows islands by their index.
const Island& active(const Model& model, const State& state, std::size_t index, const Solver& solver,
                     IslandRoom& room) {
    if (takes_any_step(solver)) return model.islands[index];
    const double dt = model.simulation.dt;
    return room.islands.of(model, index, just_after(state.time, dt), state.time + dt);
}

}  // namespace

IslandStepper::IslandStepper(const Model& model, State& state, std::size_t index, Solver& solver, IslandRoom& room,
                             StepReport& report, Clock::time_point deadline)
    : model_(model),
      island_(active(model, state, index, solver, room)),
      index_(index),
      control_(state.islands[index]),
      state_(state),
      solver_(solver),
      room_(room),
      report_(report),
      deadline_(deadline) {}

void IslandStepper::run() {
    begin();
    while (CorrectionProblem* problem = next()) {
        const CorrectionReport correction = correct(solver_, *problem);
        const auto done = Clock::now();
        conclude(correction, done, seconds(trial_.free_done, done));
    }
}

void IslandStepper::begin() {
    over_ = control_.failed_body >= 0;
    if (over_) return;
    drop_idle_loads();
    gather(island_, state_, room_.start);
    const SimulationSpec& s = model_.simulation;
    if (s.scheme == Scheme::exact && control_.h_last == 0) {
        if (const int bad = find_not_finite(island_, room_.start); bad >= 0) return fail(bad);
        fit_velocities();
    }
    base_level_ = level_of(island_.max_step, 20);  // springs set the pace, whatever min_dt says
    max_level_ = std::max(base_level_, level_of(s.min_dt, max_halvings));
    control_.level = budgeted() ? base_level_ : std::max(control_.level, base_level_);
    take_hands();
    done_ = 0;
}

CorrectionProblem* IslandStepper::next() {
    const double dt = model_.simulation.dt;
    while (!over_ && done_ < (std::int64_t{1} << control_.level)) {
        const double scale = 1.0 / static_cast<double>(std::int64_t{1} << control_.level);
        trial_.h = dt * scale;
        trial_.t0 = state_.time + dt * (static_cast<double>(done_) * scale);
        trial_.t1 = state_.time + dt * (static_cast<double>(done_ + 1) * scale);
        if (any_closes_at_once(model_, island_, state_, room_.start, trial_.t1)) {
            if (const int bad = find_not_finite(island_, room_.start); bad >= 0) {
                fail(bad);
                return nullptr;
            }
            close_at_once(trial_.t1);
        }
        const std::int64_t last_resort = trying_ ? control_.level : std::min(base_level_ + few_halvings, max_level_);
        trial_.last_resort = control_.level >= last_resort;
        trial_.hurried = in_a_hurry();  // it will not be tried again, unless there is no number to go on with
        trial_.shortest = control_.level == max_level_ || trial_.hurried;
        const std::optional<Verdict> known = prepare();
        if (!known) return &*problem_;
        settle(*known);
    }
    if (!over_) scatter(island_, room_.start, state_);
    over_ = true;
    return nullptr;
}

void IslandStepper::conclude(const CorrectionReport& correction, Clock::time_point done, double took) {
    add_time(Stage::correction, took);
    correction_ = correction;
    corrected_ = true;
    settle(judge(done));
}

/// The step is undone, or made and kept.
void IslandStepper::settle(Verdict verdict) {
    if (verdict == Verdict::not_finite) {
        // It may have come in so: no step is needed to find that out, for none makes a number of it.
        if (const int bad = find_not_finite(island_, room_.start); bad >= 0) return fail(bad);
    }
    if (torn(verdict, trial_.last_resort)) {
        ++report_.rejected;
        control_.giving = std::max<std::int64_t>(control_.giving, 1);
        give_way_ = true;
        trying_ = false;
        return;
    }
    const bool may_not_help = verdict == Verdict::gains_energy || verdict == Verdict::not_converged;
    const bool late = trial_.hurried && verdict != Verdict::not_finite;
    const bool deepest = late || (may_not_help ? trial_.last_resort : control_.level >= max_level_);
    if (verdict != Verdict::clean && !deepest) {
        ++report_.rejected;
        ++control_.level;
        done_ *= 2;
        control_.clean_steps = 0;
        return;  // room_.start is untouched: the step never happened
    }
    if (verdict == Verdict::not_finite) return fail(not_finite_);
    if (verdict == Verdict::too_large) {
        ++report_.forced;
        limit_spins(trial_.h, model_.simulation.max_rotation);
    }
    const bool still = !late && verdict == Verdict::gains_energy && !(correction_.converged && correction_.balanced);
    if (may_not_help) ++report_.forced;
    if (still) stand_still();
    if (late || correction_.hurried) take_out_gain(model_, island_, room_.free, room_.now, trial_.t1);
    if (correction_.contradictory)
        debt_ = take_out_gain(model_, island_, room_.free, room_.now, trial_.t1, control_.debt);
    accept(trial_.h);
    if (trying_) {
        trying_ = false;
        control_.giving = 0;
    }
    if (still) {  // for the rest of the frame
        control_.level = base_level_;
        done_ = std::int64_t{1} << base_level_;
        return;
    }
    ++done_;
    if (control_.level > base_level_ && control_.clean_steps >= grow_after && done_ % 2 == 0) {
        --control_.level;
        done_ /= 2;
        control_.clean_steps = 0;
    }
}

/// Whether there are hands in this frame, and whether those that give way should try to hold again.
void IslandStepper::take_hands() {
    hands_ = false;
    for (const int hand : island_.hands)
        hands_ = hands_ || is_hand(model_.joints[joint_of(idx(hand))], state_.time + model_.simulation.dt);
    hands_ = hands_ && !takes_any_step(solver_);  // that solver has hands of its own
    if (!hands_) control_.giving = 0;
    trying_ = control_.giving > 0 && control_.giving % frames_between_trials == 0;
    give_way_ = control_.giving > 0 && !trying_;
    if (control_.giving > 0) ++control_.giving;
}

/// The hands lead where the joints cannot follow.
bool IslandStepper::torn(Verdict verdict, bool last_resort) const {
    if (!hands_ || give_way_ || !corrected_ || verdict == Verdict::not_finite) return false;
    if (verdict != Verdict::clean) return last_resort;
    return !correction_.converged;
}

/// A drag that is over carries nothing.
void IslandStepper::drop_idle_loads() {
    const Island& whole = model_.islands[index_];
    if (whole.joints.size() == island_.joints.size()) return;
    for (const int hand : whole.hands) state_.loads[idx(whole.joints[idx(hand)].joint)] = {};
}

/// The level whose steps are not longer than `step`, but at most `most`.
std::int64_t IslandStepper::level_of(double step, std::int64_t most) const {
    std::int64_t level = 0;
    for (double h = model_.simulation.dt; level < most && h > step; h *= 0.5) ++level;
    return level;
}

/// A frame that was given a time: what is left of it is not enough to undo a step and make two in its place.
bool IslandStepper::in_a_hurry() const {
    return budgeted() &&
           seconds(Clock::now(), deadline_) < 3 * room_.step_seconds * static_cast<double>(size_of(island_));
}

/// Constraints that begin to hold at once move their solids as assembly does, with the velocities as they are.
void IslandStepper::close_at_once(double t1) {
    const SimulationSpec& s = model_.simulation;
    CorrectionProblem problem{
        model_,      island_,        t1,          room_.start.x,        room_.start.q, nullptr, nullptr,
        room_.moved, room_.impulses, s.tolerance, s.assembly_iterations};
    collect_hard_laws(model_, island_, t1, room_.start, state_.freedoms, room_.laws);
    problem.laws = &room_.laws.rows;
    correct(solver_, problem);
}

/// The rule of `exact` keeps what a joint forbids and turns it round each step: it must not be there at the start.
void IslandStepper::fit_velocities() {
    place_kinematic(model_, island_, state_.time, room_.start);
    CorrectionProblem problem{model_,  island_, state_.time, room_.start.x,  room_.start.q,
                              nullptr, nullptr, room_.moved, room_.impulses, model_.simulation.tolerance,
                              1};
    collect_hard_laws(model_, island_, state_.time, room_.start, state_.freedoms, room_.laws);
    problem.laws = &room_.laws.rows;
    project_velocities(solver_, problem, room_.start.v, room_.start.w);
}

void step_island(const Model& model, State& state, std::size_t index, StepWorkspace& workspace, StepReport& report,
                 std::chrono::steady_clock::time_point deadline) {
    IslandStepper(model, state, index, workspace.solver, workspace.room, report, deadline).run();
}

}  // namespace armature

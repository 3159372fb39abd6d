#include "armature/sim/island_step.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "armature/sim/closing.h"
#include "armature/sim/energy_limit.h"
#include "armature/sim/free_motion.h"
#include "armature/sim/giving_hands.h"

namespace armature {

namespace {

using Clock = std::chrono::steady_clock;

/// Clean steps in a row before a longer one is tried.
constexpr std::int64_t grow_after = 8;

/// A frame is never cut into more than 2^this steps by halving: frames of hours would take hours.
constexpr std::int64_t max_halvings = 10;

/// Steps that gain energy they cannot give back, or whose motion the solver does not find, are halved this often: what does
/// not help by then will not.
constexpr std::int64_t few_halvings = 5;

enum class Verdict { clean, gains_energy, not_converged, too_large, not_finite };

class IslandStepper {
  public:
    IslandStepper(const Model& model, State& state, std::size_t index, StepWorkspace& ws, StepReport& report,
                  Clock::time_point deadline)
        : model_(model),
          island_(active(model, state, index, ws)),
          index_(index),
          control_(state.islands[index]),
          state_(state),
          ws_(ws),
          report_(report),
          deadline_(deadline) {}

    /// From the state's time to the end of the frame.
    void run() {
        if (control_.failed_body >= 0) return;
        drop_idle_loads();
        gather(island_, state_, ws_.start);
        if (const int bad = find_not_finite(island_, ws_.start); bad >= 0) return fail(bad);
        if (model_.simulation.scheme == Scheme::exact && control_.h_last == 0) fit_velocities();
        const SimulationSpec& s = model_.simulation;
        const std::int64_t base_level = level_of(island_.max_step, 20);  // springs set the pace, whatever min_dt says
        const std::int64_t max_level = std::max(base_level, level_of(s.min_dt, max_halvings));
        control_.level = budgeted() ? base_level : std::max(control_.level, base_level);
        take_hands();
        // Place within the frame: `done` steps of dt/2^level.
        std::int64_t done = 0;
        while (done < (std::int64_t{1} << control_.level)) {
            const double scale = std::ldexp(1.0, -static_cast<int>(control_.level));
            const double h = s.dt * scale;
            const double t0 = state_.time + s.dt * (static_cast<double>(done) * scale);
            const double t1 = state_.time + s.dt * (static_cast<double>(done + 1) * scale);
            close_at_once(t1);
            const std::int64_t last_resort = trying_ ? control_.level : std::min(base_level + few_halvings, max_level);
            const bool hurried = in_a_hurry();  // it will not be tried again, unless there is no number to go on with
            const Verdict verdict =
                attempt(t0, t1, h, control_.level == max_level || hurried, control_.level >= last_resort);
            if (torn(verdict, control_.level >= last_resort)) {
                ++report_.rejected;
                control_.giving = std::max<std::int64_t>(control_.giving, 1);
                give_way_ = true;
                trying_ = false;
                continue;
            }
            const bool may_not_help = verdict == Verdict::gains_energy || verdict == Verdict::not_converged;
            const bool late = hurried && verdict != Verdict::not_finite;
            const std::int64_t deepest = late ? control_.level : may_not_help ? last_resort : max_level;
            if (verdict != Verdict::clean && control_.level < deepest) {
                ++report_.rejected;
                ++control_.level;
                done *= 2;
                control_.clean_steps = 0;
                continue;  // ws_.start is untouched: the step never happened
            }
            if (verdict == Verdict::not_finite) return fail(find_not_finite(island_, ws_.now));
            if (verdict == Verdict::too_large) {
                ++report_.forced;
                limit_spins(h, s.max_rotation);
            }
            const bool still =
                !late && verdict == Verdict::gains_energy && !(correction_.converged && correction_.balanced);
            if (may_not_help) ++report_.forced;
            if (still) stand_still();
            if (late || correction_.hurried) take_out_gain(model_, island_, ws_.free, ws_.now, t1);
            if (correction_.contradictory) debt_ = take_out_gain(model_, island_, ws_.free, ws_.now, t1, control_.debt);
            accept(h);
            if (trying_) {
                trying_ = false;
                control_.giving = 0;
            }
            if (still) {  // for the rest of the frame
                control_.level = base_level;
                break;
            }
            ++done;
            if (control_.level > base_level && control_.clean_steps >= grow_after && done % 2 == 0) {
                --control_.level;
                done /= 2;
                control_.clean_steps = 0;
            }
        }
        scatter(island_, ws_.start, state_);
    }

  private:
    /// Whether there are hands in this frame, and whether those that give way should try to hold again.
    void take_hands() {
        hands_ = false;
        for (const Island::LocalJoint& j : island_.joints)
            hands_ = hands_ || is_hand(model_.joints[idx(j.joint)], state_.time + model_.simulation.dt);
        hands_ = hands_ && !takes_any_step(ws_.solver);  // that solver has hands of its own
        if (!hands_) control_.giving = 0;
        trying_ = control_.giving > 0 && control_.giving % frames_between_trials == 0;
        give_way_ = control_.giving > 0 && !trying_;
        if (control_.giving > 0) ++control_.giving;
    }

    /// The hands lead where the joints cannot follow.
    bool torn(Verdict verdict, bool last_resort) const {
        if (!hands_ || give_way_ || !corrected_ || verdict == Verdict::not_finite) return false;
        if (verdict != Verdict::clean) return last_resort;
        return !correction_.converged;
    }

    /// The procedural solver makes its structure anew whenever a joint begins or ends, and knows islands by their index.
    static const Island& active(const Model& model, const State& state, std::size_t index, StepWorkspace& ws) {
        if (takes_any_step(ws.solver)) return model.islands[index];
        const double dt = model.simulation.dt;
        return ws.islands.of(model, index, just_after(state.time, dt), state.time + dt);
    }

    /// A drag that is over carries nothing.
    void drop_idle_loads() {
        const std::vector<Island::LocalJoint>& all = model_.islands[index_].joints;
        if (all.size() == island_.joints.size()) return;
        for (const Island::LocalJoint& j : all)
            if (model_.joints[static_cast<std::size_t>(j.joint)].drag)
                state_.loads[static_cast<std::size_t>(j.joint)] = {};
    }

    /// The level whose steps are not longer than `step`, but at most `most`.
    std::int64_t level_of(double step, std::int64_t most) const {
        std::int64_t level = 0;
        while (level < most && std::ldexp(model_.simulation.dt, -static_cast<int>(level)) > step) ++level;
        return level;
    }

    /// One step from ws.start to ws.now; nothing else is changed.
    Verdict attempt(double t0, double t1, double h, bool shortest, bool last_resort) {
        const SimulationSpec& s = model_.simulation;
        const SchemeInfo& scheme = scheme_info(s.scheme);
        const auto begin = Clock::now();
        corrected_ = false;

        if (scheme.forces_at_midpoint) {
            const bool places_matter = !island_.forces.empty() || !island_.torques.empty() || !island_.springs.empty();
            if (places_matter) drift(0.5 * h, 0.5 * (t0 + t1));
            const LocalBodies& at = places_matter ? ws_.drifted : ws_.start;
            evaluate_forces(model_, island_, 0.5 * (t0 + t1), h, at.x, at.q, ws_.start, ws_.forces);
        } else {
            const double push = push_time(s.scheme, h, control_.h_last);
            evaluate_forces(model_, island_, t0, push, ws_.start.x, ws_.start.q, ws_.start, ws_.forces);
        }
        const auto forces_done = Clock::now();

        ws_.now = ws_.start;
        move_freely(model_, island_, h, control_.h_last, ws_.start, ws_.forces, ws_.now);
        place_kinematic(model_, island_, t1, ws_.now);
        if (find_not_finite(island_, ws_.now) >= 0) return Verdict::not_finite;
        const bool any_step = takes_any_step(ws_.solver);
        bool too_large = !any_step && largest_turn(ws_.start, ws_.now, h) > s.max_rotation;
        ws_.free = ws_.now;
        const auto free_done = Clock::now();
        // A step that will be undone anyway need not be corrected, unless it is already the shortest.
        if (too_large && !shortest) {
            add_times({begin, forces_done, free_done, free_done, free_done});
            return Verdict::too_large;
        }

        const bool closing = closing_ = begin_joints(t1);
        collect_laws(model_, island_, t0, t1, correction_rate(s, !closing), ws_.start, ws_.free, state_.freedoms,
                     ws_.laws, give_way_);
        collect_contacts(model_, island_, h, ws_.start, ws_.free, state_.contacts[index_], ws_.contacts);
        CorrectionProblem problem{model_,       island_,      t1,           ws_.now.x,
                                  ws_.now.q,    &ws_.start.x, &ws_.start.q, ws_.moved,
                                  ws_.impulses, s.tolerance,  s.iterations, scheme.impulses_at_midpoint};
        const ExactStep exact{h, ws_.start.w, ws_.forces.torque};
        if (s.scheme == Scheme::exact) problem.exact = &exact;
        problem.laws = &ws_.laws.rows;
        problem.soft_points = &ws_.laws.soft;
        problem.contacts = &ws_.contacts.rows;
        problem.slack = closing ? &ws_.slack : nullptr;
        problem.hands_give_way = give_way_;
        problem.last_try = last_resort && (!hands_ || give_way_);
        problem.expected = expected_impulses(h);
        if (budgeted()) problem.time_left = std::max(seconds(free_done, deadline_), 1e-9);
        correction_ = correct(ws_.solver, problem);
        corrected_ = true;
        const auto correction_done = Clock::now();

        velocities_from_correction(model_, island_, h, {ws_.start, ws_.free, ws_.moved, rate()}, ws_.now);
        work_ = law_work(h, rate(), ws_.laws, ws_.start, ws_.now);
        hit_ = !any_step && resolve_impacts({model_, island_, t1, h, rate(), ws_.start, ws_.laws, ws_.contacts,
                                             ws_.slack, ws_.begun, give_way_},
                                            ws_.now, ws_.impacts);
        if (!any_step && ws_.impacts.project) project_after_impact(t1);
        drawn_in_ = closing ? closing_work(t0, h) : 0;
        if (give_way_) work_.springs += hand_work(model_, island_, ws_.laws, rate() / (h * h), ws_.start, ws_.now);
        const double work = work_.springs + work_.motors + drawn_in_;
        const bool sound =
            correction_.converged && correction_.balanced && !correction_.restless && !correction_.hurried;
        const EnergyLimit limit = limit_energy(model_, island_, sound, ws_.free, ws_.now, t1, work, control_.debt,
                                               control_.liveliness, give_way_);
        impulse_share_ = limit.share;
        debt_ = std::max(0.0, control_.debt + limit.gain);
        // Forgotten within some seconds.
        liveliness_ = std::max(limit.kinetic, control_.liveliness * (1 - std::min(0.2 * h, 1.0)));
        const auto velocities_done = Clock::now();
        add_times({begin, forces_done, free_done, correction_done, velocities_done});
        if (budgeted()) remember_cost(seconds(begin, velocities_done));
        if (find_not_finite(island_, ws_.now) >= 0) return Verdict::not_finite;
        if (any_step) limit_spins(h, pi);
        if (too_large || (!any_step && correction_too_large())) return Verdict::too_large;
        if (correction_.restless) return Verdict::not_converged;
        if (s.scheme == Scheme::exact) return Verdict::clean;  // it cannot gain
        if (correction_.contradictory) return Verdict::clean;  // it may, at any length: see run()
        // The other schemes know their velocities at other instants than their places: what looks like a gain may be none.
        const bool telling = s.scheme == Scheme::newton;
        const bool gains = limit.gain > (sound ? 0.3 : 0.01) * limit.allowed && debt_ > limit.allowed;
        return telling && gains ? Verdict::gains_energy : Verdict::clean;
    }

    /// What the joints carried in the step before, as impulses of this one.
    const std::vector<JointLoad>* expected_impulses(double h) {
        const double impulse_of = h * h / correction_rate(model_.simulation, true);
        ws_.expected.resize(island_.joints.size());
        for (std::size_t k = 0; k < island_.joints.size(); ++k) {
            const JointLoad& load = state_.loads[joint_of(k)];
            ws_.expected[k] = {impulse_of * load.force, impulse_of * load.torque};
        }
        return &ws_.expected;
    }

    bool budgeted() const { return model_.simulation.linearized.budget > 0; }
    static double seconds(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }
    /// A frame that was given a time: what is left of it is not enough to undo a step and make two in its place.
    bool in_a_hurry() const {
        return budgeted() &&
               seconds(Clock::now(), deadline_) < 3 * ws_.step_seconds * static_cast<double>(size_of(island_));
    }

    /// What a step costs per solid and joint, or did lately: one slow step must not make the next hundred hasty.
    void remember_cost(double took) {
        const double cost = took / static_cast<double>(size_of(island_));
        ws_.step_seconds = cost > ws_.step_seconds ? cost : 0.9 * ws_.step_seconds + 0.1 * cost;
    }

    std::size_t joint_of(std::size_t k) const { return static_cast<std::size_t>(island_.joints[k].joint); }

    double violation_at(const LocalBodies& at, std::size_t k) const {
        const Island::LocalJoint& local = island_.joints[k];
        double worst = 0;
        for (const Part& part : model_.joints[joint_of(k)].parts)
            worst = std::max(worst, violation(part, placement_of(at, local.body1), placement_of(at, local.body2)));
        return worst;
    }

    /// Fills in which joints begin to hold in the step that ends at t1 and how far they may be out of place by then.
    /// True when any may be.
    bool begin_joints(double t1) {
        ws_.slack.assign(island_.joints.size(), 0);
        ws_.slack0.assign(island_.joints.size(), 0);
        ws_.begun.assign(island_.joints.size(), 0);
        bool any = false;
        for (std::size_t k = 0; k < island_.joints.size(); ++k) {
            const Joint& j = model_.joints[joint_of(k)];
            ws_.slack0[k] = state_.slack[joint_of(k)];
            if (ws_.slack0[k] == 0 || !j.valid_at(t1)) continue;
            if (ws_.slack0[k] < 0) {
                ws_.begun[k] = 1;
                ws_.slack0[k] = j.soft ? 0 : std::max(violation_at(ws_.start, k) - model_.simulation.tolerance, 0.0);
            }
            ws_.slack[k] = allowed_slack(j, ws_.slack0[k], t1);
            // From the instant at which nothing is left to draw in, the joint is one like the others.
            if (ws_.slack[k] <= 0) {
                ws_.begun[k] = 1;
                ws_.slack0[k] = 0;
            }
            any = any || ws_.slack[k] > 0;
        }
        return any;
    }

    /// Force times shortening, of the constraints that are being drawn in.
    double closing_work(double t0, double h) const {
        double work = 0;
        for (std::size_t k = 0; k < island_.joints.size(); ++k) {
            const double shorter = allowed_slack(model_.joints[joint_of(k)], ws_.slack0[k], t0) - ws_.slack[k];
            work += (norm(ws_.impulses[k].force) + norm(ws_.impulses[k].torque)) * std::max(shorter, 0.0);
        }
        return rate() / (h * h) * work;
    }

    /// Constraints that begin to hold at once move their solids as assembly does, with the velocities as they are.
    void close_at_once(double t1) {
        bool any = false;
        for (std::size_t k = 0; k < island_.joints.size(); ++k) {
            const Joint& j = model_.joints[joint_of(k)];
            any = any || (state_.slack[joint_of(k)] < 0 && j.valid_at(t1) && j.closing == 0 && !j.soft &&
                          violation_at(ws_.start, k) > model_.simulation.tolerance);
        }
        if (!any) return;
        const SimulationSpec& s = model_.simulation;
        CorrectionProblem problem{model_,  island_,   t1,           ws_.start.x, ws_.start.q,          nullptr,
                                  nullptr, ws_.moved, ws_.impulses, s.tolerance, s.assembly_iterations};
        collect_hard_laws(model_, island_, t1, ws_.start, state_.freedoms, ws_.laws);
        problem.laws = &ws_.laws.rows;
        correct(ws_.solver, problem);
    }

    /// The rule of `exact` keeps what a joint forbids and turns it round each step: it must not be there at the start.
    void fit_velocities() {
        place_kinematic(model_, island_, state_.time, ws_.start);
        CorrectionProblem problem{model_,  island_, state_.time, ws_.start.x,  ws_.start.q,
                                  nullptr, nullptr, ws_.moved,   ws_.impulses, model_.simulation.tolerance,
                                  1};
        collect_hard_laws(model_, island_, state_.time, ws_.start, state_.freedoms, ws_.laws);
        problem.laws = &ws_.laws.rows;
        project_velocities(ws_.solver, problem, ws_.start.v, ws_.start.w);
    }

    /// What was stopped by a limit leaves with the speed that it should, and all joints agree with that.
    void project_after_impact(double t1) {
        Impacts& room = ws_.impacts;
        CorrectionProblem problem{model_,  island_, t1,         ws_.now.x,     ws_.now.q,
                                  nullptr, nullptr, room.moved, room.impulses, model_.simulation.tolerance,
                                  1};
        problem.laws = &ws_.laws.rows;
        problem.slack = closing_ ? &ws_.slack : nullptr;
        problem.hands_give_way = give_way_;
        project_velocities(ws_.solver, problem, ws_.now.v, ws_.now.w, &room.speeds);
    }

    /// Half-way with the old velocities, where the newton scheme looks at its forces.
    void drift(double h, double t) {
        ws_.drifted = ws_.start;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            ws_.drifted.x[i] += h * ws_.start.v[i];
            if (ws_.start.w[i] != Vec3{}) ws_.drifted.q[i] = turned(ws_.start.q[i], h * ws_.start.w[i]);
        }
        place_kinematic(model_, island_, t, ws_.drifted);
    }

    double largest_turn(const LocalBodies& a, const LocalBodies& b, double h) const {
        double w2 = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i)
            w2 = std::max({w2, norm2(a.w[i]), norm2(b.w[i])});
        return h * std::sqrt(w2);
    }

    /// At the shortest step a jointed body that still turns too far is slowed to what the step can follow: a turn of
    /// several radians per step is noise, and the joints would turn noise into energy. Reported as forced.
    void limit_spins(double h, double most_turn) {
        if (island_.joints.empty() && most_turn < pi) return;
        const double most = most_turn / h;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            const double w = norm(ws_.now.w[i]);
            if (w > most) ws_.now.w[i] *= most / w;
        }
    }

    /// A correction that did not arrive and made energy at any length of the step: the step is not made.
    void stand_still() {
        debt_ = std::max(0.0, control_.debt - kinetic_energy(model_, island_, ws_.start));
        work_ = {};  // nothing moved: motors did nothing
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            ws_.now.x[i] = ws_.start.x[i];
            ws_.now.q[i] = ws_.start.q[i];
            ws_.now.v[i] = ws_.now.w[i] = {};
        }
    }

    bool correction_too_large() const {
        const SimulationSpec& s = model_.simulation;
        const double reach = s.max_correction * island_.size, most = std::sin(0.5 * s.max_rotation);
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            if (norm2(ws_.now.x[i] - ws_.free.x[i]) > reach * reach) return true;
            // |sin(θ/2)| of the correction against that of the limit: no need for the angle itself.
            if (norm2((ws_.now.q[i] * conjugate(ws_.free.q[i])).vec()) > most * most) return true;
        }
        return false;
    }

    /// Drawing in is followed cautiously too: the rule of the joints would throw what is being drawn.
    double rate() const {
        return correction_rate(model_.simulation,
                               correction_.converged && !correction_.restless && !correction_.hurried && !closing_);
    }

    void accept(double h) {
        std::swap(ws_.start, ws_.now);
        if (give_way_) add_hand_pulls();
        // stormer moves by h·(h + h_last)/2 under a constant force, the others by h² divided by their rate.
        const bool stormer = model_.simulation.scheme == Scheme::stormer;
        const double per_impulse = impulse_share_ * (stormer ? 2 / (h * (h + control_.h_last)) : rate() / (h * h));
        control_.h_last = h;
        ++control_.clean_steps;
        for (std::size_t k = 0; k < island_.joints.size(); ++k)
            state_.loads[static_cast<std::size_t>(island_.joints[k].joint)] = {per_impulse * ws_.impulses[k].force,
                                                                               per_impulse * ws_.impulses[k].torque};
        const double joint_rate = rate();
        measure_law_forces(model_, island_, h, joint_rate, ws_.laws, state_.freedoms);
        remember_contacts(ws_.contacts, impulse_share_ * joint_rate / (h * h), state_.contacts[index_]);
        for (std::size_t k = 0; k < island_.joints.size(); ++k) {
            const Island::LocalJoint& local = island_.joints[k];
            const Joint& joint = model_.joints[joint_of(k)];
            state_.slack[joint_of(k)] = ws_.slack0[k];
            if (joint.freedoms.empty()) continue;
            const auto moving = [&](int l) {
                return Moving{placement_of(ws_.start, l), ws_.start.v[idx(l)], ws_.start.w[idx(l)]};
            };
            measure_freedoms(model_, joint, moving(local.body1), moving(local.body2), state_.freedoms);
        }
        report_.motor_work += work_.motors;
        if (hit_) ++report_.hits;
        control_.debt = debt_;
        control_.liveliness = liveliness_;
        if (closing_) report_.closing_work += std::max(0.0, energy(ws_.start) - energy(ws_.now));  // swapped
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

    /// What a hand is away from where it is led is what could not be met.
    void add_hand_errors() {
        for (std::size_t k = 0; k < island_.joints.size(); ++k) {
            if (!model_.joints[joint_of(k)].drag) continue;
            const double away = violation_at(ws_.start, k);
            correction_.converged = correction_.converged && away <= model_.simulation.tolerance;
            if (!(away > correction_.worst_error)) continue;
            correction_.worst_error = away;
            correction_.worst_joint = island_.joints[k].joint;
        }
    }
    void add_hand_pulls() {
        for (const SoftPoint& pull : ws_.laws.soft) {
            const auto k = static_cast<std::size_t>(pull.joint);
            if (model_.joints[joint_of(k)].drag) ws_.impulses[k].force = pull.impulse;
        }
    }

    /// Kinetic and that of gravity and springs.
    double energy(const LocalBodies& at) const {
        return kinetic_energy(model_, island_, at) + potential_energy(model_, island_, at);
    }

    /// The island stands still from here, with its last finite numbers; a body that came in without any is put back
    /// where the scene began.
    void fail(int local) {
        const BodyId culprit = island_.bodies[static_cast<std::size_t>(local)];
        control_.failed_body = culprit;
        if (report_.failed_body < 0) report_.failed_body = culprit;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island_.dynamic_count); ++i) {
            const BodyId id = island_.bodies[i];
            const Body& b = model_.bodies[static_cast<std::size_t>(id)];
            if (!is_finite(ws_.start.x[i]) || !is_finite(ws_.start.q[i])) {
                ws_.start.q[i] = b.pose_WB.q;
                ws_.start.x[i] = b.pose_WB * b.centre_B;
            }
            ws_.start.v[i] = ws_.start.w[i] = {};
        }
        for (const Island::LocalJoint& j : island_.joints) state_.loads[static_cast<std::size_t>(j.joint)] = {};
        state_.contacts[index_].clear();
        scatter(island_, ws_.start, state_);
    }

    void add_times(const std::array<Clock::time_point, 5>& at) {
        for (std::size_t i = 0; i < 4; ++i)
            report_.seconds[i] += std::chrono::duration<double>(at[i + 1] - at[i]).count();
    }

    const Model& model_;
    const Island& island_;
    std::size_t index_;
    IslandState& control_;
    State& state_;
    StepWorkspace& ws_;
    StepReport& report_;
    Clock::time_point deadline_;  ///< when there is a budget
    CorrectionReport correction_;
    LawWork work_;
    bool corrected_ = false;  ///< in this attempt; a free motion that is too large is undone before
    bool hit_ = false, closing_ = false;
    bool hands_ = false, give_way_ = false;            ///< there are hands that lead; they pull instead of holding
    bool trying_ = false;                              ///< to hold again
    double drawn_in_ = 0, debt_ = 0, liveliness_ = 0;  // J
    double impulse_share_ = 1;  ///< of the impulses that reached the velocities, see energy_limit.h
};

}  // namespace

void step_island(const Model& model, State& state, std::size_t index, StepWorkspace& workspace, StepReport& report,
                 std::chrono::steady_clock::time_point deadline) {
    IslandStepper(model, state, index, workspace, report, deadline).run();
}

}  // namespace armature

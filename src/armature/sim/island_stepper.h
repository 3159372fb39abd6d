// How one island is taken through a frame (island_step.h): its parts are in island_step.cpp, which steps are made and which
// are undone; island_attempt.cpp, one step and its verdict; island_accept.cpp, what is kept of one.
#pragma once

#include <chrono>
#include <optional>

#include "armature/sim/energy_limit.h"
#include "armature/sim/free_motion.h"
#include "armature/sim/giving_hands.h"
#include "armature/sim/step.h"

namespace armature {

class IslandStepper {
  public:
    using Clock = std::chrono::steady_clock;

    IslandStepper(const Model& model, State& state, std::size_t index, Solver& solver, IslandRoom& room,
                  StepReport& report, Clock::time_point deadline);
    // A problem that was handed out points into it.
    IslandStepper(const IslandStepper&) = delete;
    IslandStepper& operator=(const IslandStepper&) = delete;

    /// From the state's time to the end of the frame.
    void run();

    // The same piece by piece, for who corrects several islands at once. After begin(), as long as next() gives something to
    // correct: conclude().
    void begin();
    /// Null: the frame is over, and the state has what became of the island.
    CorrectionProblem* next();
    /// `done`: when the correction was, which took `took` seconds of this island's time.
    void conclude(const CorrectionReport& correction, Clock::time_point done, double took);

  private:
    enum class Verdict { clean, gains_energy, not_converged, too_large, not_finite };

    // Which steps.
    void settle(Verdict verdict);
    void take_hands();
    bool torn(Verdict verdict, bool last_resort) const;
    void drop_idle_loads();
    std::int64_t level_of(double step, std::int64_t most) const;
    bool in_a_hurry() const;
    void close_at_once(double t1);
    void fit_velocities();

    // One step, from room.start to room.now; nothing else is changed. What makes it ready to be corrected, or finds that it need
    // not be; and the verdict when it was.
    std::optional<Verdict> prepare();
    Verdict judge(Clock::time_point correction_done);
    void set_problem(bool closing);
    const LocalForces* forces(double t0, double t1, double h);
    void drift(double h, double t);
    void copy_kinematic(double t1);
    const std::vector<JointLoad>* expected_impulses(double h);
    void project_after_impact(double t1);
    bool too_far(const StepChange& change) const;
    void limit_spins(double h, double most_turn);
    void stand_still();
    double rate() const;
    void remember_cost(double took);
    void add_time(Stage stage, double took) { report_.seconds[static_cast<std::size_t>(stage)] += took; }

    // What is kept.
    void accept(double h);
    void keep_loads(double per_impulse);
    void measure_moving_freedoms();
    void add_hand_errors();
    void add_hand_pulls();
    double energy(const LocalBodies& at) const;
    void fail(int local);

    bool budgeted() const { return model_.simulation.linearized.budget > 0; }
    std::size_t joint_of(std::size_t k) const { return idx(island_.joints[k].joint); }
    static double seconds(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }

    const Model& model_;
    const Island& island_;
    std::size_t index_;
    IslandState& control_;
    State& state_;
    Solver& solver_;
    IslandRoom& room_;
    StepReport& report_;
    Clock::time_point deadline_;  ///< when there is a budget

    // Place within the frame: `done_` steps of dt/2^level.
    std::int64_t done_ = 0, base_level_ = 0, max_level_ = 0;
    bool over_ = false;
    struct Trial {
        double t0, t1, h;
        bool shortest, last_resort, hurried;
        bool too_large;  ///< its free motion is
        Clock::time_point begin, free_done;
    } trial_{};
    std::optional<ExactStep> exact_;
    std::optional<CorrectionProblem> problem_;

    CorrectionReport correction_;
    LawWork work_;
    bool corrected_ = false;  ///< in this attempt; a free motion that is too large is undone before
    bool hit_ = false, closing_ = false;
    bool hands_ = false, give_way_ = false;            ///< there are hands that lead; they pull instead of holding
    bool trying_ = false;                              ///< to hold again
    int not_finite_ = -1;                              ///< the body that is not, after such a verdict
    double drawn_in_ = 0, debt_ = 0, liveliness_ = 0;  // J
    double impulse_share_ = 1;  ///< of the impulses that reached the velocities, see energy_limit.h
};

}  // namespace armature

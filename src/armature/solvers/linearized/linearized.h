// Linearized constraints [Faure 1998]: all joints of an island are made to hold at once, by Newton's method on the
// displacement impulses λ. With C the errors of the rows (model/joint_parts.h), J the rows and x the placements,
//   (J W J̄ᵀ + E + R) Δλ = −C − E λ − J W g,    x ← x ⊕ W (J̄ᵀ Δλ + g),    λ ← λ + Δλ,
// until the errors are three millionths of the tolerance or nothing gains any more. E: compliances of springs and soft
// constraints (contract.h). In a step J̄, how rows push, is of half-way and J, how they read, of the end (rows.h); W is how
// the bodies answer, the stiffness of moving lever arms included, and g what J̄ᵀλ is beyond what the placement belongs to
// (response.h). Without a step J̄ = J, g = 0, and W is that of round bodies. docs/solvers/linearized.md says why.
//
// Far from holding (assembly) Newton's way is taken with Levenberg's care: an iteration that made the sum of the squared
// errors grow is undone and R grows fourfold, otherwise R shrinks. The same is the last resort of a step in which Newton's
// method finds no motion: its joints hold, its angular momentum is not kept.
//
// R, a 1e-10 of the diagonal, makes redundant rows share what they carry and contradictory ones end in a least-squares
// compromise, both to round-off after a few iterations: an error along a row of weight σ shrinks by R/(σ + R) each time.
//
// Bounds low ≤ λ ≤ high (limits, domains with an inside, motors) by an active set: a row takes part unless it is at a bound
// with its error pushing it there; what would leave its bounds is put on them, what would be passed by the motion takes part, and
// all is solved again.
//
// The system has one block per joint, all its rows; two are coupled when they share a solid that can move (block_factor.h).
// A turn beyond 0.8 rad in one iteration shortens all of it.
//
// Islands of ball joints and pins alone take the way of bilateral.h first, those of pins in one plane that of planar.h before, and
// this one when they do not arrive.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/linearized/bilateral.h"
#include "armature/solvers/linearized/direct.h"
#include "armature/solvers/linearized/gradients.h"
#include "armature/solvers/linearized/lockstep/equals.h"
#include "armature/solvers/linearized/planar/planar.h"
#include "armature/solvers/linearized/time_budget.h"
#include "armature/solvers/linearized/tree_closing.h"

namespace armature {

/// Of a law, after a step in which something came to a limit.
struct LawSpeed {
    bool counts = false;  ///< it is a limit that pushed, or a thread
    double target = 0;    ///< m/s or rad/s along +C, what it is to leave with at least; a thread: exactly
    double given = 0;     ///< kg m/s or kg m² rad/s along +C, that it has given already and may take back
};

class LinearizedSolver {
  public:
    static constexpr const char* name = "linearized";
    static constexpr const char* summary =
        "linearized constraints (Faure 1998): Newton's method with a sparse factorisation, joints to round-off";
    static constexpr int restarts = 12;  ///< of an assembly that does not arrive
    static std::vector<std::string> refusals(const Model& model);

    explicit LinearizedSolver(const LinearizedSpec& settings = {}) : settings_(settings) {}

    CorrectionReport correct(CorrectionProblem& problem);
    /// Sets of islands that are better corrected together (lockstep/equals.h), by their index: a function of the model.
    const std::vector<std::vector<std::size_t>>& equal_islands(const Model& model);
    /// Steps of islands of one such set, up to eight; each as if it were alone.
    void correct_together(std::span<CorrectionProblem* const> problems, std::span<CorrectionReport> reports);
    /// Velocities that the joints allow where they are:  v ← v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J v.
    /// With `speeds`, one for each law of the problem, those that count take part.
    void project(CorrectionProblem& problem, std::vector<Vec3>& v, std::vector<Vec3>& w,
                 const std::vector<LawSpeed>* speeds = nullptr);

  private:
    void begin(CorrectionProblem& problem);
    /// Δλ of all rows within their bounds, by an active set.
    void solve();
    /// Marks the rows at their bounds that Δλ would leave on the wrong side of them. True when there are any.
    bool will_be_passed();
    /// Δλ of the active rows, those of the others given.
    void solve_active();
    bool gradients_in_use();
    bool gradients_pay(double direct_cost) const;
    /// For joints that planar.h or bilateral.h know; false when the long way is to be taken (short_ways.cpp).
    bool goes_a_short_way(CorrectionProblem& problem, CorrectionReport& report);
    /// What was stopped is closed by close().
    template <class Newton, class Close>
    bool goes(Newton& newton, CorrectionProblem& problem, CorrectionReport& report, Close&& close);
    template <class Close>
    void tell(const TiedResult& result, CorrectionProblem& problem, CorrectionReport& report, Close&& close);
    void apply();
    /// Sums λ over the bodies into move_ (as ways) and turn_ (as torques).
    void sum_up();
    void balance();
    void start_from_imbalance();
    double inv_inertia_bound(int body) const;
    void sum_impulses();
    /// Goes back to the best placement when this one is worse, and damps; keeps it otherwise.
    bool worse();
    /// Newton's method from where things are; true when it arrived. Counts the iterations it made.
    bool iterate(TimeBudget& budget, int most, int patience, int& made);
    /// A bound that is passed and not pushed back: what would push it makes it worse, in so long a step.
    bool pushes_the_wrong_way() const;
    /// Every joint that must hold did so, within the tolerance, where the step began.
    bool held_at_start() const;
    /// Newton's method found no motion: the joints are closed all the same, or found to contradict each other. Gives the most
    /// iterations it would have made.
    int settle_for_less(TimeBudget& budget, bool held, CorrectionReport& report);
    void hand_out();
    void push(const SystemRow& r, int body1, int body2, double lambda);
    double along(const SystemRow& r, int body1, int body2) const;
    double inv_mass(int body) const { return problem_->body(body).inv_mass; }
    bool moves(int body) const { return body < problem_->island.dynamic_count; }
    /// act(row, its joint, local index of the joint) for all rows.
    template <class Act>
    void each_row(Act&& act);
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }

    LinearizedSpec settings_;
    PlanarNewton planar_;
    BilateralNewton bilateral_;
    EqualIslands equals_;
    DirectSystem direct_;
    ConjugateGradients conjugate_;
    TreeClosing closing_;
    // Of the problem at hand.
    CorrectionProblem* problem_ = nullptr;
    BodyResponse response_;
    SystemRows system_;
    std::vector<Vec3> move_, turn_;  ///< per body
    PackedSystem packed_;
    std::vector<double> unknown_;
    std::vector<Vec3> left_move_, left_torque_;  ///< per body: what the rows ask beyond the present placement
    double change_ = 0;                          ///< m or rad, of that
    double moved_by_ = 0;                        ///< m or rad, the last iteration
    bool gradients_ = false, plain_ = false, out_of_time_ = false;
    double damping_ = 0;
    struct Kept {
        double merit = 0;
        std::vector<Vec3> x;
        std::vector<Quat> q;
        std::vector<Vec3> moved;
        std::vector<JointLoad> impulses;
        std::vector<double> lambda;
    } kept_;  ///< the best so far, without a step
};

static_assert(Corrector<LinearizedSolver>);

}  // namespace armature

// Newton's method of linearized.h written out for islands whose joints are ball joints and pins that always hold and along
// which nothing acts: what most structures are made of, and several times as fast as rows of any kind.
//
// Bodies turn by a vector θ in world axes from a reference: from where free motion ended, or by the rule of `exact` from the
// start (θ = Θ of math/exact_turn.h, seen from the world). Everything follows from θ:
//   arms     r1 = Rot(θ) r,                     r̄ = ½(r0 + r1)  where impulses act half-way
//   torque   T(θ) = J θ                         exact: Rot(θ) J(θ − w) − G
//   slope    K = ∂T/∂φ = J D⁻¹                  exact: Rot(θ) J D⁻¹ − [Rot(θ) J(θ − w)],     dφ = D dθ a turn at the end
//   answer   W = (K + S)⁻¹                      S the stiffness of moving arms (response.h)
//
// The system has a node of three rows for each point, and one for the axis of each pin, whose third row is idle:
//   point    C = x1 + r1 − x2 − r2              pushes P = ±λ, T = ±r̄ × λ
//   axis     C = (a·t, a·s, 0)                  pushes T = ±(ā × t̄, ā × s̄) λ;  a the axis in solid 1, t and s across it in solid 2
// The rows of an axis are exact differences over the step with the means ā, t̄ too: a pin does no work.
//
// Where many joints meet at a body, each is coupled with each of the others through it. Such a body, a hub, is not eliminated
// beforehand but stays in the system with two nodes of its own, and is coupled with its joints alone:
//   move     u − m⁻¹ Σ ±δλ = m⁻¹ P − moved      turn     φ − W Σ ±r̄ × δλ = W (T − T(θ))        rows  … ± (u + φ × r1) …
// A joint whose other side is a hub too, or does not move, has no diagonal of its own: it comes after one of its hubs.
#pragma once

#include <memory>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/linearized/coupled_system.h"
#include "armature/solvers/linearized/newton_progress.h"
#include "armature/solvers/linearized/tied_plan.h"

namespace armature {

struct Lockstep;

/// What of an island does not change.
struct BilateralPlan : TiedPlan<CoupledSystem> {
    /// Body axes.
    struct alignas(32) Shape {
        four::V p1, p2;   ///< of a point: arms
        four::V a, t, s;  ///< of an axis
    };
    struct alignas(32) BodyConstants {
        double inv_mass;
        double most_turn2;  ///< square of the most that a unit of torque can turn it
        four::M inertia;    ///< body axes
        bool particle;
    };

    std::vector<BodyConstants> bodies;
    std::vector<Shape> shapes;           ///< of the nodes
    std::shared_ptr<Lockstep> lockstep;  ///< null where nothing repeats (lockstep/lockstep.h)
};

/// What of the problem's island does not change, or that it does not fit (bilateral_plan.cpp).
void make_plan(const CorrectionProblem& problem, BilateralPlan& plan);
/// Of that only bodies, nodes and their shapes.
void add_bodies_and_nodes(const Model& model, const Island& island, BilateralPlan& plan);

/// It is a step, in which there is nothing but joints to balance.
bool only_joints(const CorrectionProblem& problem);

/// The numbers of one step.
struct BilateralNumbers {
    struct alignas(32) BodyStart {
        four::M inertia;  ///< J, world axes
        four::V x_free, w, G;
    };
    struct alignas(32) BodyNow {
        four::V x, moved, theta;
        four::V theta_before;  ///< the last iteration
        four::V P, T;          ///< sums over the joints
        four::M W;             ///< while they are summed, S without its multiple of 1
        four::V move, turn;    ///< to where the impulses belong
        double c1, c2;         ///< Rot(θ) r = r + c1 θ×r + c2 θ×(θ×r)
        double stretch;        ///< that multiple
    };
    struct alignas(32) Arm {
        four::V reference, start;
    };
    /// Of a point: its arm, as it reads and as it pushes. Of an axis: a × t on the side of solid 1, a × s on the other.
    struct alignas(32) ArmNow {
        four::V now, middle;
    };
    struct Axis {
        Arm a, t, s;
    };
    /// Orientations.
    struct Turns {
        four::M start, reference;
    };

    bool half_way = true, exact = false;
    int dynamic_count = 0;
    std::vector<BodyStart> starts;
    std::vector<BodyNow> bodies;
    std::vector<Turns> turns;
    std::vector<Arm> arms;         ///< per side
    std::vector<ArmNow> arms_now;  ///< per side
    std::vector<Axis> axes;        ///< per node, where there is any
    std::vector<four::Cell> errors, lambdas;
    std::vector<four::Cell> expected;   ///< per node: what the last step says of the impulses
    std::vector<four::Cell> kept_back;  ///< per node: what hubs would add to its diagonal
    double worst2 = 0, moved_by2 = 0, turned_by2 = 0;
    int worst_node = -1;
};

class BilateralNewton {
  public:
    /// Only such joints, and nothing else to balance.
    bool fits(const CorrectionProblem& problem);
    /// After `fits`: the island repeats, and eight parts of it are worked on at once (lockstep/lockstep.h).
    bool in_lockstep() const { return plan_->lockstep != nullptr; }
    /// After `fits`: multiplications of one factorisation, to choose by.
    double cost() const;

    using End = TiedEnd;
    using Result = TiedResult;
    /// After `fits`: until the errors are below `goal`, `most` iterations were made or the time is over. When it is lost the
    /// placements are as they were.
    Result correct(CorrectionProblem& problem, double goal, int most, TimeBudget& budget);

  private:
    void begin(const CorrectionProblem& p, bool warm);
    Result iterate(double goal, int most, TimeBudget& budget);
    void finish(CorrectionProblem& p) const;

    PlansOfIslands<BilateralPlan> plan_;
    BilateralNumbers numbers_;
};

/// The inner loops, for the plain and for the wide machine: bilateral_begin.cpp, bilateral_iterations.cpp.
void begin_plain(const CorrectionProblem& p, const BilateralPlan& plan, BilateralNumbers& n, bool warm);
void begin_wide(const CorrectionProblem& p, const BilateralPlan& plan, BilateralNumbers& n, bool warm);
BilateralNewton::Result iterate_plain(BilateralPlan& plan, BilateralNumbers& n, double goal, int most,
                                      TimeBudget& budget);
BilateralNewton::Result iterate_wide(BilateralPlan& plan, BilateralNumbers& n, double goal, int most,
                                     TimeBudget& budget);

}  // namespace armature

// Newton's method of bilateral.h in the plane, for mechanisms whose pins all have parallel axes and of which one at least is held
// by what does not move: four-bars, scissors, walkers.
//
// A body has two numbers for its place and one, θ, for its turn about the normal n, from the same reference as in bilateral.h. With
// the turns of a body as complex numbers z = e^{iψ}, of its arms p in body axes, and i the quarter turn about n,
//   arms     r1 = z1 p,   r̄ = ½(z0 + z1) p      half-way
//   torque   T(θ) = J θ                         exact: J (θ − w) − G,          J about n
//   slope    K = J                              exact: J (1 + ¼θ²)
//   answer   W = 1/(K + S)
//   pin      C = x1 + r1 − x2 − r2,  pushes P = ±λ, T = ±(i r̄)·λ,  and a turn φ is read as ±φ i r1
// are what is left of the formulas there: two rows for a pin instead of five, and what pins hold twice and more out of the plane
// is not in the system at all.
//
// Motors, springs and dampers that turn a pin are rows C + ε λ = target, C = ±(ψ1 − ψ2) the angle of the pin, with T = ±λ (contract.h).
// A bound that is met, a stop or the most that a motor can give, is left to the rows of any kind.
//
// It is the same motion, because nothing leads out of the plane: what free motion has moved or tilted out of it is looked at in every
// step. What is round-off is put back, or it would add up; more than a tenth of the goal is left to bilateral.h. Only a body of which
// n is no principal axis, a crank with pins on different sides along it, is tilted by its own turning: its torque, a vector, is that of
// bilateral.h for the turn from where free motion has tilted it to back in the plane.
//
// What a force λ at the height z above the centre of a body turns out of the plane is carried by the torques of the pins:
//   Σ ±z n × λ + Σ ±τ = 0  for each body, or what turns it back into the plane.
// As a rule this is more unknowns than equations (each loop holds its bodies twice). The answer given is that of the tree along
// which bodies hang on what is held; where there are no loops it is the only one.
#pragma once

#include <cmath>
#include <vector>

#include "armature/solvers/linearized/block_system.h"
#include "armature/solvers/linearized/newton_progress.h"
#include "armature/solvers/linearized/tied_plan.h"
#include "armature/solvers/linearized/tree_closing.h"
#include "armature/solvers/linearized/two.h"

namespace armature {

using PairSystem = BlockSystem<two::M, two::Cell>;

struct PlanarPlan : TiedPlan<PairSystem> {
    struct BodyConstants {
        double inv_mass = 0, inertia = 0;  ///< about n
        double most_turn2 = 0;             ///< square of the turn by a unit of torque
        Quat turn_BP;                      ///< axes P of the plane, z along n, seen from the body
        double height = 0;                 ///< of its centre of mass along n, m
        bool balanced = true;              ///< n is a principal axis
    };
    /// Of a pin, above the centres of mass of its solids, m.
    struct Heights {
        double at1, at2;
    };
    /// `to` hangs on `from` by the pin `node`; outward from what is held, each after the one that places its `from`.
    struct Stride {
        int from, to, node;
    };

    Quat turn_WP;            ///< the plane seen from the world
    Vec3 e1, e2, normal;     ///< its axes
    bool as_written = true;  ///< all turn_BP and turn_WP are none
    bool level = true;       ///< all heights are zero
    std::vector<BodyConstants> bodies;
    /// Bodies of which n is no principal axis.
    struct Unbalanced {
        int body;
        Mat3 inertia;  ///< in P
    };
    std::vector<Unbalanced> unbalanced;
    std::vector<two::Pair> shapes;  ///< of the nodes: arms at solid 1 and at solid 2, in P
    std::vector<Heights> heights;
    std::vector<Stride> strides;
    std::vector<int> open;  ///< nodes that no stride passes
    /// Pins that something may turn; their nodes follow those of the pins, in this order.
    struct Turned {
        int joint;    ///< local
        double sign;  ///< of the angle: 1 when solid 1 turns about n as it grows
    };
    std::vector<Turned> turned;
    std::vector<int> turned_at;  ///< per joint: index into these, or −1
};

/// Fills in the plan, or finds that the island is not one of the plane (planar/plan.cpp).
void make_plan(const CorrectionProblem& problem, PlanarPlan& plan);

struct PlanarNumbers {
    struct BodyStart {
        two::V x_free, start, reference;  ///< turns as complex numbers
        two::V half;                      ///< half the reference: cos ½ψ and sin ½ψ
        double w, G;
        double turned;  ///< rad, from the start to the reference
    };
    /// Of an unbalanced body, in the axes of the plane.
    struct Wobble {
        Quat free;      ///< where free motion has tilted it
        Mat3 inertia;   ///< there; exact: at the start
        Vec3 momentum;  ///< exact: G
        Vec3 torque;    ///< T(θ)
    };
    /// What turns a pin.
    struct Law {
        int row;               ///< of the problem's laws; −1: none
        double value, target;  ///< rad: of C at the start, and where it is to be
        double compliance, error, lambda;
        double given;  ///< λ of what pushes however the pin turns
    };
    struct BodyNow {
        two::V x, moved;
        two::V now, middle;  ///< z1 and ½(z0 + z1)
        two::V P, move;      ///< sum of the impulses, and what they ask for beyond where the body is
        double T, turn;
        double theta, stretch, W;
    };

    bool half_way = true, exact = false;
    int dynamic_count = 0;
    std::vector<BodyStart> starts;
    std::vector<BodyNow> bodies;
    std::vector<two::Pair> arms;  ///< per node: r1 of both solids
    // Per side, as it counts for C: ± i r1, and ± i r̄.
    std::vector<two::Cell> reads, pushes;
    std::vector<two::Cell> errors, lambdas;
    std::vector<two::Cell> kept_back;  ///< per node: what hubs would add to its diagonal
    std::vector<two::Cell> across;     ///< per body: torque out of the plane
    std::vector<Law> laws;             ///< of plan.turned
    std::vector<Wobble> wobbles;       ///< of plan.unbalanced
    double worst2 = 0, moved_by2 = 0, turned_by2 = 0;
    double law_error = 0;  ///< rad, the largest of a law
    int worst_node = -1;
};

class PlanarNewton {
  public:
    /// Only such pins, and nothing else to balance but what turns them.
    bool fits(const CorrectionProblem& problem);
    /// After `fits`, as of bilateral.h. Lost, too, when something has left the plane.
    TiedResult correct(CorrectionProblem& problem, double goal, int most, TimeBudget& budget);
    /// After a correction that was stopped: what tree_closing.h does, in the plane. What is open then.
    LeftOpen close(CorrectionProblem& problem);
    double cost() const { return plan_->cost(8); }

  private:
    /// False when something is out of the plane by more than `most`, m or rad.
    bool begin(const CorrectionProblem& p, bool warm, double most);
    void finish(CorrectionProblem& p);
    void carry_out_of_plane(CorrectionProblem& p);
    /// False when one is out of the plane by more than its own turning makes.
    bool take_unbalanced(const CorrectionProblem& p, double most);
    // planar/laws.cpp
    bool laws_fit(const CorrectionProblem& p);
    void take_laws(const CorrectionProblem& p);
    /// No bound is met, to the goal.
    bool within_bounds(const CorrectionProblem& p, double goal) const;
    void hand_out_laws(CorrectionProblem& p) const;

    PlansOfIslands<PlanarPlan> plan_;
    PlanarNumbers numbers_;
};

/// What the body has turned by since the start, rad.
inline double turned_by(const PlanarNumbers& n, int body) {
    const PlanarNumbers::BodyStart& start = n.starts[static_cast<std::size_t>(body)];
    const double theta = n.bodies[static_cast<std::size_t>(body)].theta;
    if (body >= n.dynamic_count) return start.turned;
    return n.exact ? 2 * std::atan(0.5 * theta) : start.turned + theta;
}

/// T(θ) of the unbalanced bodies, all of it (planar/unbalanced.cpp).
void measure_wobbles(const PlanarPlan& plan, PlanarNumbers& n);

/// The inner loops, for the plain and for the wide machine (planar/iterations.cpp).
TiedResult iterate_plain(PlanarPlan& plan, PlanarNumbers& n, double goal, int most, TimeBudget& budget);
TiedResult iterate_wide(PlanarPlan& plan, PlanarNumbers& n, double goal, int most, TimeBudget& budget);

}  // namespace armature

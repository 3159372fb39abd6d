// What a solver is: something that makes the joints of one island hold.
//
// The contract is wide on purpose: a solver gets the model, the island, the placements to correct in place and its own
// parameters and workspace, and gives back a report. How it goes about it is its own business; rows and errors of joint
// parts (model/joint_parts.h) are a toolkit, not a base class.
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "armature/model/model.h"
#include "armature/model/state.h"

namespace armature {

// Besides the parts of its joints, which must hold, an island has laws, which push as hard as they say. λ is the displacement
// impulse of a law over the step: a force F acting all through it is λ = F h²/rate (rate: sim/free_motion.h).

/// Along a coordinate C of two solids:  C + ε λ = target  as long as  low ≤ λ ≤ high.
///   spring, damper: ε > 0          motor that keeps a speed: ε = 0, bounded both ways          force: low = high
///   limit: ε = 0, one bound is 0, the other infinite                      thread: ε = 0, no bounds
struct LawRow {
    int joint = 0;             ///< index into the island's joints
    int body1 = 0, body2 = 0;  ///< local
    const Coordinate* coordinate = nullptr;
    double turns_near = 0;  ///< see coordinates.h
    double compliance = 0;  ///< ε
    double target = 0;      ///< m or rad
    double low = -infinity, high = infinity;
    bool holds = true;      ///< ε = 0: the target counts among the errors of the joint
    double precision = 10;  ///< ε = 0: how many times finer than the tolerance the target is met
    double lambda = 0;      ///< out, kg m or kg m² rad, along +C
    CoordinateValue now;    ///< out: the value reached, and the row along which it pushed
};

/// A soft point part: its gap d is pulled shut with the impulse  P = stretch d + before  on solid 1.
struct SoftPoint {
    int joint = 0;
    int body1 = 0, body2 = 0;
    const PointPart* part = nullptr;
    double stretch = 0;  ///< kg
    Vec3 before;         ///< kg m, of the gap at the start of the step
    Vec3 impulse;        ///< out, kg m
    Vec3 r1, r2, d;      ///< out: its lever arms, and the gap that is left
};

/// A point of a dynamic body that must not enter a surface of a body that cannot be moved, and sticks to it with at most
/// `friction` times the normal impulse.
struct ContactRow {
    int body1 = 0, body2 = 0;  ///< local
    Vec3 p1_G;                 ///< on body 1, body axes
    Vec3 p2_G, normal_2;       ///< on body 2, body axes
    double friction = 0;
    Vec3 slip;            ///< in: m, crept so far while sticking; out: with that of this step
    double normal = 0;    ///< out, kg m
    Vec3 normal_W, r1;    ///< out: the normal and the lever arm on body 1, world axes
    Vec3 tangent;         ///< out, kg m, world axes
    bool slides = false;  ///< out: friction was not enough to hold it
};

/// What the energy–momentum rule of the scheme `exact` needs to know of a step (linearized/response.h).
struct ExactStep {
    double h;                          ///< s
    const std::vector<Vec3>& start_w;  ///< per body, at the start
    const std::vector<Vec3>& torque;   ///< per body, of the forces
};

/// One island at one instant. Vectors are indexed by the island's local body index (dynamic bodies first).
struct CorrectionProblem {
    const Model& model;
    const Island& island;
    double t = 0;          ///< s, the instant at which the joints are to hold
    std::vector<Vec3>& x;  ///< in/out: centres of mass
    std::vector<Quat>& q;  ///< in/out: orientations
    /// Placements at the start of the step; null when there is no step (assembly).
    const std::vector<Vec3>* start_x = nullptr;
    const std::vector<Quat>* start_q = nullptr;
    /// out, per body: what it was moved by, summed by itself. The difference of two positions would lose the digits that
    /// the conservation of momentum lives on.
    std::vector<Vec3>& moved;
    /// out, per joint of the island: the displacement impulse it gave to solid 1; `force` in kg m, `torque` in kg m²
    /// rad.
    std::vector<JointLoad>& impulses;
    double tolerance = 1e-4;  ///< m and rad
    int max_iterations = 1000;
    bool half_way = true;  ///< impulses act half-way between the start (when there is one) and now; otherwise now
    // Null when there are none of them. They need a start.
    std::vector<LawRow>* laws = nullptr;
    std::vector<SoftPoint>* soft_points = nullptr;
    std::vector<ContactRow>* contacts = nullptr;
    const ExactStep* exact = nullptr;  ///< when there, the bodies answer by that rule
    bool last_try = true;  ///< no shorter step will follow: better joints that hold somehow than a way that is right
    const std::vector<double>* slack =
        nullptr;  ///< per joint of the island, m and rad: what its parts may be out of place
    /// per joint of the island, or null: what its impulse may well be, as `impulses`. To start from.
    const std::vector<JointLoad>* expected = nullptr;
    bool hands_give_way = false;  ///< drags are among the soft points and laws instead (sim/giving_hands.h)
    double time_left = 0;         ///< s of wall clock, for this correction and what follows it; 0: as long as it takes

    /// Its parts must hold at the end of the step.
    bool holds(const Joint& joint) const { return joint.valid_at(t) && !joint.soft && !(hands_give_way && joint.drag); }
    const Body& body(int local) const {
        return model.bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(local)])];
    }
};

/// How the linearized solver solved its systems: what `method auto` came to.
enum class LinearWay { none, pins_in_plane, points_in_plane, tied_points, factorisation, gradients };
inline constexpr std::array<std::string_view, 6> linear_way_names{"",
                                                                  "factorisation of pins in a plane",
                                                                  "factorisation of ball joints in a plane",
                                                                  "factorisation of ball joints and pins",
                                                                  "factorisation",
                                                                  "conjugate gradients"};

struct CorrectionReport {
    int iterations = 0;
    LinearWay way = LinearWay::none;
    bool converged = false;      ///< every part is within the tolerance
    bool balanced = true;        ///< what pushes has found its balance
    bool stalled = false;        ///< not converged, and no iteration moves anything any more: a least-squares rest
    bool restless = false;       ///< the motion that belongs to the impulses was not found: a shorter step may help
    bool contradictory = false;  ///< not converged, nor was it where the step began: no shorter step will help
    bool hurried = false;        ///< it holds, but by shifts that belong to no impulse
    double worst_error = 0;      ///< m or rad
    JointId worst_joint = -1;
};

/// `refusals` lists, by name, everything in a model that the solver does not support; empty when it can be used.
template <class S>
concept Corrector = requires(S solver, const Model& model, CorrectionProblem& problem) {
    { S::name } -> std::convertible_to<const char*>;
    { S::summary } -> std::convertible_to<const char*>;
    { S::refusals(model) } -> std::same_as<std::vector<std::string>>;
    { solver.correct(problem) } -> std::same_as<CorrectionReport>;
};

}  // namespace armature

// What a solver is: something that makes the joints of one island hold.
//
// The contract is wide on purpose: a solver gets the model, the island, the placements to correct in place and its own
// parameters and workspace, and gives back a report. How it goes about it is its own business; rows and errors of joint
// parts (model/joint_parts.h) are a toolkit, not a base class.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <vector>

#include "armature/model/model.h"
#include "armature/model/state.h"

namespace armature {

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
};

struct CorrectionReport {
    int iterations = 0;
    bool converged = false;  ///< every part is within the tolerance
    bool stalled = false;    ///< not converged, and no iteration moves anything any more: a least-squares rest
    double worst_error = 0;  ///< m or rad
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

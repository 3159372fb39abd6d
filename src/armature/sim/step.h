// One frame of the simulation, stage by stage [GG §2.2, HDR-6 fig. 6]:
//   forces → free motion → correction → velocities,   for each island, in steps of dt/2^level.
//
// A step whose free rotation or correction is too large is undone exactly and tried again at half the length; after a
// run of clean steps the length grows back. Steps are dyadic fractions of the frame, so frames end at n·dt whatever
// happened inside them.
//
// The step is a pure function of (Model, State): the same two give the same bits, on any compiler and optimisation
// level. The workspace only saves allocations.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "armature/sim/active_islands.h"
#include "armature/sim/forces.h"
#include "armature/sim/impact.h"
#include "armature/sim/island_threads.h"
#include "armature/sim/laws.h"
#include "armature/sim/local_bodies.h"
#include "armature/solvers/registry.h"

namespace armature {

enum class Stage { forces, free_motion, correction, velocities };
inline constexpr std::array<std::string_view, 4> stage_names{"forces", "free motion", "correction", "velocities"};

/// What happened in one frame, all islands together.
struct StepReport {
    int steps = 0;             ///< accepted
    int rejected = 0;          ///< undone and halved
    int forced = 0;            ///< accepted at the shortest step although too large
    long long iterations = 0;  ///< of the solver, over all accepted steps
    int max_iterations = 0;    ///< in one accepted step
    int unconverged = 0;       ///< accepted steps in which the solver did not reach its tolerance
    int unbalanced = 0;        ///< accepted steps in which springs, motors or contacts did not find their balance
    std::array<int, linear_way_names.size()> ways{};  ///< accepted steps per LinearWay
    int hits = 0;                                     ///< steps in which something met a floor or a limit with speed
    double motor_work = 0;                            ///< J, done by motors
    double closing_work = 0;                          ///< J, gained in steps in which constraints were being drawn in
    double worst_error = 0;                           ///< m or rad, the largest the solver left in an accepted step
    JointId worst_joint = -1;
    BodyId failed_body = -1;          ///< the first not finite in this frame; its island stands still from now on
    std::array<double, 4> seconds{};  ///< wall clock per Stage
};

/// What one island needs room for while it is stepped; grows to the largest and is then reused.
struct IslandRoom {
    ActiveIslands islands;
    LocalBodies start, drifted, free, now;
    LocalForces forces;
    std::vector<Vec3> moved;  ///< by the correction
    std::vector<JointLoad> impulses;
    std::vector<JointLoad> expected;  ///< impulses
    Laws laws;
    Contacts contacts;
    Impacts impacts;
    Closing closing;
    double step_seconds = 0;  ///< of wall clock per solid and joint, where a frame has a budget
};

/// Everything a step needs room for.
struct StepWorkspace {
    explicit StepWorkspace(Solver s) : solver(std::move(s)) {}

    Solver solver;
    IslandRoom room;
    std::vector<IslandRoom> side_by_side;  ///< of islands that are corrected together
    std::vector<char> together;            ///< per island: it is one of these

    // Where islands are stepped by several threads: workspaces of the others, and what happened in each island.
    IslandThreads threads;
    std::vector<StepWorkspace> others;
    std::vector<StepReport> island_reports;
};

/// Advances the state by one frame, model.simulation.dt.
StepReport advance_frame(const Model& model, State& state, StepWorkspace& workspace);

}  // namespace armature

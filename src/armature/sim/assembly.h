// Assembly [GG §2.3]: the joints are made to hold from arbitrary positions, velocities untouched.
//
// The same corrections as in a step, many more of them. Where they come to rest without holding, the constraints
// contradict each other (or the structure hangs in a dead point): the rest is a least-squares answer, and the joints
// that are left open are named.
//
// Solvers that arrive quickly or not at all (linearized) start again when they end so, from placements shaken at random, the
// same ones each time: of those that hold, the one nearest to what the author wrote is taken, and the report says that it was
// not found from there. When no start leads to anything better, the constraints are called impossible.
//
// They also start again, a few times, when the elbows of a loop bend another way than written (assembly_branch.h): first along
// Newton's flow, a fifth of each iteration, which does not leap over the straight elbow. Of those that hold, the one with the fewest
// elbows turned over is taken, the nearest of several. The report names those that are left, and the solid that went farthest.
#pragma once

#include <string>
#include <vector>

#include "armature/model/state.h"
#include "armature/solvers/registry.h"

namespace armature {

enum class AssemblyResult { satisfied, least_squares, not_converged, impossible };

struct OpenJoint {
    JointId joint = -1;
    double error = 0;  ///< m or rad
};

struct AssemblyReport {
    AssemblyResult result = AssemblyResult::satisfied;
    int iterations = 0;
    int restarts = 0;                  ///< the most that an island took; 0 when all hold from where the author put them
    double worst_error = 0;            ///< m or rad
    std::vector<OpenJoint> open;       ///< joints beyond the tolerance, worst first
    std::vector<JointId> turned_over;  ///< pins of loops that bend to the other side than written: it is another branch
    /// The solid that is farthest from where the author put it, measured with its turn at its size; none when nothing moved.
    struct {
        BodyId body = -1;
        double way = 0;   ///< m, of its centre of mass
        double turn = 0;  ///< rad
    } farthest;
};

/// Assembles at the state's time. Bodies that are not finite are left alone. `restarts`: how often another start is tried at most;
/// −1: as often as the solver wants. Without any, a model with n `assembly_iterations` gives what the solver has after n of them.
AssemblyReport assemble(const Model& model, State& state, Solver& solver, int restarts = -1);

std::string to_text(const Model& model, const AssemblyReport& report);

}  // namespace armature

// Velocities after a hit.
//
// The rule that makes velocities from displacements suits what lasts: a joint, a solid at rest. What met a floor or a limit
// in this step was stopped somewhere within it, and the rule would send it back with any speed between none and its own.
// So, after the rule, with u = J v the speed along a row (positive: parting) and u⁻ that of the approach:
//   hit by more than the slowest speed worth a bounce:  u = −e u⁻;    otherwise:  u = 0
// for rows that pushed in this step, while joints keep the relative velocities they have and friction obeys Coulomb's law
// for the whole impulse (what the rule has given counts). Solved by projected Gauss–Seidel on the velocities alone, and with the
// scheme `exact` by a projection after it.
//
// The speed of approach is that at the instant of touching, so that a ball bounces to e² of its height at any step size.
#pragma once

#include <vector>

#include "armature/sim/closing.h"
#include "armature/sim/contacts.h"
#include "armature/sim/laws.h"
#include "armature/solvers/linearized/linearized.h"

namespace armature {

struct ImpactRow {
    int body1 = 0, body2 = 0;
    Vec3 linear, angular1, angular2;
    double target = 0;         ///< of J v
    double given = 0;          ///< kg m/s, impulse the velocity rule has given already
    double low = 0, high = 0;  ///< of the whole impulse
    double stiffness = 0;      ///< 1/(J M⁻¹ Jᵀ)
    bool friction = false;     ///< follows the row before: its bounds are ± that one's impulse times `coefficient`
    double coefficient = 0;
    double inv_mass1 = 0, inv_mass2 = 0;
    Vec3 turn1, turn2;  ///< what a unit of impulse does to the spins
};

struct Impacts {
    std::vector<ImpactRow> rows;
    int hits = 0;  ///< rows that hit in the last step
    /// The scheme `exact` turns round each step what a joint or a limit forbids of the velocities: where something was hit none of it
    /// may be left, and sweeps leave some. Then the solver projects the velocities, with these speeds of the laws.
    bool project = false;
    std::vector<LawSpeed> speeds;
    std::vector<Vec3> moved;          ///< of that
    std::vector<JointLoad> impulses;  ///< of that
};

struct ImpactProblem {
    const Model& model;
    const Island& island;
    double t = 0, h = 0;
    double joint_rate = 2;
    const LocalBodies& start;  ///< of the step
    const Laws& laws;
    const Contacts& contacts;
    const Closing&
        closing;  ///< joints being drawn in are left alone; those that hold from this step on catch their solids
    bool hands_give_way = false;
};

/// False when nothing was hit and nothing was changed.
bool resolve_impacts(const ImpactProblem& problem, LocalBodies& now, Impacts& room);

}  // namespace armature

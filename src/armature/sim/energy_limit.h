// Joints do no work of their own, so what they make of the velocities must not carry more energy than free motion had.
//
// A correction that did not arrive, or was too large to be what the formulas take it for, would create energy, step after
// step: a ball on a needle went from 1.5 J to 1e10 J in half a second. With Δv, Δω_B the change of velocity that the joints
// made, and the spin of free motion carried along with the body (turning a body by a correction costs nothing),
//   K(s) = K + s b + s² a,   b = Σ m v·Δv + ω·J Δω,   a = Σ ½ m Δv² + ½ Δω·J Δω        (ω, J in body axes)
// and s = 1 stands when K(1) ≤ K + V_free − V_now. Otherwise s is the largest that keeps to it, or the one with the least
// energy when none does. One factor for all bodies: the impulses stay opposite, no momentum is made. A projection on the
// joints (v = Δx/h) has its least energy at s = 1 and is never shortened; nor is the newton rule where it is sound.
//
// What a step gains within its slack is noise as long as later steps lose it again. It is therefore kept in an account
// (IslandState::debt): what is owed is taken out of the slack of the next step, so that the sum of all gains stays within
// the slack of one. The same account holds what an unconverged step left stored in a spring that is stretched by mistake:
// it cannot be taken out of the spring, but it is taken out of the motion that it turns into. A step that would owe more
// than one slack is undone and halved (island_step.cpp): the shorter the step, the softer its springs are to the solver.
#pragma once

#include "armature/sim/step_change.h"

namespace armature {

struct EnergyLimit {
    bool limited = false;
    double share = 1;           ///< s
    double kinetic = 0;         ///< J, of free motion
    double allowed = infinity;  ///< J, the slack of a converged step
    double gain = 0;            ///< J, by which K(s) is above K + V_free − V_now + work
};

/// Shortens the change of velocity from `free` to `now`, whose sums are `change`, where it has to. Converged steps have a slack of 0.8 % of
/// their kinetic energy (or of `liveliness`, that of late: a swing stands still at its ends) and ten times m g times the
/// tolerance, less the debt: what lies within the tolerance of the joints is not worth a loss. Islands that a path-driven
/// body or a drag moves at the instant t are left alone, for it may do work. `work`: J that springs and motors of freedoms
/// did in the step, which free motion knew nothing of, and hands that give way.
EnergyLimit limit_energy(const Model& model, const Island& island, bool converged, const StepChange& change,
                         const LocalBodies& free, LocalBodies& now, double t, double work = 0, double debt = 0,
                         double liveliness = 0, bool hands_give_way = false);

/// For a correction that stopped early. Seen from what leads the island (nothing, or one path-driven body) a projection on
/// the joints makes no energy; twice what this one made is taken out of the motion by scaling all velocities in that frame.
/// Once for what its places show, whose impulses do not belong to them, and once because the velocities have the same error:
/// taking it out once, a comb of chains kept ten times the energy that it had been given, for ever. Islands that are led in
/// several ways are left alone. `owed`: J, what earlier steps could not be relieved of; gives what is owed now.
double take_out_gain(const Model& model, const Island& island, const LocalBodies& free, LocalBodies& now, double t,
                     double owed = 0);

}  // namespace armature

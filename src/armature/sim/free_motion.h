// Free motion of every body as if it were alone, and the velocities that belong to the displacement really made.
// F, M: force and torque; h: the step; c, θ: the joints' correction of place and orientation.
//
//   euler (order 1)
//     v1 = v + F/m h,  ω1 = ω + J⁻¹(M − ω×Jω) h,  x1 = x + v1 h,  R1 = exp(ω1 h) R.
//     After correction: v = v1 + c/h, that is Δx/h; ω = (rotation vector of the whole turn)/h.
//
//   newton (order 2, the default)
//     Forces at the place reached half-way with the old velocity; v1 = v + F/m h, x1 = x + ½(v + v1) h: exact for a
//     constant force, symplectic (position Verlet) for springs.
//     Rotation: angular momentum π1 = π + M h exactly; the body turns by h Ω with Ω = J⁻¹ Rmᵀ (π + ½ M h) in body axes,
//     Rm = R exp(½ h Ω) the orientation half-way (implicit, by Newton's method): momentum exact, energy bounded,
//     time-reversible.
//     After correction: v = v1 + 2c/h, that is 2Δx/h − v; and π = π1 + 2Jθ/h, the joint's angular impulse added to the
//     angular momentum in space; ω follows with the inertia at the corrected orientation. (Added to ω, in world axes or in
//     those of the body, a top leans over and a chain of thin rods gains energy.)
//     The joints' impulses act with the mean of the lever arms before and after: with those after, a pendulum loses 80 %
//     of its energy in 10 s at 60 Hz; with the mean it keeps it to 0.3 %.
//     Settling: the rule 2c/h never forgets. A velocity that the joint should not allow comes back with the opposite sign
//     each step, and what the solver leaves open is fed into the motion until it gains energy. So it is (2 − settle) c/h:
//     the leftover shrinks by 1 − settle each step, a steady motion is unchanged. The default 0.1 costs the pendulum 10 %.
//
//   stormer [Faure et al., §4.2] (order 2 in places)
//     Velocity-free: Δ1 = h (Δ/h_last + a (h + h_last)/2), x1 = x + Δ1; Δ = displacement really made. The mean of the two
//     steps is what keeps it second order when h changes; for constant h it is the paper's Δ + a h². State.v holds Δ/h:
//     the velocity half a step ago.
//
//   verlet [Lee, §3.1] (order 1)
//     Damped: x1 = x + k (x − x_last) + a h², k scaled to the step so that damping per second does not depend on it.
//
//   exact (order 2)
//     newton's rule made consistent, so that energy and momentum are kept to round-off whatever the step: v = 2Δx/h − v,
//     rotations by Cayley's map (math/exact_turn.h), joints' impulses at the mean of the lever arms of start and end, found
//     together with the placements (solvers/linearized/response.h). No settling: velocities must fit the joints from the
//     start (they are projected once), and a step whose joints do not come to hold is halved, not taken.
//
// Euler, stormer and verlet take the gyroscopic term as a torque at the start of the step.
#pragma once

#include <string_view>
#include <vector>

#include "armature/sim/forces.h"
#include "armature/sim/local_bodies.h"
#include "armature/sim/step_change.h"

namespace armature {

struct SchemeInfo {
    Scheme scheme;
    std::string_view name;
    std::string_view summary;
    bool forces_at_midpoint;    ///< otherwise at the start
    bool impulses_at_midpoint;  ///< joints push with the lever arms of half-way, which is what keeps their work at zero
    double correction_rate;     ///< see correction_rate() below; before `settle`
    int order;                  ///< of places and velocities under smooth forces, without joints
};
const SchemeInfo& scheme_info(Scheme scheme);
/// rate in v = v1 + rate · c/h; the force of a joint is rate · impulse/h². A correction that did not converge is
/// followed cautiously, with rate 1: its leftover must not be doubled into a velocity.
double correction_rate(const SimulationSpec& settings, bool converged);
const std::vector<SchemeInfo>& scheme_list();

/// For how long the forces of a step of length h push: h, and for stormer from the middle of the step before (of length
/// h_last; 0: none) to the middle of this one. Damping must decay over the same time, or a step cut short turns a
/// velocity round.
double push_time(Scheme scheme, double h, double h_last);

/// What a step control wants to know of a free motion.
struct FreeMotion {
    bool finite = true;    ///< every number of it
    double most_spin = 0;  ///< rad/s, of all bodies at its start and end
};
/// One step of free motion of the dynamic bodies: `start` → `free`, the places in `now` too, for the joints to correct. h_last
/// is the length of the step before (0: none). `forces` null: nothing but weight acts.
FreeMotion move_freely(const Model& model, const Island& island, double h, double h_last, const LocalBodies& start,
                       const LocalForces* forces, LocalBodies& free, LocalBodies& now);

/// What the joints did to the bodies of an island in a step.
struct JointMotion {
    const LocalBodies& start;        ///< of the step
    const LocalBodies& free;         ///< after free motion
    const std::vector<Vec3>& moved;  ///< then moved by this (exact sum), and turned to the present orientation
    double rate;                     ///< correction_rate()
};
/// The velocities after the joints did so, into `now`, which holds the corrected places; and what has changed by that.
StepChange velocities_from_correction(const Model& model, const Island& island, double h, const JointMotion& motion,
                                      LocalBodies& now);

}  // namespace armature

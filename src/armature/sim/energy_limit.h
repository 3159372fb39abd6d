// Joints do no work of their own, so what they make of the velocities must not carry more energy than free motion had.
//
// A correction that did not arrive, or was too large to be what the formulas take it for, would create energy, step after
// step: a ball on a needle went from 1.5 J to 1e10 J in half a second. With Δv, Δω_B the change of velocity that the joints
// made, and the spin of free motion carried along with the body (turning a body by a correction costs nothing),
//   K(s) = K + s b + s² a,   b = Σ m v·Δv + ω·J Δω,   a = Σ ½ m Δv² + ½ Δω·J Δω        (ω, J in body axes)
// and s = 1 stands when K(1) ≤ K + V_free − V_now. Otherwise s is the largest that keeps to it, or the one with the least
// energy when none does. One factor for all bodies: the impulses stay opposite, no momentum is made. A projection on the
// joints (v = Δx/h) has its least energy at s = 1 and is never shortened; nor is the newton rule where it is sound.
#pragma once

#include "armature/sim/local_bodies.h"

namespace armature {

/// Shortens the change of velocity from `free` to `now` where it has to. Converged steps may gain a thousandth of their
/// kinetic energy: what lies within the tolerance of the joints is not worth a loss. Islands with a path-driven body are
/// left alone, for that body may do work. False when nothing had to be changed. `share` (may be null) gets s.
bool limit_energy(const Model& model, const Island& island, bool converged, const LocalBodies& free, LocalBodies& now,
                  double* share = nullptr);

}  // namespace armature

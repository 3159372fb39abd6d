// The turn of a free rigid body over a step that keeps energy and angular momentum exactly [Simo & Wong 1991].
//
//   R1 = R0 cay(Θ),   W1 = 2Θ/h − W0,   R1 I W1 = R0 I W0 + h τ        (W: angular velocity in body axes)
//
// Energy: ½W1·IW1 − ½W0·IW0 = Θ·(I W1 − I W0)/h, and because Θ is the axis of the turn, R0ᵀ(hΘ) = R1ᵀ(hΘ), that is the work
// Θ·τ (in body axes at the start) of the torque. With w = ½h W0 and m = I w + ½h² R0ᵀτ the rule is quadratic in Θ:
//   f(Θ) = I(Θ − w) − m + ½ Θ × (I(Θ − w) + m) = 0.
#pragma once

#include "armature/math/mat3.h"
#include "armature/math/quat.h"

namespace armature {

/// The root of f near `guess`, by Newton's method; all in body axes.
Vec3 exact_turn(const Mat3& inertia, const Vec3& w, const Vec3& momentum, const Vec3& guess);

/// cay(Θ): the turn about Θ by 2 atan(|Θ|/2).
inline Quat cayley(const Vec3& turn) {
    return normalized(Quat{1, 0.5 * turn.x, 0.5 * turn.y, 0.5 * turn.z});
}
/// Θ with q = cay(Θ), for turns of less than half a revolution.
inline Vec3 cayley_vector(const Quat& q) {
    return (2 / q.w) * q.vec();
}

}  // namespace armature

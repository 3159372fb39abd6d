// Compulsive motion: how a solid that is pulled at one of its points turns and slides until the point is where it must be
// [Lee, Baek, Kim, Hahn 2000, §3.2].
//
//   r = c2 − x     arm, from the pivot x of the solid (its centre of mass) to the point c2 that is pulled
//   s = c1 − c2    gap, to where the point must come
// Whatever the turn R about x is, the translation T that then brings the point home follows from r + s = R r + T:
//   T = (I − R) r + s.
// (The paper's last formula has −s; put into its own equation (3) that leaves r + s = r − s.) The turn is about r × s, by
//   θ = φ exp(−h/(|r||s|)),   φ = angle(r, s) ∈ [0, π],   h ≥ 0 in m².
// (The paper divides r × s by |r||s|, which is a unit vector only at right angles.) θ is in [0, φ], rises with |r||s|, is 0
// for r = 0 or s = 0, tends to φ for a long pull, and is φ for h = 0: the arm then points along the pull.
//
// The h that suits the lengths. With a fixed h the turn depends on the scale and, as s is what a step leaves open, on the
// time step: in ever shorter steps nothing turns at all. The turn that a pull should make is known, though. A free solid
// that is pushed at c2 turns about its centre of percussion P, which lies behind the centre of mass at ρ²/|r|:
//   a = c2 − P = r (1 + ρ²/|r|²),   ψ = angle(a, a + s),
// where ρ² is the mean square distance of its mass from the centre (L²/12 for a thin rod: P is at 2/3 of its length). ψ is the
// turn after which the solid, pulled along itself, goes straight on: P follows a tractrix, as the heel of a trailer does. It
// lies in [0, φ], so there is an h that gives it,
//   h = |r||s| ln(φ/ψ),
// which scales with the square of the lengths and makes a sum of small pulls turn like their whole. It is the default.
#pragma once

#include <vector>

#include "armature/math/quat.h"

namespace armature {

/// θ. Exactly 0 when |r||s| is.
double compulsive_angle(double phi, double r_times_s, double h);

/// The turn by θ about r × s. No turn where r × s gives no axis: a pull straight back is an equilibrium.
Quat compulsive_turn(const Vec3& r, const Vec3& s, double h);

/// The smallest turn that takes the direction of a to that of a + s: the rule with the h that suits the lengths.
Quat following_turn(const Vec3& a, const Vec3& s);

/// The turn that leaves the points f_i of a solid as near as can be to where they are while its point c2 goes to c1, the mean
/// of squares counting. With u_i = f_i − c2 and v_i = f_i − c1 = u_i − s it is about Σ u×v = s × Σu, by the angle
///   atan2(|Σ u×v|, Σ u·v − (u·n)(v·n)),   n the unit axis:
/// exact for one point (the smallest turn from u to v) and for motions in a plane. With `axis` (unit), about that only.
Quat fitting_turn(const std::vector<Vec3>& points, const Vec3& c2, const Vec3& s, const Vec3* axis = nullptr);

/// The h for which both are the same; infinite where nothing turns.
double suitable_h(const Vec3& r, double reach, const Vec3& s);

/// |a|/|r| = 1 + ρ²/|r|².
inline double percussion(double mean_square, double arm2) {
    return arm2 > 0 ? 1 + mean_square / arm2 : 1;
}

/// Where two free solids meet: both are pulled equally hard, so each gives way by the mass of the other. The mean of the two
/// points, weighted by mass, stays where it is.
inline Vec3 meeting_point(double m1, const Vec3& c1, double m2, const Vec3& c2) {
    return c1 + (m2 / (m1 + m2)) * (c2 - c1);
}

}  // namespace armature

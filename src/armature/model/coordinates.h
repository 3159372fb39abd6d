// Scalar coordinates of two solids: how far one has slid or turned relative to the other.
//
//   slide   λ = u · (P1 − P2),  u fixed in solid 2                    λ' = u·(v1 − v2) + (r1×u)·ω1 − ((P1−G2)×u)·ω2
//   turn    φ = minus the twist of joint_parts.h: how far solid 1 has turned about a2, counted over full turns
//                                                                     φ' = (a1 + a2)/(1 + a1·a2) · (ω1 − ω2)
//   swing   θ = angle(a1, a2) ∈ [0, π]                                θ' = (a2×a1)/|a2×a1| · (ω1 − ω2)
//   dial    ψ = the angle that a pointer p of one solid shows on a dial of the other: about its axis a, from its zero z
//           across a; p⊥ = p − (p·a) a                                ψ' = p×(a×p⊥)/|p⊥|² · (ω1 − ω2)
//   screw   s = λ − pitch φ/2π − offset, zero when the thread holds
//
// A turn removes the smallest rotation from a1 to a2 first: right where the axes stay near each other, without a value
// where they are opposite. A dial is for joints that keep p across a (universal, cylinder on plane): ψ' = a·(ω1 − ω2)
// however far both have turned.
//
// Limits, springs, dampers, motors and threads all act along such a coordinate: the generalised force f pushes with f times
// the row of the rate above. Points p and directions a, b are constant in body axes, with the origin at G.
#pragma once

#include <variant>

#include "armature/math/mat3.h"
#include "armature/model/joint_parts.h"

namespace armature {

struct SlideCoordinate {
    Vec3 p1_G, p2_G;
    Vec3 axis_2;  ///< unit
};
struct TurnCoordinate {
    Vec3 a1_B, a2_B;  ///< unit
    Vec3 b1_B, b2_B;  ///< unit, at right angles to a1, a2; φ = 0 when they agree
};
struct SwingCoordinate {
    Vec3 a1_B, a2_B;  ///< unit
};
struct DialCoordinate {
    Vec3 a_B, z_B;    ///< unit, across each other, of the solid that carries the dial
    Vec3 p_B;         ///< unit, of the other
    double side = 1;  ///< +1: solid 2 carries the dial; −1: solid 1 does, and ψ counts its own turning as positive
};
struct ScrewCoordinate {
    SlideCoordinate slide;
    TurnCoordinate turn;
    double per_radian = 0;  ///< m/rad, pitch/2π
    double offset = 0;      ///< m, of the start
};
using Coordinate = std::variant<SlideCoordinate, TurnCoordinate, SwingCoordinate, ScrewCoordinate, DialCoordinate>;

/// The value and the row of its rate: rate = linear·(v1 − v2) + angular1·ω1 + angular2·ω2.
struct CoordinateValue {
    double value = 0;  ///< m or rad
    Vec3 linear, angular1, angular2;
};
/// `turns_near`: of all angles that differ by full turns, the one nearest to this (φ, ψ, or the φ of a screw).
CoordinateValue measure(const Coordinate& coordinate, const Placement& b1, const Placement& b2, double turns_near);

/// The angle of a turn, dial or screw, 0 for the others: what `turns_near` should be next time.
double turn_of(const Coordinate& coordinate, const Placement& b1, const Placement& b2, double turns_near);

/// Metres rather than radians.
inline bool is_length(const Coordinate& c) {
    return std::holds_alternative<SlideCoordinate>(c) || std::holds_alternative<ScrewCoordinate>(c);
}

}  // namespace armature

// Theo Jansen's leg [Jansen, The Great Pretender, 2007]: the eleven rods of his "holy numbers", a crank and a foot.
//
//        C                     O   the crank's axis, P its pin: |OP| = m
//      / |  \ j                B   a bolt of the chassis, a beside and l below O
//   e /  |b   \                BCD a stiff triangle (b, e, d);  EFG another (g, h, i), G is the foot
//    /   |      P – O          PC = j, PE = k, BE = c, DF = f
//   D–d––B      /
//   |    |c   / k
//  f|    |  /
//   F–g––E
//    h\  |i
//       \G
//
// A leg of its own has no freedom left once the crank stands: its points follow from the crank's angle by intersecting
// circles.
#pragma once

#include "armature/math/vec3.h"

namespace armature::race::jansen {

/// The published lengths, here in centimetres.
inline constexpr double a = 38.0, b = 41.5, c = 39.3, d = 40.1, e = 55.8, f = 39.4, g = 36.7, h = 65.7, i = 49.0,
                        j = 50.0, k = 61.9, l = 7.8, m = 15.0;

/// In the plane z = 0, metres, O at the origin.
struct Leg {
    Vec3 P, B, C, D, E, F, G;
};
/// The leg to the left (B at x < 0) or, mirrored, to the right of O, with the crank's pin at this angle from the x axis.
Leg leg(double crank_angle, bool mirrored);

}  // namespace armature::race::jansen

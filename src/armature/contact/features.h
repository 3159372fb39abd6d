// The numbers that name the features of a shape in ContactPoint::feature.
//
//   Sphere, Ellipsoid   0
//   MeshShape           the index of the vertex
//   Box                 corner i has the sign bits of i: 1 for +x, 2 for +y, 4 for +z
//   Capsule             the end at −y, the end at +y
//   Cylinder            5 numbers per rim, that at −y first: its deepest point, then the points at local x, z, −x, −z
#pragma once

namespace armature::feature {

inline constexpr int only = 0;

inline constexpr int capsule_end(int end) {  ///< 0 at −y, 1 at +y
    return end;
}

inline constexpr int rim_deepest(int rim) {  ///< 0 at −y, 1 at +y
    return 5 * rim;
}
inline constexpr int rim_point(int rim, int quarter) {
    return 5 * rim + 1 + quarter;
}

}  // namespace armature::feature

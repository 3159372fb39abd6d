// The numbers that name the features of a shape in ContactPoint::feature.
//
//   Sphere, Ellipsoid   0
//   MeshShape           the index of the vertex
//   Capsule             0, 1    the ends at −y and +y
//                       2 – 13  against a box: where it leaves the face, by the edge there
//                       14 – 21 the same right at a corner of the box
//                       22      anywhere else
//   Cylinder            0 – 9   5 numbers per rim, that at −y first: its deepest point, then local x, z, −x, −z
//                       10 – 21 against a box: where its side leaves the face, by the edge there
//                       22 – 29 the same right at a corner of the box
//                       30 – 37 a corner of the box under a cap
//                       38 – 61 an edge of the box under a rim: two numbers per edge
//                       62      anywhere else
//   Box                 0 – 7   its corners
//                       8 – 15  against a box: the corners of the other one
//                       16 …    edge e1 across edge e2: 16 + 12 e1 + e2
//                       160     anywhere else
// Corner i of a box has the signs of (x, y, z) in its bits 1, 2, 4; edges are numbered by BoxFace::edge_number. Numbers
// of box 1 and box 2 do not depend on whose face was found to carry the contact, because that can change with every
// round-off.
#pragma once

namespace armature::feature {

inline constexpr int only = 0;

// Ends and rims: 0 at −y, 1 at +y.
inline constexpr int capsule_end(int end) {
    return end;
}
inline constexpr int capsule_border(int edge) {
    return 2 + edge;
}
inline constexpr int capsule_corner(int corner) {
    return 14 + corner;
}
inline constexpr int capsule_elsewhere = 22;

inline constexpr int rim_deepest(int rim) {
    return 5 * rim;
}
inline constexpr int rim_point(int rim, int quarter) {
    return 5 * rim + 1 + quarter;
}
inline constexpr int side_border(int edge) {
    return 10 + edge;
}
inline constexpr int side_corner(int corner) {
    return 22 + corner;
}
inline constexpr int corner_under_cap(int corner) {
    return 30 + corner;
}
inline constexpr int edge_under_rim(int edge, int which) {
    return 38 + 2 * edge + which;
}
inline constexpr int cylinder_elsewhere = 62;

inline constexpr int corner1(int corner) {
    return corner;
}
inline constexpr int corner2(int corner) {
    return 8 + corner;
}
inline constexpr int edges(int edge1, int edge2) {
    return 16 + 12 * edge1 + edge2;
}
inline constexpr int box_elsewhere = 160;

}  // namespace armature::feature

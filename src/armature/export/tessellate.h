// Shapes as triangles, for files and pictures.
//
// A point on the surface has one vertex per normal: one where the surface is smooth, several on a sharp edge. Vertices
// of one point have equal bits, so that welding them by position gives a closed surface wherever the shape is closed.
// Triangles run counter-clockwise seen from outside.
//
// Round shapes are inscribed: vertices lie on the surface and normals are those of the true surface, not of the
// triangles. With n sides the largest error of a circle is r (1 − cos(π/n)), 0.2 % of r with the default; volume and
// area converge with 1/n².
//
// A plane is a half space and has no end. It becomes a square of 20 m: larger than the scenes of the gallery, small
// enough that a viewer which frames everything still shows what stands on it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "armature/model/shape.h"

namespace armature {

/// A surface as it is drawn, in the frame S of its shape.
struct SurfaceMesh {
    std::vector<Vec3> positions;  ///< m
    std::vector<Vec3> normals;    ///< of unit length, outwards, one per position
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

inline constexpr int default_sides = 48;
inline constexpr double plane_edge = 20;  ///< m

/// `sides` is the number of sides of a full circle, a multiple of 4, so that the extremes on the axes are met.
SurfaceMesh tessellate(const Geometry& geometry, int sides = default_sides);

/// A mesh has no normals of its own. Edges between triangles that meet at less than `crease` are smooth, others sharp;
/// at a vertex the normals of the triangles of one smooth fan are averaged with their angles as weights [Thürmer &
/// Wüthrich 1998].
SurfaceMesh with_normals(const TriangleMesh& mesh, double crease = 0.61);  // rad, 35°

}  // namespace armature

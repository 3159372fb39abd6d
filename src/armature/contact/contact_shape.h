// A shape as contact sees it: its geometry and what is worth computing only once.
//
//   every point p of the shape:  |p − centre_S| ≤ radius
// The ball is what a far away pair is told by: it costs the same for a mesh of a million vertices as for a sphere. For
// the primitive shapes it is the smallest one; a mesh gets the ball around the middle of its bounding box. Frames: S is
// that of the shape (model/shape.h). Lengths in metres.
#pragma once

#include <vector>

#include "armature/model/shape.h"

namespace armature {

struct Ball {
    Vec3 centre_S;
    double radius = 0;  ///< infinite for a plane
};

Ball bounding_ball(const Geometry& geometry);

struct ContactShape {
    ContactShape() = default;
    explicit ContactShape(const Geometry& g);

    Geometry geometry;
    Ball ball;
    /// Of a mesh: the vertices that its triangles use, rising. A vertex that no triangle uses is not part of the
    /// surface.
    std::vector<int> vertices;
};

}  // namespace armature

// Where the surfaces of two solids touch: pure geometry, no velocities, no forces.
//
//   contact:  p1 = p2 + gap n,   p1 on the surface of shape 1, p2 on that of shape 2, n out of shape 2,   gap ≤ margin
//
// Shape 1 is the one that moves; shape 2 is a Plane or a Box. Everything is computed in the frame of shape 2 (so that
// two solids far from the origin touch as precisely as two at it) and handed out in world axes. What moving solids do
// to each other is one more column of the table below, not another interface.
//
//   shape 1     against a Plane (n = local y)                 against a Box
//   Sphere      its lowest point                              its nearest or deepest point
//   Capsule     a point per end                               its ends and where it leaves the face, when it lies;
//                                                             one point when it stands
//   Cylinder    the deepest point of each rim, and 4 points   the same, where it leaves the face, and edges and corners
//               fixed to each rim that lies nearly flat       of the box under its cap
//   Box         its 8 corners                                 the corners of the polygon in which two faces overlap
//   Ellipsoid   its lowest point                              its nearest or deepest point
//   MeshShape   every vertex                                  every vertex, each with a normal of its own
//
// Against a plane all of it is exact. Against a box all contacts of a pair (but for meshes) have one normal n: along
// the line between the nearest points when the two are apart, out along the shortest way when they overlap; the least
// gap is that distance or the length of that way (separation.h says when that is only nearly so). The other points are
// those of the two faces, caps or sides that meet n, projected on each other along n: each is a pair of surface points,
// but for a margin that is large against the solids they need not be all the near ones.
//
// What is not seen: an edge or corner of a box inside a triangle of a mesh, away from its vertices. What to expect: n
// jumps when another way out becomes the shortest, as in the middle of a box; a thin box is left on the side of the
// centre.
//
// Capsules: the end that is farther touches with the rim of its half ball, not with the first point of the whole ball,
// which is inside the capsule.
// Cylinders: the four points are at local x, z, −x, −z. Points at right angles to the deepest one would wander around
// the rim of a standing cylinder with every round-off, and whatever a solver remembers about them would be about
// another place each time. A rim is nearly flat below 30°; below 1e-6 rad its deepest point is nowhere in particular
// and left to the four.
//
// Frames: W the world, S1 and S2 those of the shapes (model/shape.h). Lengths in metres.
#pragma once

#include <vector>

#include "armature/contact/contact_shape.h"

namespace armature {

/// One place where shape 1 touches (or nearly touches) shape 2, in world axes.
struct ContactPoint {
    Vec3 p1;         ///< on the surface of shape 1
    Vec3 p2;         ///< on the surface of shape 2, facing it: p1 = p2 + gap normal
    Vec3 normal;     ///< unit, out of shape 2
    double gap = 0;  ///< negative: how deep they are in each other
    /// Which corner, end or rim of shape 1 (and corner or edge of shape 2) this is. The same from step to step, and
    /// never twice in one call, so that a solver can remember what happened there. See features.h. Where features meet
    /// (a corner right over an edge) a motion of 1e-12 times the size changes one number for another at the same place.
    int feature = 0;
};

/// Whether find_contacts has a case for the pair; where it has none it finds nothing.
bool contacts_known(const Geometry& shape1, const Geometry& shape2);

/// Appends the contacts with gap ≤ margin (m; a negative one asks for what is deeper). Allocates nothing but room in
/// `out`. Everything appended is finite.
void find_contacts(const ContactShape& shape1, const Pose& X_WS1, const ContactShape& shape2, const Pose& X_WS2,
                   double margin, std::vector<ContactPoint>& out);

}  // namespace armature

// The branch of an assembly: which way its elbows bend.
//
// A loop of pins can be closed in several ways. The two of a four-bar linkage are mirror images of each other about the line
// through two of its pins: an elbow that bends to the left in one bends to the right in the other. So a branch is told by the
// side to which the elbows bend, and that can be read of solids that lie about, from their orientations alone. With the axis a of
// a pin, d1 to it from the farthest other joint of solid 1, and d2 from it to that of solid 2, both across a:
//   bend = a · (d1 × d2) / (|d1| |d2|)       > 0 left, < 0 right, 0 straight or folded
// Joints that are not part of a loop, nor between two, may bend as they like.
#pragma once

#include <vector>

#include "armature/sim/local_bodies.h"

namespace armature {

class AssemblyBranch {
  public:
    AssemblyBranch(const Model& model, const Island& island, double t);

    /// The pins that bend to one side in `written` and clearly to the other in `found`.
    std::vector<JointId> turned_over(const LocalBodies& written, const LocalBodies& found) const;

  private:
    struct Elbow {
        JointId joint;
        int body1, body2;  ///< local
        Vec3 axis_1;       ///< body axes of solid 1
        Vec3 d1, d2;       ///< unit, across the axis; body axes of solid 1 and of solid 2
    };
    static double bend(const Elbow& elbow, const LocalBodies& at);

    std::vector<Elbow> elbows_;
};

}  // namespace armature

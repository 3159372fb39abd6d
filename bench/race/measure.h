// The yardstick: how far joints are open and how much energy there is, from nothing but the poses of the bodies.
#pragma once

#include "scene.h"

namespace armature::race {

struct JointGap {
    double point = 0;  ///< m, the largest distance of the two anchors of a joint
    double axis = 0;   ///< rad, the largest angle between the two axes of a hinge

    /// One number for both: the angle counts with a lever of 1 m.
    double worst() const { return point > axis ? point : axis; }
};
JointGap worst_gap(const RaceScene& scene, const std::vector<Pose>& poses_WB);

/// Kinetic and potential energy as the scene describes it, J.
double start_energy(const RaceScene& scene);

/// The energy half-way between two instants, with the velocities that lead from one to the other. Since averaging only
/// takes kinetic energy away, what it says is too much is too much.
double mean_energy(const RaceScene& scene, const std::vector<Pose>& before_WB, const std::vector<Pose>& after_WB,
                   double dt);

}  // namespace armature::race

// Energy and momentum of the system and of each island.
//
//   T = Σ ½ m v² + ½ ω·Jω,   V = −Σ m g·x + Σ ½ k (L − rest)²,   P = Σ m v,   L = Σ x × m v + Jω  (about the origin)
#pragma once

#include <vector>

#include "armature/model/state.h"
#include "armature/sim/local_bodies.h"

namespace armature {

struct Mechanics {
    double kinetic = 0;     ///< J
    double potential = 0;   ///< J
    Vec3 momentum;          ///< kg m/s
    Vec3 angular_momentum;  ///< kg m²/s about the world's origin

    double energy() const { return kinetic + potential; }
};

Mechanics operator+(const Mechanics& a, const Mechanics& b);

/// Of every island, into `per_island` (resized), and their sum. `scratch` spares the allocation.
Mechanics measure_mechanics(const Model& model, const State& state, std::vector<Mechanics>& per_island,
                            LocalBodies& scratch);
Mechanics measure_mechanics(const Model& model, const State& state);

/// How far the joints are from holding.
struct JointErrors {
    double worst_gap = 0;  ///< m, of point parts
    JointId worst_gap_joint = -1;
    double rms_gap = 0;      ///< m, over all point parts that are valid now
    double worst_angle = 0;  ///< rad, of angle and twist parts beyond their interval
    JointId worst_angle_joint = -1;
};
/// `per_joint` (resized) gets the largest violation of each joint, m or rad; 0 for joints that are not valid now.
JointErrors measure_joints(const Model& model, const State& state, std::vector<double>& per_joint);

}  // namespace armature

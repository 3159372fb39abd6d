// External forces on the bodies of an island at one instant.
//
//   gravity  m g                                  point force  F, torque r × F
//   spring   k (L − rest) û  along the line, plus damping of the rate of L
//   drag     −c v, −c ω
// Damping acts on the step as the exact decay over its length h: with x = c h/m the force is −c v (1 − e⁻ˣ)/x, so
// that no damping, however strong, can turn a velocity round.
#pragma once

#include <vector>

#include "armature/sim/local_bodies.h"

namespace armature {

struct LocalForces {
    std::vector<Vec3> force;   ///< N
    std::vector<Vec3> torque;  ///< N m about G, world axes
};

/// Places from x, q; velocities from v, w (they may belong to different instants of the step).
void evaluate_forces(const Model& model, const Island& island, double t, double h, const std::vector<Vec3>& x,
                     const std::vector<Quat>& q, const LocalBodies& velocities, LocalForces& out);

/// Stored in gravity and the island's springs, J.
double potential_energy(const Model& model, const Island& island, const LocalBodies& local);
/// In the springs alone.
double spring_energy(const Island& island, const LocalBodies& local);

}  // namespace armature

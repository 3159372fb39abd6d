// The moving data of one island, side by side, for the length of one frame. Index = the island's local body index:
// dynamic bodies first, then copies of the kinematic ones, which are placed anew for each instant. Nothing of another
// island is read or written, so islands could be stepped on different threads with the same result.
#pragma once

#include <vector>

#include "armature/model/model.h"
#include "armature/model/state.h"

namespace armature {

struct LocalBodies {
    std::vector<Vec3> x, v, w;
    std::vector<Quat> q;

    void resize(std::size_t n) {
        x.resize(n);
        v.resize(n);
        w.resize(n);
        q.resize(n);
    }
};

void gather(const Island& island, const State& state, LocalBodies& local);
void scatter(const Island& island, const LocalBodies& local, State& state);

/// Puts the path-driven bodies of the island where they are at time t, with the velocities of their paths.
void place_kinematic(const Model& model, const Island& island, double t, LocalBodies& local);

inline std::size_t idx(int local) {
    return static_cast<std::size_t>(local);
}
inline const Body& body_of(const Model& model, const Island& island, int local) {
    return model.bodies[idx(island.bodies[idx(local)])];
}
inline Placement placement_of(const LocalBodies& at, int local) {
    return {at.x[idx(local)], to_matrix(at.q[idx(local)])};
}
/// R J⁻¹ Rᵀ τ of a body with orientation q.
inline Vec3 inv_inertia_times(const Body& b, const Quat& q, const Vec3& torque) {
    return rotate(q, b.inv_inertia_G * rotate_back(q, torque));
}

/// J, of the dynamic bodies.
double kinetic_energy(const Model& model, const Island& island, const LocalBodies& local);

/// The first local dynamic body with a number that is not finite, or −1.
int find_not_finite(const Island& island, const LocalBodies& local);

}  // namespace armature

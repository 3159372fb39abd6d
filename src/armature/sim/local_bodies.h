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

/// The first local dynamic body with a number that is not finite, or −1.
int find_not_finite(const Island& island, const LocalBodies& local);

}  // namespace armature

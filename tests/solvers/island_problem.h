// The first island of a scene, as a solver gets it.
#pragma once

#include <cmath>
#include <vector>

#include "armature/model/compile.h"
#include "armature/sim/local_bodies.h"
#include "armature/solvers/contract.h"

namespace armature {

struct IslandProblem {
    Model model;
    std::vector<Vec3> x;
    std::vector<Quat> q;
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;

    explicit IslandProblem(const Spec& spec) : model(compile(spec)) {
        const State s = initial_state(model);
        for (const BodyId b : island().bodies) {
            x.push_back(s.x[idx(b)]);
            q.push_back(s.q[idx(b)]);
        }
    }
    const Island& island() const { return model.islands.at(0); }
    const Body& body(std::size_t local) const { return model.bodies[idx(island().bodies[local])]; }
    std::size_t dynamic_count() const { return idx(island().dynamic_count); }

    /// The largest violation of any part of a joint, m or rad.
    double error(std::size_t joint) const {
        const Island::LocalJoint& j = island().joints[joint];
        double worst = 0;
        for (const Part& part : model.joints[idx(j.joint)].parts)
            worst = std::fmax(worst, violation(part, {x[idx(j.body1)], to_matrix(q[idx(j.body1)])},
                                               {x[idx(j.body2)], to_matrix(q[idx(j.body2)])}));
        return worst;
    }
    /// Of all joints.
    double error() const {
        double worst = 0;
        for (std::size_t k = 0; k < island().joints.size(); ++k) worst = std::fmax(worst, error(k));
        return worst;
    }
};

}  // namespace armature

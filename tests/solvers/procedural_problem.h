// What the tests of the procedural solver give it: an island as a solver gets it, and its largest errors afterwards.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/model/compile.h"
#include "armature/solvers/procedural/procedural.h"
#include "support/random_scenes.h"
#include "support/small_scenes.h"

namespace armature::test_procedural {

inline std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

struct Problem {
    Model model;
    std::vector<Vec3> x;
    std::vector<Quat> q;
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;
    ProceduralSolver solver;
    double tolerance = 1e-4;
    int sweeps = 1000;

    explicit Problem(const Spec& spec) : model(compile(spec)) {
        const State s = initial_state(model);
        for (const BodyId b : island().bodies) {
            x.push_back(s.x[idx(b)]);
            q.push_back(s.q[idx(b)]);
        }
    }
    const Island& island() const { return model.islands.at(0); }
    const Body& body(std::size_t local) const { return model.bodies[idx(island().bodies[local])]; }
    std::size_t dynamic_count() const { return idx(island().dynamic_count); }

    CorrectionReport correct() {
        CorrectionProblem p{model, island(), 0, x, q, nullptr, nullptr, moved, impulses, tolerance, sweeps};
        return solver.correct(p);
    }
    double error(std::size_t joint) const {
        const Island::LocalJoint& j = island().joints[joint];
        double worst = 0;
        for (const Part& part : model.joints[idx(j.joint)].parts)
            worst = std::fmax(worst, violation(part, {x[idx(j.body1)], to_matrix(q[idx(j.body1)])},
                                               {x[idx(j.body2)], to_matrix(q[idx(j.body2)])}));
        return worst;
    }
    /// The largest violation of any part, m or rad.
    double error() const {
        double worst = 0;
        for (std::size_t k = 0; k < island().joints.size(); ++k) worst = std::fmax(worst, error(k));
        return worst;
    }
    Vec3 centre() const {
        Vec3 sum;
        double mass = 0;
        for (std::size_t i = 0; i < dynamic_count(); ++i) {
            sum += body(i).mass * x[i];
            mass += body(i).mass;
        }
        return sum / mass;
    }
};

/// Every solid somewhere else, turned anyhow: nothing holds any more.
inline void scatter(Random& random, Problem& p, double by) {
    for (std::size_t i = 0; i < p.dynamic_count(); ++i) {
        p.x[i] += random.in_box(by);
        if (!p.body(i).particle) p.q[i] = random.orientation();
    }
}

}  // namespace armature::test_procedural

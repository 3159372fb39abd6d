// What the tests of the procedural solver give it: an island as a solver gets it, and its largest errors afterwards.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/solvers/procedural/procedural.h"
#include "solvers/island_problem.h"
#include "support/random_scenes.h"
#include "support/small_scenes.h"

namespace armature::test_procedural {

struct Problem : IslandProblem {
    ProceduralSolver solver;
    double tolerance = 1e-4;
    int sweeps = 1000;

    using IslandProblem::IslandProblem;

    CorrectionReport correct() {
        CorrectionProblem p{model, island(), 0, x, q, nullptr, nullptr, moved, impulses, tolerance, sweeps};
        return solver.correct(p);
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

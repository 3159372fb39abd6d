// How to simulate: fields of SimulationSpec and DisplacementSpec (model/spec.h).
#include "armature/scene/schema/common.h"

namespace armature::lang {

void add_simulation_block(std::vector<BlockSpec>& blocks) {
    blocks.push_back({
        .id = BlockId::simulation,
        .name = "simulation",
        .header = {.name = "simulation"},
        .keywords =
            {{.name = "gravity", .args = {vector("g", "m/s²")}, .fallback = "0 -9.81 0", .doc = "y is up"},
             {.name = "duration", .args = {number("time", "s")}, .fallback = "10", .doc = "length of the run"},
             {.name = "dt", .args = {number("dt", "s")}, .fallback = "1/60",
              .doc = "time between frames; the step is this or shorter"},
             {.name = "scheme", .args = {choice("euler|newton|stormer|verlet")}, .fallback = "newton",
              .doc = "free motion of a step"},
             {.name = "verlet_keep", .args = {number("k")}, .fallback = "1",
              .doc = "k of damped Verlet, 0 to 1: the share of the velocity that is kept"},
             {.name = "settle", .args = {number("share")}, .fallback = "0.1",
              .doc = "newton: how much of a joint's leftover velocity is taken out per step, 0 to 1"},
             {.name = "solver", .args = {word("NAME")}, .fallback = "displacement",
              .doc = "what makes the joints hold; `armature list solvers`"},
             {.name = "tolerance", .args = {number("tolerance", "m, rad")}, .fallback = "1e-4",
              .doc = "iterations stop when every joint is within it"},
             {.name = "iterations", .args = {integer("n")}, .fallback = "1000", .doc = "at most, per step"},
             {.name = "on_failure", .args = {choice("keep_going|stop")}, .fallback = "keep_going",
              .doc = "when a step does not reach the tolerance"},
             {.name = "max_gap", .args = {number("gap", "m, rad")}, .fallback = "1e-3",
              .doc = "a run that ends a frame with a larger gap is reported as not converged"},
             {.name = "assemble", .args = {choice("no|yes")}, .fallback = "yes",
              .doc = "make the joints hold before the first step"},
             {.name = "assembly_iterations", .args = {integer("n")}, .fallback = "20000",
              .doc = "at most, for that"},
             {.name = "max_rotation", .args = {number("angle", "rad")}, .fallback = "0.5",
              .doc = "a step in which something turns more is halved"},
             {.name = "max_correction", .args = {number("fraction")}, .fallback = "0.5",
              .doc = "a step with a larger correction, as a fraction of the size of what hangs together, is halved"},
             {.name = "min_dt", .args = {number("dt", "s")}, .fallback = "1e-4", .doc = "no step is halved below this"},
             {.name = "variant", .args = {integer("1|2")}, .fallback = "1",
              .doc = "displacement solver: the first or second scheme of Gascuel and Gascuel"},
             {.name = "alpha", .args = {choice("safe|paper")}, .fallback = "safe",
              .doc = "displacement solver: the rule for the share of translation in a correction"},
             {.name = "order", .args = {choice("jacobi|gauss_seidel")}, .fallback = "jacobi",
              .doc = "displacement solver: all joints at once, or one after the other"},
             {.name = "physics", .args = {choice("no|yes")}, .fallback = "yes",
              .doc = "displacement solver: no uses `mobility` and `ability_to_rotate` in place of masses"},
             {.name = "accelerate", .args = {choice("no|yes")}, .fallback = "yes",
              .doc = "displacement solver: jacobi sweeps gather momentum; far fewer are needed"},
             {.name = "relaxation", .args = {number("factor")}, .fallback = "1",
              .doc = "displacement solver: factor on every correction, between 0 and 2"}},
        .doc = "How to simulate. At most one in a scene.",
        .example = "simulation\n"
                   "  duration 5;\n"
                   "  dt 1/120;\n"
                   "  scheme verlet;  verlet_keep 0.99;\n"
                   "end\n",
    });
}

}  // namespace armature::lang

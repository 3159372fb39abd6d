// The procedural solver: cost per joint on trees of 10 to 10 000 solids, and chain-1000 beside the displacement solver at a gap
// of 1 mm, in one run.
#include <benchmark/benchmark.h>

#include <string>

#include "armature/math/random.h"
#include "armature/sim/simulator.h"

namespace {

using namespace armature;

/// Thin rods of 1 m and 10 kg end to end, the first dragged round by its end.
Spec rods(int n, bool tree) {
    Spec spec;
    Random random(1);
    for (int i = 0; i < n; ++i) {
        SolidSpec& s = spec.add_solid("rod" + std::to_string(i));
        s.shapes.push_back({"", Box{{1, 0.1, 0.1}}, {}, {}});
        s.mass = 10;
        const int parent = i == 0 ? -1 : tree ? random.integer(std::max(0, i - 6), i - 1) : i - 1;
        s.pose_WB.x =
            parent < 0 ? Vec3{0.5, 0, 0} : spec.solids[static_cast<std::size_t>(parent)].pose_WB.x + Vec3{1, 0, 0};
        if (parent < 0) continue;
        ConstraintSpec& c = spec.add_constraint(s.name, "rod" + std::to_string(parent));
        c.hinge = HingeSpec{{-0.5, 0, 0}, {0.5, 0, 0}, PointDomain{}};
    }
    DraggedSpec& hand = spec.add_drag("hand", "rod0");
    hand.at_B = {-0.5, 0, 0};
    hand.path.interpolation = Interpolation::spline;
    for (int k = 0; k <= 400; ++k) hand.path.keys.push_back({0.1 * k, {{0, 0.5 * (k % 2), 0.3 * (k % 3)}, {}}});
    spec.simulation.solver = "procedural";
    spec.simulation.verlet_keep = 0.99;
    return spec;
}

void correction(benchmark::State& state, bool tree) {
    Simulator sim(rods(static_cast<int>(state.range(0)), tree));
    double seconds = 0;
    long long steps = 0;
    for (auto _ : state) {
        const StepReport& r = sim.advance();
        seconds += r.seconds[2];
        ++steps;
    }
    state.counters["ns/joint"] = 1e9 * seconds / static_cast<double>(steps * state.range(0));
    state.counters["gap"] = sim.report().gap.value;
}
void trees(benchmark::State& state) {
    correction(state, true);
}
void chains(benchmark::State& state) {
    correction(state, false);
}
BENCHMARK(trees)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
BENCHMARK(chains)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

/// Whole steps of the same dragged chain, the same scheme, at a gap of 1 mm.
void chain_1000(benchmark::State& state, const char* solver) {
    Spec spec = rods(1000, false);
    spec.simulation.solver = solver;
    spec.simulation.scheme = Scheme::verlet;
    spec.simulation.tolerance = 1e-3;
    spec.simulation.iterations = 20000;
    spec.simulation.max_correction = 1e9;
    spec.simulation.max_rotation = 3;
    Simulator sim(spec);
    for (int k = 0; k < 20; ++k) sim.advance();
    for (auto _ : state) sim.advance();
    state.counters["gap"] = sim.report().gap.value;
    state.counters["sweeps"] = sim.report().mean_iterations;
}
BENCHMARK_CAPTURE(chain_1000, procedural, "procedural")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(chain_1000, displacement, "displacement")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(chain_1000, linearized, "linearized")->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();

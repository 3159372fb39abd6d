// What the linearized solver costs: per ball joint and Newton iteration, per pin, and how that grows with the structure.
//
//   build/release/bench/bench_linearized [--benchmark_filter=chain]
//
// ns_per_joint: one iteration, all of it (rows, matrix, factorisation, solution, motion), divided by the joints. Frames are
// taken from the middle of the motion; their cost is per joint too, with everything else that a step does.
#include <benchmark/benchmark.h>

#include "armature/sim/flush_denormals.h"
#include "armature/sim/step.h"
#include "scenes.h"

namespace armature::bench {
namespace {

/// A step of one island, from after free motion, with a goal that is never met.
void iterations(benchmark::State& state, const Spec& spec) {
    constexpr int iterations = 4;
    const Model model = compile(spec);
    const Island& island = model.islands[0];
    LocalBodies start;
    gather(island, initial_state(model), start);
    LocalBodies free = start;
    const double h = model.simulation.dt;
    for (int i = 0; i < island.dynamic_count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        free.x[k] += (0.5 * h * h) * model.simulation.gravity;
        free.q[k] = turned(free.q[k], {1e-5, 2e-5 * (i % 5), 1e-5});
    }
    LinearizedSpec settings;
    settings.method = LinearMethod::direct;
    LinearizedSolver solver(settings);
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;
    const FlushDenormals flush;
    LocalBodies now;
    long long made = 0;
    for (auto _ : state) {
        now = free;
        CorrectionProblem problem{model,    island, 0,        now.x,  now.q,     &start.x,
                                  &start.q, moved,  impulses, 1e-200, iterations};
        made += solver.correct(problem).iterations;
    }
    state.counters["ns_per_joint"] =
        benchmark::Counter(1e-9 * static_cast<double>(made) * static_cast<double>(island.joints.size()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void frames(benchmark::State& state, Spec spec, Scheme scheme, double tolerance) {
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    spec.simulation.tolerance = tolerance;
    const Model model = compile(spec);
    Diagnostics diagnostics;
    StepWorkspace workspace(make_solver(model, diagnostics));
    State now = initial_state(model);
    for (int i = 0; i < 60; ++i) advance_frame(model, now, workspace);
    const State middle = now;
    double made = 0;
    int frame = 0;
    for (auto _ : state) {
        made += static_cast<double>(advance_frame(model, now, workspace).iterations);
        if (++frame % 60 == 0) now = middle;
    }
    const double joints = static_cast<double>(model.joints.size());
    state.counters["iterations"] = made / frame / static_cast<double>(model.islands.size());
    state.counters["ns_per_joint"] =
        benchmark::Counter(1e-9 * joints, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

Spec pins(int n) {
    Spec spec = chain(n);
    for (ConstraintSpec& c : spec.constraints) c.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
    return spec;
}

}  // namespace
}  // namespace armature::bench

int main(int argc, char** argv) {
    using namespace armature;
    using namespace armature::bench;
    for (const int n : {10, 100, 1000, 10'000, 100'000})
        benchmark::RegisterBenchmark(fmt::format("iteration/chain-{}", n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, chain(n)); });
    for (const int n : {100, 1000})
        benchmark::RegisterBenchmark(fmt::format("iteration/pins-{}", n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, pins(n)); });
    for (const int n : {10, 100, 1000})
        for (const Scheme scheme : {Scheme::newton, Scheme::exact})
            benchmark::RegisterBenchmark(
                fmt::format("frame/chain-{}/{}", n, scheme == Scheme::exact ? "exact" : "newton").c_str(),
                [n, scheme](benchmark::State& s) { frames(s, chain(n), scheme, 1e-3); });
    benchmark::RegisterBenchmark("frame/heavy-20",
                                 [](benchmark::State& s) { frames(s, chain(20, 1000), Scheme::newton, 1e-3); });
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}

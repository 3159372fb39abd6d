// What the displacement solver costs: per ball joint and sweep, and per frame of whole scenes.
//
//   build/release/bench/bench_displacement [--benchmark_filter=sweep]
//
// ns_per_joint counts the ball joints, angle and twist parts as the solver meets them. Frames are taken from the middle
// of the motion, after a second of simulation.
#include <benchmark/benchmark.h>

#include "armature/sim/flush_denormals.h"
#include "armature/sim/simulator.h"
#include "scenes.h"

namespace armature::bench {
namespace {

/// Sweeps over a chain whose links were scattered by a centimetre; a tolerance that is never met keeps them coming.
void sweep(benchmark::State& state, SweepOrder order, int variant) {
    const int n = static_cast<int>(state.range(0));
    Spec spec = chain(n);
    spec.simulation.displacement.order = order;
    spec.simulation.displacement.variant = variant;
    const Model model = compile(spec);
    const Island& island = model.islands[0];
    LocalBodies start;
    gather(island, initial_state(model), start);
    LocalBodies scattered = start;
    for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        scattered.x[k] += Vec3{0.001 * (i * 37 % 11), 0.001 * (i * 17 % 7), 0.003};
        scattered.q[k] = turned(scattered.q[k], {0.01, 0.02 * (i % 5), 0.01});
    }
    DisplacementSolver solver(spec.simulation.displacement);
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;
    const FlushDenormals flush;
    constexpr int sweeps = 200;
    LocalBodies now;
    for (auto _ : state) {
        now = scattered;
        CorrectionProblem problem{model, island, 0, now.x, now.q, &start.x, &start.q, moved, impulses, 1e-200, sweeps};
        benchmark::DoNotOptimize(solver.correct(problem).worst_error);
    }
    state.counters["ns_per_joint"] = benchmark::Counter(
        1e-9 * n * sweeps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void frame(benchmark::State& state, const Spec& spec) {
    Simulator sim(spec);
    sim.assemble();
    sim.advance_to(1);
    const State middle = sim.state();
    const double joints = static_cast<double>(sim.model().joints.size());
    double iterations = 0, frames = 0;
    for (auto _ : state) {
        sim.advance();
        iterations += static_cast<double>(sim.report().mean_iterations);
        frames += 1;
        if (static_cast<int>(frames) % 60 == 0) {  // the same second again and again
            state.PauseTiming();
            sim.set_state(middle);
            state.ResumeTiming();
        }
    }
    state.counters["joints"] = joints;
    state.counters["sweeps"] = frames > 0 ? iterations / frames : 0;
}

Spec gallery_with(const char* file, const char* parameter, const char* value) {
    LoadOptions options;
    if (parameter) options.overrides.emplace_back(parameter, value);
    return gallery(file, options);
}

}  // namespace
}  // namespace armature::bench

int main(int argc, char** argv) {
    using namespace armature;
    using namespace armature::bench;
    const auto add_sweep = [](const char* name, SweepOrder order, int variant) {
        auto* b = benchmark::RegisterBenchmark(name, [=](benchmark::State& s) { sweep(s, order, variant); });
        for (const int n : {10, 100, 1000, 10000}) b->Arg(n);
        b->Unit(benchmark::kMicrosecond);
    };
    add_sweep("sweep/jacobi/variant1", SweepOrder::jacobi, 1);
    add_sweep("sweep/jacobi/variant2", SweepOrder::jacobi, 2);
    add_sweep("sweep/gauss_seidel/variant1", SweepOrder::gauss_seidel, 1);
    const auto add_frame = [](const char* name, auto make) {
        benchmark::RegisterBenchmark(name, [=](benchmark::State& s) {
            frame(s, make());
        })->Unit(benchmark::kMillisecond);
    };
    add_frame("frame/chain-10", [] { return chain(10); });
    add_frame("frame/chain-100", [] { return chain(100); });
    add_frame("frame/chain-1000", [] { return chain(1000); });
    add_frame("frame/net-20x20", [] { return gallery_with("net.arm", "n", "20"); });
    add_frame("frame/ragdolls-100", [] { return gallery_with("ragdolls.arm", "dolls", "100"); });
    add_frame("frame/monocycle", [] { return gallery_with("monocycle.arm", nullptr, nullptr); });
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

// What the linearized solver costs: per ball joint and Newton iteration, per pin, and how that grows with the structure.
//
//   build/release/bench/bench_linearized [--benchmark_filter=chain]
//
// budget: what the frames of a large structure take when they are given a millisecond.
// ns_per_joint: one iteration, all of it (rows, matrix, factorisation, solution, motion), divided by the joints. Frames are
// taken from the middle of the motion; their cost is per joint too, with everything else that a step does.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "armature/sim/flush_denormals.h"
#include "armature/sim/step.h"
#include "scenes.h"

namespace armature::bench {
namespace {

/// A step of one island, from after free motion, with a goal that is never met. Bodies have turned out of the plane of the chain, or
/// within it.
void iterations(benchmark::State& state, const Spec& spec, bool in_plane = false) {
    constexpr int iterations = 4;
    const Model model = compile(spec);
    const Island& island = model.islands[0];
    LocalBodies start;
    gather(island, initial_state(model), start);
    LocalBodies free = start;
    const double h = model.simulation.dt;
    // In a long chain what each link turns adds up to more than a step may ask for.
    const double wobble = 1e-5 * std::min(1.0, 1000.0 / island.dynamic_count);
    for (int i = 0; i < island.dynamic_count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        free.x[k] += (0.5 * h * h) * model.simulation.gravity;
        const Vec3 turn = in_plane ? Vec3{0, 0, 1.0 + i % 3} : Vec3{1, 2.0 * (i % 5), 1};
        free.q[k] = turned(free.q[k], wobble * turn);
    }
    LinearizedSpec settings;
    settings.method = LinearMethod::direct;
    LinearizedSolver solver(settings);
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;
    const FlushDenormals flush;
    LocalBodies now;
    long long made = 0;
    bool quick = true;
    const auto correct = [&] {
        now = free;
        CorrectionProblem problem{model,    island, 0,        now.x,  now.q,     &start.x,
                                  &start.q, moved,  impulses, 1e-200, iterations};
        return solver.correct(problem);
    };
    correct();  // plans are made once
    for (auto _ : state) {
        const CorrectionReport report = correct();
        made += report.iterations;
        quick = quick && report.way == (in_plane ? LinearWay::pins_in_plane : LinearWay::tied_points);
    }
    state.counters["ns_per_joint"] =
        benchmark::Counter(1e-9 * static_cast<double>(made) * static_cast<double>(island.joints.size()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    if (!quick) state.SetLabel("another way");
}

void frames(benchmark::State& state, Spec spec, Scheme scheme, double tolerance, int iterations = 1000) {
    spec.simulation.solver = "linearized";
    spec.simulation.scheme = scheme;
    spec.simulation.tolerance = tolerance;
    spec.simulation.iterations = iterations;
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

/// 2000 solids, 1 ms a frame: a comb of twenty chains whose back is led about for a second, then held still. What the
/// longest frame took, and how long after the end of the drag every joint is within a micrometre again.
void budget(benchmark::State& state) {
    Spec spec;
    SolidSpec& back = spec.add_solid("back");
    back.kernel = Kernel::path;
    for (int i = 0; i <= 20; ++i) {  // out and back, from rest to rest
        const double s = std::sin(pi * i / 20);
        back.path.keys.push_back({0.05 * i, {{0.3 * s * s, 0.1 * s * s * std::sin(2 * pi * i / 20), 0}, {}}});
    }
    for (int c = 0; c < 20; ++c)
        for (int i = 0; i < 100; ++i) {
            SolidSpec& s = spec.add_solid(fmt::format("link{}_{}", c, i));
            s.shapes.push_back({"", Box{{0.02, 0.1, 0.02}}, {}, {}});
            s.mass = 0.1;
            s.pose_WB.x = {0.1 * c, -0.05 - 0.1 * i, 0};
            const std::string above = i > 0 ? fmt::format("link{}_{}", c, i - 1) : "back";
            spec.add_constraint(above, s.name).hinge =
                HingeSpec{i > 0 ? Vec3{0, -0.05, 0} : Vec3{0.1 * c, 0, 0}, {0, 0.05, 0}, PointDomain{}};
        }
    spec.simulation.solver = "linearized";
    spec.simulation.linearized.budget = 1e-3;
    const Model model = compile(spec);
    Diagnostics diagnostics;
    StepWorkspace workspace(make_solver(model, diagnostics));
    std::vector<double> took;
    double recovered = 0, worst = 0, undone = 0;
    for (auto _ : state) {
        State now = initial_state(model);
        advance_frame(model, now, workspace);  // plans are made once
        now = initial_state(model);
        recovered = worst = 0;
        for (int frame = 0; frame < 180; ++frame) {
            const auto begin = std::chrono::steady_clock::now();
            const StepReport report = advance_frame(model, now, workspace);
            const double error = report.worst_error;
            undone += report.rejected;
            took.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            worst = std::max(worst, error);
            if (error > 1e-6) recovered = std::max(0.0, now.time - 1);
        }
    }
    std::sort(took.begin(), took.end());
    state.counters["longest_ms"] = 1e3 * took.back();
    state.counters["p99_ms"] = 1e3 * took[took.size() * 99 / 100];
    state.counters["median_ms"] = 1e3 * took[took.size() / 2];
    state.counters["recovered_s"] = recovered;
    state.counters["worst_m"] = worst;
    state.counters["undone_per_frame"] = undone / static_cast<double>(took.size());
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
    for (const int n : {100, 1000})
        benchmark::RegisterBenchmark(fmt::format("iteration/pins-in-plane-{}", n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, pins(n), true); });
    for (const int n : {5, 10, 20, 40, 60})
        benchmark::RegisterBenchmark(fmt::format("iteration/net-{}x{}", n, n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, net(n)); });
    for (const int n : {10, 100, 1000, 10'000, 100'000})
        for (const Scheme scheme : {Scheme::newton, Scheme::exact})
            benchmark::RegisterBenchmark(
                fmt::format("frame/chain-{}/{}", n, scheme == Scheme::exact ? "exact" : "newton").c_str(),
                [n, scheme](benchmark::State& s) { frames(s, chain(n), scheme, 1e-3); });
    for (const auto& [n, iterations] : {std::pair{10, 1}, {100, 2}, {1000, 1}})
        benchmark::RegisterBenchmark(
            fmt::format("frame/chain-{}/at_most_{}", n, iterations).c_str(),
            [n, iterations](benchmark::State& s) { frames(s, chain(n), Scheme::newton, 1e-3, iterations); });
    benchmark::RegisterBenchmark("frame/heavy-20",
                                 [](benchmark::State& s) { frames(s, chain(20, 1000), Scheme::newton, 1e-3); });
    benchmark::RegisterBenchmark("budget/comb-2000", budget)->Iterations(3);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}

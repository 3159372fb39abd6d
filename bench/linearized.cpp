// What the linearized solver costs: per ball joint and Newton iteration, per pin, and how that grows with the structure.
//
//   build/release/bench/bench_linearized [--benchmark_filter=chain]
//
// budget: what the frames of a large structure take when they are given a millisecond.
// ns_per_joint: one iteration, all of it (rows, matrix, factorisation, solution, motion), divided by the joints, with a third of what
// begins and ends a correction of three; ns_one_more: without. Frames are taken from the middle of the motion; their cost is per
// joint too, with everything else that a step does.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "armature/sim/flush_denormals.h"
#include "armature/sim/step.h"
#include "scenes.h"

namespace armature::bench {
namespace {

/// Steps of one island, or of eight that are alike and corrected together, from after free motion, with a goal that is never met.
/// Bodies have turned out of the plane of the chain, or within it.
class Corrections {
  public:
    explicit Corrections(const Spec& spec, bool in_plane = false) : model_(compile(spec)), in_plane_(in_plane) {
        LinearizedSpec settings;
        settings.method = LinearMethod::direct;
        solver_ = LinearizedSolver(settings);
        for (Island& island : model_.islands) {
            island.size = 0;  // and so the goal is
            One& one = all_.emplace_back(island);
            gather(island, initial_state(model_), one.start);
            one.free = one.start;
            const double h = model_.simulation.dt;
            // In a long chain what each link turns adds up to more than a step may ask for.
            const double wobble = 1e-5 * std::min(1.0, 1000.0 / island.dynamic_count);
            for (int i = 0; i < island.dynamic_count; ++i) {
                const auto k = static_cast<std::size_t>(i);
                one.free.x[k] += (0.5 * h * h) * model_.simulation.gravity;
                const Vec3 turn = in_plane ? Vec3{0, 0, 1.0 + i % 3} : Vec3{1, 2.0 * (i % 5), 1};
                one.free.q[k] = turned(one.free.q[k], wobble * turn);
            }
        }
        together_ = all_.size() > 1;
        if (together_) solver_.equal_islands(model_);
        correct(1);  // plans are made once
    }

    /// How long so many iterations take, s.
    double correct(int iterations) {
        const FlushDenormals flush;
        std::array<CorrectionReport, most_together> reports;
        std::vector<CorrectionProblem> problems;
        std::vector<CorrectionProblem*> pointers;
        for (One& one : all_) {
            one.now = one.free;
            problems.push_back({model_, one.island, 0, one.now.x, one.now.q, &one.start.x, &one.start.q, one.moved,
                                one.impulses, 1e-200, iterations});
        }
        for (CorrectionProblem& p : problems) pointers.push_back(&p);
        const auto begin = std::chrono::steady_clock::now();
        if (together_)
            solver_.correct_together(pointers, reports);
        else
            reports[0] = solver_.correct(problems[0]);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        for (std::size_t i = 0; i < all_.size(); ++i)
            as_meant_ = as_meant_ && reports[i].iterations == iterations &&
                        (reports[i].way == LinearWay::tied_points) == !in_plane_;
        return took.count();
    }
    double joints() const { return static_cast<double>(model_.joints.size()); }
    bool as_meant() const { return as_meant_; }

  private:
    struct One {
        explicit One(const Island& of) : island(of) {}
        const Island& island;
        LocalBodies start, free, now;
        std::vector<Vec3> moved;
        std::vector<JointLoad> impulses;
    };
    Model model_;
    bool in_plane_, together_ = false, as_meant_ = true;
    LinearizedSolver solver_;
    std::vector<One> all_;
};

/// ns per joint of a correction of three iterations, divided by three, and of what three more take, divided by three.
void iterations(benchmark::State& state, const Spec& spec, bool in_plane = false) {
    Corrections corrections(spec, in_plane);
    std::vector<double> three, more;
    for (auto _ : state) {
        const double once = corrections.correct(3), twice = corrections.correct(6);
        three.push_back(once);
        more.push_back(twice - once);
    }
    const auto median = [&](std::vector<double>& v) {
        std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
        return 1e9 * v[v.size() / 2] / (3 * corrections.joints());
    };
    state.counters["ns_per_joint"] = median(three);
    state.counters["ns_one_more"] = median(more);
    if (!corrections.as_meant()) state.SetLabel("another way");
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

/// The ragdolls of the race, eight of them: eleven ball joints, and pins at elbows and knees or ball joints there too.
Spec dolls(bool with_pins) {
    Spec spec;
    for (int d = 0; d < 8; ++d) {
        const Pose doll{{2.0 * d, 0, 0}, from_axis_angle(normalized(Vec3{0.3 * d, 1, 0.5}), 0.9 * d)};
        const auto part = [&](const char* name, double mass, const Vec3& size, const Vec3& at) {
            SolidSpec& s = spec.add_solid(fmt::format("{}_{}_{}", name, at.x > 0 ? "l" : "r", d));
            s.shapes.push_back({"", Box{size}, {}, {}});
            s.mass = mass;
            s.pose_WB = doll * Pose{at, {}};
            return s.name;
        };
        const auto ball = [&](const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2) {
            spec.add_constraint(one, two).hinge = HingeSpec{p1, p2, PointDomain{}};
        };
        const auto pin = [&](const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2,
                             const Vec3& axis) {
            ball(one, p1, two, p2);
            if (with_pins) spec.constraints.back().angle = AngleSpec{axis, axis, 0, 0};
        };
        const std::string pelvis = part("pelvis", 10, {0.3, 0.2, 0.2}, {});
        const std::string torso = part("torso", 25, {0.36, 0.44, 0.22}, {0, 0.32, 0});
        ball(pelvis, {0, 0.1, 0}, torso, {0, -0.22, 0});
        ball(torso, {0, 0.22, 0}, part("head", 5, {0.18, 0.26, 0.2}, {0, 0.67, 0}), {0, -0.13, 0});
        for (const double s : {1.0, -1.0}) {
            const std::string arm = part("arm", 2.2, {0.3, 0.09, 0.09}, {s * 0.33, 0.5, 0});
            const std::string forearm = part("forearm", 1.5, {0.26, 0.07, 0.07}, {s * 0.61, 0.5, 0});
            const std::string hand = part("hand", 0.5, {0.18, 0.03, 0.09}, {s * 0.83, 0.5, 0});
            ball(torso, {s * 0.18, 0.18, 0}, arm, {s * -0.15, 0, 0});
            pin(arm, {s * 0.15, 0, 0}, forearm, {s * -0.13, 0, 0}, {0, 1, 0});
            ball(forearm, {s * 0.13, 0, 0}, hand, {s * -0.09, 0, 0});
            if (s > 0) ball("world", doll * Vec3{0.92, 0.5, 0}, hand, {0.09, 0, 0});
            const std::string thigh = part("thigh", 8, {0.14, 0.42, 0.14}, {s * 0.1, -0.31, 0});
            const std::string shin = part("shin", 4, {0.11, 0.42, 0.11}, {s * 0.1, -0.73, 0});
            ball(pelvis, {s * 0.1, -0.1, 0}, thigh, {0, 0.21, 0});
            pin(thigh, {0, -0.21, 0}, shin, {0, 0.21, 0}, {1, 0, 0});
            ball(shin, {0, -0.21, 0}, part("foot", 1, {0.09, 0.07, 0.25}, {s * 0.1, -0.975, 0.06}), {0, 0.035, -0.06});
        }
    }
    return spec;
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
    for (const int n : {100, 1000, 10'000, 100'000})
        benchmark::RegisterBenchmark(fmt::format("iteration/chain-in-plane-{}", n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, chain(n), true); });
    for (const int n : {100, 1000})
        benchmark::RegisterBenchmark(fmt::format("iteration/pins-{}", n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, pins(n)); });
    for (const int n : {100, 1000})
        benchmark::RegisterBenchmark(fmt::format("iteration/pins-in-plane-{}", n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, pins(n), true); });
    for (const bool with_pins : {false, true})
        benchmark::RegisterBenchmark(with_pins ? "iteration/8-dolls-with-pins" : "iteration/8-dolls-of-balls",
                                     [with_pins](benchmark::State& s) { iterations(s, dolls(with_pins)); });
    for (const int n : {5, 10, 20, 40, 60})
        benchmark::RegisterBenchmark(fmt::format("iteration/net-{}x{}", n, n).c_str(),
                                     [n](benchmark::State& s) { iterations(s, net(n)); });
    for (const int n : {10, 100, 1000, 10'000, 100'000})
        for (const Scheme scheme : {Scheme::newton, Scheme::exact})
            benchmark::RegisterBenchmark(
                fmt::format("frame/chain-{}/{}", n, scheme == Scheme::exact ? "exact" : "newton").c_str(),
                [n, scheme](benchmark::State& s) { frames(s, chain(n), scheme, 1e-3); });
    for (const int n : {100, 1000, 10'000, 100'000})
        benchmark::RegisterBenchmark(fmt::format("frame/chain-{}/newton, out of plane", n).c_str(),
                                     [n](benchmark::State& s) {
                                         Spec spec = chain(n);
                                         spec.solids.back().velocity = {0, 0, 1};
                                         frames(s, spec, Scheme::newton, 1e-3);
                                     });
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

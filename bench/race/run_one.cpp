#include "run_one.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>

namespace armature::race {
namespace {

constexpr std::size_t warm_up = 5, batch = 20;  // frames

/// Seconds that `step` took. The wall clock, but not the time in which the core was somebody else's: where the process
/// got less of it than went by, what it got counts. (The clock of the process alone would do if asking it did not take as
/// long as a step of a small scene.)
double time_of(World& engine_world) {
    const auto cpu = [] {
        timespec now;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    };
    const double cpu_begin = cpu();
    const auto begin = std::chrono::steady_clock::now();
    engine_world.step();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::min(wall, cpu() - cpu_begin);
}

/// The median over batches of the mean over a batch: neither a single interruption nor the first steps count.
double typical_ms(const std::vector<double>& seconds) {
    std::vector<double> means;
    const std::size_t first = seconds.size() > 2 * warm_up ? warm_up : 0;
    for (std::size_t begin = first; begin < seconds.size(); begin += batch) {
        const std::size_t end = std::min(begin + batch, seconds.size());
        if (end - begin < batch && !means.empty()) break;
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += seconds[i];
        means.push_back(1e3 * sum / static_cast<double>(end - begin));
    }
    if (means.empty()) return 0;
    const auto middle = means.begin() + static_cast<std::ptrdiff_t>(means.size() / 2);
    std::nth_element(means.begin(), middle, means.end());
    return *middle;
}

void race(const RaceScene& scene, World& engine_world, const Limits& limits, Run& run, std::vector<double>& seconds) {
    std::vector<Pose> before, after(scene.bodies.size());
    for (const RaceBody& body : scene.bodies) before.push_back(body.pose_WB);
    const double start = start_energy(scene);
    double spent = 0;
    for (int n = 1; n <= limits.frames; ++n) {
        seconds.push_back(time_of(engine_world));
        spent += seconds.back();
        engine_world.read(after);
        run.time = n * frame;
        if (!std::all_of(after.begin(), after.end(), [](const Pose& X) { return is_finite(X); })) {
            run.outcome = Outcome::diverged;
            return;
        }
        const JointGap gap = worst_gap(scene, after);
        run.gap.point = std::max(run.gap.point, gap.point);
        run.gap.axis = std::max(run.gap.axis, gap.axis);
        run.energy_end = (mean_energy(scene, before, after, frame) - start) / scene.energy_range;
        run.energy_max = std::max(run.energy_max, run.energy_end);
        std::swap(before, after);
        if (run.gap.point > 1)
            run.outcome = Outcome::apart;
        else if (run.energy_max > 0.1)
            run.outcome = Outcome::diverged;
        else if (spent > limits.seconds || (n >= 3 && spent > 0.5 && spent / n * limits.frames > 1.2 * limits.seconds))
            run.outcome = Outcome::slow;
        if (run.outcome != Outcome::finished) return;
    }
}

}  // namespace

Setting substep_setting(int count, bool quick) {
    Setting setting;
    setting.label = std::to_string(count) + (count == 1 ? " sub-step" : " sub-steps");
    setting.substeps = count;
    setting.quick = quick;
    return setting;
}

std::vector<Setting> iteration_settings(int first) {
    std::vector<Setting> settings;
    for (const int substeps : {1, 3, 10, 30, 100, 300, 1000, 3000})
        for (const int factor : {1, 10, 100}) {
            if (factor * substeps > 10'000) continue;
            Setting setting = substep_setting(substeps, factor * substeps == 10 || factor * substeps == 300);
            setting.iterations = first * factor;
            setting.label = std::to_string(setting.iterations) + " iterations, " + setting.label;
            settings.push_back(setting);
        }
    // A sub-step costs about as much as the fewest iterations again.
    const auto cost = [&](const Setting& s) { return s.substeps * (first + s.iterations); };
    std::stable_sort(settings.begin(), settings.end(),
                     [&](const Setting& a, const Setting& b) { return cost(a) < cost(b); });
    return settings;
}

Run run_one(const RaceScene& scene, const Engine& engine, const Setting& setting, const Limits& limits) {
    Run run;
    run.scene = scene.name;
    run.engine = engine.name;
    run.setting = setting.label;
    std::vector<double> seconds;
    try {
        const std::unique_ptr<World> engine_world = engine.build(scene, setting);
        race(scene, *engine_world, limits, run, seconds);
    } catch (const std::exception& error) {
        run.outcome = Outcome::refused;
        run.reason = error.what();
    }
    run.step_ms = typical_ms(seconds);
    return run;
}

}  // namespace armature::race

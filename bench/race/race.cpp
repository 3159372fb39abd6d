// The race: the same scenes in every engine, each over its settings; see docs/performance.md, which it writes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "armature/math/constants.h"
#include "isolate.h"
#include "report.h"
#include "runs_csv.h"

namespace armature::race {
namespace {

struct Options {
    std::vector<std::string> scenes, engines;
    bool quick = false, redraw = false;
    double limit = 20;
    std::string out = ARMATURE_SOURCE_DIR "/docs";
};

/// By a part of its name; a whole name (chain-10) is not also a part of another (chain-100).
bool chosen(const std::string& name, const std::vector<std::string>& all, std::vector<std::string> parts) {
    if (std::find(parts.begin(), parts.end(), name) != parts.end()) return true;
    const std::size_t given = parts.size();
    std::erase_if(parts, [&](const std::string& part) { return std::find(all.begin(), all.end(), part) != all.end(); });
    return given == 0 || std::any_of(parts.begin(), parts.end(),
                                     [&](const std::string& part) { return name.find(part) != std::string::npos; });
}

void gather_engines(const Options& options, RaceResults& results) {
    const std::pair<const char*, std::vector<Engine>> all[] = {
        {"Armature", armature_engines()}, {"Bullet", bullet_engines()}, {"Bullet", bullet_multibody_engines()},
        {"ODE", ode_engines()},           {"MuJoCo", mujoco_engines()}, {"Simbody", simbody_engines()},
        {"DART", dart_engines()}};
    for (const auto& [name, engines] : all) {
        if (engines.empty() && (results.absent.empty() || results.absent.back() != name)) {
            results.absent.emplace_back(name);
            fmt::print(stderr, "{} is not installed: skipped\n", name);
        }
        for (const Engine& engine : engines)
            if (chosen(engine.name, {}, options.engines)) results.engines.push_back(engine);
    }
}

std::string read_text(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void say(const Run& run) {
    const char* outcomes[] = {"", "diverged", "fell apart", "too slow", "refused: "};
    fmt::print(stderr, "{:<13} {:<22} {:<34} {:9.4f} ms  gap {:.1e} m  axis {:.1e}  energy {:+.3f}  {}", run.scene,
               run.engine, run.setting, run.step_ms, run.gap.point, run.gap.axis, run.energy_end,
               outcomes[static_cast<int>(run.outcome)]);
    if (run.outcome != Outcome::finished && run.outcome != Outcome::refused)
        fmt::print(stderr, " at {:.2f} s", run.time);
    fmt::print(stderr, "{}\n", run.reason);
}

/// Who needs ten times as long as Armature to hold a millimetre has lost; with less time nobody could say so. Armature goes first.
Limits limits_for(const RaceScene& scene, const RaceResults& results) {
    double ours = infinity;
    for (const Run& run : results.runs)
        if (run.scene == scene.name && is_ours(run.engine) && run.within(1e-3))
            ours = std::min(ours, 1e-3 * run.step_ms * results.limits.frames);
    Limits limits = results.limits;
    if (ours < infinity) limits.seconds = std::max(limits.seconds, 10 * ours);
    return limits;
}

/// An engine's settings on one scene, from cheap to costly, until nothing is gained by going on: exact already, too slow
/// three times or hopelessly so twice, or refused. Where a costlier setting may be the faster one, all of them.
void sweep(const RaceScene& scene, const Engine& engine, const Options& options, RaceResults& results) {
    const bool loops = scene.joints.size() > scene.bodies.size();
    const Limits limits = is_ours(engine.name) ? results.limits : limits_for(scene, results);
    int slow = 0;
    for (const Setting& setting : engine.settings) {
        if ((options.quick && !setting.quick) || (setting.for_loops && !loops)) continue;
        const Run run = run_isolated(scene, engine, setting, limits);
        say(run);
        results.runs.push_back(run);
        if (run.outcome == Outcome::slow) slow += run.time < 5 * frame ? 3 : 2;
        const bool enough = slow >= 6 || run.within(1e-9);
        if (run.outcome == Outcome::refused || (enough && !engine.try_all)) break;
    }
}

int main(int argc, char** argv) {
    Options options;
    CLI::App app("Races Armature against the engines that are installed, and writes the page about it.");
    app.add_option("--scene", options.scenes, "only scenes whose name contains this (may be repeated)");
    app.add_option("--engine", options.engines, "only engines whose name contains this (may be repeated)");
    app.add_flag("--quick", options.quick, "a few settings of each engine, 60 frames");
    app.add_option("--limit", options.limit, "seconds of stepping after which a run is given up")
        ->capture_default_str();
    app.add_option("--out", options.out, "folder for performance.md and performance/")->capture_default_str();
    app.add_flag("--redraw", options.redraw, "run nothing: the page again from OUT/performance/runs.csv");
    CLI11_PARSE(app, argc, argv);

    RaceResults results;
    results.limits = {options.quick ? 60 : 600, options.limit};
    gather_engines(options, results);
    for (const std::string& name : scene_names())
        if (chosen(name, scene_names(), options.scenes)) results.scenes.push_back(make_scene(name));
    if (results.scenes.empty() || results.engines.empty()) {
        fmt::print(stderr, "no such scene or engine; scenes are {}\n", fmt::join(scene_names(), ", "));
        return 2;
    }
    if (options.redraw) {
        results.runs = from_csv(read_text(options.out + "/performance/runs.csv"));
    } else {
        for (const RaceScene& scene : results.scenes)
            for (const Engine& engine : results.engines) sweep(scene, engine, options, results);
    }
    write_report(results, read_text(ARMATURE_SOURCE_DIR "/bench/race/intro.md"), options.out);
    fmt::print(stderr, "{}/performance.md is written\n", options.out);
    return 0;
}

}  // namespace
}  // namespace armature::race

int main(int argc, char** argv) {
    try {
        return armature::race::main(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 1;
    }
}

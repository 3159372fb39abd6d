#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "armature/base/atomic_file.h"
#include "error_plot.h"
#include "runs_csv.h"

namespace armature::race {
namespace {

constexpr double goals[] = {1e-3, 1e-6};  // m

std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

std::string compiler() {
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

std::string milliseconds(double ms) {
    return fmt::format("{:.3g} ms", ms);
}

std::string energy(const Run& run) {
    return fmt::format("{:+.0f} %", 100 * run.energy_end);
}

std::vector<const Run*> runs_of(const RaceResults& results, const std::string& scene, const std::string& engine) {
    std::vector<const Run*> list;
    for (const Run& run : results.runs)
        if (run.scene == scene && run.engine == engine) list.push_back(&run);
    return list;
}

const Run* fastest_within(const std::vector<const Run*>& runs, double goal) {
    const Run* best = nullptr;
    for (const Run* run : runs)
        if (run->within(goal) && (!best || run->step_ms < best->step_ms)) best = run;
    return best;
}

/// Why no run got there: none of the settings does, or time ran out before that could be told.
const char* missed(const std::vector<const Run*>& runs) {
    const bool slow =
        std::any_of(runs.begin(), runs.end(), [](const Run* run) { return run->outcome == Outcome::slow; });
    return slow ? "too slow" : "never";
}

const Run* most_exact(const std::vector<const Run*>& runs) {
    const Run* best = nullptr;
    for (const Run* run : runs)
        if (run->outcome == Outcome::finished && (!best || run->gap.worst() < best->gap.worst())) best = run;
    return best;
}

/// What kept settings from counting, a few of each kind.
std::string remarks(const std::vector<const Run*>& runs) {
    std::string text;
    const auto gather = [&](Outcome outcome, const char* title, bool with_time) {
        int count = 0;
        for (const Run* run : runs) {
            if (run->outcome != outcome) continue;
            if (++count > 3) continue;
            text += count == 1 ? fmt::format("{}{}: ", text.empty() ? "" : "; ", title) : ", ";
            text += run->setting;
            if (with_time) text += fmt::format(" at {:.2g} s", run->time);
        }
        if (count > 3) text += fmt::format(" and {} more", count - 3);
    };
    gather(Outcome::diverged, "diverged", true);
    gather(Outcome::apart, "fell apart", true);
    gather(Outcome::slow, "too slow", false);
    for (const Run* run : runs)
        if (run->outcome == Outcome::refused) {
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", run->setting, run->reason);
            break;
        }
    std::replace(text.begin(), text.end(), '|', '/');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string scene_table(const RaceResults& results, const RaceScene& scene) {
    std::string text =
        "| engine | gap ≤ 1 mm | gap ≤ 1 µm | smallest gap | what did not count |\n"
        "|---|---|---|---|---|\n";
    for (const Engine& engine : results.engines) {
        const std::vector<const Run*> runs = runs_of(results, scene.name, engine.name);
        if (runs.empty()) continue;
        text += fmt::format("| {} |", engine.name);
        for (const double goal : goals) {
            const Run* run = fastest_within(runs, goal);
            text +=
                run ? fmt::format(" **{}** ({}; energy {}) |", milliseconds(run->step_ms), run->setting, energy(*run))
                    : fmt::format(" {} |", missed(runs));
        }
        const Run* best = most_exact(runs);
        text += best ? fmt::format(" {:.1e} m |", best->gap.worst()) : " – |";
        text += fmt::format(" {} |\n", remarks(runs));
    }
    return text;
}

/// Who is first: the best of ours beside the best of the others.
std::string summary_table(const RaceResults& results) {
    std::string text =
        "| scene | gap | best of Armature | fastest peer | Armature is |\n"
        "|---|---|---|---|---|\n";
    for (const RaceScene& scene : results.scenes)
        for (const double goal : goals) {
            std::vector<const Run*> ours, theirs;
            for (const Run& run : results.runs)
                if (run.scene == scene.name) (is_ours(run.engine) ? ours : theirs).push_back(&run);
            const Run *a = fastest_within(ours, goal), *b = fastest_within(theirs, goal);
            const auto cell = [](const Run* run, const std::vector<const Run*>& runs) {
                return run ? fmt::format("{}, {}", milliseconds(run->step_ms), run->engine) : std::string(missed(runs));
            };
            std::string verdict = "–";
            const auto times = [](double ratio) { return fmt::format("{:.{}f} ×", ratio, ratio < 9.95 ? 1 : 0); };
            if (a && b)
                verdict = a->step_ms <= b->step_ms ? times(b->step_ms / a->step_ms) + " faster"
                                                   : times(a->step_ms / b->step_ms) + " slower";
            else if (a || b)
                verdict = a ? "the only one" : "not there";
            text += fmt::format("| {} | {} | {} | {} | {} |\n", scene.name, goal == 1e-3 ? "1 mm" : "1 µm",
                                cell(a, ours), cell(b, theirs), verdict);
        }
    return text;
}

int style_of(const std::string& engine) {
    const char* names[] = {"Armature displacement",
                           "Bullet impulses",
                           "Bullet multibody",
                           "ODE step",
                           "ODE quickstep",
                           "MuJoCo",
                           "Simbody",
                           "DART",
                           "Armature linearized, exact",
                           "Armature linearized",
                           "Armature linearized, tilted"};
    const auto at = std::find(std::begin(names), std::end(names), engine);
    return static_cast<int>(at - std::begin(names));
}

std::string scene_plot(const RaceResults& results, const RaceScene& scene) {
    std::vector<ErrorCurve> curves;
    for (const Engine& engine : results.engines) {
        ErrorCurve curve{engine.name, style_of(engine.name), is_ours(engine.name), {}};
        for (const Run* run : runs_of(results, scene.name, engine.name))
            if (run->outcome == Outcome::finished) curve.points.emplace_back(run->step_ms, run->gap.worst());
        curves.push_back(std::move(curve));
    }
    return error_plot(scene.title, curves);
}

}  // namespace

void write_report(const RaceResults& results, const std::string& intro, const std::filesystem::path& out) {
    std::filesystem::create_directories(out / "performance");
    std::string page = intro + "\n## Who ran\n\n| engine | version | what is turned |\n|---|---|---|\n";
    for (const Engine& engine : results.engines)
        page += fmt::format("| {} | {} | {} |\n", engine.name, engine.version, engine.knob);
    for (const std::string& name : results.absent)
        page += fmt::format("\n{} is not installed here and was skipped.\n", name);
    page += fmt::format(
        "\nOn one core of {}; Armature and the race compiled with {}, -O3; {} frames a run, at most {:g} s, of a peer "
        "at "
        "least ten times what Armature took to stay within 1 mm.\n",
        cpu_model(), compiler(), results.limits.frames, results.limits.seconds);
    double load = 0;
    const unsigned cores = std::thread::hardware_concurrency();
    if (getloadavg(&load, 1) == 1 && load > cores)
        page += fmt::format("The machine was busy (load {:.1f} on {} cores): take the times as rough.\n", load, cores);
    page += "\n## In short\n\n" + summary_table(results);
    for (const RaceScene& scene : results.scenes) {
        page += fmt::format("\n## {}\n\n{}: {} bodies, {} joints. {}\n\n![error against time](performance/{}.svg)\n\n",
                            scene.name, scene.title, scene.bodies.size(), scene.joints.size(), scene.about, scene.name);
        page += scene_table(results, scene);
        write_file(out / "performance" / (scene.name + ".svg"), scene_plot(results, scene));
    }
    page += "\nEvery single run is in [performance/runs.csv](performance/runs.csv).\n";
    write_file(out / "performance" / "runs.csv", to_csv(results.runs));
    write_file(out / "performance.md", page);
}

}  // namespace armature::race

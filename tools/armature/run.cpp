// `armature run`: load, assemble, step frame by frame, write, report.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "armature/export/report_json.h"
#include "armature/model/state.h"
#include "armature/sim/simulator.h"
#include "interrupt.h"
#include "messages.h"
#include "run_outputs.h"
#include "scene_file.h"
#include "verbs.h"

namespace armature::command {

namespace {

std::string read_file(const std::string& path) {
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof()) throw FileError("read", path, errno != 0 ? errno : EIO);
    return bytes;
}

/// Puts the simulator where the run is to begin; the assembly's report when there was an assembly.
std::optional<AssemblyReport> prepare(Simulator& simulator, const RunOptions& options, const Terminal& terminal) {
    if (!options.restore.empty()) {
        simulator.set_state(from_snapshot(simulator.model(), read_file(options.restore), options.restore));
        return {};
    }
    if (!simulator.model().simulation.assemble) return {};
    AssemblyReport report = simulator.assemble();
    if (report.result != AssemblyResult::satisfied) say_warning(terminal, to_text(simulator.model(), report));
    return report;
}

void simulate(Simulator& simulator, RunOutputs& outputs, const std::string& label, const Terminal& terminal) {
    Progress progress(terminal, label, simulator.model().simulation.duration);
    outputs.add(simulator);
    while (simulator.state().frame < simulator.frame_count() && !simulator.stopped()) {
        if (interrupted()) {
            simulator.mark_interrupted();
            break;
        }
        simulator.advance();
        outputs.add(simulator);
        progress.update(simulator.state().time);
    }
}

}  // namespace

int run(const RunOptions& options, const Terminal& terminal) {
    auto compiled = load_and_compile(options.scene, terminal);
    if (!compiled) return unusable;
    Simulator simulator(std::move(compiled->model));
    const Model& model = simulator.model();
    RunOutputs outputs(options, simulator, terminal);

    Terminal shown = terminal;
    shown.rich_stderr = shown.rich_stderr && !options.quiet;
    const std::optional<AssemblyReport> assembly = prepare(simulator, options, terminal);
    simulate(simulator, outputs, options.scene.file, shown);

    const RunReport& report = simulator.report();
    const double max_gap = model.simulation.max_gap;
    const bool assembled = !assembly || assembly->open.empty() || assembly->open.front().error <= max_gap;
    const bool good = report.converged(max_gap) && assembled && !report.interrupted && !report.stopped;
    const Json json = report_json(model, report, assembly, options.scene.file, good);
    outputs.commit(json);
    if (!options.quiet) {
        const std::string text = options.json ? json_text(json) : to_text(model, report, max_gap);
        // A table on stdout wants it for itself.
        if (std::find(options.out.begin(), options.out.end(), "-") != options.out.end())
            fmt::print(stderr, "{}", text);
        else
            print_data(text);
    }
    if (outputs.any_failed()) return unusable;
    return good ? fine : broken;
}

}  // namespace armature::command

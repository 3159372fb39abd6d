// `armature assemble`: make the joints hold where the solids stand, say which do not, and write the scene with its
// solids in place.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "armature/base/atomic_file.h"
#include "armature/export/report_json.h"
#include "armature/scene/edit.h"
#include "armature/sim/simulator.h"
#include "messages.h"
#include "scene_file.h"
#include "verbs.h"

namespace armature::command {

namespace {

/// What the text says of the solids that can move, changed to where they are now.
std::string placed_text(const Scene& scene, const Simulator& simulator, const Terminal& terminal) {
    std::map<std::string, Pose> placements;
    for (const Body& body : simulator.model().bodies)
        if (body.dynamic()) placements[body.name] = simulator.pose(body.name);
    Diagnostics diagnostics;
    std::string text = with_placements(scene, placements, diagnostics);
    say_diagnostics(terminal, diagnostics, scene);
    if (diagnostics.has_errors()) throw InputError(std::move(diagnostics));
    return text;
}

void warn_of_what_is_left_behind(const AssembleOptions& options, const Scene& scene, const Terminal& terminal) {
    namespace fs = std::filesystem;
    if (!options.scene.settings.empty())
        say_warning(terminal,
                    fmt::format("what --set changed is not written to {}, only the placements it led to", options.out));
    const fs::path here = fs::path(options.scene.file).parent_path(), there = fs::path(options.out).parent_path();
    std::error_code none;
    if (options.out != "-" && scene.documents.size() > 1 + options.scene.settings.size() &&
        !fs::equivalent(here.empty() ? "." : here, there.empty() ? "." : there, none))
        say_warning(terminal, fmt::format("{} includes files beside {}; it will not find them from its own folder",
                                          options.out, options.scene.file));
}

}  // namespace

int assemble(const AssembleOptions& options, const Terminal& terminal) {
    auto compiled = load_and_compile(options.scene, terminal);
    if (!compiled) return unusable;
    Simulator simulator(std::move(compiled->model));
    const Model& model = simulator.model();
    std::optional<AtomicFile> file;
    if (!options.out.empty()) {
        if (options.out != "-") file.emplace(options.out);
        warn_of_what_is_left_behind(options, compiled->scene, terminal);
    }

    const AssemblyReport report = simulator.assemble();
    const std::string text =
        options.json ? json_text(report_json(model, report, options.scene.file)) : to_text(model, report);
    if (options.out == "-") {
        print_data(placed_text(compiled->scene, simulator, terminal));
        fmt::print(stderr, "{}", text);
    } else {
        if (file) {
            file->write(placed_text(compiled->scene, simulator, terminal));
            file->commit();
        }
        print_data(text);
    }
    return report.result == AssemblyResult::satisfied ? fine : broken;
}

}  // namespace armature::command

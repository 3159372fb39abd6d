#include "scene_file.h"

#include <fmt/format.h>

#include <utility>

#include "armature/model/compile.h"
#include "armature/scene/load.h"
#include "armature/solvers/registry.h"
#include "messages.h"

namespace armature::command {

namespace {

/// "name=value" → the pair; nothing, and said so, when it has no such form.
std::optional<LoadOptions> load_options(const SceneOptions& scene, const Terminal& terminal) {
    LoadOptions options;
    bool good = true;
    for (const std::string& setting : scene.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == setting.size()) {
            say_error(terminal, fmt::format("--set needs NAME=VALUE, not `{}`", setting));
            good = false;
        } else {
            options.overrides.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
        }
    }
    for (const Shorthand& shorthand : scene.shorthands) options.overrides.emplace_back(shorthand.path, shorthand.value);
    if (!good) return {};
    return options;
}

}  // namespace

std::optional<CompiledScene> load_and_compile(const SceneOptions& options, const Terminal& terminal) {
    const std::optional<LoadOptions> load = load_options(options, terminal);
    if (!load) return {};
    Diagnostics diagnostics;
    Scene scene = load_file(options.file, *load, diagnostics);
    std::optional<Model> model;
    // What was read in part would only bring errors that are not the author's.
    if (!diagnostics.has_errors()) model = compile(scene.spec, diagnostics);
    if (model) (void)make_solver(*model, diagnostics);  // there is one of that name, and it supports all of the scene
    std::vector<std::pair<std::string, std::string>> renamed;
    for (const Shorthand& shorthand : options.shorthands)
        renamed.emplace_back("--set " + shorthand.path, shorthand.option);
    say_diagnostics(terminal, diagnostics, scene, renamed);
    if (!model || diagnostics.has_errors()) return {};
    return CompiledScene{std::move(scene), std::move(*model)};
}

}  // namespace armature::command

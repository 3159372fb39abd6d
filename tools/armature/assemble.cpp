// `armature assemble`: make the joints hold where the solids stand, and say which do not.
#include <utility>

#include "armature/sim/simulator.h"
#include "messages.h"
#include "report_json.h"
#include "scene_file.h"
#include "verbs.h"

namespace armature::command {

int assemble(const AssembleOptions& options, const Terminal& terminal) {
    auto compiled = load_and_compile(options.scene, terminal);
    if (!compiled) return unusable;
    Simulator simulator(std::move(compiled->model));
    const AssemblyReport report = simulator.assemble();
    const Model& model = simulator.model();
    print_data(options.json ? to_json(model, report, options.scene.file) : to_text(model, report));
    return report.result == AssemblyResult::satisfied ? fine : broken;
}

}  // namespace armature::command

// A scene on its way from the file to the model, with everything that is wrong with it told on the way.
#pragma once

#include <optional>

#include "armature/model/model.h"
#include "armature/scene/scene.h"
#include "terminal.h"
#include "verbs.h"

namespace armature::command {

struct CompiledScene {
    Scene scene;
    Model model;
};

/// Nothing when the scene cannot be used; all errors and warnings have been said by then.
std::optional<CompiledScene> load_and_compile(const SceneOptions& options, const Terminal& terminal);

}  // namespace armature::command

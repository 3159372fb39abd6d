// One island through one frame: steps of dt/2^level, each tried, judged, and undone or accepted (step.h has the stages).
#pragma once

#include <chrono>

#include "armature/sim/step.h"

namespace armature {

/// From the state's time to the end of the frame. `deadline` counts where the frame has a time budget. Of the state and the
/// workspaces nothing is touched that belongs to another island or thread.
void step_island(const Model& model, State& state, std::size_t index, StepWorkspace& workspace, StepReport& report,
                 std::chrono::steady_clock::time_point deadline);

/// The same for every `stride`th island of the model from `first` on that the solver would rather correct together with others: as
/// many at a time as it takes, each with steps of its own. They are marked in workspace.together.
void step_equal_islands(const Model& model, State& state, std::size_t first, std::size_t stride,
                        StepWorkspace& workspace, std::vector<StepReport>& reports);

/// What a share of the time goes by.
inline std::size_t size_of(const Island& island) {
    return island.bodies.size() + island.joints.size();
}

}  // namespace armature

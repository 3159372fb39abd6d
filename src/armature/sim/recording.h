// What a run leaves behind: every frame with all placements and the scalars of the moment. Exporters read this.
#pragma once

#include <cstdint>
#include <vector>

#include "armature/sim/mechanics.h"
#include "armature/sim/step.h"

namespace armature {

struct FrameRecord {
    double time = 0;
    std::vector<Pose> pose_WB;           ///< of the author's frame, per BodyId
    std::vector<Vec3> v, w;              ///< per BodyId
    std::vector<JointLoad> loads;        ///< per JointId
    std::vector<FreedomState> freedoms;  ///< per FreedomId
    std::vector<double> errors;          ///< per JointId, m or rad
    Mechanics mechanics;
    std::vector<Mechanics> islands;
    JointErrors joints;
    StepReport step;
    std::uint64_t hash = 0;
};

/// What is to be recorded of a state that a frame with this report ended in.
FrameRecord capture(const Model& model, const State& state, const StepReport& step);

struct Recording {
    std::vector<FrameRecord> frames;
};

}  // namespace armature

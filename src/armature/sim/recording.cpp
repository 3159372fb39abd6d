#include "armature/sim/recording.h"

namespace armature {

FrameRecord capture(const Model& model, const State& state, const StepReport& step) {
    FrameRecord f;
    f.time = state.time;
    f.pose_WB.resize(model.bodies.size());
    for (std::size_t i = 0; i < f.pose_WB.size(); ++i) f.pose_WB[i] = state.pose_WB(model, static_cast<BodyId>(i));
    f.v = state.v;
    f.w = state.w;
    f.loads = state.loads;
    f.freedoms = state.freedoms;
    LocalBodies scratch;
    f.mechanics = measure_mechanics(model, state, f.islands, scratch);
    f.joints = measure_joints(model, state, f.errors);
    f.step = step;
    f.hash = hash(state);
    return f;
}

}  // namespace armature

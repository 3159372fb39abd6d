// A running simulation: model, state, recording and report in one place. The convenient door; everything it does is a
// free function of the headers it includes.
#pragma once

#include <optional>

#include "armature/model/compile.h"
#include "armature/sim/assembly.h"
#include "armature/sim/recording.h"
#include "armature/sim/report.h"
#include "armature/sim/step.h"

namespace armature {

class Simulator {
  public:
    /// Throws InputError when the scene cannot be simulated.
    explicit Simulator(const Spec& spec) : Simulator(compile(spec)) {}
    explicit Simulator(Model model);

    /// Makes the joints hold at the present instant.
    AssemblyReport assemble();

    /// Advances by one frame, model().simulation.dt. Nothing is allocated once warm, unless recording.
    const StepReport& advance();
    /// Advances by whole frames until `time` is reached or a frame fails under `on_failure stop`.
    void advance_to(double time);

    /// Live dragging: by the end of the next frame the tracker of this drag is there, on a straight way from where it is.
    /// What was still to come of its keys is dropped. `drags()` then holds what was done, to be saved and replayed bit for
    /// bit (to_text in scene/drag_text.h). Throws std::out_of_range when there is no such drag.
    void pull(const std::string& drag, const Pose& target);
    /// The drag ends now: it holds the present instant and none after it. Throws std::out_of_range.
    void release(const std::string& drag);
    const std::vector<DraggedSpec>& drags() const { return model_.drags; }

    /// Frames in a run of the scene's duration.
    std::int64_t frame_count() const;
    /// True once `on_failure stop` has met a frame that did not converge.
    bool stopped() const { return report_.stopped; }

    /// Keep every frame from now on, beginning with the present one.
    void start_recording();
    const Recording& recording() const { return recording_; }
    FrameRecord capture() const;  ///< the present instant

    const Model& model() const { return model_; }
    const State& state() const { return state_; }
    /// Continue from another state (a snapshot, an edited copy). The report starts anew.
    void set_state(State state);
    /// The report with what it is summed from.
    struct ReportSoFar {
        RunReport report;
        bool begun = false;
        double sum_gap2 = 0;
        long long iterations = 0;
    };
    ReportSoFar report_so_far() const { return {report_, report_begun_, sum_gap2_, iterations_}; }
    /// Continue from a state that this run was in, or one that stands in its place; the report goes on from what it was then.
    void set_state(State state, const ReportSoFar& so_far);

    /// The same scene with something added or set otherwise (a drag that begins now, another solver): the state is one of
    /// `model`, and recording and report go on. Throws InputError, and changes nothing, when its solver refuses the model.
    void go_on_with(Model model, State state);

    /// As the last advance() left them.
    const Mechanics& mechanics() const { return mechanics_; }
    const JointErrors& joint_errors() const { return joint_errors_; }

    const RunReport& report() const { return report_; }
    void mark_interrupted() { report_.interrupted = true; }

    Pose pose(const std::string& solid) const;             ///< of the author's frame; throws std::out_of_range
    JointLoad joint_load(const std::string& joint) const;  ///< of the last step; throws std::out_of_range

  private:
    void begin_report();
    void update_report();

    Model model_;
    State state_;
    std::optional<StepWorkspace> workspace_;  ///< always there; made anew for another model
    StepReport step_;
    RunReport report_;
    bool report_begun_ = false;
    double sum_gap2_ = 0;
    long long iterations_ = 0;
    Mechanics mechanics_;
    JointErrors joint_errors_;
    std::vector<Mechanics> islands_;
    std::vector<double> errors_;
    LocalBodies scratch_;
    Recording recording_;
    bool recording_on_ = false;
};

}  // namespace armature

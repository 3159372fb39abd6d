// One scene under one solver: what is computed, and what was.
//
// A drag that begins in the middle of a run (grab) is a drag of the scene from then on: the Spec gets it, the model is
// compiled again, and the state goes on with a tracker and a joint more at the ends of its arrays. Before it began it touched
// nothing (model.h, just_after), so the scene with that drag written into it runs through the same bits from its start.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "armature/studio/posing.h"
#include "armature/studio/timeline.h"

namespace armature::studio {

/// A state of the same scene with fewer or more live drags at its end, as the model has them.
State fitted(const Model& model, State state);

/// What was recorded from a frame on, and what hands did by its end: it can be put back in the place of what came instead.
struct Branch {
    std::int64_t frame = 0;  ///< the first of it
    std::int64_t shown = 0;
    std::vector<MomentPtr> moments;
    std::vector<DraggedSpec> drags;     ///< live ones
    std::vector<std::int64_t> changes;  ///< see Run::changed_at

    std::size_t bytes() const;
};

class Run {
  public:
    /// Assembles where the scene wants that. Throws InputError when it cannot be simulated.
    explicit Run(Spec spec, std::size_t room = std::size_t{512} << 20);
    /// The same scene set otherwise (another solver), from this moment on. The last `live` of its drags are live ones.
    Run(Spec spec, std::size_t live, const State& from, std::size_t room);

    const Model& model() const { return simulator_.model(); }
    const Spec& spec() const { return spec_; }
    const Timeline& timeline() const { return timeline_; }
    const RunReport& report() const { return simulator_.report(); }
    const std::optional<AssemblyReport>& assembly() const { return assembly_; }

    /// The frame that is shown: the last one unless somebody looks back.
    std::int64_t frame() const { return frame_; }
    const Moment& moment() const { return timeline_.at(frame_); }
    State state_at(std::int64_t frame) const;  ///< with the arrays of the present model
    FrameRecord record_at(std::int64_t frame) const;

    void seek(std::int64_t frame);  ///< the nearest that is recorded
    /// One frame on. From a frame looked back at, what came after it is dropped, live drags that began then included.
    void advance();
    /// Back to the beginning, without recording and without live drags.
    void reset();

    /// Another scene of the same solids: settings. From the present state; a changed dt begins the recording anew, because
    /// frames are counted in it. Throws InputError and changes nothing when it cannot be simulated.
    void change_settings(const SimulationSpec& settings);

    /// The same scene in other words or other colours, which moves alike: everything goes on. False, and nothing is done, when
    /// it does not move alike.
    bool adopt(const Spec& spec);

    // Live drags.
    /// `drag` has everything but its keys and its times; it begins now, at `target`.
    void grab(DraggedSpec drag, const Pose& target);
    void pull(const std::string& drag, const Pose& target) { simulator_.pull(drag, target); }
    void release(const std::string& drag);
    /// Those that were made here, as they are by now, the scene's own left out.
    std::vector<DraggedSpec> live_drags() const;
    bool is_live(const std::string& drag) const;

    // Changes of the present frame that no text says; later frames are dropped.
    /// Puts solids elsewhere, at rest, at the present instant. Unknown names and solids that a path moves are left out.
    void place(const std::map<std::string, Pose>& placements);
    /// Makes the joints hold from the present placements.
    AssemblyReport assemble();
    /// What the solver has after some of its iterations from these placements: after 1, 2, 3, 4, 6, 9, … of the
    /// `iterations` that an assembly took, `most` of them at most. The first start only: what other starts go through is no way.
    std::vector<State> way_of_assembly(const State& from, int iterations, std::size_t most) const;
    /// Moves what live drags hold to these targets, or as far as the joints let it, without time passing (posing.h): a few
    /// strides at a time. The drags then hold where they came to.
    struct Posed {
        bool moved = false, arrived = false;
    };
    Posed pose(const std::map<std::string, Pose>& targets);

    /// What stands from the present frame on.
    Branch branch() const { return branch_from(frame_); }
    /// Puts it in the place of what stands from its frame on, which is returned. Nothing when that frame is not recorded any more.
    std::optional<Branch> exchange(Branch branch);
    /// Frames at which something was changed that the scene with its drags does not say: placements, settings. Up to the first
    /// of them that text replays bit for bit.
    const std::vector<std::int64_t>& changed_at() const { return changed_at_; }

  private:
    Branch branch_from(std::int64_t frame) const;
    void note_change();
    void begin_drags_anew(const std::map<std::string, Pose>& targets);
    Moment moment_of(State state, const StepReport& step, double ms) const;
    void begin();
    void resume();  ///< what is shown becomes the end
    void replace_present(State state);
    void recompile(const Spec& spec, State state);

    Spec spec_;                ///< with live drags; their paths are in the model
    std::size_t scene_drags_;  ///< how many drags the scene itself has
    std::optional<State> start_;
    Simulator simulator_;
    Timeline timeline_;
    std::int64_t frame_ = 0;
    std::optional<AssemblyReport> assembly_;
    std::vector<std::int64_t> changed_at_;
    std::optional<Posing> posing_;  ///< while hands pull and time stands still
};

}  // namespace armature::studio

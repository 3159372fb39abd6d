// What was computed, frame by frame, to be shown again and gone on from. Whole states are kept: resuming from any of them
// gives the same bits as never having stopped. When they take more than the room they were given, the oldest go.
//
// A moment never changes once it is here, so whoever needs what was recorded for longer (an export that another thread writes, a
// change that can be undone) keeps the same moments and no copies of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "armature/sim/simulator.h"

namespace armature::studio {

/// One recorded instant.
struct Moment {
    State state;
    StepReport step;
    double energy = 0;  ///< J
    JointErrors joints;
    double step_ms = 0;             ///< wall clock that the frame took
    Simulator::ReportSoFar report;  ///< of the run up to here
};
using MomentPtr = std::shared_ptr<const Moment>;

class Timeline {
  public:
    explicit Timeline(std::size_t room = std::size_t{512} << 20) : room_(room) {}

    void clear();
    void push(Moment moment) { push(std::make_shared<const Moment>(std::move(moment))); }
    void push(MomentPtr moment);
    /// Nothing after this frame remains; the frame itself does.
    void drop_after(std::int64_t frame);
    void replace_last(Moment moment);

    bool empty() const { return moments_.empty(); }
    std::int64_t first() const { return moments_.front()->state.frame; }
    std::int64_t last() const { return moments_.back()->state.frame; }
    bool has(std::int64_t frame) const { return !empty() && frame >= first() && frame <= last(); }
    const Moment& at(std::int64_t frame) const { return *moments_[static_cast<std::size_t>(frame - first())]; }
    /// From that frame on.
    std::vector<MomentPtr> from(std::int64_t frame) const;
    std::size_t bytes() const { return bytes_; }

  private:
    std::deque<MomentPtr> moments_;
    std::size_t room_;
    std::size_t bytes_ = 0;
};

/// What a moment takes, roughly.
std::size_t bytes_of(const Moment& moment);

}  // namespace armature::studio

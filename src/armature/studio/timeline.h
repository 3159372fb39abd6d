// What was computed, frame by frame, to be shown again and gone on from. Whole states are kept: resuming from any of them
// gives the same bits as never having stopped. When they take more than the room they were given, the oldest go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "armature/sim/simulator.h"

namespace armature::studio {

/// One recorded instant.
struct Moment {
    State state;
    StepReport step;
    double energy = 0;  ///< J
    JointErrors joints;
    double step_ms = 0;  ///< wall clock that the frame took
};

class Timeline {
  public:
    explicit Timeline(std::size_t room = std::size_t{512} << 20) : room_(room) {}

    void clear();
    void push(Moment moment);
    /// Nothing after this frame remains; the frame itself does.
    void drop_after(std::int64_t frame);
    void replace_last(Moment moment);

    bool empty() const { return moments_.empty(); }
    std::int64_t first() const { return moments_.front().state.frame; }
    std::int64_t last() const { return moments_.back().state.frame; }
    bool has(std::int64_t frame) const { return !empty() && frame >= first() && frame <= last(); }
    const Moment& at(std::int64_t frame) const { return moments_[static_cast<std::size_t>(frame - first())]; }
    std::size_t bytes() const { return bytes_; }

  private:
    std::deque<Moment> moments_;
    std::size_t room_;
    std::size_t bytes_ = 0;
};

}  // namespace armature::studio

// "The best answer within 2 ms" of a frame: when to stop iterating.
#pragma once

#include <algorithm>
#include <chrono>

namespace armature {

/// Whether one more iteration, as long as the longest so far, still fits. The first always does.
class TimeBudget {
  public:
    /// 0 is no limit.
    explicit TimeBudget(double seconds) : seconds_(seconds) {
        if (seconds_ > 0) begin_ = last_ = Clock::now();
    }
    bool limited() const { return seconds_ > 0; }
    bool room_for_another() {
        if (!(seconds_ > 0)) return true;
        const auto now = Clock::now();
        if (made_++ > 0) longest_ = std::max(longest_, std::chrono::duration<double>(now - last_).count());
        last_ = now;
        return made_ == 1 || std::chrono::duration<double>(now - begin_).count() + longest_ <= seconds_;
    }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds_, longest_ = 0;
    int made_ = 0;
    Clock::time_point begin_, last_;
};

}  // namespace armature

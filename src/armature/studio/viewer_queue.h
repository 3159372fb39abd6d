// What waits to be sent to one viewer. Replies and notices are kept in order; of everything else the newest only.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "armature/studio/studio.h"

namespace armature::studio {

struct Outgoing {
    std::shared_ptr<const std::string> bytes;
    bool binary = false;
    bool reply = false;
};

class ViewerQueue {
  public:
    /// More waiting bytes of replies than this, and the viewer is one that does not read.
    static constexpr std::size_t most_reply_bytes = std::size_t{6} << 20;
    static constexpr std::size_t most_notices = 100;

    /// False when too much waits.
    bool add_reply(std::string text) {
        waiting_ += text.size();
        replies_.push_back(std::make_shared<const std::string>(std::move(text)));
        return replies_.size() == 1 || waiting_ <= most_reply_bytes;
    }
    void add_event(Slot slot, std::shared_ptr<const std::string> event) {
        if (slot == Slot::scene)
            scene_ = std::move(event);
        else if (slot == Slot::status)
            status_ = std::move(event);
        else if (notices_.size() < most_notices)
            notices_.push_back(std::move(event));
    }
    void add_frame(FrameKind kind, std::shared_ptr<const std::string> frame) {
        frames_[static_cast<std::size_t>(kind)] = std::move(frame);
    }

    /// The next to be sent.
    std::optional<Outgoing> take() {
        if (!replies_.empty()) {
            Outgoing out{std::move(replies_.front()), false, true};
            replies_.pop_front();
            waiting_ -= out.bytes->size();
            return out;
        }
        if (scene_) return Outgoing{std::exchange(scene_, nullptr), false, false};
        if (!notices_.empty()) {
            Outgoing out{std::move(notices_.front()), false, false};
            notices_.pop_front();
            return out;
        }
        if (status_) return Outgoing{std::exchange(status_, nullptr), false, false};
        for (auto& frame : frames_)
            if (frame) return Outgoing{std::exchange(frame, nullptr), true, false};
        return {};
    }

  private:
    std::deque<std::shared_ptr<const std::string>> replies_, notices_;
    std::shared_ptr<const std::string> scene_, status_;
    std::array<std::shared_ptr<const std::string>, 3> frames_;
    std::size_t waiting_ = 0;
};

}  // namespace armature::studio

#include "armature/studio/timeline.h"

namespace armature::studio {

std::size_t bytes_of(const Moment& m) {
    const State& s = m.state;
    std::size_t bytes = sizeof(Moment) + s.x.capacity() * (3 * sizeof(Vec3) + sizeof(Quat)) +
                        s.loads.capacity() * (sizeof(JointLoad) + sizeof(double)) +
                        s.islands.capacity() * (sizeof(IslandState) + sizeof(s.contacts[0])) +
                        s.freedoms.capacity() * sizeof(FreedomState);
    for (const auto& c : s.contacts) bytes += c.capacity() * sizeof(ContactMemory);
    return bytes;
}

void Timeline::clear() {
    moments_.clear();
    bytes_ = 0;
}

void Timeline::push(MomentPtr moment) {
    bytes_ += bytes_of(*moment);
    moments_.push_back(std::move(moment));
    while (bytes_ > room_ && moments_.size() > 2) {
        bytes_ -= bytes_of(*moments_.front());
        moments_.pop_front();
    }
}

void Timeline::drop_after(std::int64_t frame) {
    while (!moments_.empty() && moments_.back()->state.frame > frame) {
        bytes_ -= bytes_of(*moments_.back());
        moments_.pop_back();
    }
}

void Timeline::replace_last(Moment moment) {
    if (!moments_.empty()) {
        bytes_ -= bytes_of(*moments_.back());
        moments_.pop_back();
    }
    push(std::move(moment));
}

std::vector<MomentPtr> Timeline::from(std::int64_t frame) const {
    if (!has(frame)) return {};
    return {moments_.begin() + static_cast<std::ptrdiff_t>(frame - first()), moments_.end()};
}

}  // namespace armature::studio

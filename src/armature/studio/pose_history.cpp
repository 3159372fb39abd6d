#include "armature/studio/pose_history.h"

namespace armature::studio {

void PoseHistory::add(std::size_t depth, Branch before) {
    redo_.clear();
    undo_.push_back({depth, std::move(before)});
    std::size_t bytes = 0;
    for (std::size_t k = undo_.size(); k-- > 0;) {
        bytes += undo_[k].branch.bytes();
        if (bytes <= room_ || k + 1 == undo_.size()) continue;
        undo_.erase(undo_.begin(), undo_.begin() + static_cast<std::ptrdiff_t>(k + 1));
        return;
    }
}

bool PoseHistory::swap(Session& session, std::vector<Entry>& from, std::vector<Entry>& to) {
    Entry entry = std::move(from.back());
    from.pop_back();
    std::optional<Branch> other = session.exchange(std::move(entry.branch));
    if (!other) return false;
    to.push_back({entry.depth, std::move(*other)});
    return true;
}

}  // namespace armature::studio

// Undo of what was changed in a run and not in its text: poses pulled while time stands still, parts put elsewhere, assembly.
//
// They stand in one order with the changes of the text: each remembers how many of those there were, and is the one to be undone
// while there are as many.
#pragma once

#include <optional>
#include <vector>

#include "armature/studio/session.h"

namespace armature::studio {

class PoseHistory {
  public:
    explicit PoseHistory(std::size_t room = std::size_t{512} << 20) : room_(room) {}

    void clear() {
        undo_.clear();
        redo_.clear();
    }
    /// `depth`: SceneDocument::depth(). When what is kept takes too much room, the oldest goes.
    void add(std::size_t depth, Branch before);
    void forget_redo() { redo_.clear(); }
    bool can_undo(std::size_t depth) const { return !undo_.empty() && undo_.back().depth == depth; }
    bool can_redo(std::size_t depth) const { return !redo_.empty() && redo_.back().depth == depth; }
    /// False when what is to be put back is not to be had any more.
    bool undo(Session& session) { return swap(session, undo_, redo_); }
    bool redo(Session& session) { return swap(session, redo_, undo_); }

  private:
    struct Entry {
        std::size_t depth = 0;
        Branch branch;
    };
    static bool swap(Session& session, std::vector<Entry>& from, std::vector<Entry>& to);

    std::size_t room_;
    std::vector<Entry> undo_, redo_;
};

}  // namespace armature::studio

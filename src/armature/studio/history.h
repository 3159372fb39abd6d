// Undo and redo of a text, unlimited. A change is kept as the piece that was taken out and the piece that was put in.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace armature::studio {

class TextHistory {
  public:
    explicit TextHistory(std::string text = {}) : text_(std::move(text)) {}

    const std::string& text() const { return text_; }
    /// A step that can be undone; what could be redone is gone. False when the text is the same.
    bool change(std::string text);
    bool undo();
    bool redo();
    /// What was undone is not to come back: something else was changed since.
    void forget_redo() { changes_.resize(done_); }
    bool can_undo() const { return done_ > 0; }
    bool can_redo() const { return done_ < changes_.size(); }

  private:
    struct Change {
        std::size_t at = 0;
        std::string removed, inserted;
    };
    std::string text_;
    std::vector<Change> changes_;
    std::size_t done_ = 0;  ///< changes that the text has
};

}  // namespace armature::studio

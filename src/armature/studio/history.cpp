#include "armature/studio/history.h"

#include <algorithm>

namespace armature::studio {

bool TextHistory::change(std::string text) {
    if (text == text_) return false;
    const std::size_t shorter = std::min(text.size(), text_.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && text[head] == text_[head]) ++head;
    while (tail < shorter - head && text[text.size() - 1 - tail] == text_[text_.size() - 1 - tail]) ++tail;
    changes_.resize(done_);
    changes_.push_back(
        {head, text_.substr(head, text_.size() - tail - head), text.substr(head, text.size() - tail - head)});
    ++done_;
    text_ = std::move(text);
    return true;
}

bool TextHistory::undo() {
    if (!can_undo()) return false;
    const Change& c = changes_[--done_];
    text_.replace(c.at, c.inserted.size(), c.removed);
    return true;
}

bool TextHistory::redo() {
    if (!can_redo()) return false;
    const Change& c = changes_[done_++];
    text_.replace(c.at, c.removed.size(), c.inserted);
    return true;
}

}  // namespace armature::studio

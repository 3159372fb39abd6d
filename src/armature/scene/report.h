// Collects what is found in a scene: each finding once, however many turns of a repeat meet it, and no more of them
// than a person reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "armature/base/diagnostic.h"
#include "armature/scene/document.h"

namespace armature::lang {

class Report {
  public:
    void error(const Document& document, Span span, std::string message, std::string hint = {},
               std::vector<std::string> notes = {});
    void warning(const Document& document, Span span, std::string message, std::string hint = {},
                 std::vector<std::string> notes = {});
    /// For what has no place in a text, or one that was found elsewhere.
    void add(Diagnostic finding);

    /// Nothing more would be shown: time to stop looking.
    bool full() const { return full_; }
    std::size_t errors() const { return errors_; }

    /// Moves the findings to `out`, those of each file in the order of its lines, with a closing note when some are
    /// missing.
    void deliver(Diagnostics& out);

  private:
    std::vector<Diagnostic> list_;
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
    std::size_t repeated_ = 0;
    bool full_ = false;
};

/// 'text', cut when it is long, for messages.
std::string quoted(std::string_view text);

}  // namespace armature::lang

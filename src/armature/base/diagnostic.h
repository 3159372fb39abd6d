// What is told to a person about their input: what, where, and what to do.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace armature {

/// A place in a text file. Lines and columns count from 1; line 0 means "made by code, not by a file".
struct SourcePlace {
    std::string file;
    int line = 0;
    int column = 0;
    int length = 1;  ///< characters to underline

    bool known() const { return line > 0; }
};

enum class Severity { note, warning, error };

struct Diagnostic {
    Severity severity = Severity::error;
    SourcePlace place;
    std::string message;
    std::string hint;                ///< what to do about it; may be empty
    std::vector<std::string> notes;  ///< context, e.g. "in repeat with i = 3"
};

class Diagnostics {
  public:
    void error(SourcePlace place, std::string message, std::string hint = {}) {
        add({Severity::error, std::move(place), std::move(message), std::move(hint), {}});
    }
    void warning(SourcePlace place, std::string message, std::string hint = {}) {
        add({Severity::warning, std::move(place), std::move(message), std::move(hint), {}});
    }
    void add(Diagnostic d) { list_.push_back(std::move(d)); }

    const std::vector<Diagnostic>& all() const { return list_; }
    bool has_errors() const {
        for (const Diagnostic& d : list_)
            if (d.severity == Severity::error) return true;
        return false;
    }
    bool empty() const { return list_.empty(); }

  private:
    std::vector<Diagnostic> list_;
};

/// One line "file:line:column: error: message" plus hint and notes; `source_line` (may be empty) is echoed with a
/// caret under the place.
std::string render(const Diagnostic& d, const std::string& source_line = {});

/// Thrown at the edge of the API when the caller's input cannot be used; carries every finding.
class InputError : public std::runtime_error {
  public:
    explicit InputError(Diagnostics diagnostics);
    const Diagnostics& diagnostics() const { return diagnostics_; }

  private:
    Diagnostics diagnostics_;
};

}  // namespace armature

// One text that is worked on and the file it belongs to: its undo, what of it is saved, what somebody else wrote in the
// meantime, and a copy beside the file of what is not saved yet.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "armature/studio/history.h"

namespace armature::studio {

/// `saved`: the file has come to have what was unsaved here.
enum class OnDisk { same, saved, reloaded, conflict };

class HeldText {
  public:
    using Clock = std::chrono::steady_clock;

    HeldText() = default;
    /// `text` is what the file has, or what stands for it when there is no file yet (`file` is then empty).
    HeldText(std::string text, std::filesystem::path file);

    const std::string& text() const { return history_.text(); }
    const std::filesystem::path& file() const { return file_; }
    bool dirty() const { return text() != saved_; }

    bool change(std::string text);  ///< one step of undo; false when it is the same text
    bool undo();
    bool redo();
    void forget_redo() { history_.forget_redo(); }

    /// Looks whether somebody else changed the file. Without unsaved work it is read again, as a step of undo.
    OnDisk look_at_disk();
    /// Somebody else's text is in the file, and ours is not saved.
    bool in_conflict() const { return disk_.has_value(); }
    /// Writes its file. Throws FileError.
    void save();
    /// From now on the text is that of `file`, which has it.
    void belongs_to(const std::filesystem::path& file);

    /// Keeps unsaved work at `copy` once it is `after` old, and takes that copy away when there is none.
    void autosave(const std::filesystem::path& copy, Clock::time_point now, Clock::duration after);
    /// Looks for a copy of an earlier time.
    void find_autosave(const std::filesystem::path& copy);
    const std::optional<std::string>& found_autosave() const { return found_; }
    /// The offer was accepted or refused: it is not made again.
    void forget_autosave(const std::filesystem::path& copy);
    /// The copy that was kept under this name is not needed any more.
    void drop_autosave(const std::filesystem::path& copy);

  private:
    void touched();

    TextHistory history_;
    std::filesystem::path file_;
    std::string saved_;                       ///< the text that the file had when it was last read or written
    std::filesystem::file_time_type seen_{};  ///< of the file, when it was last looked at
    std::optional<std::string> disk_;         ///< what somebody else wrote, while there is unsaved work
    std::optional<std::string> found_;
    Clock::time_point changed_{};
    bool waiting_ = false;  ///< for autosave
    bool kept_ = false;     ///< an autosave of ours is on the disk
};

}  // namespace armature::studio

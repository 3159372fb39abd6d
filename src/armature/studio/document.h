// The text that is worked on, and its file: undo, what the text means, saving without losing what somebody else wrote, and a
// copy beside the file of what is not saved yet.
//
// A text with errors is kept like any other; `scene()` is then what could be read of it. Nothing here simulates.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "armature/base/diagnostic.h"
#include "armature/scene/scene.h"
#include "armature/studio/history.h"

namespace armature::studio {

enum class OnDisk { same, reloaded, conflict };

class SceneDocument {
  public:
    using Clock = std::chrono::steady_clock;

    SceneDocument() = default;
    /// A file. One that does not exist yet is an empty text. Throws FileError when it cannot be read.
    static SceneDocument from_file(const std::filesystem::path& file);
    /// A text without a file of its own: from the gallery (`beside` is then its place there, for what it includes) or from
    /// nowhere. Unsaved work is kept in `folder`.
    static SceneDocument from_text(std::string text, std::string name, const std::filesystem::path& folder,
                                   const std::filesystem::path& beside = {});

    const std::string& text() const { return history_.text(); }
    const std::string& name() const { return name_; }            ///< "chain", as shown
    const std::filesystem::path& file() const { return file_; }  ///< empty: none yet
    bool dirty() const { return text() != saved_; }
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    const Scene& scene() const { return scene_; }
    const Diagnostics& findings() const { return findings_; }  ///< of reading the text
    /// A finding's place and words with the names that are shown.
    Diagnostic shown(Diagnostic d) const;
    std::string shown(std::string text) const;

    bool change(std::string text);  ///< one step of undo; false when it is the same text
    bool undo();
    bool redo();

    /// Throws FileError. False, and nothing is written, when the file is not as it was read and `overwrite` was not said.
    bool save(bool overwrite);
    /// Under another name: its file from now on.
    bool save_as(const std::filesystem::path& file, bool overwrite);
    /// Looks whether somebody else changed the file. Without unsaved work it is read again, as a step of undo.
    OnDisk look_at_disk();

    /// Keeps unsaved work beside the file once it is `after` old, and takes that copy away when there is none.
    void autosave(Clock::time_point now, Clock::duration after = std::chrono::seconds(2));
    /// What was found beside the file when it was opened, of an earlier time.
    const std::optional<std::string>& found_autosave() const { return found_; }
    /// The offer was accepted or refused: it is not made again.
    void forget_autosave();

  private:
    void read();
    std::filesystem::path autosave_path() const;
    void find_autosave();

    TextHistory history_;
    std::string saved_;  ///< the text that the file had when it was last read or written
    std::string name_;
    std::filesystem::path file_, folder_, beside_;
    std::filesystem::file_time_type seen_{};  ///< of the file, when it was last looked at
    std::optional<std::string> disk_;         ///< what somebody else wrote, while there is unsaved work
    Scene scene_;
    Diagnostics findings_;
    std::optional<std::string> found_;
    Clock::time_point changed_{};
    bool waiting_ = false;  ///< for autosave
    bool kept_ = false;     ///< an autosave of ours is on the disk
};

}  // namespace armature::studio

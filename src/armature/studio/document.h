// The scene that is worked on: its text and those it includes, one undo over all of them, what they mean, and their files.
//
// The files a text includes are held beside it: an edit of what they say changes them as it changes the text itself, and is
// undone and saved with it. A text with errors is kept like any other; `scene()` is then what could be read of it. Nothing here
// simulates.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "armature/base/diagnostic.h"
#include "armature/scene/scene.h"
#include "armature/studio/held_text.h"

namespace armature::studio {

class SceneDocument {
  public:
    using Clock = std::chrono::steady_clock;

    SceneDocument() : held_(1) {}
    /// A file. One that does not exist yet is an empty text. Throws FileError when it cannot be read.
    static SceneDocument from_file(const std::filesystem::path& file);
    /// A text without a file of its own: from the gallery (`beside` is then its place there, for what it includes) or from
    /// nowhere. Unsaved work is kept in `folder`.
    static SceneDocument from_text(std::string text, std::string name, const std::filesystem::path& folder,
                                   const std::filesystem::path& beside = {});

    const std::string& text() const { return held_[0].text(); }
    const std::string& name() const { return name_; }                      ///< "chain", as shown
    const std::filesystem::path& file() const { return held_[0].file(); }  ///< empty: none yet
    bool dirty() const;                                                    ///< it or a file it includes
    bool can_undo() const { return done_ > 0; }
    bool can_redo() const { return done_ < steps_.size(); }
    /// How many steps of undo there are by now: says what came first, a change of the text or something else.
    std::size_t depth() const { return done_; }
    const Scene& scene() const { return scene_; }
    const Diagnostics& findings() const { return findings_; }  ///< of reading the texts
    /// A finding's place and words with the names that are shown.
    Diagnostic shown(Diagnostic d) const;
    std::string shown(std::string text) const { return shown_from(place(), std::move(text)); }
    static std::string shown_from(const std::filesystem::path& place, std::string text);
    /// Of the text, whether or not there is a file.
    std::filesystem::path place() const;

    /// The texts it includes, after itself.
    struct Included {
        std::string name;  ///< as shown
        const HeldText& text;
    };
    std::vector<Included> included() const;
    /// Why this text of the scene cannot be changed; empty when it can.
    std::string refusal(std::size_t document) const;

    bool change(std::string text);  ///< one step of undo; false when it is the same text
    /// Several texts, by their place in Scene::documents, as one step. Throws std::out_of_range for one that is no file.
    bool change(const std::map<std::size_t, std::string>& texts);
    bool undo();
    bool redo();
    void forget_redo();
    /// Names of the files that the last change, undo or redo touched, as shown.
    const std::vector<std::string>& touched() const { return touched_; }

    /// Writes every file that is not saved. Throws FileError. False, and nothing is written, when one is not as it was read and
    /// `overwrite` was not said; `in_the_way` names it.
    bool save(bool overwrite);
    /// Under another name: its file from now on. What it includes goes along when the folder is another.
    bool save_as(const std::filesystem::path& file, bool overwrite);
    const std::string& in_the_way() const { return in_the_way_; }
    /// Looks whether somebody else changed a file. Without unsaved work it is read again, as a step of undo.
    OnDisk look_at_disk();

    /// Keeps unsaved work beside the files once it is `after` old, and takes those copies away when there is none.
    void autosave(Clock::time_point now, Clock::duration after = std::chrono::seconds(2));
    /// What was found beside the file when it was opened, of an earlier time.
    const std::optional<std::string>& found_autosave() const { return held_[0].found_autosave(); }
    /// The offers were accepted or refused: they are not made again.
    void forget_autosave();

  private:
    void read();
    bool stepped(std::vector<std::size_t> files);
    std::optional<std::size_t> held_at(const std::string& path) const;
    std::filesystem::path autosave_path(std::size_t file) const;
    std::string shown_name(std::size_t file) const;

    std::string name_;
    std::filesystem::path folder_, beside_;
    std::vector<HeldText> held_;                   ///< itself, then what it includes or included, as it was met
    std::vector<std::string> paths_;               ///< canonical, of each
    std::vector<std::vector<std::size_t>> steps_;  ///< of undo: which texts each changed
    std::size_t done_ = 0;
    std::vector<std::string> touched_;
    std::string in_the_way_;
    Scene scene_;
    Diagnostics findings_;
};

}  // namespace armature::studio

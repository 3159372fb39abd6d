// Where scenes may be read from and written to: the folder that is worked in, and the gallery. Names that come from a page
// are looked up here and nowhere else.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace armature::studio {

struct GalleryScene {
    std::string name;   ///< "joints/pin"
    std::string title;  ///< as the scene says
    std::string what;   ///< one line
};

class Places {
  public:
    /// Both may be missing; an empty gallery has no scenes.
    Places(std::filesystem::path folder, std::filesystem::path gallery);

    const std::filesystem::path& folder() const { return folder_; }
    const std::vector<GalleryScene>& gallery() const { return scenes_; }

    /// The file of a scene of the gallery.
    std::optional<std::filesystem::path> gallery_file(const std::string& name) const;
    std::optional<std::filesystem::path> thumbnail(const std::string& name) const;
    /// A scene (.arm) in the folder or below, after every link is followed. `must_exist`: to be read.
    std::optional<std::filesystem::path> scene_file(const std::string& name, bool must_exist) const;
    /// A file as a page may name it.
    std::string shown(const std::filesystem::path& file) const;

  private:
    std::filesystem::path folder_, gallery_;
    std::vector<GalleryScene> scenes_;
};

/// A file below `root` that a path of a URL names: decoded once, no dots, no links out of it. Nothing otherwise.
std::optional<std::filesystem::path> file_below(const std::filesystem::path& root, const std::string& url_path);

/// %41 → A. Nothing for a broken escape or a NUL.
std::optional<std::string> percent_decoded(const std::string& text);

}  // namespace armature::studio

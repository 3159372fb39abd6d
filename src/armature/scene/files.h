// Reads files of a scene, none from outside of its folder.
#pragma once

#include <string>

namespace armature::lang {

struct FoundFile {
    std::string path;   ///< canonical; empty when there is an error
    std::string error;  ///< a sentence for a person
};

/// The file that `name` means beside the file `beside` (canonical), which must lie in `folder` (canonical) after every
/// link is followed.
FoundFile find_inside(const std::string& folder, const std::string& beside, const std::string& name);

/// The canonical folder that holds `path`; empty when there is none.
std::string folder_of(const std::string& path);
/// The path without links and dots, whether or not the file exists.
std::string canonical_path(const std::string& path);
/// `name` as seen from the folder of `shown`, for messages: "scenes/a.arm", "parts/b.arm" → "scenes/parts/b.arm".
std::string shown_beside(const std::string& shown, const std::string& name);

struct FileText {
    std::string text;
    std::string error;
};
/// The whole file; an error when it is no ordinary file or larger than `most` bytes.
FileText read_text_file(const std::string& path, std::size_t most);

}  // namespace armature::lang

// Of SceneDocument: what has to do with the disk.
#include <algorithm>
#include <system_error>

#include "armature/base/atomic_file.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"
#include "armature/studio/document.h"

namespace armature::studio {

namespace fs = std::filesystem;

bool SceneDocument::save(bool overwrite) {
    look_at_disk();
    in_the_way_.clear();
    for (std::size_t k = 0; k < held_.size() && !overwrite; ++k)
        if (held_[k].in_conflict()) {
            in_the_way_ = shown_name(k);
            return false;
        }
    // What is included first: a file that names something new must not be there before it.
    for (std::size_t k = held_.size(); k-- > 0;)
        if (k == 0 || held_[k].dirty()) held_[k].save();
    autosave(Clock::now());
    return true;
}

bool SceneDocument::save_as(const fs::path& file, bool overwrite) {
    if (file == this->file()) return save(overwrite);
    const auto taken = [&](const fs::path& path, const std::string& text) {
        std::error_code error;
        if (overwrite || !fs::exists(path, error)) return false;
        const lang::FileText there = lang::read_text_file(path.string(), lang::limits::file_bytes);
        return !there.error.empty() || there.text != text;
    };
    const fs::path from = fs::path(paths_[0]).parent_path();
    const fs::path to = fs::path(lang::canonical_path(file.string())).parent_path();
    in_the_way_.clear();
    std::error_code error;
    if (fs::exists(file, error) && !overwrite) in_the_way_ = file.filename().string();
    std::vector<fs::path> targets(held_.size());
    for (std::size_t k = 1; k < held_.size(); ++k) {
        targets[k] = to / fs::path(paths_[k]).lexically_relative(from);
        // A link among its folders may lead anywhere.
        const bool astray = lang::canonical_path(targets[k].string()) != targets[k].string();
        if (to != from && in_the_way_.empty() && (astray || taken(targets[k], held_[k].text())))
            in_the_way_ = shown_name(k);
    }
    if (!in_the_way_.empty()) return false;
    std::vector<fs::path> copies;
    for (std::size_t k = 0; k < held_.size(); ++k) copies.push_back(autosave_path(k));
    for (std::size_t k = 1; k < held_.size(); ++k) {
        if (to == from && !held_[k].dirty()) continue;
        fs::create_directories(targets[k].parent_path(), error);
        write_file(targets[k], held_[k].text());
        held_[k].belongs_to(targets[k]);
        held_[k].drop_autosave(copies[k]);
    }
    write_file(file, text());
    held_[0].belongs_to(file);
    held_[0].drop_autosave(copies[0]);
    beside_ = file;
    folder_ = file.parent_path();
    name_ = file.stem().string();
    for (std::size_t k = 1; k < held_.size(); ++k) paths_[k] = lang::canonical_path(targets[k].string());
    read();
    return true;
}

OnDisk SceneDocument::look_at_disk() {
    OnDisk result = OnDisk::same;
    std::vector<std::size_t> reloaded;
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const OnDisk found = held_[k].look_at_disk();
        if (found == OnDisk::reloaded) reloaded.push_back(k);
        result = std::max(result, found);
    }
    stepped(std::move(reloaded));
    return result;
}

fs::path SceneDocument::autosave_path(std::size_t k) const {
    if (k == 0) return folder_ / ("." + (file().empty() ? name_ + ".arm" : file().filename().string()) + ".autosave");
    const fs::path included(paths_[k]);
    return included.parent_path() / ("." + included.filename().string() + ".autosave");
}

void SceneDocument::autosave(Clock::time_point now, Clock::duration after) {
    // Without a file of its own, what it includes cannot have been changed.
    for (std::size_t k = 0; k < (file().empty() ? 1 : held_.size()); ++k)
        held_[k].autosave(autosave_path(k), now, after);
}

void SceneDocument::forget_autosave() {
    for (std::size_t k = 0; k < held_.size(); ++k) held_[k].forget_autosave(autosave_path(k));
}

}  // namespace armature::studio

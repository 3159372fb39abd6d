#include "armature/studio/document.h"

#include <cerrno>
#include <system_error>

#include "armature/base/atomic_file.h"
#include "armature/scene/document.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"
#include "armature/scene/load.h"

namespace armature::studio {

namespace fs = std::filesystem;

namespace {

std::string read_or_throw(const fs::path& file) {
    lang::FileText read = lang::read_text_file(file.string(), lang::limits::file_bytes);
    if (!read.error.empty()) throw FileError("read", file, EIO, read.error);
    return std::move(read.text);
}

fs::file_time_type time_of(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    return error ? fs::file_time_type{} : time;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    if (from.empty()) return;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

SceneDocument SceneDocument::from_file(const fs::path& file) {
    SceneDocument d;
    d.file_ = file;
    d.beside_ = file;
    d.folder_ = file.parent_path();
    d.name_ = file.stem().string();
    std::error_code error;
    if (fs::exists(file, error)) d.saved_ = read_or_throw(file);
    d.seen_ = time_of(file);
    d.history_ = TextHistory(d.saved_);
    d.find_autosave();
    d.read();
    return d;
}

SceneDocument SceneDocument::from_text(std::string text, std::string name, const fs::path& folder,
                                       const fs::path& beside) {
    SceneDocument d;
    d.folder_ = folder;
    d.beside_ = beside;
    d.name_ = name.empty() ? "untitled" : std::move(name);
    d.saved_ = text;
    d.history_ = TextHistory(std::move(text));
    d.find_autosave();
    d.read();
    return d;
}

void SceneDocument::read() {
    findings_ = {};
    // Its place gives what it includes a place.
    const fs::path place = !beside_.empty() ? beside_ : folder_ / (name_ + ".arm");
    scene_ = load_text(text(), place.string(), {}, findings_);
}

std::string SceneDocument::shown(std::string text) const {
    const fs::path place = !beside_.empty() ? beside_ : folder_ / (name_ + ".arm");
    replace_all(text, place.string(), place.filename().string());
    replace_all(text, (place.parent_path() / "").string(), "");
    return text;
}

Diagnostic SceneDocument::shown(Diagnostic d) const {
    for (std::string* text : {&d.place.file, &d.message, &d.hint}) *text = shown(std::move(*text));
    for (std::string& note : d.notes) note = shown(std::move(note));
    return d;
}

bool SceneDocument::change(std::string text) {
    if (!history_.change(std::move(text))) return false;
    changed_ = Clock::now();
    waiting_ = true;
    read();
    return true;
}

bool SceneDocument::undo() {
    if (!history_.undo()) return false;
    changed_ = Clock::now();
    waiting_ = true;
    read();
    return true;
}

bool SceneDocument::redo() {
    if (!history_.redo()) return false;
    changed_ = Clock::now();
    waiting_ = true;
    read();
    return true;
}

bool SceneDocument::save(bool overwrite) {
    look_at_disk();
    if (disk_ && !overwrite) return false;
    write_file(file_, text());
    saved_ = text();
    disk_.reset();
    seen_ = time_of(file_);
    autosave(Clock::now());
    return true;
}

bool SceneDocument::save_as(const fs::path& file, bool overwrite) {
    if (file == file_) return save(overwrite);
    std::error_code error;
    if (fs::exists(file, error) && !overwrite) return false;
    write_file(file, text());
    const fs::path old = autosave_path();
    file_ = file;
    beside_ = file;
    folder_ = file.parent_path();
    name_ = file.stem().string();
    saved_ = text();
    disk_.reset();
    seen_ = time_of(file_);
    if (kept_) fs::remove(old, error);
    kept_ = waiting_ = false;
    read();
    return true;
}

OnDisk SceneDocument::look_at_disk() {
    if (file_.empty()) return OnDisk::same;
    const fs::file_time_type time = time_of(file_);
    if (time == seen_ || time == fs::file_time_type{}) return OnDisk::same;
    const lang::FileText now = lang::read_text_file(file_.string(), lang::limits::file_bytes);
    if (!now.error.empty()) return OnDisk::same;  // being written, or gone: what is here is not lost
    seen_ = time;
    if (now.text == saved_) {
        disk_.reset();
        return OnDisk::same;
    }
    if (dirty() && now.text != text()) {
        disk_ = now.text;
        return OnDisk::conflict;
    }
    saved_ = now.text;
    disk_.reset();
    if (history_.change(now.text)) read();
    return OnDisk::reloaded;
}

fs::path SceneDocument::autosave_path() const {
    return folder_ / ("." + (file_.empty() ? name_ + ".arm" : file_.filename().string()) + ".autosave");
}

void SceneDocument::find_autosave() {
    const lang::FileText kept = lang::read_text_file(autosave_path().string(), lang::limits::file_bytes);
    if (kept.error.empty() && kept.text != saved_) found_ = kept.text;
}

void SceneDocument::forget_autosave() {
    if (!found_) return;
    std::error_code error;
    if (*found_ == text() && dirty())
        kept_ = true;  // accepted: it is what keeps this text until that is saved
    else if (!kept_)
        fs::remove(autosave_path(), error);
    found_.reset();
}

void SceneDocument::autosave(Clock::time_point now, Clock::duration after) {
    std::error_code error;
    if (!dirty()) {
        waiting_ = false;
        if (kept_) fs::remove(autosave_path(), error);
        kept_ = false;
        return;
    }
    if (!waiting_ || now - changed_ < after) return;
    waiting_ = false;
    // An offer that nobody has answered yet is moved aside rather than written over.
    if (found_ && !kept_ && *found_ != text()) {
        fs::path aside = autosave_path();
        aside += ".old";
        fs::rename(autosave_path(), aside, error);
    }
    write_file(autosave_path(), text());
    kept_ = true;
}

}  // namespace armature::studio

#include "armature/studio/held_text.h"

#include <system_error>

#include "armature/base/atomic_file.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"

namespace armature::studio {

namespace fs = std::filesystem;

namespace {

fs::file_time_type time_of(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    return error ? fs::file_time_type{} : time;
}

}  // namespace

HeldText::HeldText(std::string text, fs::path file)
    : history_(text), file_(std::move(file)), saved_(std::move(text)), seen_(time_of(file_)) {}

void HeldText::touched() {
    changed_ = Clock::now();
    waiting_ = true;
}

bool HeldText::change(std::string text) {
    if (!history_.change(std::move(text))) return false;
    touched();
    return true;
}

bool HeldText::undo() {
    if (!history_.undo()) return false;
    touched();
    return true;
}

bool HeldText::redo() {
    if (!history_.redo()) return false;
    touched();
    return true;
}

OnDisk HeldText::look_at_disk() {
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
    return history_.change(now.text) ? OnDisk::reloaded : OnDisk::saved;
}

void HeldText::save() {
    write_file(file_, text());
    belongs_to(file_);
}

void HeldText::belongs_to(const fs::path& file) {
    file_ = file;
    saved_ = text();
    disk_.reset();
    seen_ = time_of(file_);
}

void HeldText::find_autosave(const fs::path& copy) {
    const lang::FileText kept = lang::read_text_file(copy.string(), lang::limits::file_bytes);
    if (kept.error.empty() && kept.text != saved_) found_ = kept.text;
}

void HeldText::forget_autosave(const fs::path& copy) {
    if (!found_) return;
    std::error_code error;
    if (*found_ == text() && dirty())
        kept_ = true;  // accepted: it is what keeps this text until that is saved
    else if (!kept_)
        fs::remove(copy, error);
    found_.reset();
}

void HeldText::drop_autosave(const fs::path& copy) {
    std::error_code error;
    if (kept_) fs::remove(copy, error);
    kept_ = waiting_ = false;
}

void HeldText::autosave(const fs::path& copy, Clock::time_point now, Clock::duration after) {
    if (!dirty()) return drop_autosave(copy);
    if (!waiting_ || now - changed_ < after) return;
    waiting_ = false;
    // An offer that nobody has answered yet is moved aside rather than written over.
    if (found_ && !kept_ && *found_ != text()) {
        std::error_code error;
        fs::path aside = copy;
        aside += ".old";
        fs::rename(copy, aside, error);
    }
    write_file(copy, text());
    kept_ = true;
}

}  // namespace armature::studio

#include "armature/studio/document.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "armature/base/atomic_file.h"
#include "armature/scene/document.h"
#include "armature/scene/files.h"
#include "armature/scene/limits.h"
#include "armature/scene/load.h"

namespace armature::studio {

namespace fs = std::filesystem;

namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    if (from.empty()) return;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

SceneDocument SceneDocument::from_file(const fs::path& file) {
    SceneDocument d;
    d.beside_ = file;
    d.folder_ = file.parent_path();
    d.name_ = file.stem().string();
    std::error_code error;
    std::string text;
    if (fs::exists(file, error)) {
        lang::FileText read = lang::read_text_file(file.string(), lang::limits::file_bytes);
        if (!read.error.empty()) throw FileError("read", file, EIO, read.error);
        text = std::move(read.text);
    }
    d.held_[0] = HeldText(std::move(text), file);
    d.held_[0].find_autosave(d.autosave_path(0));
    d.read();
    return d;
}

SceneDocument SceneDocument::from_text(std::string text, std::string name, const fs::path& folder,
                                       const fs::path& beside) {
    SceneDocument d;
    d.folder_ = folder;
    d.beside_ = beside;
    d.name_ = name.empty() ? "untitled" : std::move(name);
    d.held_[0] = HeldText(std::move(text), {});
    d.held_[0].find_autosave(d.autosave_path(0));
    d.read();
    return d;
}

fs::path SceneDocument::place() const {
    // Its place gives what it includes a place.
    return !beside_.empty() ? beside_ : folder_ / (name_ + ".arm");
}

void SceneDocument::read() {
    findings_ = {};
    paths_.resize(held_.size());
    paths_[0] = lang::canonical_path(place().string());
    Scene texts;
    texts.folder = lang::folder_of(place().string());
    for (std::size_t k = 0; k < held_.size(); ++k) {
        auto d = std::make_shared<Document>();
        d->name = k == 0 ? place().string() : std::string();
        d->path = paths_[k];
        d->text = held_[k].text();
        texts.documents.push_back(std::move(d));
    }
    scene_ = rebuild(texts, findings_);
    // What is included for the first time is held from now on.
    for (std::size_t k = 1; k < scene_.documents.size(); ++k) {
        const Document& d = *scene_.documents[k];
        if (d.path.empty() || held_at(d.path)) continue;
        held_.emplace_back(d.text, d.path);
        paths_.push_back(d.path);
        if (!file().empty()) held_.back().find_autosave(autosave_path(held_.size() - 1));
    }
}

std::optional<std::size_t> SceneDocument::held_at(const std::string& path) const {
    const auto it = std::find(paths_.begin(), paths_.end(), path);
    if (path.empty() || it == paths_.end()) return {};
    return static_cast<std::size_t>(it - paths_.begin());
}

std::string SceneDocument::shown_from(const fs::path& place, std::string text) {
    replace_all(text, place.string(), place.filename().string());
    replace_all(text, (place.parent_path() / "").string(), "");
    return text;
}

Diagnostic SceneDocument::shown(Diagnostic d) const {
    for (std::string* text : {&d.place.file, &d.message, &d.hint}) *text = shown(std::move(*text));
    for (std::string& note : d.notes) note = shown(std::move(note));
    return d;
}

std::string SceneDocument::shown_name(std::size_t file) const {
    if (file == 0) return place().filename().string();
    return fs::path(paths_[file]).lexically_relative(fs::path(paths_[0]).parent_path()).string();
}

std::vector<SceneDocument::Included> SceneDocument::included() const {
    std::vector<Included> list;
    for (std::size_t k = 1; k < held_.size(); ++k) {
        const bool now = std::any_of(scene_.documents.begin() + 1, scene_.documents.end(),
                                     [&](const auto& d) { return d->path == paths_[k]; });
        if (now || held_[k].dirty()) list.push_back({shown_name(k), held_[k]});
    }
    return list;
}

bool SceneDocument::dirty() const {
    return std::any_of(held_.begin(), held_.end(), [](const HeldText& t) { return t.dirty(); });
}

std::string SceneDocument::refusal(std::size_t document) const {
    if (document == 0) return {};
    const Document& d = *scene_.documents[document];
    if (!held_at(d.path)) return "this is not written in a file";
    if (file().empty()) return "it belongs to the gallery";
    return {};
}

bool SceneDocument::stepped(std::vector<std::size_t> files) {
    if (files.empty()) return false;
    forget_redo();
    touched_.clear();
    for (const std::size_t k : files) touched_.push_back(shown_name(k));
    steps_.push_back(std::move(files));
    ++done_;
    read();
    return true;
}

void SceneDocument::forget_redo() {
    // A text's own change has done it for that text.
    for (HeldText& t : held_) t.forget_redo();
    steps_.resize(done_);
}

bool SceneDocument::change(std::string text) {
    return change({{std::size_t{0}, std::move(text)}});
}

bool SceneDocument::change(const std::map<std::size_t, std::string>& texts) {
    std::vector<std::size_t> files, changed;
    for (const auto& [document, text] : texts) {
        const auto k = document == 0 ? std::optional<std::size_t>(0) : held_at(scene_.documents.at(document)->path);
        if (!k) throw std::out_of_range("a text without a file");
        files.push_back(*k);
    }
    std::size_t i = 0;
    for (const auto& entry : texts) {
        const std::size_t k = files[i++];
        if (held_[k].change(entry.second)) changed.push_back(k);
    }
    return stepped(std::move(changed));
}

bool SceneDocument::undo() {
    if (!can_undo()) return false;
    touched_.clear();
    for (const std::size_t k : steps_[--done_]) {
        held_[k].undo();
        touched_.push_back(shown_name(k));
    }
    read();
    return true;
}

bool SceneDocument::redo() {
    if (!can_redo()) return false;
    touched_.clear();
    for (const std::size_t k : steps_[done_++]) {
        held_[k].redo();
        touched_.push_back(shown_name(k));
    }
    read();
    return true;
}

}  // namespace armature::studio

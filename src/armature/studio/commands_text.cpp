// The text as a whole and its files: opening, typing, undo, completion, saving.
#include <fmt/format.h>

#include "armature/base/atomic_file.h"
#include "armature/scene/files.h"
#include "armature/scene/format.h"
#include "armature/scene/limits.h"
#include "armature/studio/completion.h"
#include "armature/studio/text_changes.h"

namespace armature::studio {

namespace {

/// The place in the scene of an included text.
std::size_t text_named(Studio& studio, const std::string& file) {
    const Scene& scene = studio.document().scene();
    for (std::size_t k = 1; k < scene.documents.size(); ++k)
        if (!scene.documents[k]->path.empty() && studio.document().shown(scene.documents[k]->name) == file) return k;
    throw Refusal("the scene includes no file `" + file + "`");
}

Json open(Studio& studio, const Json& a, ViewerId) {
    const Places& places = studio.places();
    // What is not saved yet stays where it can be found again.
    studio.document().autosave(Clock::now(), Clock::duration::zero());
    if (const auto it = a.find("scene"); it != a.end()) {
        const std::string name = it->get<std::string>();
        const auto file = places.gallery_file(name);
        if (!file) throw Refusal("there is no scene `" + name + "` in the gallery");
        lang::FileText text = lang::read_text_file(file->string(), lang::limits::file_bytes);
        if (!text.error.empty()) throw Refusal(text.error);
        studio.open(SceneDocument::from_text(std::move(text.text), file->stem().string(), places.folder(), *file));
    } else if (const auto f = a.find("file"); f != a.end()) {
        const auto file = places.scene_file(f->get<std::string>(), true);
        if (!file) throw Refusal("there is no such scene in the folder");
        studio.open(SceneDocument::from_file(*file));
    } else {
        std::string name = a.value("name", "untitled");
        if (name.ends_with(".arm")) name.resize(name.size() - 4);
        // It becomes part of a file name.
        for (char& c : name)
            if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '_';
        while (!name.empty() && name.front() == '.') name.erase(0, 1);
        if (name.size() > 100) name.resize(100);
        studio.open(SceneDocument::from_text(a.at("text").get<std::string>(), name, places.folder()));
    }
    return {{"revision", studio.revision()}, {"problems", studio.problems()}};
}

Json text(Studio& studio, const Json& a, ViewerId) {
    std::string fresh = a.at("text").get<std::string>();
    if (const auto it = a.find("revision");
        it != a.end() && it->is_number() && it->get<std::int64_t>() != studio.revision())
        throw Refusal::because_of_conflict("the text was changed elsewhere in the meantime");
    if (fresh.size() > lang::limits::file_bytes) throw Refusal("the text is too large");
    if (const auto it = a.find("file"); it != a.end() && it->is_string()) {
        const std::size_t k = text_named(studio, it->get<std::string>());
        return change_texts(studio, {{k, std::move(fresh)}});
    }
    return reply_to_change(studio, studio.document().change(std::move(fresh)));
}

Json source(Studio& studio, const Json& a, ViewerId) {
    const std::string file = a.at("file").get<std::string>();
    return {{"file", file}, {"text", studio.document().scene().documents[text_named(studio, file)]->text}};
}

/// Of the text or of the run, whichever was changed last.
Json undo_or_redo(Studio& studio, bool again) {
    if (studio.undo_pose(again)) {
        const Run& run = studio.session().run();
        return {{"what", "pose"},
                {"frame", run.frame()},
                {"time", run.moment().state.time},
                {"revision", studio.revision()},
                {"problems", studio.problems()},
                {"files", Json::array()}};
    }
    if (!(again ? studio.document().redo() : studio.document().undo()))
        throw Refusal(again ? "there is nothing to redo" : "there is nothing to undo");
    Json problems = studio.text_changed(true);
    return {{"what", "text"},
            {"revision", studio.revision()},
            {"problems", std::move(problems)},
            {"files", studio.document().touched()}};
}

Json undo(Studio& studio, const Json&, ViewerId) {
    return undo_or_redo(studio, false);
}

Json redo(Studio& studio, const Json&, ViewerId) {
    return undo_or_redo(studio, true);
}

Json format(Studio& studio, const Json&, ViewerId) {
    Diagnostics findings;
    std::optional<std::string> fresh = format_text(studio.document().text(), studio.document().name(), findings);
    if (!fresh) throw InputError(findings);
    return reply_to_change(studio, studio.document().change(std::move(*fresh)));
}

Json complete(Studio& studio, const Json& a, ViewerId) {
    Json items = Json::array();
    const std::size_t at = offset_at(studio.document().text(), a.at("line").get<int>(), a.at("column").get<int>());
    for (const Completion& c : completions(studio.document().scene(), at))
        items.push_back({{"label", c.label}, {"kind", c.kind}, {"detail", c.detail}, {"insert", c.insert}});
    return {{"items", std::move(items)}};
}

Json save(Studio& studio, const Json& a, ViewerId) {
    SceneDocument& document = studio.document();
    const bool overwrite = a.value("overwrite", false);
    bool saved = false;
    if (const auto it = a.find("file"); it != a.end() && it->is_string()) {
        const auto file = studio.places().scene_file(it->get<std::string>(), false);
        if (!file) throw Refusal("a scene can be saved in the folder only, as NAME.arm");
        saved = document.save_as(*file, overwrite);
    } else if (document.file().empty()) {
        throw Refusal("this text has no file yet", "say under which name to save it");
    } else {
        saved = document.save(overwrite);
    }
    if (!saved)
        throw Refusal::because_of_conflict(
            fmt::format("the file `{}` is not as it was when it was opened", document.in_the_way()),
            "save it under another name, or overwrite it");
    studio.document_changed();
    return {{"file", studio.places().shown(document.file())}, {"revision", studio.revision()}};
}

Json discard(Studio& studio, const Json&, ViewerId) {
    studio.document().forget_autosave();
    studio.document_changed();
    return Json::object();
}

}  // namespace

void add_text_commands(CommandTable& table) {
    table.insert({{"open", open},
                  {"text", text},
                  {"source", source},
                  {"undo", undo},
                  {"redo", redo},
                  {"format", format},
                  {"complete", complete},
                  {"save", save},
                  {"discard", discard}});
}

}  // namespace armature::studio

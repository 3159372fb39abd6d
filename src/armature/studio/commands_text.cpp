// Everything that changes the text or its file.
#include <fmt/format.h>

#include <set>

#include "armature/base/atomic_file.h"
#include "armature/scene/edit.h"
#include "armature/scene/files.h"
#include "armature/scene/format.h"
#include "armature/scene/limits.h"
#include "armature/studio/block_edits.h"
#include "armature/studio/completion.h"
#include "armature/studio/studio.h"

namespace armature::studio {

namespace {

/// The reply after a change of the text.
Json changed(Studio& studio, bool is_other) {
    Json problems = is_other ? studio.text_changed() : studio.problems();
    return {{"revision", studio.revision()}, {"problems", std::move(problems)}};
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
    return changed(studio, studio.document().change(std::move(fresh)));
}

Json make_edits(Studio& studio, const std::vector<std::pair<std::string, std::string>>& edits) {
    Diagnostics findings;
    Scene scene = studio.document().scene();
    std::set<std::string> affected;
    for (const auto& [path, value] : edits) {
        const std::optional<Edit> edit = plan_edit(scene, path, value, findings);
        if (!edit || findings.has_errors()) throw InputError(findings);
        if (edit->document != 0)
            throw Refusal(fmt::format("`{}` is written in another file", path), "change it in " + edit->file);
        affected.insert(edit->also_affects.begin(), edit->also_affects.end());
        Diagnostics unused;  // those of the whole are reported
        apply_edit(scene, *edit, unused);
    }
    Json reply = changed(studio, studio.document().change(scene.documents[0]->text));
    reply["alsoAffects"] = affected;
    return reply;
}

Json edit(Studio& studio, const Json& a, ViewerId) {
    return make_edits(studio, {{a.at("path").get<std::string>(), a.at("value").get<std::string>()}});
}

Json edits(Studio& studio, const Json& a, ViewerId) {
    std::vector<std::pair<std::string, std::string>> list;
    for (const Json& e : a.at("edits"))
        list.emplace_back(e.at("path").get<std::string>(), e.at("value").get<std::string>());
    if (list.size() > 1000) throw Refusal("these are too many edits at once");
    return make_edits(studio, list);
}

std::set<std::string> names_in(const Scene& scene) {
    std::set<std::string> names;
    for (const Element& e : scene.elements) names.insert(e.name);
    return names;
}

Json add(Studio& studio, const Json& a, ViewerId) {
    const std::string block = a.at("block").get<std::string>();
    // It must stand on its own, or it would swallow what comes after it or be swallowed.
    Diagnostics findings;
    if (!format_text(block, "new block", findings)) throw InputError(findings);
    const std::set<std::string> before = names_in(studio.document().scene());
    Json reply = changed(studio, studio.document().change(with_block(studio.document().text(), block)));
    Json names = Json::array();
    for (const std::string& name : names_in(studio.document().scene()))
        if (before.count(name) == 0) names.push_back(name);
    reply["names"] = std::move(names);
    return reply;
}

Json remove(Studio& studio, const Json& a, ViewerId) {
    Diagnostics findings;
    std::string fresh =
        without_blocks(studio.document().scene(), a.at("names").get<std::vector<std::string>>(), findings);
    if (findings.has_errors()) throw InputError(findings);
    return changed(studio, studio.document().change(std::move(fresh)));
}

Json duplicate(Studio& studio, const Json& a, ViewerId) {
    Vec3 offset;
    if (const auto it = a.find("offset"); it != a.end() && !it->is_null()) {
        const auto v = vec_from(*it);
        if (!v) throw Refusal("`offset` must be three finite numbers");
        offset = *v;
    }
    Diagnostics findings;
    Duplicate copy =
        with_copies(studio.document().scene(), a.at("names").get<std::vector<std::string>>(), offset, findings);
    if (findings.has_errors()) throw InputError(findings);
    Json reply = changed(studio, studio.document().change(std::move(copy.text)));
    reply["names"] = copy.names;
    return reply;
}

Json undo(Studio& studio, const Json&, ViewerId) {
    if (!studio.document().undo()) throw Refusal("there is nothing to undo");
    return changed(studio, true);
}

Json redo(Studio& studio, const Json&, ViewerId) {
    if (!studio.document().redo()) throw Refusal("there is nothing to redo");
    return changed(studio, true);
}

Json format(Studio& studio, const Json&, ViewerId) {
    Diagnostics findings;
    std::optional<std::string> fresh = format_text(studio.document().text(), studio.document().name(), findings);
    if (!fresh) throw InputError(findings);
    return changed(studio, studio.document().change(std::move(*fresh)));
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
        throw Refusal::because_of_conflict("the file is not as it was when it was opened",
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

void add_editing_commands(CommandTable& table) {
    table.insert({{"open", open},
                  {"text", text},
                  {"edit", edit},
                  {"edits", edits},
                  {"add", add},
                  {"remove", remove},
                  {"duplicate", duplicate},
                  {"undo", undo},
                  {"redo", redo},
                  {"format", format},
                  {"complete", complete},
                  {"save", save},
                  {"discard", discard}});
}

}  // namespace armature::studio

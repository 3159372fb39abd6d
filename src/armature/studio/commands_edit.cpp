// Changes of single values and whole blocks: every other character stays as it is.
#include <fmt/format.h>

#include <set>

#include "armature/scene/document.h"
#include "armature/scene/format.h"
#include "armature/studio/copies.h"
#include "armature/studio/named_blocks.h"
#include "armature/studio/statement_edits.h"
#include "armature/studio/text_changes.h"
#include "armature/studio/unroll.h"

namespace armature::studio {

Json reply_to_change(Studio& studio, bool is_other) {
    Json problems = is_other ? studio.text_changed() : studio.problems();
    Json files = Json::array();
    if (is_other) files = studio.document().touched();
    return {{"revision", studio.revision()}, {"problems", std::move(problems)}, {"files", std::move(files)}};
}

Json change_texts(Studio& studio, const Texts& texts) {
    SceneDocument& document = studio.document();
    for (const auto& [k, text] : texts)
        if (const std::string why = document.refusal(k); !why.empty()) {
            // Where in it, for whoever wants to change it there.
            const Document& d = *document.scene().documents[k];
            std::uint32_t at = 0;
            while (at < text.size() && at < d.text.size() && text[at] == d.text[at]) ++at;
            const int line = d.place({at, at}).line;
            throw Refusal(fmt::format("this is written in {}:{}, and {}", document.shown(d.name), line, why),
                          "save the scene in your folder first: the files it includes are saved with it");
        }
    return reply_to_change(studio, document.change(texts));
}

namespace {

Json make_edits(Studio& studio, std::vector<ValueEdit> edits) {
    Diagnostics findings;
    Scene scene = studio.document().scene();
    std::set<std::string> affected;
    for (const ValueEdit& e : gathered(scene, std::move(edits))) {
        const std::optional<Edit> edit =
            e.value ? plan_edit(scene, e.path, *e.value, findings) : plan_removal(scene, e.path, findings);
        if (!edit || findings.has_errors()) throw InputError(findings);
        affected.insert(edit->also_affects.begin(), edit->also_affects.end());
        Diagnostics unused;  // those of the whole are reported
        apply_edit(scene, *edit, unused);
    }
    Json reply = change_texts(studio, differences(studio.document().scene(), scene));
    reply["alsoAffects"] = affected;
    return reply;
}

Json edit(Studio& studio, const Json& a, ViewerId) {
    return make_edits(studio, {{a.at("path").get<std::string>(), a.at("value").get<std::string>()}});
}

Json edits(Studio& studio, const Json& a, ViewerId) {
    std::vector<ValueEdit> list;
    for (const Json& e : a.at("edits")) {
        const Json& value = e.at("value");
        list.push_back({e.at("path").get<std::string>(),
                        value.is_null() ? std::optional<std::string>() : value.get<std::string>()});
    }
    if (list.size() > 1000) throw Refusal("these are too many edits at once");
    return make_edits(studio, std::move(list));
}

Json erase(Studio& studio, const Json& a, ViewerId) {
    return make_edits(studio, {{a.at("path").get<std::string>(), {}}});
}

/// The document's text becomes one that has more in it; the reply says what.
Json make_new(Studio& studio, std::string text) {
    const std::set<std::string> before = names_in(studio.document().scene());
    Json reply = reply_to_change(studio, studio.document().change(std::move(text)));
    Json names = Json::array();
    for (const std::string& name : names_in(studio.document().scene()))
        if (before.count(name) == 0) names.push_back(name);
    reply["names"] = std::move(names);
    return reply;
}

Json add(Studio& studio, const Json& a, ViewerId) {
    const std::string block = a.at("block").get<std::string>();
    // It must stand on its own, or it would swallow what comes after it or be swallowed.
    Diagnostics findings;
    if (!format_text(block, "new block", findings)) throw InputError(findings);
    return make_new(studio, with_block(studio.document().text(), block));
}

/// A refusal that says whether unrolling a repeat would help.
[[noreturn]] void refuse(Studio& studio, const Diagnostics& findings) {
    Refusal refusal("");
    refusal.problems = problems_json(studio.document(), findings);
    for (Json& p : refusal.problems)
        if (p.value("hint", "") == unroll_hint) p["unroll"] = true;
    throw refusal;
}

/// Tries `change` on the scene; where it fails only because lines make several things, and that is wanted, on the scene with
/// those repeats written out. Returns the scene that it was made from.
template <class Change>
Scene change_blocks(Studio& studio, const Json& a, const Change& change) {
    Scene scene = studio.document().scene();
    const bool unrolling = a.value("unroll", false);
    while (true) {
        Diagnostics findings, unrolled;
        std::vector<std::string> shared;
        change(scene, findings, &shared);
        if (!findings.has_errors()) return scene;
        if (!unrolling || shared.empty()) refuse(studio, findings);
        const auto apart = unroll(scene, shared.front(), unrolled);
        if (!apart || apart->texts.empty()) refuse(studio, unrolled.has_errors() ? unrolled : findings);
        Diagnostics unused;
        scene = with_texts(scene, apart->texts, unused);
    }
}

Json remove(Studio& studio, const Json& a, ViewerId) {
    const auto names = a.at("names").get<std::vector<std::string>>();
    Texts texts;
    const Scene scene = change_blocks(studio, a, [&](const Scene& s, Diagnostics& findings, auto* shared) {
        texts = without_blocks(s, names, findings, shared);
    });
    Diagnostics unused;
    return change_texts(studio, differences(studio.document().scene(), with_texts(scene, texts, unused)));
}

Vec3 offset_in(const Json& a) {
    const auto it = a.find("offset");
    if (it == a.end() || it->is_null()) return {};
    const auto v = vec_from(*it);
    if (!v) throw Refusal("`offset` must be three finite numbers");
    return *v;
}

Json duplicate(Studio& studio, const Json& a, ViewerId) {
    const Vec3 offset = offset_in(a);
    const auto names = a.at("names").get<std::vector<std::string>>();
    Duplicate copy;
    const Scene scene = change_blocks(studio, a, [&](const Scene& s, Diagnostics& findings, auto* shared) {
        copy = with_copies(s, names, offset, findings, shared);
    });
    Diagnostics unused;
    Json reply = change_texts(studio, differences(studio.document().scene(), with_texts(scene, copy.texts, unused)));
    reply["names"] = copy.names;
    return reply;
}

/// Changes nothing: a member of a repeat is written out in the reply only.
Json copy(Studio& studio, const Json& a, ViewerId) {
    const auto names = a.at("names").get<std::vector<std::string>>();
    std::string text;
    change_blocks(studio, {{"unroll", true}}, [&](const Scene& s, Diagnostics& findings, auto* shared) {
        text = text_of_blocks(s, names, findings, shared);
    });
    return {{"text", std::move(text)}};
}

Json paste(Studio& studio, const Json& a, ViewerId) {
    const Scene& scene = studio.document().scene();
    Diagnostics findings, present;
    with_texts(scene, {}, present);
    std::string text = with_pasted(scene, a.at("text").get<std::string>(), offset_in(a), findings);
    // Into a text that has errors already it may go; one that has none keeps none.
    if (findings.has_errors() && (text.empty() || !present.has_errors()))
        for (const Diagnostic& d : findings.all())
            if (d.severity == Severity::error) throw Refusal("it cannot be pasted here: " + d.message, d.hint);
    return make_new(studio, std::move(text));
}

Json unroll_repeat(Studio& studio, const Json& a, ViewerId) {
    Diagnostics findings;
    const auto apart = unroll(studio.document().scene(), a.at("name").get<std::string>(), findings);
    if (!apart) refuse(studio, findings);
    Json reply = change_texts(studio, apart->texts);
    reply["names"] = apart->names;
    return reply;
}

}  // namespace

void add_editing_commands(CommandTable& table) {
    table.insert({{"edit", edit},
                  {"edits", edits},
                  {"erase", erase},
                  {"add", add},
                  {"remove", remove},
                  {"duplicate", duplicate},
                  {"copy", copy},
                  {"paste", paste},
                  {"unroll", unroll_repeat}});
}

}  // namespace armature::studio

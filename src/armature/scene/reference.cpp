#include "armature/scene/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "armature/model/joint_library.h"
#include "armature/scene/functions.h"
#include "armature/scene/limits.h"
#include "armature/scene/reference_text.h"
#include "armature/scene/schema.h"

namespace armature {

namespace {

using namespace lang;

// In a table a bar would end the cell.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string code(std::string_view text) {
    return text.empty() ? std::string{} : std::string("`").append(text).append("`");
}

std::string unit_of(const std::vector<ArgSpec>& args) {
    std::string text;
    for (const ArgSpec& a : args) {
        if (a.unit.empty() || text == a.unit) continue;
        if (!text.empty()) text += ", ";
        text += a.unit;
    }
    return text;
}

// Defaults that are texts of the language stand as code, those that are words for a person do not.
std::string fallback(std::string_view text) {
    const bool is_code =
        !text.empty() && (std::string_view("-0123456789").find(text[0]) != text.npos || text.find(' ') == text.npos);
    for (const std::string_view word : {"none", "always", "free", "rigid"})
        if (text == word) return std::string(text);
    return is_code ? code(text) : std::string(text);
}

std::string arguments(const std::vector<ArgSpec>& args) {
    return usage(KeywordSpec{.name = {}, .args = args});
}

bool same_options(const KeywordSpec& a, const KeywordSpec& b) {
    const auto same = [](const OptionSpec& x, const OptionSpec& y) {
        return x.name == y.name && x.fallback == y.fallback && x.doc == y.doc &&
               arguments(x.args) == arguments(y.args) && unit_of(x.args) == unit_of(y.args);
    };
    return !a.options.empty() &&
           std::equal(a.options.begin(), a.options.end(), b.options.begin(), b.options.end(), same);
}

/// `before`: the rows above it, whose options are not said again.
void row(std::string& out, const KeywordSpec& k, std::span<const KeywordSpec> before) {
    std::string notes(k.doc);
    const auto like = std::find_if(before.begin(), before.end(), [&](const auto& b) { return same_options(k, b); });
    if (like != before.end()) notes += fmt::format("; options as for `{}`", like->name);
    if (k.repeatable) notes += "; may be repeated";
    if (k.required) notes += "; **required**";
    const std::string written = std::string(k.name) + arguments(k.args);
    out += fmt::format("| {} | {} | {} | {} |\n", code(cell(written)), unit_of(k.args), cell(fallback(k.fallback)),
                       cell(notes));
    if (like != before.end()) return;
    for (const OptionSpec& o : k.options) {
        const std::string option = std::string(o.name) + arguments(o.args);
        std::string doc(o.doc);
        if (o.required) doc += "; **required**";
        out += fmt::format("| &nbsp;&nbsp;{} | {} | {} | {} |\n", code(cell(option)), unit_of(o.args),
                           cell(fallback(o.fallback)), cell(doc));
    }
}

std::string joint_table() {
    std::string out = "| type | also | turns | slides | freedoms | what it does |\n|---|---|---|---|---|---|\n";
    for (const JointTypeInfo& j : joint_types()) {
        std::vector<std::string> also, freedoms;
        for (const std::string_view s : j.synonyms) also.push_back(code(s));
        for (const JointFreedomInfo& f : j.freedoms) freedoms.push_back(code(f.name));
        out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", j.name, fmt::join(also, ", "), j.rotations,
                           j.translations, fmt::join(freedoms, " "), j.summary);
    }
    return out + '\n';
}

void block_section(std::string& out, const BlockSpec& b) {
    const bool file = b.id == BlockId::file;
    out += file ? "### The file\n\n" : fmt::format("### {}\n\n", code(b.name));
    out += fmt::format("{}\n\n", b.doc);
    if (!file) out += fmt::format("```\n{}\n  …\nend\n```\n\n", usage(b.header));
    if (!b.keywords.empty()) {
        out += "| keyword | unit | default | meaning |\n|---|---|---|---|\n";
        for (std::size_t i = 0; i < b.keywords.size(); ++i) row(out, b.keywords[i], {b.keywords.data(), i});
        out += '\n';
    }
    if (b.id == BlockId::joint) out += joint_table();
    if (!b.contents.empty()) {
        out += "Blocks that may stand inside:";
        for (const BlockId id : b.contents) out += fmt::format(" `{}`", block_spec(id).name);
        out += "\n\n";
    }
    if (!b.example.empty()) out += fmt::format("```\n{}```\n\n", b.example);
}

std::string function_table() {
    std::string out = "| function | value |\n|---|---|\n";
    for (const Function& f : functions()) {
        std::string call(f.name);
        call += f.most == 1 ? "(x)" : (f.most == 2 ? "(x, y)" : (f.least == 2 ? "(x, y [, z])" : "(x, …)"));
        out += fmt::format("| `{}` | {} |\n", call, f.doc);
    }
    return out;
}

std::string limits_section() {
    return fmt::format(
        "## Limits\n\n"
        "A text beyond these is refused with a message: a file of {} MiB, all files of a scene together {} MiB, {} "
        "files that include one another, {} blocks inside one another, {} parentheses inside one another, {} groups "
        "placed inside one another, names of {} characters, {} statements, {} objects and {} joints by name after "
        "repeats and groups are written out. Included files and meshes must lie in the folder of the first file or "
        "below it, links "
        "followed.\n",
        limits::file_bytes >> 20, limits::total_bytes >> 20, limits::include_depth, limits::block_depth,
        limits::parenthesis_depth, limits::placement_depth, limits::identifier_length, limits::statements,
        limits::objects, limits::joints);
}

}  // namespace

std::string language_reference() {
    std::string out(reference_introduction);
    out += function_table();
    out += reference_middle;
    out += "## Blocks and keywords\n\n";
    for (const BlockSpec& b : schema()) block_section(out, b);
    out += reference_paths;
    out += limits_section();
    return out;
}

}  // namespace armature

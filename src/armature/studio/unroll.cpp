#include "armature/studio/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "armature/base/number_text.h"
#include "armature/model/compile.h"
#include "armature/scene/load.h"
#include "armature/studio/named_blocks.h"
#include "armature/studio/text_splices.h"

namespace armature::studio {

using namespace lang;

namespace {

constexpr std::size_t most_bytes = std::size_t{2} << 20;
constexpr int most_levels = 16;
constexpr const char* probe = "armature_unroll_probe";

std::string_view option_text(const Document& d, const Node& n, std::string_view name, std::string_view fallback) {
    for (std::uint32_t g = n.first_group; g < n.first_group + n.group_count; ++g)
        if (const Group& group = d.tree.groups[g]; group.option != nullptr && group.option->name == name)
            return d.slice(arguments_span(d.tree, group));
    return fallback;
}

/// The values that the variable of a repeat takes. Its bounds are expressions of whatever is known where it stands: a particle
/// put in front of it, at a point made of them, is asked what they come to.
std::vector<double> values_of(const Scene& scene, std::uint32_t document, const Node& repeat) {
    const Document& d = *scene.documents[document];
    const std::string text =
        fmt::format("particle {} mass 1; at {} {} {}; end ", probe, option_text(d, repeat, "from", "0"),
                    option_text(d, repeat, "to", "0"), option_text(d, repeat, "step", "1"));
    Diagnostics findings;
    const Scene asked =
        with_texts(scene, {{document, spliced(d.text, {{{repeat.span.begin, repeat.span.begin}, text}})}}, findings);
    for (const SolidSpec& s : asked.spec.solids) {
        if (s.name != probe) continue;
        const Vec3 b = s.pose_WB.x;
        std::vector<double> values;
        if (b.z == 0 || !is_finite(b)) return {};
        const double turns = std::floor((b.y - b.x) / b.z + 1e-9) + 1;  // as scene/expand.cpp counts them
        for (double k = 0; k < turns && values.size() < most_bytes; k += 1) values.push_back(b.x + k * b.z);
        return values;
    }
    return {};
}

/// What takes the place of a name that is read: the variable's value, and of a parameter of the repeat what it is made of.
using Meanings = std::map<std::string, std::string, std::less<>>;

/// Replaces names below a node; places count from `base`.
void replace_uses(const Document& d, const Node& n, const Meanings& meanings, std::uint32_t base,
                  std::vector<Splice>& changes) {
    const auto in_code = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t c = begin; c < end; ++c) {
            const Span span = d.tree.code[c].span;
            if (d.tree.code[c].op != Op::variable) continue;
            const auto it = meanings.find(d.slice(span));
            if (it != meanings.end()) changes.push_back({{span.begin - base, span.end - base}, it->second});
        }
    };
    for (std::uint32_t g = n.first_group; g < n.first_group + n.group_count; ++g)
        for (std::uint32_t v = 0; v < d.tree.groups[g].count; ++v) {
            const Value& value = d.tree.values[d.tree.groups[g].first + v];
            if (is_numeric(value.kind)) in_code(value.begin, value.end);
            if (is_name(value.kind))
                for (std::uint32_t p = value.begin; p < value.end; ++p)
                    in_code(d.tree.pieces[p].code_begin, d.tree.pieces[p].code_end);
        }
    for (std::uint32_t c = n.first_child; c != no_node; c = d.node(c).next)
        replace_uses(d, d.node(c), meanings, base, changes);
}

/// Lines moved to the left by as many blanks as that, or as they have.
std::string dedented(const std::string& text, std::size_t by) {
    std::string out;
    bool at_start = true;
    std::size_t skipped = 0;
    for (const char c : text) {
        if (at_start && skipped < by && (c == ' ' || c == '\t')) {
            ++skipped;
            continue;
        }
        out += c;
        at_start = c == '\n';
        if (at_start) skipped = 0;
    }
    return out;
}

/// What stands between the header of a repeat and its end, and what stands behind the header on its line.
struct Body {
    Span span;
    std::string remark;
    bool own_lines = false;
    std::size_t indent = 0;  ///< blanks that its lines have more than the repeat
};

Body body_of(const Document& d, const Node& repeat) {
    Body b;
    std::uint32_t begin = repeat.word.end;
    for (std::uint32_t g = repeat.first_group; g < repeat.first_group + repeat.group_count; ++g)
        begin = std::max(begin, arguments_span(d.tree, d.tree.groups[g]).end);
    std::uint32_t end = repeat.span.end - 3;
    const std::uint32_t line = end_of_line(d, begin);
    b.own_lines = line < end && d.text[line] == '\n';
    if (b.own_lines) {
        std::uint32_t from = begin;
        while (from < line && is_blank(d.text[from])) ++from;
        b.remark = d.text.substr(from, line - from);
        begin = line + 1;
        while (end > begin && is_blank(d.text[end - 1])) --end;
        const std::string outer = indent_of(d, repeat.span.begin);
        const std::string inner =
            repeat.first_child == no_node ? outer : indent_of(d, d.node(repeat.first_child).span.begin);
        b.indent = inner.size() > outer.size() ? inner.size() - outer.size() : 0;
    } else {
        while (begin < end && is_blank(d.text[begin])) ++begin;
        while (end > begin && is_blank(d.text[end - 1])) --end;
    }
    b.span = {begin, end};
    return b;
}

/// The text of a document with one repeat written out; empty when that would be too much.
std::string written_out(const Document& d, const Node& repeat, const std::vector<double>& values) {
    const Body body = body_of(d, repeat);
    const std::string lines(d.slice(body.span));
    const std::string indent = indent_of(d, repeat.span.begin);
    std::string out = body.remark.empty() ? std::string() : body.remark + "\n" + indent;
    for (std::size_t k = 0; k < values.size(); ++k) {
        Meanings meanings;
        meanings.emplace(first_word(d, repeat), values[k] < 0 ? "(" + to_text(values[k]) + ")" : to_text(values[k]));
        std::vector<Splice> changes;
        for (std::uint32_t c = repeat.first_child; c != no_node; c = d.node(c).next) {
            const Node& n = d.node(c);
            if (n.block != nullptr || n.keyword->name != "parameter") {
                replace_uses(d, n, meanings, body.span.begin, changes);
                continue;
            }
            // One value per turn cannot be a parameter of the file: it is put where it is used.
            const Span value = d.tree.values[d.tree.groups[n.first_group].first + 1].span;
            std::vector<Splice> inner;
            replace_uses(d, n, meanings, value.begin, inner);
            meanings[std::string(first_word(d, n))] = "(" + spliced(std::string(d.slice(value)), inner) + ")";
            const Span lines_gone = lines_of(d, n);
            const std::uint32_t from = std::max(lines_gone.begin, body.span.begin);
            changes.push_back({{from - body.span.begin, lines_gone.end - body.span.begin}, ""});
        }
        const std::string member = dedented(spliced(lines, std::move(changes)), body.indent);
        if (out.size() + member.size() > most_bytes) return {};
        // The blanks in front of the repeat stand before the first member already.
        out += k == 0 && member.starts_with(indent) ? member.substr(indent.size()) : member;
        if (!body.own_lines && k + 1 < values.size()) out += "\n" + indent;
    }
    while (body.own_lines && !out.empty() && (out.back() == '\n' || is_blank(out.back()))) out.pop_back();
    return spliced(d.text, {{repeat.span, out}});
}

bool same_meaning(const Spec& a, const Spec& b) {
    Diagnostics unused;
    const std::optional<Model> one = compile(a, unused), two = compile(b, unused);
    if (!one || !two) return false;
    const auto names = [](const auto& x, const auto& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                          [](const auto& p, const auto& q) { return p.name == q.name; });
    };
    return one->fingerprint == two->fingerprint && names(one->bodies, two->bodies) && names(one->joints, two->joints);
}

}  // namespace

Scene with_texts(const Scene& scene, const Texts& texts, Diagnostics& diagnostics) {
    Scene changed = scene;
    for (const auto& [k, text] : texts) {
        auto d = std::make_shared<Document>();
        d->name = scene.documents[k]->name;
        d->path = scene.documents[k]->path;
        d->text = text;
        changed.documents[k] = std::move(d);
    }
    return rebuild(changed, diagnostics);
}

Texts differences(const Scene& before, const Scene& after) {
    Texts texts;
    for (std::size_t k = 0; k < before.documents.size(); ++k)
        for (std::size_t j = 0; j < after.documents.size(); ++j) {
            const bool same_file = k == 0 ? j == 0
                                          : j > 0 && !before.documents[k]->path.empty() &&
                                                before.documents[k]->path == after.documents[j]->path;
            if (same_file && before.documents[k]->text != after.documents[j]->text) texts[k] = after.documents[j]->text;
        }
    return texts;
}

std::optional<Unrolled> unroll(const Scene& scene, const std::string& name, Diagnostics& diagnostics) {
    Unrolled result;
    Scene now = scene;
    for (int level = 0;; ++level) {
        NamedBlocks blocks(now, diagnostics);
        const Element* e = blocks.find(name);
        if (e == nullptr) return {};
        if (blocks.made_by(*e).size() == 1) break;
        if (level == 0) result.names = blocks.made_by(*e);
        const Document& d = blocks.text_of(*e);
        std::uint32_t outermost = no_node;
        bool in_group = false;
        for (std::uint32_t n = blocks.node_of(*e).parent; n != no_node && n != 0; n = d.node(n).parent) {
            if (d.node(n).block->id == BlockId::repeat) outermost = n;
            in_group = in_group || d.node(n).block->id == BlockId::group;
        }
        if (outermost == no_node || in_group || level == most_levels) {
            blocks.report_shared(*e);
            return {};
        }
        const Node& repeat = d.node(outermost);
        const std::vector<double> values = values_of(now, e->document, repeat);
        std::string text = values.empty() || !d.well_formed ? std::string() : written_out(d, repeat, values);
        if (text.empty()) {
            diagnostics.error(d.place(repeat.word), "this repeat cannot be written out",
                              "it would become too long: change it in the text");
            return {};
        }
        Diagnostics unused;
        now = with_texts(now, {{e->document, std::move(text)}}, unused);
    }
    if (!same_meaning(scene.spec, now.spec)) {
        diagnostics.error({}, fmt::format("the repeat that makes `{}` cannot be written out exactly", name),
                          "change it in the text");
        return {};
    }
    result.texts = differences(scene, now);
    return result;
}

}  // namespace armature::studio

#include "armature/studio/block_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "armature/base/number_text.h"
#include "armature/base/suggest.h"
#include "armature/model/compile.h"
#include "armature/scene/document.h"
#include "armature/scene/load.h"

namespace armature::studio {

namespace {

using namespace lang;

struct Splice {
    Span span;
    std::string replacement;
};

std::string spliced(std::string text, std::vector<Splice> splices) {
    std::stable_sort(splices.begin(), splices.end(),
                     [](const Splice& a, const Splice& b) { return a.span.begin < b.span.begin; });
    for (auto s = splices.rbegin(); s != splices.rend(); ++s)
        text.replace(s->span.begin, s->span.size(), s->replacement);
    return text;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/// Where the line of `at` ends, when only blanks and a comment stand between; `at` itself otherwise.
std::uint32_t end_of_line(const Document& d, std::uint32_t at) {
    std::uint32_t end = at;
    const auto token = std::lower_bound(d.tokens.begin(), d.tokens.end(), at,
                                        [](const Token& t, std::uint32_t x) { return t.span.begin < x; });
    for (auto t = token; t != d.tokens.end() && t->is_trivia(); ++t) {
        const std::string_view text = d.slice(t->span);
        const std::size_t line = text.find('\n');
        if (t->kind == TokenKind::blank && line != std::string_view::npos)
            return t->span.begin + static_cast<std::uint32_t>(line);
        if (t->kind == TokenKind::block_comment && line != std::string_view::npos) return at;
        end = t->span.end;
    }
    return end == d.text.size() ? end : at;
}

/// The lines of a node, when nothing else stands on them; otherwise its characters.
Span lines_of(const Document& d, const Node& node) {
    Span span = node.span;
    std::uint32_t begin = span.begin;
    while (begin > 0 && is_blank(d.text[begin - 1])) --begin;
    const bool first = begin == 0 || d.text[begin - 1] == '\n';
    std::uint32_t end = end_of_line(d, span.end);
    const bool last = end == d.text.size() || d.text[end] == '\n';
    if (!first || !last) return span;
    if (end < d.text.size()) ++end;
    // One of two empty lines that would meet.
    const bool empty_before = begin == 0 || (begin >= 2 && d.text[begin - 2] == '\n');
    if (empty_before && end < d.text.size() && d.text[end] == '\n') ++end;
    return {begin, end};
}

/// The names of a scene and the blocks they stand for.
class Blocks {
  public:
    Blocks(const Scene& s, Diagnostics& diagnostics) : scene(s), root(*s.documents[0]), diagnostics_(diagnostics) {
        for (const Element& e : s.elements)
            if (e.document == 0) makes_[e.node].push_back(e.name);
    }

    const Element* find(const std::string& name) {
        const auto it = scene.element_index.find(name);
        if (it == scene.element_index.end()) {
            std::vector<std::string_view> known;
            for (const Element& e : scene.elements) known.push_back(e.name);
            diagnostics_.error({}, fmt::format("there is no block `{}`", name), did_you_mean(name, known));
            return nullptr;
        }
        return &scene.elements[it->second];
    }
    /// Everything that the characters of this block make.
    const std::vector<std::string>& made_by(std::uint32_t node) const { return makes_.at(node); }
    bool is_in_root(const Element& e) {
        if (e.document == 0) return true;
        diagnostics_.error({}, fmt::format("`{}` is written in {}, which this text includes", e.name,
                                           scene.documents[e.document]->name));
        return false;
    }
    void shared(const std::string& name, std::uint32_t node) {
        diagnostics_.error(root.place(root.node(node).word),
                           fmt::format("`{}` is one of {} that the same lines make", name, made_by(node).size()),
                           "change the repeat or the group in the text");
    }

    const Scene& scene;
    const Document& root;

  private:
    Diagnostics& diagnostics_;
    std::map<std::uint32_t, std::vector<std::string>> makes_;
};

/// What holds or pushes solids: its name and whom it names.
std::vector<std::pair<std::string, std::vector<std::string>>> users_of_solids(const Spec& spec) {
    std::vector<std::pair<std::string, std::vector<std::string>>> users;
    const std::vector<std::string> names = constraint_names(spec);
    for (std::size_t i = 0; i < names.size(); ++i)
        users.push_back({names[i], {spec.constraints[i].solid1, spec.constraints[i].solid2}});
    for (const ForceSpec& f : spec.forces) {
        struct Solids {
            std::vector<std::string> operator()(const PointForceSpec& l) const { return {l.solid}; }
            std::vector<std::string> operator()(const TorqueSpec& l) const { return {l.solid}; }
            std::vector<std::string> operator()(const SpringSpec& l) const { return {l.solid1, l.solid2}; }
            std::vector<std::string> operator()(const DragSpec& l) const { return {l.solid}; }
        };
        users.push_back({f.name, std::visit(Solids{}, f.law)});
    }
    for (const DraggedSpec& d : spec.drags) users.push_back({d.name, {d.solid}});
    return users;
}

/// The first value of a statement or header, as written.
std::string_view first_word(const Document& d, const Node& n) {
    if (n.group_count == 0) return {};
    const Group& g = d.tree.groups[n.first_group];
    return g.option == nullptr && g.count > 0 ? d.slice(d.tree.values[g.first].span) : std::string_view{};
}

/// A repeat all of whose blocks go, goes with them.
void drop_emptied_repeats(const Document& d, std::set<std::uint32_t>& nodes) {
    for (bool again = true; again;) {
        again = false;
        for (const std::uint32_t n : nodes) {
            const std::uint32_t parent = d.node(n).parent;
            if (parent == no_node || parent == 0 || d.node(parent).block->id != BlockId::repeat) continue;
            bool all = true;
            for (std::uint32_t c = d.node(parent).first_child; c != no_node; c = d.node(c).next)
                all = all && (d.node(c).block == nullptr || nodes.count(c) > 0);
            if (!all) continue;
            for (std::uint32_t c = d.node(parent).first_child; c != no_node; c = d.node(c).next) nodes.erase(c);
            nodes.insert(parent);
            again = true;
            break;
        }
    }
}

std::string rounded(double x) {
    const double r = std::round(x * 1e6) / 1e6;
    return to_text(r == 0 ? 0.0 : r);
}
std::string rounded(const Vec3& v) {
    return rounded(v.x) + " " + rounded(v.y) + " " + rounded(v.z);
}

}  // namespace

std::string with_block(const std::string& text, const std::string& block) {
    std::string out = text;
    if (!out.empty() && out.back() != '\n') out += '\n';
    if (!out.empty()) out += '\n';
    out += block;
    if (out.empty() || out.back() != '\n') out += '\n';
    return out;
}

std::string without_blocks(const Scene& scene, const std::vector<std::string>& names, Diagnostics& diagnostics) {
    Blocks blocks(scene, diagnostics);
    std::set<std::string> gone(names.begin(), names.end());
    for (const auto& [user, solids] : users_of_solids(scene.spec))
        if (std::any_of(solids.begin(), solids.end(), [&](const auto& s) { return gone.count(s) > 0 && s != "world"; }))
            if (scene.element_index.count(user) > 0) gone.insert(user);
    std::set<std::uint32_t> nodes;
    for (const std::string& name : gone) {
        const Element* e = blocks.find(name);
        if (e == nullptr || !blocks.is_in_root(*e)) continue;
        const auto& made = blocks.made_by(e->node);
        if (std::all_of(made.begin(), made.end(), [&](const auto& n) { return gone.count(n) > 0; }))
            nodes.insert(e->node);
        else
            blocks.shared(name, e->node);
    }
    const Document& root = blocks.root;
    for (std::uint32_t c = root.node(0).first_child; c != no_node; c = root.node(c).next) {
        const Node& n = root.node(c);
        if (n.block == nullptr && n.keyword->name == "pose" && gone.count(std::string(first_word(root, n))) > 0)
            nodes.insert(c);
    }
    drop_emptied_repeats(root, nodes);
    std::vector<Splice> cuts;
    for (const std::uint32_t n : nodes) cuts.push_back({lines_of(root, root.node(n)), ""});
    return spliced(root.text, std::move(cuts));
}

Duplicate with_copies(const Scene& scene, const std::vector<std::string>& names, const Vec3& offset,
                      Diagnostics& diagnostics) {
    Blocks blocks(scene, diagnostics);
    const Document& root = blocks.root;
    std::set<std::string> wanted(names.begin(), names.end());
    for (const auto& [user, solids] : users_of_solids(scene.spec))
        if (solids.size() == 2 && wanted.count(solids[0]) > 0 && wanted.count(solids[1]) > 0) wanted.insert(user);

    // A fresh name for each: its own with the first number that is free.
    std::set<std::string> taken;
    for (const Element& e : scene.elements) taken.insert(e.name);
    std::map<std::string, std::string> copy_of;
    std::map<std::uint32_t, std::string> nodes;  // in the order of the text
    for (const std::string& name : wanted) {
        const Element* e = blocks.find(name);
        if (e == nullptr || !blocks.is_in_root(*e)) continue;
        if (blocks.made_by(e->node).size() > 1) {
            blocks.shared(name, e->node);
            continue;
        }
        nodes.emplace(e->node, name);
        if (first_word(root, root.node(e->node)).empty()) continue;  // has no name to change
        std::string stem(name);
        for (char& c : stem)
            if (c == '[' || c == ']' || c == '.') c = '_';
        while (!stem.empty() && (stem.back() == '_' || (stem.back() >= '0' && stem.back() <= '9'))) stem.pop_back();
        if (stem.empty()) stem = "copy";
        int n = 2;
        while (taken.count(stem + std::to_string(n)) > 0) ++n;
        copy_of[name] = stem + std::to_string(n);
        taken.insert(copy_of[name]);
    }

    Duplicate result;
    std::vector<Splice> insertions;
    for (const auto& [index, name] : nodes) {
        const Node& block = root.node(index);
        std::vector<Splice> changes;
        const auto local = [&](Span s) { return Span{s.begin - block.span.begin, s.end - block.span.begin}; };
        const auto rename = [&](const Node& n) {
            for (std::uint32_t g = n.first_group; g < n.first_group + n.group_count; ++g)
                for (std::uint32_t v = 0; v < root.tree.groups[g].count; ++v) {
                    const Value& value = root.tree.values[root.tree.groups[g].first + v];
                    if (!is_name(value.kind)) continue;
                    const auto copy = copy_of.find(std::string(root.slice(value.span)));
                    if (copy != copy_of.end()) changes.push_back({local(value.span), copy->second});
                }
        };
        rename(block);
        bool has_at = false;
        const SolidSpec* solid = nullptr;
        for (const SolidSpec& s : scene.spec.solids)
            if (s.name == name) solid = &s;
        for (std::uint32_t c = block.first_child; c != no_node; c = root.node(c).next) {
            const Node& n = root.node(c);
            if (n.block != nullptr) continue;
            rename(n);
            if (solid == nullptr || n.keyword->name != "at" || n.group_count == 0) continue;
            has_at = true;
            changes.push_back({local(arguments_span(root.tree, root.tree.groups[n.first_group])),
                               rounded(solid->pose_WB.x + offset)});
        }
        if (solid != nullptr && !has_at && offset != Vec3{}) {
            const std::uint32_t end = block.span.size() - 3;
            changes.push_back({{end, end}, "  at " + rounded(solid->pose_WB.x + offset) + ";\n"});
        }
        std::uint32_t line = block.span.begin;
        while (line > 0 && is_blank(root.text[line - 1])) --line;
        const std::string indent = line == 0 || root.text[line - 1] == '\n'
                                       ? std::string(root.text.substr(line, block.span.begin - line))
                                       : std::string();
        const std::uint32_t at = end_of_line(root, block.span.end);
        insertions.push_back(
            {{at, at}, "\n\n" + indent + spliced(std::string(root.slice(block.span)), std::move(changes))});
        if (const auto copy = copy_of.find(name); copy != copy_of.end()) result.names.push_back(copy->second);
    }
    result.text = spliced(root.text, std::move(insertions));
    return result;
}

std::string placed_text(const Scene& scene, const std::map<std::string, Pose>& placements, Diagnostics& diagnostics) {
    Blocks blocks(scene, diagnostics);
    const Document& root = blocks.root;
    std::set<std::string_view> posed;
    for (std::uint32_t c = root.node(0).first_child; c != no_node; c = root.node(c).next)
        if (root.node(c).block == nullptr && root.node(c).keyword->name == "pose")
            posed.insert(first_word(root, root.node(c)));
    std::map<std::string, Pose> others;
    std::vector<Splice> changes;
    for (const auto& placement : placements) {
        const std::string& name = placement.first;  // clang does not let a lambda see a structured binding
        const Pose& pose = placement.second;
        const Element* e = blocks.find(name);
        const auto solid = std::find_if(scene.spec.solids.begin(), scene.spec.solids.end(),
                                        [&](const SolidSpec& s) { return s.name == name; });
        if (e == nullptr || solid == scene.spec.solids.end()) continue;
        if (e->document != 0 || root.node(e->node).parent != 0 || blocks.made_by(e->node).size() > 1 ||
            posed.count(name) > 0) {
            others[name] = pose;
            continue;
        }
        if (norm(pose.x - solid->pose_WB.x) > 1e-9) {
            const auto edit = plan_edit(scene, name + ".at", rounded(pose.x), diagnostics);
            if (edit) changes.push_back({edit->span, edit->replacement});
        }
        const Quat off = pose.q * conjugate(solid->pose_WB.q);
        if (solid->particle || norm(log_rotation(normalized(off))) < 1e-9) continue;
        const Quat q = normalized(pose.q);
        const std::string value = fmt::format("{} {} {} {}", rounded(q.w), rounded(q.x), rounded(q.y), rounded(q.z));
        // One quaternion takes the place of every turn.
        bool written = false;
        for (std::uint32_t c = root.node(e->node).first_child; c != no_node; c = root.node(c).next) {
            const Node& n = root.node(c);
            if (n.block != nullptr || (n.keyword->name != "turn" && n.keyword->name != "quaternion")) continue;
            if (written)
                changes.push_back({lines_of(root, n), ""});
            else
                changes.push_back({n.span, "quaternion " + value + ";"});
            written = true;
        }
        if (written) continue;
        const auto edit = plan_edit(scene, name + ".quaternion", value, diagnostics);
        if (edit) changes.push_back({edit->span, edit->replacement});
    }
    std::string text = spliced(root.text, std::move(changes));
    if (others.empty()) return text;
    Diagnostics unused;
    const Scene changed = load_text(std::move(text), root.name, {}, unused);
    return with_placements(changed, others, diagnostics);
}

}  // namespace armature::studio

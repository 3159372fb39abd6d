// Writes placements back into a text, for `armature assemble --out`.
//
// One text may serve many objects (repeats, groups, includes), so the blocks themselves are left alone: a `pose`
// statement per object at the end of the root text says where it is. Orientations are written as quaternions, which
// come back to the last bit; an axis and an angle would not.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "armature/base/number_text.h"
#include "armature/base/suggest.h"
#include "armature/scene/document.h"
#include "armature/scene/edit.h"
#include "armature/scene/evaluate.h"
#include "armature/scene/report.h"

namespace armature {

namespace {

using namespace lang;

std::string pose_statement(const std::string& name, const Pose& pose) {
    std::string text = "pose " + name + " at";
    const auto add = [&](double x) { text.append(" ").append(to_text(x)); };
    for (const double x : {pose.x.x, pose.x.y, pose.x.z}) add(x);
    text += " quaternion";
    for (const double x : {pose.q.w, pose.q.x, pose.q.y, pose.q.z}) add(x);
    return text + ";";
}

// The object of a pose statement, when it is written without parameters.
std::optional<std::string> named_object(const Document& document, const Node& statement) {
    Report silent;
    Evaluator evaluator(silent);
    Scope scope(nullptr, false);
    Surroundings around;
    around.scope = &scope;
    const Group& group = document.tree.groups[statement.first_group];
    return evaluator.name(document, document.tree.values[group.first], around);
}

}  // namespace

std::string with_placements(const Scene& scene, const std::map<std::string, Pose>& placements,
                            Diagnostics& diagnostics) {
    const Document& root = *scene.documents[0];
    std::unordered_map<std::string_view, const SolidSpec*> solids;
    std::vector<std::string_view> names;
    for (const SolidSpec& s : scene.spec.solids) {
        solids.emplace(s.name, &s);
        names.push_back(s.name);
    }
    std::map<std::string, std::string> wanted;  // object → statement
    for (const auto& [name, pose] : placements) {
        const auto it = solids.find(name);
        if (it == solids.end())
            diagnostics.error({}, "there is no object " + quoted(name) + " to place", did_you_mean(name, names));
        else if (it->second->kernel != Kernel::path)
            wanted[name] = pose_statement(name, pose);
    }
    // Every pose that the text has for such an object is rewritten (the last one counts), so that none contradicts.
    std::string text;
    std::uint32_t copied = 0;
    bool has_poses = false;
    std::set<std::string> rewritten;
    for (std::uint32_t c = root.node(0).first_child; c != no_node; c = root.node(c).next) {
        const Node& n = root.node(c);
        if (n.block != nullptr || n.keyword->name != "pose" || n.damaged) continue;
        has_poses = true;
        const std::optional<std::string> name = named_object(root, n);
        const auto it = name ? wanted.find(*name) : wanted.end();
        if (it == wanted.end()) continue;
        text += root.slice({copied, n.span.begin});
        text += it->second;
        copied = n.span.end;
        rewritten.insert(*name);
    }
    text += root.slice({copied, static_cast<std::uint32_t>(root.text.size())});
    for (const std::string& name : rewritten) wanted.erase(name);
    if (wanted.empty()) return text;
    if (!text.empty() && text.back() != '\n') text += '\n';
    if (!has_poses) text += "\n// Placements at the start.\n";
    // In the order of the scene, not of the alphabet.
    for (const SolidSpec& s : scene.spec.solids)
        if (const auto it = wanted.find(s.name); it != wanted.end()) text += it->second + "\n";
    return text;
}

}  // namespace armature

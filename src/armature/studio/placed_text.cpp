#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "armature/base/number_text.h"
#include "armature/scene/load.h"
#include "armature/studio/block_edits.h"
#include "armature/studio/named_blocks.h"
#include "armature/studio/text_splices.h"

namespace armature::studio {

using namespace lang;

std::string rounded_text(double x) {
    const double r = std::round(x * 1e6) / 1e6;
    return to_text(r == 0 ? 0.0 : r);
}
std::string rounded_text(const Vec3& v) {
    return rounded_text(v.x) + " " + rounded_text(v.y) + " " + rounded_text(v.z);
}

std::string placed_text(const Scene& scene, const std::map<std::string, Pose>& placements, Diagnostics& diagnostics) {
    NamedBlocks blocks(scene, diagnostics);
    const Document& root = *scene.documents[0];
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
        if (e->document != 0 || root.node(e->node).parent != 0 || blocks.made_by(*e).size() > 1 ||
            posed.count(name) > 0) {
            others[name] = pose;
            continue;
        }
        if (norm(pose.x - solid->pose_WB.x) > 1e-9) {
            const auto edit = plan_edit(scene, name + ".at", rounded_text(pose.x), diagnostics);
            if (edit) changes.push_back({edit->span, edit->replacement});
        }
        const Quat off = pose.q * conjugate(solid->pose_WB.q);
        if (solid->particle || norm(log_rotation(normalized(off))) < 1e-9) continue;
        const Quat q = normalized(pose.q);
        const std::string value =
            fmt::format("{} {} {} {}", rounded_text(q.w), rounded_text(q.x), rounded_text(q.y), rounded_text(q.z));
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
    Scene changed = scene;
    auto fresh = std::make_shared<Document>();
    fresh->name = root.name;
    fresh->path = root.path;
    fresh->text = std::move(text);
    changed.documents[0] = std::move(fresh);
    Diagnostics unused;
    return with_placements(rebuild(changed, unused), others, diagnostics);
}

}  // namespace armature::studio

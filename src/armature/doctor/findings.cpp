#include "armature/doctor/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace armature::doctor {

namespace {

/// "`a`, `b` and `c`"
std::string list_text(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
    return text;
}
std::string plain_list(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

Finding about(const Mechanism& m, FindingKind kind, const JointSet& joints) {
    Finding f;
    f.kind = kind;
    for (const JointId id : joints) {
        f.joints.push_back(m.joint(id).name);
        f.places.push_back(m.joint(id).origin.block);
    }
    return f;
}

void name_solids(const Mechanism& m, Finding& f) {
    for (int b = 0; b < m.bodies(); ++b) {
        f.solids.push_back(m.body(b).name);
        f.places.push_back(m.body(b).origin.block);
    }
}

Finding contradiction(const Mechanism& m, const ExaminedGroup& group) {
    Finding f = about(m, FindingKind::contradictory, group.joints);
    f.measure = group.open;
    f.sentence = group.joints.size() == 1
                     ? fmt::format("{} cannot hold: it stays open by {:.3g}", list_text(f.joints), group.open)
                     : fmt::format(
                           "{} cannot hold together: something stays open by {:.3g}, and without any one of "
                           "them the others can",
                           list_text(f.joints), group.open);
    return f;
}

Finding redundancy(const Mechanism& m, const Examination& e, const ExaminedGroup& group) {
    Finding f = about(m, FindingKind::redundant, group.joints);
    f.measure = group.rows_too_many;
    const Stress stress = stress_at(m, e.at, group.joints, group.joints.back(), e.tolerance);
    for (const Vec3& u : stress.forces) f.blocked.push_back("translation along " + direction_text(u));
    for (const Vec3& u : stress.torques) f.blocked.push_back("rotation about " + direction_text(u));
    if (stress.thread) f.blocked.push_back("the thread");
    const std::string rows = group.rows_too_many == 1 ? "1 row" : fmt::format("{} rows", group.rows_too_many);
    f.sentence = fmt::format("{} {} {} more than needed; at `{}` that is {}", list_text(f.joints),
                             f.joints.size() == 1 ? "holds" : "hold", rows, f.joints.back(),
                             f.blocked.empty() ? "a combination" : plain_list(f.blocked));
    return f;
}

Finding singularity(const Mechanism& m, const Examination& e) {
    Finding f = about(m, e.singular ? FindingKind::singular : FindingKind::nearly_singular, {});
    name_solids(m, f);
    f.measure = e.singular ? e.mobility.rejected : e.mobility.accepted;
    if (!e.singular)
        f.sentence = fmt::format(
            "a singular position is near: the weakest constraint has {:.2g} of the strength of the "
            "strongest",
            e.mobility.accepted);
    else
        f.sentence = fmt::format("singular position: {} can begin to move here, {} can go on", e.mobility.instantaneous,
                                 e.mobility.mobility);
    return f;
}

Finding dead_centre(const Mechanism& m, const DeadCentre& d) {
    Finding f = about(m, FindingKind::dead_centre, {d.joint});
    f.measure = d.motion;
    f.sentence = fmt::format(
        "`{}` is at a dead centre: whatever moves, it stands still at first, and cannot be driven "
        "from there",
        f.joints[0]);
    return f;
}

Finding limit(const Mechanism& m, const AtLimit& at) {
    Finding f = about(m, FindingKind::at_limit, {at.joint});
    const std::string which = at.row.kind == RowKind::at_least ? "lower" : "upper";
    const std::string what = at.row.limit >= 0 ? m.model().freedoms[static_cast<std::size_t>(at.row.limit)].name
                                               : fmt::format("{}", f.joints[0]);
    f.sentence = fmt::format("`{}` stands at its {} limit ({})", what, which, to_text(at.row));
    return f;
}

}  // namespace

std::vector<Finding> findings_of(const Mechanism& m, const Examination& e) {
    std::vector<Finding> out;
    for (const ExaminedGroup& g : e.contradictory) out.push_back(contradiction(m, g));
    if (e.singular || e.near_singular) out.push_back(singularity(m, e));
    for (const ExaminedGroup& g : e.redundant) out.push_back(redundancy(m, e, g));
    for (const DeadCentre& d : e.dead_centres) out.push_back(dead_centre(m, d));
    for (const AtLimit& a : e.at_limit) out.push_back(limit(m, a));
    return out;
}

}  // namespace armature::doctor

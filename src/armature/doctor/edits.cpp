#include "armature/doctor/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "armature/model/compile.h"

namespace armature {

bool apply(const DoctorEdit& edit, Spec& spec) {
    const std::vector<std::string> names = constraint_names(spec);
    const auto find = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    if (const auto* replace = std::get_if<ReplaceConstraint>(&edit.change)) {
        const std::size_t i = find(replace->name);
        if (i == names.size()) return false;
        spec.constraints[i] = replace->by;
        return true;
    }
    if (const auto* remove = std::get_if<RemoveConstraint>(&edit.change)) {
        const std::size_t i = find(remove->name);
        if (i == names.size()) return false;
        // The others keep the names that they had, also those that were called after their solids.
        for (std::size_t k = 0; k < names.size(); ++k) spec.constraints[k].name = names[k];
        spec.constraints.erase(spec.constraints.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
    }
    bool all = true;
    for (const auto& [name, pose] : std::get<PlaceSolids>(edit.change).poses) {
        SolidSpec* solid = spec.find_solid(name);
        all = all && solid != nullptr;
        if (solid != nullptr) solid->pose_WB = pose;
    }
    return all;
}

namespace doctor {

namespace {

constexpr int most_trials = 12;  // for one finding
/// For all findings of an island. Where groups are so many that not even all of them were looked for, an examination takes
/// seconds, and one edit usually takes many groups away.
constexpr int most_trials_in_all = 60, few_trials_in_all = 2;

using Names = std::vector<std::string>;

/// What an examination found, by names, so that it can be compared after an edit.
struct Summary {
    std::vector<Names> contradictory, redundant;
    int mobility = 0, redundant_rows = 0, singular = 0;
    bool near_singular = false;
    std::multiset<std::string> dead, at_limit;

    void add(const Mechanism& m, const Examination& e) {
        const auto names = [&](const JointSet& set) {
            Names out;
            for (const JointId id : set) out.push_back(m.joint(id).name);
            std::sort(out.begin(), out.end());
            return out;
        };
        for (const ExaminedGroup& g : e.contradictory) contradictory.push_back(names(g.joints));
        for (const ExaminedGroup& g : e.redundant) redundant.push_back(names(g.joints));
        mobility += e.mobility.mobility;
        redundant_rows += e.mobility.instantaneous - e.mobility.by_count;
        singular += e.singular;
        near_singular = near_singular || e.near_singular;
        for (const DeadCentre& d : e.dead_centres) dead.insert(m.joint(d.joint).name);
        for (const AtLimit& a : e.at_limit) at_limit.insert(m.joint(a.joint).name);
    }
};

/// The scene with nothing in it but one island: examining it again takes as long as that island does.
Spec only_island(const Spec& spec, const Mechanism& m) {
    Spec out;
    out.simulation = spec.simulation;
    for (const BodyId id : m.island().bodies)
        if (id != world_id) out.solids.push_back(spec.solids[static_cast<std::size_t>(id) - 1]);
    for (const Island::LocalJoint& j : m.island().joints) {
        out.constraints.push_back(spec_of(spec, j.joint));
        out.constraints.back().name = m.joint(j.joint).name;
    }
    return out;
}

std::optional<Summary> examined(const Spec& spec, const Told& told) {
    Diagnostics diagnostics;
    const std::optional<Model> model = compile(spec, diagnostics);
    if (!model || diagnostics.has_errors()) return {};
    Summary summary;
    for (std::size_t i = 0; i < model->islands.size(); ++i) {
        const Mechanism m(*model, static_cast<int>(i));
        summary.add(m, examine(m, told));
    }
    return summary;
}

bool any_within(const std::vector<Names>& sets, Names group) {
    std::sort(group.begin(), group.end());
    return std::any_of(sets.begin(), sets.end(), [&](const Names& set) {
        return std::includes(group.begin(), group.end(), set.begin(), set.end());
    });
}

bool helps(const Finding& f, const Summary& before, const Summary& after) {
    const bool no_worse =
        after.contradictory.size() <= before.contradictory.size() && after.singular <= before.singular;
    switch (f.kind) {
        case FindingKind::contradictory:
            return !any_within(after.contradictory, f.joints) &&
                   after.contradictory.size() < before.contradictory.size();
        case FindingKind::redundant:
            return no_worse && !any_within(after.redundant, f.joints) && !any_within(after.contradictory, f.joints) &&
                   after.mobility == before.mobility && after.redundant_rows < before.redundant_rows;
        case FindingKind::singular:
            return after.contradictory.size() <= before.contradictory.size() && after.singular < before.singular;
        case FindingKind::nearly_singular:
            return no_worse && !after.near_singular;
        case FindingKind::dead_centre:
            return no_worse && after.dead.count(f.joints[0]) < before.dead.count(f.joints[0]);
        case FindingKind::at_limit:
            return no_worse && after.at_limit.count(f.joints[0]) < before.at_limit.count(f.joints[0]);
    }
    return false;
}

/// A redundant group after an edit, without looking at the whole again. Where the mechanism is not singular, let J_S be the rows of
/// the group where all joints hold, and J'_S those after the edit. When
///   the edited joint still holds there,      rank J'_S = its rows,      span J'_S = span J_S,
/// then nothing within the group depends on anything any more, J has its rank with fewer rows, and what could move still can: the
/// places where all joints hold are among those after the edit, and no tangent has come. Contradictions and singular positions
/// cannot come of less. An examination says the same, and takes seconds where groups go into the hundreds.
class LooserGroups {
  public:
    LooserGroups(const Spec& alone, const Mechanism& m, const Examination& e)
        : tolerance_(e.tolerance), residual_(e.residual), settled_(alone) {
        apply(start_at(m, e.at), settled_);
        Diagnostics diagnostics;
        before_ = compile(settled_, diagnostics);
        usable_ = before_ && !diagnostics.has_errors() && before_->islands.size() == 1 && e.contradictory.empty() &&
                  !e.singular;
    }
    bool usable() const { return usable_; }

    bool helps(const DoctorEdit& edit, const Finding& f) const {
        Spec changed = settled_;
        if (!apply(edit, changed)) return false;
        Diagnostics diagnostics;
        const std::optional<Model> after = compile(changed, diagnostics);
        if (!after || diagnostics.has_errors() || after->islands.size() != 1) return false;
        const Mechanism old(*before_, 0), mine(*after, 0);
        if (old.columns() != mine.columns()) return false;
        std::vector<HeldRow> was = rows_of(old, f.joints);
        const std::vector<HeldRow> now = rows_of(mine, f.joints);
        for (const HeldRow& row : now)
            if (std::fabs(row.error) > 10 * residual_ + 1e-9) return false;
        const Matrix J_S = jacobian(old, was), J_now = jacobian(mine, now);
        const auto count = static_cast<int>(now.size());
        if (rank_alone(J_now, tolerance_) != count || rank_alone(J_S, tolerance_) != count) return false;
        was.insert(was.end(), now.begin(), now.end());
        return rank_alone(jacobian(old, was), tolerance_) == count;
    }

  private:
    static std::vector<HeldRow> rows_of(const Mechanism& m, const Names& names) {
        JointSet joints;
        for (const JointId id : m.joints())
            if (std::find(names.begin(), names.end(), m.joint(id).name) != names.end()) joints.push_back(id);
        return m.rows(m.as_placed(), joints, false);
    }

    double tolerance_, residual_;
    Spec settled_;
    std::optional<Model> before_;
    bool usable_ = false;
};

/// In the order of findings_of().
std::vector<std::vector<DoctorEdit>> candidates(const Spec& spec, const Mechanism& m, const Examination& e,
                                                const Stresses& stresses, bool one_will_do) {
    std::vector<std::vector<DoctorEdit>> out;
    for (const ExaminedGroup& g : e.contradictory) out.push_back(fitting_joints(spec, m, e, g));
    if (e.singular || e.near_singular)
        out.push_back(e.away.x.empty() ? std::vector<DoctorEdit>{} : std::vector{start_at(m, e.away)});
    for (const ExaminedGroup& g : e.redundant) out.push_back(looser_joints(spec, m, e, g, stresses, one_will_do));
    for (std::size_t i = 0; i < e.dead_centres.size(); ++i) out.push_back({start_at(m, e.away)});
    for (const AtLimit& a : e.at_limit) out.push_back(wider_limits(spec, m, e, a));
    return out;
}

/// A block within a repeat or a group is the text of all its copies.
void mention_copies(const Spec& spec, DoctorEdit& edit) {
    const auto* replace = std::get_if<ReplaceConstraint>(&edit.change);
    const auto* remove = std::get_if<RemoveConstraint>(&edit.change);
    if (replace == nullptr && remove == nullptr) return;
    const std::vector<std::string> names = constraint_names(spec);
    const auto it = std::find(names.begin(), names.end(), replace != nullptr ? replace->name : remove->name);
    if (it == names.end()) return;
    const Origin& origin = spec.constraints[static_cast<std::size_t>(it - names.begin())].origin;
    if (!origin.notes.empty()) edit.sentence += fmt::format(" (its text serves its copies too: {})", origin.notes[0]);
}

}  // namespace

bool propose_edits(const Spec& spec, const Mechanism& m, const Examination& e, std::vector<Finding>& findings,
                   const Told& told) {
    if (findings.empty()) return true;
    int left = e.all_groups ? most_trials_in_all : few_trials_in_all;
    const Spec alone = only_island(spec, m);
    Summary before;
    before.add(m, e);
    const LooserGroups looser(alone, m, e);
    const Stresses stresses = e.redundant.empty() ? Stresses{} : stresses_of(m, e);
    std::vector<std::vector<DoctorEdit>> tries = candidates(spec, m, e, stresses, looser.usable());
    const std::size_t first_redundant =
        e.contradictory.size() + static_cast<std::size_t>(e.singular || e.near_singular);
    bool all = true;
    double done = 0;
    const int allowed = left;
    const auto still_wanted = [&](double) {
        if (told) told(done);
    };
    const auto propose = [&](std::vector<DoctorEdit>& edits, Finding& finding) {
        for (DoctorEdit& edit : edits) {
            if (!looser.helps(edit, finding)) continue;
            mention_copies(spec, edit);
            finding.edit = std::move(edit);
            return true;
        }
        return false;
    };
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].kind == FindingKind::redundant && looser.usable()) {
            done = std::max(done, static_cast<double>(i) / static_cast<double>(findings.size()));
            still_wanted(0);
            if (propose(tries[i], findings[i])) continue;
            std::vector<DoctorEdit> more = looser_joints(spec, m, e, e.redundant[i - first_redundant], stresses, false);
            propose(more, findings[i]);
            continue;
        }
        int trials = 0;
        for (DoctorEdit& edit : tries[i]) {
            if (++trials > most_trials) break;
            if (left == 0) {
                all = false;
                break;
            }
            --left;
            done = std::max({done, static_cast<double>(i) / static_cast<double>(findings.size()),
                             static_cast<double>(allowed - left - 1) / allowed});
            still_wanted(0);
            Spec changed = alone;
            if (!apply(edit, changed)) continue;
            const std::optional<Summary> after = examined(changed, still_wanted);
            if (!after || !helps(findings[i], before, *after)) continue;
            mention_copies(spec, edit);
            findings[i].edit = std::move(edit);
            break;
        }
    }
    return all;
}

// ---- what candidates share -------------------------------------------------------------------------------------------

const ConstraintSpec& spec_of(const Spec& spec, JointId joint) {
    return spec.constraints[static_cast<std::size_t>(joint)];
}

Placement placement_of(const Mechanism& m, const Placing& at, BodyId body) {
    const std::vector<BodyId>& bodies = m.island().bodies;
    const auto it = std::find(bodies.begin(), bodies.end(), body);
    return m.at(at, static_cast<int>(it - bodies.begin()));
}

DoctorEdit removal(const Spec& spec, const Mechanism& m, JointId joint) {
    const std::string& name = m.joint(joint).name;
    return {RemoveConstraint{name}, {{spec_of(spec, joint).origin.block, "", ""}}, fmt::format("remove `{}`", name)};
}

bool is_named(const ConstraintSpec& c) {
    if (!c.origin.block.known()) return !c.freedoms.empty();
    return std::any_of(c.origin.properties.begin(), c.origin.properties.end(),
                       [](const auto& p) { return p.first == "type"; });
}

}  // namespace doctor
}  // namespace armature

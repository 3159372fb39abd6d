#include "armature/doctor/examine.h"

#include <algorithm>
#include <cmath>

#include "armature/doctor/settle.h"

namespace armature::doctor {

Examination examine(const Mechanism& mechanism, const Told& told) {
    Examination e;
    double done = 0;
    for (const auto step :
         {examine_assembly, examine_mobility, examine_groups, examine_neighbourhood, examine_limits}) {
        step(mechanism, e);
        if (told) told(done += 0.2);
    }
    return e;
}

void examine_assembly(const Mechanism& m, Examination& e) {
    e.placed = m.as_placed();
    Contradictions found = contradictory_sets(m, e.placed);
    e.kept = found.kept;
    e.all_groups = found.groups.complete;
    std::set_difference(m.joints().begin(), m.joints().end(), e.kept.begin(), e.kept.end(),
                        std::back_inserter(e.left_out));
    for (JointSet& set : found.groups.sets) {
        const double open = settle(m, e.placed, set).error;
        e.contradictory.push_back({std::move(set), open, 0});
    }
    const Settled settled = settle(m, e.placed, e.kept);
    e.at = settled.at;
    e.residual = settled.error;
    // What does not quite fit (lengths given to six digits) leaves singular values of its own size where exact ones would
    // leave zeros.
    e.tolerance = std::max(rank_tolerance, 30 * settled.scaled);
}

void examine_mobility(const Mechanism& m, Examination& e) {
    const Matrix J = jacobian(m, m.rows(e.at, e.kept, false));
    const RankOf r = rank_of(J, e.tolerance);
    IslandMobility& out = e.mobility;
    for (int b = 0; b < m.bodies(); ++b) out.solids.push_back(m.body(b).name);
    out.rows = static_cast<int>(m.rows(e.at, m.joints(), false).size());
    out.rank = r.rank;
    out.by_count = m.columns() - out.rows;
    out.instantaneous = out.mobility = m.columns() - r.rank;
    out.accepted = r.accepted;
    out.rejected = r.rejected;
    out.residual = e.residual;
    e.freedoms = readable_freedoms(m, e.at, r.null_space);
    e.infinitesimal.assign(e.freedoms.size(), false);
}

void examine_groups(const Mechanism& m, Examination& e) {
    if (e.left_out.empty() && e.mobility.rank == e.mobility.rows) return;  // nothing depends on anything
    const Groups groups = dependent_sets(m, e.at, m.joints(), e.tolerance);
    e.all_groups = e.all_groups && groups.complete;
    for (const JointSet& set : groups.sets) {
        const bool cannot_hold =
            std::any_of(e.contradictory.begin(), e.contradictory.end(), [&](const ExaminedGroup& c) {
                return std::includes(set.begin(), set.end(), c.joints.begin(), c.joints.end());
            });
        if (!cannot_hold) e.redundant.push_back({set, 0, stress_at(m, e.at, set, set.front(), e.tolerance).count});
    }
}

void examine_limits(const Mechanism& m, Examination& e) {
    for (const HeldRow& row : m.rows(e.at, e.kept, true)) {
        if (row.kind == RowKind::equality) continue;
        if (std::fabs(m.scaled(row, row.error)) < 1e-6 + 10 * m.scaled(row, e.residual))
            e.at_limit.push_back({row.joint, row});
    }
}

}  // namespace armature::doctor

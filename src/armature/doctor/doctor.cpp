#include "armature/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>

#include "armature/doctor/edits.h"
#include "armature/doctor/examine.h"
#include "armature/doctor/findings.h"
#include "armature/model/compile.h"

namespace armature {

using namespace doctor;

namespace {

void add_freedoms(const Mechanism& m, const Examination& e, int island, DoctorReport& report) {
    for (std::size_t i = 0; i < e.freedoms.size(); ++i) {
        RemainingFreedom freedom = describe(m, e.at, e.freedoms[i]);
        freedom.infinitesimal = e.infinitesimal[i];
        freedom.island = island;
        if (freedom.infinitesimal) freedom.sentence += " (it can begin, but not go on)";
        report.floating += freedom.kind == FreedomClass::floating;
        report.idle += freedom.kind == FreedomClass::idle;
        report.freedoms.push_back(std::move(freedom));
    }
}

void add_island(const Mechanism& m, const Examination& e, DoctorReport& report) {
    report.by_count += e.mobility.by_count;
    report.instantaneous += e.mobility.instantaneous;
    report.mobility += e.mobility.mobility;
    report.all_groups = report.all_groups && e.all_groups;
    for (const JointId id : e.left_out) report.left_out.push_back(m.joint(id).name);
    for (int b = 0; b < m.bodies(); ++b) {
        const auto id = static_cast<std::size_t>(m.island().bodies[static_cast<std::size_t>(b)]);
        report.assembled.x[id] = e.at.x[static_cast<std::size_t>(b)];
        report.assembled.q[id] = e.at.q[static_cast<std::size_t>(b)];
    }
    report.islands.push_back(e.mobility);
}

}  // namespace

DoctorReport diagnose(const Spec& spec, const DoctorOptions& options) {
    if (!spec.drags.empty()) {  // a hand is no part of the mechanism, and solids and joints are those of the Spec
        Spec let_go = spec;
        let_go.drags.clear();
        return diagnose(let_go, options);
    }
    const Model model = compile(spec);
    DoctorReport report;
    report.title = spec.title;
    report.assembled = initial_state(model);
    // What an island takes grows with the cube of its size; looking for edits takes most of it.
    const auto work = [&](std::size_t i) {
        const double n = model.islands[i].dynamic_count;
        return n * n * n;
    };
    double all = 0, before = 0;
    for (std::size_t i = 0; i < model.islands.size(); ++i) all += work(i);
    const auto tell = [&](std::size_t i, double share) {
        if (options.progress) options.progress(std::min(1.0, (before + share * work(i)) / std::max(all, 1.0)));
    };
    for (std::size_t i = 0; i < model.islands.size(); ++i) {
        tell(i, 0);
        const Mechanism mechanism(model, static_cast<int>(i));
        const Examination e = examine(mechanism, [&](double share) { tell(i, 0.1 * share); });
        add_island(mechanism, e, report);
        add_freedoms(mechanism, e, static_cast<int>(i), report);
        std::vector<Finding> findings = findings_of(mechanism, e);
        if (options.edits)
            report.all_edits &=
                propose_edits(spec, mechanism, e, findings, [&](double share) { tell(i, 0.1 + 0.9 * share); });
        std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
        before += work(i);
    }
    measure_freedoms(model, report.assembled);
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
    return report;
}

int DoctorReport::count(FindingKind kind) const {
    return static_cast<int>(
        std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == kind; }));
}

std::string_view name_of(FindingKind kind) {
    constexpr std::string_view names[] = {"contradictory",   "singular",    "redundant",
                                          "nearly singular", "dead centre", "at its limit"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name_of(FreedomClass kind) {
    constexpr std::string_view names[] = {"internal", "idle", "floating"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace armature

// The mechanism doctor: what a structure can do, what holds it more than once, what cannot hold at all, and what to change.
//
//     const DoctorReport report = diagnose(spec);
//     fmt::print("{}", to_text(report));
//     if (report.findings[0].edit) apply(*report.findings[0].edit, spec);
//
// Every island is examined by itself, at t = 0, where its joints hold (settle.h): mobility and freedoms (freedoms.h),
// redundant and contradictory groups (groups.h), singular positions and dead centres (neighbourhood.cpp), limits. Then
// edits are tried (edits.h). Nothing here changes how a scene runs: one with redundant joints runs as well as before.
#pragma once

#include <functional>

#include "armature/doctor/report.h"
#include "armature/sim/recording.h"

namespace armature {

struct DoctorOptions {
    bool edits = true;  ///< look for an edit to each finding; most of the time goes there
    /// Is called now and then with the share that is done, 0 to 1, which never falls. What it throws ends the diagnosis.
    std::function<void(double)> progress{};
};

/// Throws InputError when the scene cannot be compiled.
DoctorReport diagnose(const Spec& spec, const DoctorOptions& options = {});

/// A small swing along a freedom of the report, there and back and over to the other side, joints held in every frame;
/// starts and ends where they are assembled. `amplitude` is in rad, or a share of the size where nothing turns.
Recording wiggle(const Spec& spec, const DoctorReport& report, const RemainingFreedom& freedom, double amplitude = 0.3);

}  // namespace armature

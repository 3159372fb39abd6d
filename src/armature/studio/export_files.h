// The recording as files, made from moments that nobody changes: while it is written, the run goes on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "armature/export/report_json.h"
#include "armature/studio/run.h"

namespace armature::studio {

/// What was recorded, by the model that it is shown with.
struct RecordedRun {
    Model model;
    std::vector<MomentPtr> moments;

    explicit RecordedRun(const Run& run) : model(run.model()), moments(run.timeline().from(run.timeline().first())) {}
    FrameRecord record(std::size_t i) const;
};

/// `progress` gets the share that is done and may throw.
using ExportProgress = std::function<void(double)>;
std::string glb_bytes(const RecordedRun& run, const Json& about, const ExportProgress& progress);
std::string csv_bytes(const RecordedRun& run, const ExportProgress& progress);

}  // namespace armature::studio

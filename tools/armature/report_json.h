// Reports for programs: the same facts as the text, under stable names. Numbers that are not finite are null.
#pragma once

#include <optional>
#include <string>

#include "armature/sim/assembly.h"
#include "armature/sim/report.h"

namespace armature::command {

/// `assembly` when there was one before the run.
std::string to_json(const Model& model, const RunReport& report, const std::optional<AssemblyReport>& assembly,
                    const std::string& file, bool good);

std::string to_json(const Model& model, const AssemblyReport& report, const std::string& file);

}  // namespace armature::command

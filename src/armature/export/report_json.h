// Reports for programs: the same facts as the text, under stable names. What `--json` prints and what exports carry.
// Numbers that are not finite are null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "armature/sim/assembly.h"
#include "armature/sim/report.h"

namespace armature {

using Json = nlohmann::ordered_json;  ///< keeps the order in which a person wants to read it

/// `assembly` when there was one before the run; `file` is the scene's, empty when made by code; `good` when the run did
/// all that was asked of it.
Json report_json(const Model& model, const RunReport& report, const std::optional<AssemblyReport>& assembly,
                 const std::string& file, bool good);

Json report_json(const Model& model, const AssemblyReport& report, const std::string& file);

/// Indented, for a file or a terminal. Bytes that are not UTF-8 are replaced.
std::string json_text(const Json& json);

}  // namespace armature

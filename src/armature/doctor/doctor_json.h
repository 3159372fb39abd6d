// The doctor's report for programs: the same facts as the text, under stable names.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "armature/doctor/report.h"

namespace armature {

using Json = nlohmann::ordered_json;  ///< as in export/report_json.h

Json doctor_json(const DoctorReport& report, const std::string& file);

}  // namespace armature

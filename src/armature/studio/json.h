// Numbers and findings as the page reads them (docs/studio_protocol.md).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "armature/export/report_json.h"
#include "armature/math/pose.h"
#include "armature/studio/document.h"

namespace armature::studio {

inline Json json_of(const Vec3& v) {
    return Json::array({v.x, v.y, v.z});
}
/// x y z qx qy qz qw
inline Json json_of(const Pose& p) {
    return Json::array({p.x.x, p.x.y, p.x.z, p.q.x, p.q.y, p.q.z, p.q.w});
}

/// Nothing when it is not three finite numbers.
std::optional<Vec3> vec_from(const Json& json);
/// Nothing when it is not seven finite numbers with an orientation among them; that is made a unit quaternion.
std::optional<Pose> pose_from(const Json& json);

/// A finding, its column counted in UTF-16 units as editors in a browser do.
Json problem_json(const SceneDocument& document, const Diagnostic& finding);
Json problems_json(const SceneDocument& document, const Diagnostics& findings);
/// One that has no place.
Json problem_json(const std::string& message, const std::string& hint = {});

/// On one line. Bytes that are not UTF-8 are replaced.
std::string line_of(const Json& json);

}  // namespace armature::studio

#include "armature/export/float_samples.h"

#include <cmath>

namespace armature {

namespace {

bool all_finite(const std::array<float, 3>& v) {
    return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

float dot(const std::array<float, 4>& a, const std::array<float, 4>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

}  // namespace

std::array<float, 3> float_translation(const Vec3& x) {
    return {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
}

std::array<float, 4> float_rotation(const Quat& q) {
    const Quat u = normalized(q);
    return {static_cast<float>(u.x), static_cast<float>(u.y), static_cast<float>(u.z), static_cast<float>(u.w)};
}

void MotionSamples::add(const FrameRecord& frame) {
    const auto time = static_cast<float>(frame.time);
    const bool begins = times.empty();
    if (!begins && !(time > times.back())) return;
    times.push_back(time);
    for (std::size_t i = 0; i < poses.size(); ++i) {
        PoseSamples& pose = poses[i];
        const Pose& recorded = frame.pose_WB[i];
        auto x = float_translation(recorded.x);
        auto q = float_rotation(recorded.q);
        if (!is_finite(recorded.q) || !all_finite(x)) {
            x = begins ? float_translation({}) : pose.translation.last();
            q = begins ? float_rotation({}) : pose.rotation.last();
        }
        if (!begins && dot(q, pose.rotation.last()) < 0)
            for (float& component : q) component = -component;
        pose.translation.add(x);
        pose.rotation.add(q);
    }
}

}  // namespace armature

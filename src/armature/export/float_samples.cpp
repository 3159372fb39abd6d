#include "armature/export/float_samples.h"

#include <cmath>

namespace armature {

namespace {

template <std::size_t N>
bool all_finite(const std::array<float, N>& values) {
    for (const float v : values)
        if (!std::isfinite(v)) return false;
    return true;
}

template <std::size_t N>
float dot(const std::array<float, N>& a, const std::array<float, N>& b) {
    float sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += a[i] * b[i];
    return sum;
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
        auto x = float_translation(frame.pose_WB[i].x);
        auto q = float_rotation(frame.pose_WB[i].q);
        if (!all_finite(x) || !all_finite(q)) {
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

#include "armature/studio/frame_message.h"

#include <bit>
#include <cstring>

namespace armature::studio {

namespace {

static_assert(std::endian::native == std::endian::little, "frames are little endian");

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

std::string frame_message(const Model& model, const Moment& m, std::size_t bodies, const FrameStamp& stamp) {
    std::string bytes(frame_header_bytes + pose_bytes * bodies, '\0');
    put(bytes, 0, std::uint32_t{0x46524D41});
    put(bytes, 4, std::uint16_t{1});
    put(bytes, 6, static_cast<std::uint16_t>(stamp.kind));
    put(bytes, 8, stamp.revision);
    put(bytes, 12, static_cast<std::uint32_t>(bodies));
    put(bytes, 16, static_cast<std::int64_t>(m.state.frame));
    put(bytes, 24, m.state.time);
    put(bytes, 32, stamp.input);
    put(bytes, 36, m.joints.worst_gap_joint >= 0 ? static_cast<std::uint32_t>(m.joints.worst_gap_joint) : 0xFFFFFFFFu);
    put(bytes, 40, static_cast<float>(m.joints.worst_gap));
    put(bytes, 44, static_cast<float>(m.energy));
    put(bytes, 48, static_cast<float>(m.step_ms));
    put(bytes, 52, stamp.input_ms);
    for (std::size_t i = 0; i < bodies; ++i) {
        const Pose p = m.state.pose_WB(model, static_cast<BodyId>(i));
        const float values[7] = {static_cast<float>(p.x.x), static_cast<float>(p.x.y), static_cast<float>(p.x.z),
                                 static_cast<float>(p.q.x), static_cast<float>(p.q.y), static_cast<float>(p.q.z),
                                 static_cast<float>(p.q.w)};
        std::memcpy(bytes.data() + frame_header_bytes + pose_bytes * i, values, sizeof values);
    }
    return bytes;
}

}  // namespace armature::studio

// A frame as bytes: docs/studio_protocol.md, Frames.
#pragma once

#include <cstdint>
#include <string>

#include "armature/studio/run.h"

namespace armature::studio {

enum class FrameKind : std::uint16_t { live = 0, ghost = 1, assembling = 2 };

struct FrameStamp {
    FrameKind kind = FrameKind::live;
    std::uint32_t revision = 0;
    std::uint32_t input = 0;
    float input_ms = 0;  ///< from the arrival of that input to now
};

inline constexpr std::size_t frame_header_bytes = 64, pose_bytes = 28;

/// The first `bodies` of the model.
std::string frame_message(const Model& model, const Moment& moment, std::size_t bodies, const FrameStamp& stamp);

}  // namespace armature::studio

// Numbers of eight things side by side, as they stand in memory.
#pragma once

namespace armature::lockstep {

inline constexpr int eight = 8;

struct alignas(64) Octet {
    double v[eight];
};
struct Block {
    Octet m[9];  ///< by rows
};

}  // namespace armature::lockstep

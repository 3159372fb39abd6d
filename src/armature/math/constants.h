// Numbers that every room needs.
#pragma once

#include <limits>

namespace armature {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double pi = 3.14159265358979323846;

}  // namespace armature

// How exact Newton's method is to be.
#pragma once

#include <algorithm>

#include "armature/solvers/contract.h"

namespace armature {

/// m and rad: three millionths of the tolerance. A structure of some centimetres is to hold to as many digits as one of a metre, and no
/// structure to more than its round-off.
inline double goal_of(const CorrectionProblem& p) {
    constexpr double share_of_tolerance = 3e-6, round_off = 1e-14;
    return std::max(share_of_tolerance * p.tolerance * std::min(p.island.size, 1.0), round_off * p.island.size);
}

}  // namespace armature

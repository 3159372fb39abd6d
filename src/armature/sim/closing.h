// A constraint that begins to hold while it is violated is drawn in over its closing time T instead of kicking.
//
//   slack(t) = slack0 (1 − u)² (1 + 2u),   u = (t − from)/T in [0, 1]
// slack0 is what the worst of its parts was out of place at the beginning; the parts may be out by slack(t) at time t. The
// speed of drawing in is at most 1.5 slack0/T, and begins and ends at zero: the energy it adds is at most what moving the
// solids at that speed takes, and what lifting them takes.
#pragma once

#include <algorithm>

#include "armature/model/model.h"

namespace armature {

/// slack0 < 0 or 0: none.
inline double allowed_slack(const Joint& j, double slack0, double t) {
    if (!(slack0 > 0) || !(j.closing > 0)) return 0;
    const double u = std::clamp((t - j.from) / j.closing, 0.0, 1.0), s = 1 - u;
    return slack0 * s * s * (1 + 2 * u);
}

}  // namespace armature

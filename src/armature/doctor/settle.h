// Puts the solids where a set of joints holds, starting from where they are: the doctor's own assembly.
//
//   minimise |C(q)|²  by  (JᵀJ + μ I) dq = −Jᵀ C          [Levenberg 1944, Marquardt 1963]
//
// with μ lowered after a step that helped and raised after one that did not; μ → 0 gives the shortest Gauss–Newton step,
// so that what need not move stays. No solid turns by more than 0.8 rad in a step. A bound takes part while it is
// violated. The displacement solver of the simulation is not used because it is made for speed and stops at 1e-4: ranks
// need placements that are right to the last digits.
//
// Whether joints can hold together is decided by this search and by nothing better: they "hold" when every row is
// within the tolerance of the simulation where the search ended, from the author's placing or from one of a few
// placings near it. A set that could only hold in a quite different position is called contradictory.
#pragma once

#include <vector>

#include "armature/doctor/mechanism.h"

namespace armature::doctor {

struct Settled {
    Placing at;
    double error = 0;   ///< largest violation, m or rad
    double scaled = 0;  ///< the same with lengths in units of L
    bool holds = false;
};

/// One search from `start`.
Settled settle_from(const Mechanism& mechanism, const Placing& start, const std::vector<JointId>& joints);

/// From `start`, then, while it does not hold, from placings around it (always the same ones).
Settled settle(const Mechanism& mechanism, const Placing& start, const std::vector<JointId>& joints);

}  // namespace armature::doctor

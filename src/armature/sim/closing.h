// A constraint that begins to hold while it is violated is drawn in over its closing time T instead of kicking.
//
//   slack(t) = slack0 (1 − u)² (1 + 2u),   u = (t − from)/T in [0, 1]
// slack0 is what the worst of its parts was out of place at the beginning; the parts may be out by slack(t) at time t. The
// speed of drawing in is at most 1.5 slack0/T, and begins and ends at zero: the energy it adds is at most what moving the
// solids at that speed takes, and what lifting them takes.
#pragma once

#include <algorithm>
#include <vector>

#include "armature/sim/local_bodies.h"

namespace armature {

/// slack0 < 0 or 0: none.
inline double allowed_slack(const Joint& j, double slack0, double t) {
    if (!(slack0 > 0) || !(j.closing > 0)) return 0;
    const double u = std::clamp((t - j.from) / j.closing, 0.0, 1.0), s = 1 - u;
    return slack0 * s * s * (1 + 2 * u);
}

/// The constraints of an island that begin to hold in a step, and those that are being drawn in. Per joint of the island; all
/// are empty where none of its joints ever begins or ends, which is most islands.
struct Closing {
    std::vector<double> slack;   ///< allowed at the end of the step
    std::vector<double> slack0;  ///< the same when it began to hold
    std::vector<char> begun;     ///< it begins to hold in this step
    bool any_begun = false;

    /// For the step that ends at t1. True when any joint may be out of place by then.
    bool begin(const Model& model, const Island& island, const State& state, const LocalBodies& start, double t1);
    /// Force times shortening of those that are being drawn in, per `impulses`: displacement impulses of the joints.
    double work(const Model& model, const Island& island, const std::vector<JointLoad>& impulses, double t0) const;
    /// The step was made.
    void keep(const Island& island, State& state) const;
};

/// Whether a joint that is out of place begins to hold by t1, and has no time to be drawn in.
bool any_closes_at_once(const Model& model, const Island& island, const State& state, const LocalBodies& start,
                        double t1);

/// Of the worst part of the joint at place k in the island, m or rad.
double violation_at(const Model& model, const Island& island, const LocalBodies& at, std::size_t k);

}  // namespace armature

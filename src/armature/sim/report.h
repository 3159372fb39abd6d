// The report that every run ends with.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "armature/sim/mechanics.h"
#include "armature/sim/step.h"

namespace armature {

/// A quantity at its worst: how much, at which joint, when.
struct Worst {
    double value = 0;
    JointId joint = -1;
    double time = 0;  ///< s
};

struct Failure {
    BodyId body = -1;
    double time = 0;
};

struct RunReport {
    double time = 0;  ///< s, simulated
    std::int64_t frames = 0;
    bool interrupted = false;
    bool stopped = false;  ///< by `on_failure stop`

    Worst gap;           ///< m
    double rms_gap = 0;  ///< m, over all frames and point parts
    Worst angle;         ///< rad beyond the interval of an angle or twist
    Mechanics first, last;
    double worst_energy_change = 0;  ///< J, the largest |E − E(0)| at a frame

    long long steps = 0, rejected = 0, forced = 0, unconverged = 0;
    double mean_iterations = 0;  ///< per step
    int max_iterations = 0;
    std::array<long long, linear_way_names.size()> ways{};  ///< steps per LinearWay
    long long unbalanced = 0;  ///< steps in which springs, motors or contacts did not find their balance
    long long hits = 0;        ///< steps in which something met a floor or a limit with speed
    double motor_work = 0;     ///< J
    double closing_work = 0;   ///< J, added in all by constraints that were drawn in
    std::vector<Failure> failures;

    std::array<double, 4> seconds{};  ///< per Stage
    double wall_seconds = 0;          ///< all of the stepping
    double real_time_factor() const { return wall_seconds > 0 ? time / wall_seconds : 0; }

    /// No gap or angle beyond `max_gap` at the end of any frame, nothing failed, and all but one in a hundred steps in
    /// balance.
    bool converged(double max_gap) const {
        return failures.empty() && gap.value <= max_gap && angle.value <= max_gap && balanced();
    }
    bool balanced() const { return 100 * unbalanced <= steps; }
};

/// For people. `max_gap` as in RunReport::converged.
std::string to_text(const Model& model, const RunReport& report, double max_gap);

}  // namespace armature

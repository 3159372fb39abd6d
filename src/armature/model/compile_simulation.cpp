#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "armature/model/compile_internal.h"

namespace armature::detail {

void compile_simulation(Compilation& c) {
    const SimulationSpec& s = c.spec.simulation;
    const Origin& o = s.origin;
    // The velocities of the procedural method are displacements; newton's rule would count what its pass moves twice.
    const bool chosen = std::any_of(o.properties.begin(), o.properties.end(),
                                    [](const auto& property) { return property.first == "scheme"; });
    if (s.solver == "procedural" && s.scheme == Scheme::newton && !chosen) c.model.simulation.scheme = Scheme::verlet;
    const auto in_range = [&](const char* keyword, double value, double low, double high, const char* say) {
        if (value >= low && value <= high) return;  // false for NaN too
        c.error(o, keyword, fmt::format("{} is {}", keyword, value), say);
    };
    constexpr double tiny = 1e-300, huge = 1e300;
    c.require_finite(s.gravity, o, "gravity", "gravity");
    in_range("duration", s.duration, 0, huge, "give a time of zero or more seconds");
    in_range("dt", s.dt, 1e-9, 1e6, "give the time between frames in seconds, for example 1/60");
    if (s.dt >= 1e-9 && s.duration < huge && s.duration / s.dt > 1e9)
        c.error(o, "duration", fmt::format("{} s in frames of {} s is more than 1e9 frames", s.duration, s.dt),
                "shorten `duration` or raise `dt`");
    in_range("verlet_keep", s.verlet_keep, 0, 1, "give a number from 0 (stops at once) to 1 (no damping)");
    in_range("settle", s.settle, 0, 1, "give a share from 0 (none) to 1");
    in_range("tolerance", s.tolerance, tiny, huge, "give a positive length in metres, for example 1e-4");
    in_range("max_gap", s.max_gap, tiny, huge, "give a positive length in metres, for example 1e-3");
    in_range("iterations", s.iterations, 1, 1e9, "give a whole number of at least 1");
    in_range("assembly_iterations", s.assembly_iterations, 1, 1e9, "give a whole number of at least 1");
    in_range("max_rotation", s.max_rotation, 1e-6, 3, "give an angle in radians, at most 3");
    in_range("max_correction", s.max_correction, 1e-6, huge, "give a positive fraction of the structure's size");
    in_range("min_dt", s.min_dt, tiny, huge, "give a positive time in seconds; from `dt` on no step is ever halved");
    in_range("threads", s.threads, 1, 256, "give a whole number from 1 to 256");
    in_range("variant", s.displacement.variant, 1, 2, "give 1 or 2");
    // Its velocities come from impulses, which need masses: they would leak in again, and make energy.
    if (!s.displacement.physics && (s.scheme == Scheme::newton || s.scheme == Scheme::exact))
        c.error(o, "physics", "the schemes newton and exact need masses, and `physics no` has none",
                "add `scheme verlet;` (damped, with verlet_keep), `euler` or `stormer`");
    in_range("inner", s.linearized.inner, 1, 1e9, "give a whole number of at least 1");
    in_range("budget", s.linearized.budget, 0, huge, "give a time in seconds, for example 0.002; 0 for none");
    in_range("h", s.procedural.h, -huge, huge, "give an area of 0 m² or more; leave it out for one by the lengths");
    in_range("relaxation", s.displacement.relaxation, 1e-6, 1.999, "give a factor above 0 and below 2");
}

}  // namespace armature::detail

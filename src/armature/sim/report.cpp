#include "armature/sim/report.h"

#include <fmt/format.h>

namespace armature {

namespace {

std::string at_joint(const Model& model, const Worst& w) {
    if (w.joint < 0) return {};
    const Joint& j = model.joints[static_cast<std::size_t>(w.joint)];
    std::string text = fmt::format("  at `{}`, t = {:.4g} s", j.name, w.time);
    if (j.origin.block.known()) text += fmt::format("  ({}:{})", j.origin.block.file, j.origin.block.line);
    return text;
}

}  // namespace

std::string to_text(const Model& model, const RunReport& r, double max_gap) {
    std::string out;
    const auto line = [&](std::string_view label, const std::string& text) {
        out += fmt::format("  {:<18} {}\n", label, text);
    };
    const bool good = r.converged(max_gap);
    out += fmt::format("{}{}\n", model.title.empty() ? "run" : model.title, r.interrupted ? " (INTERRUPTED)" : "");
    line("result", good ? fmt::format("converged: every joint within {:g}", max_gap)
                   : r.gap.value <= max_gap && r.angle.value <= max_gap && r.failures.empty()
                       ? std::string("NOT CONVERGED: forces did not find their balance")
                       : fmt::format("NOT CONVERGED: a joint is beyond {:g} (m or rad)", max_gap));
    if (!r.balanced())
        line("out of balance",
             fmt::format("springs, motors or contacts in {} of {} steps: give more iterations or softer "
                         "springs",
                         r.unbalanced, r.steps));
    for (const Failure& f : r.failures)
        line("failed", fmt::format("`{}` stopped being finite at t = {:.4g} s; what is joined to it stands still since",
                                   model.bodies[static_cast<std::size_t>(f.body)].name, f.time));
    line("simulated", fmt::format("{:.6g} s in {} frames, {} solids, {} joints, {} islands", r.time, r.frames,
                                  model.bodies.size() - 1, model.joints.size(), model.islands.size()));
    line("worst gap", fmt::format("{:.3g} m{}", r.gap.value, at_joint(model, r.gap)));
    line("rms gap", fmt::format("{:.3g} m", r.rms_gap));
    line("worst limit", fmt::format("{:.3g} rad beyond{}", r.angle.value, at_joint(model, r.angle)));
    line("energy", fmt::format("{:.6g} J → {:.6g} J, largest change {:.3g} J", r.first.energy(), r.last.energy(),
                               r.worst_energy_change));
    if (r.motor_work != 0) line("motors", fmt::format("did {:.6g} J of work", r.motor_work));
    if (r.closing_work != 0) line("closing", fmt::format("constraints drawn in added {:.3g} J", r.closing_work));
    if (r.hits > 0) line("hits", fmt::format("{} steps with a hit on a floor or a limit", r.hits));
    const Vec3 dp = r.last.momentum - r.first.momentum, dl = r.last.angular_momentum - r.first.angular_momentum;
    line("momentum change", fmt::format("linear {:.3g} kg m/s, angular {:.3g} kg m²/s", norm(dp), norm(dl)));
    line("iterations", fmt::format("mean {:.2f}, most {} per step; {} of {} steps not within tolerance",
                                   r.mean_iterations, r.max_iterations, r.unconverged, r.steps));
    std::string ways;
    for (std::size_t i = 1; i < r.ways.size(); ++i)
        if (r.ways[i] > 0)
            ways += fmt::format("{}{} in {} steps", ways.empty() ? "" : ", ", linear_way_names[i], r.ways[i]);
    if (!ways.empty()) line("systems", "solved by " + ways);
    line("steps", fmt::format("{} accepted, {} undone and halved, {} forced at the shortest step", r.steps, r.rejected,
                              r.forced));
    std::string stages;
    for (std::size_t i = 0; i < stage_names.size(); ++i)
        stages += fmt::format("{}{} {:.3g} ms", i ? ", " : "", stage_names[i], 1e3 * r.seconds[i]);
    line("time per stage", stages);
    line("real time", fmt::format("{:.3g} s of work, {:.3g}× real time", r.wall_seconds, r.real_time_factor()));
    return out;
}

}  // namespace armature

#include "armature/sim/step.h"

#include <algorithm>
#include <chrono>

#include "armature/sim/flush_denormals.h"
#include "armature/sim/island_step.h"

namespace armature {

namespace {

using Clock = std::chrono::steady_clock;

/// What happened in one island, on top of what happened in those before it.
void add(const StepReport& one, StepReport& all) {
    all.steps += one.steps;
    all.rejected += one.rejected;
    all.forced += one.forced;
    all.iterations += one.iterations;
    all.max_iterations = std::max(all.max_iterations, one.max_iterations);
    all.unconverged += one.unconverged;
    all.unbalanced += one.unbalanced;
    for (std::size_t i = 0; i < all.ways.size(); ++i) all.ways[i] += one.ways[i];
    all.hits += one.hits;
    all.motor_work += one.motor_work;
    all.closing_work += one.closing_work;
    if (one.worst_error > all.worst_error) {
        all.worst_error = one.worst_error;
        all.worst_joint = one.worst_joint;
    }
    if (all.failed_body < 0) all.failed_body = one.failed_body;
    for (std::size_t i = 0; i < all.seconds.size(); ++i) all.seconds[i] += one.seconds[i];
}

/// All islands of a frame, dealt out in turn: a worker meets the same ones in every frame, and has its plans for them.
struct FrameOfIslands {
    const Model& model;
    State& state;
    StepWorkspace& workspace;
    int workers;
    Clock::time_point began;

    static void step(void* context, int worker) {
        const FlushDenormals flush;
        static_cast<FrameOfIslands*>(context)->step_those_of(worker);
    }

    void step_those_of(int worker) {
        const std::size_t first = static_cast<std::size_t>(worker), stride = static_cast<std::size_t>(workers);
        StepWorkspace& mine = worker == 0 ? workspace : workspace.others[first - 1];
        // Of the time of a frame each island has its share; what one leaves is for those after it.
        const double budget = model.simulation.linearized.budget;
        double all = 0, so_far = 0;
        for (std::size_t k = first; budget > 0 && k < model.islands.size(); k += stride)
            all += static_cast<double>(size_of(model.islands[k]));
        step_equal_islands(model, state, first, stride, mine, workspace.island_reports);
        for (std::size_t k = first; k < model.islands.size(); k += stride) {
            if (mine.together[k]) continue;
            so_far += static_cast<double>(size_of(model.islands[k]));
            const std::chrono::duration<double> share(budget > 0 ? budget * so_far / all : 0);
            const auto deadline = began + std::chrono::duration_cast<Clock::duration>(share);
            step_island(model, state, k, mine, workspace.island_reports[k], deadline);
        }
    }
};

}  // namespace

StepReport advance_frame(const Model& model, State& state, StepWorkspace& workspace) {
    const FlushDenormals flush;
    StepReport report;
    const int workers = std::clamp(model.simulation.threads, 1, std::max(static_cast<int>(model.islands.size()), 1));
    while (static_cast<int>(workspace.others.size()) + 1 < workers) workspace.others.emplace_back(workspace.solver);
    workspace.island_reports.assign(model.islands.size(), {});
    const bool budgeted = model.simulation.linearized.budget > 0;
    FrameOfIslands frame{model, state, workspace, workers, budgeted ? Clock::now() : Clock::time_point{}};
    workspace.threads.run(workers, &FrameOfIslands::step, &frame);
    for (const StepReport& of_island : workspace.island_reports) add(of_island, report);
    ++state.frame;
    state.time = static_cast<double>(state.frame) * model.simulation.dt;
    for (const BodyId id : model.led) {
        const auto i = static_cast<std::size_t>(id);
        const PoseAndVelocity at = path_at(model.bodies[i], state.time);
        state.x[i] = at.pose.x;
        state.q[i] = at.pose.q;
        state.v[i] = at.v;
        state.w[i] = at.w;
    }
    return report;
}

}  // namespace armature

#include "armature/sim/simulator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace armature {

namespace {

Solver solver_or_throw(const Model& model) {
    Diagnostics diagnostics;
    Solver solver = make_solver(model, diagnostics);
    if (diagnostics.has_errors()) throw InputError(diagnostics);
    return solver;
}

}  // namespace

Simulator::Simulator(Model model)
    : model_(std::move(model)), state_(initial_state(model_)), workspace_(solver_or_throw(model_)) {}

AssemblyReport Simulator::assemble() {
    return armature::assemble(model_, state_, workspace_->solver);
}

void Simulator::set_state(State state) {
    state_ = std::move(state);
    report_ = {};
    report_begun_ = false;
}

void Simulator::set_state(State state, const ReportSoFar& so_far) {
    state_ = std::move(state);
    report_ = so_far.report;
    report_begun_ = so_far.begun;
    sum_gap2_ = so_far.sum_gap2;
    iterations_ = so_far.iterations;
}

void Simulator::go_on_with(Model model, State state) {
    workspace_.emplace(solver_or_throw(model));
    model_ = std::move(model);
    state_ = std::move(state);
}

std::int64_t Simulator::frame_count() const {
    return static_cast<std::int64_t>(std::llround(model_.simulation.duration / model_.simulation.dt));
}

void Simulator::begin_report() {
    report_begun_ = true;
    sum_gap2_ = 0;
    iterations_ = 0;
    report_.first = report_.last = measure_mechanics(model_, state_, islands_, scratch_);
}

const StepReport& Simulator::advance() {
    if (!report_begun_) begin_report();
    const auto begin = std::chrono::steady_clock::now();
    step_ = advance_frame(model_, state_, *workspace_);
    report_.wall_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    mechanics_ = measure_mechanics(model_, state_, islands_, scratch_);
    joint_errors_ = measure_joints(model_, state_, errors_);
    update_report();
    if (recording_on_) recording_.frames.push_back(capture());
    return step_;
}

void Simulator::pull(const std::string& drag, const Pose& target) {
    const auto d =
        std::find_if(model_.drags.begin(), model_.drags.end(), [&](const auto& e) { return e.name == drag; });
    if (d == model_.drags.end()) throw std::out_of_range("there is no drag named `" + drag + "`");
    Body& tracker = model_.bodies[static_cast<std::size_t>(model_.find_body(drag))];
    PoseTrack& path = tracker.path;
    const double now = state_.time, end = now + model_.simulation.dt;  // as the last step of the frame computes it
    const PoseKey here{now, path_at(tracker, now).pose};
    const double noise = 1e-14 * now;
    while (!path.keys.empty() && path.keys.back().t > now + noise) path.keys.pop_back();
    if (path.keys.empty() || path.keys.back().t < now - noise) path.keys.push_back(here);
    path.keys.push_back({end, {target.x, normalized(target.q)}});
    path.interpolation = Interpolation::linear;  // a spline would change its way when the next key comes
    d->path = path;
}

void Simulator::release(const std::string& drag) {
    const auto d =
        std::find_if(model_.drags.begin(), model_.drags.end(), [&](const auto& e) { return e.name == drag; });
    if (d == model_.drags.end()) throw std::out_of_range("there is no drag named `" + drag + "`");
    d->until = just_after(state_.time, model_.simulation.dt);
    model_.joints[static_cast<std::size_t>(model_.find_joint(drag))].until = d->until;
    workspace_.emplace(solver_or_throw(model_));  // solvers remember until when their joints hold
}

void Simulator::update_report() {
    RunReport& r = report_;
    ++r.frames;
    r.time = static_cast<double>(r.frames) * model_.simulation.dt;
    if (!(joint_errors_.worst_gap <= r.gap.value))
        r.gap = {joint_errors_.worst_gap, joint_errors_.worst_gap_joint, state_.time};
    if (!(joint_errors_.worst_angle <= r.angle.value))
        r.angle = {joint_errors_.worst_angle, joint_errors_.worst_angle_joint, state_.time};
    sum_gap2_ += joint_errors_.rms_gap * joint_errors_.rms_gap;
    r.rms_gap = std::sqrt(sum_gap2_ / static_cast<double>(r.frames));
    r.last = mechanics_;
    r.worst_energy_change = std::max(r.worst_energy_change, std::fabs(r.last.energy() - r.first.energy()));
    r.steps += step_.steps;
    r.rejected += step_.rejected;
    r.forced += step_.forced;
    r.unconverged += step_.unconverged;
    for (std::size_t i = 0; i < r.ways.size(); ++i) r.ways[i] += step_.ways[i];
    r.unbalanced += step_.unbalanced;
    r.hits += step_.hits;
    r.motor_work += step_.motor_work;
    r.closing_work += step_.closing_work;
    iterations_ += step_.iterations;
    r.mean_iterations = r.steps > 0 ? static_cast<double>(iterations_) / static_cast<double>(r.steps) : 0;
    r.max_iterations = std::max(r.max_iterations, step_.max_iterations);
    // From the state, not the step: several islands may fail in one frame, or have failed before the state came here.
    for (std::size_t k = 0; k < state_.islands.size(); ++k) {
        const auto body = static_cast<BodyId>(state_.islands[k].failed_body);
        const auto same = [&](const Failure& f) { return f.body == body; };
        if (body >= 0 && std::none_of(r.failures.begin(), r.failures.end(), same))
            r.failures.push_back({body, state_.time});
    }
    for (std::size_t i = 0; i < r.seconds.size(); ++i) r.seconds[i] += step_.seconds[i];
    if (model_.simulation.on_failure == OnFailure::stop && (step_.unconverged > 0 || step_.failed_body >= 0))
        r.stopped = true;
}

void Simulator::advance_to(double time) {
    // Half a frame of slack: frames are counted, not summed.
    while (state_.time + 0.5 * model_.simulation.dt < time && !stopped()) advance();
}

void Simulator::start_recording() {
    recording_on_ = true;
    recording_.frames.push_back(capture());
}

FrameRecord Simulator::capture() const {
    return armature::capture(model_, state_, step_);
}

Pose Simulator::pose(const std::string& solid) const {
    const BodyId id = model_.find_body(solid);
    if (id < 0) throw std::out_of_range("there is no object named `" + solid + "`");
    return state_.pose_WB(model_, id);
}

JointLoad Simulator::joint_load(const std::string& joint) const {
    const JointId id = model_.find_joint(joint);
    if (id < 0) throw std::out_of_range("there is no constraint named `" + joint + "`");
    return state_.loads[static_cast<std::size_t>(id)];
}

}  // namespace armature

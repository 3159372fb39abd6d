#include "armature/studio/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace armature::studio {

State fitted(const Model& model, State s) {
    const std::size_t before = std::min(s.x.size(), model.bodies.size());
    s.x.resize(model.bodies.size());
    s.q.resize(model.bodies.size());
    s.v.resize(model.bodies.size());
    s.w.resize(model.bodies.size());
    for (std::size_t i = before; i < model.bodies.size(); ++i) {
        const Body& tracker = model.bodies[i];
        if (s.frame == 0) {
            s.set_pose_WB(model, static_cast<BodyId>(i), tracker.pose_WB);
        } else {
            const Pose at = path_at(tracker, s.time).pose;
            s.x[i] = at.x;
            s.q[i] = at.q;
        }
    }
    s.loads.resize(model.joints.size());
    s.slack.resize(model.joints.size(), -1);
    return s;
}

Run::Run(Spec spec, std::size_t room)
    : spec_(std::move(spec)), scene_drags_(spec_.drags.size()), simulator_(spec_), timeline_(room) {
    begin();
}

Run::Run(Spec spec, std::size_t live, const State& from, std::size_t room)
    : spec_(std::move(spec)),
      scene_drags_(spec_.drags.size() - live),
      start_(from),
      simulator_(spec_),
      timeline_(room) {
    begin();
}

Moment Run::moment_of(State state, const StepReport& step, double ms) const {
    Moment m;
    m.energy = measure_mechanics(model(), state).energy();
    std::vector<double> errors;
    m.joints = measure_joints(model(), state, errors);
    m.state = std::move(state);
    m.step = step;
    m.step_ms = ms;
    m.report = simulator_.report_so_far();
    return m;
}

void Run::begin() {
    posing_.reset();
    changed_at_.clear();
    if (start_)
        simulator_.set_state(*start_);
    else if (model().simulation.assemble)
        assembly_ = simulator_.assemble();
    timeline_.clear();
    timeline_.push(moment_of(simulator_.state(), {}, 0));
    frame_ = simulator_.state().frame;
}

State Run::state_at(std::int64_t frame) const {
    return fitted(model(), timeline_.at(frame).state);
}

FrameRecord Run::record_at(std::int64_t frame) const {
    return capture(model(), state_at(frame), timeline_.at(frame).step);
}

void Run::seek(std::int64_t frame) {
    if (frame != frame_) posing_.reset();
    frame_ = std::clamp(frame, timeline_.first(), timeline_.last());
}

void Run::resume() {
    if (frame_ == timeline_.last()) return;
    posing_.reset();
    const double t = moment().state.time, dt = model().simulation.dt;
    Spec spec = spec_;
    spec.drags = simulator_.drags();
    // What the hand did later has not happened: drags that began later are gone, others end here.
    const auto later = [&](const DraggedSpec& d) { return d.from > just_after(t, dt); };
    const auto live = spec.drags.begin() + static_cast<std::ptrdiff_t>(scene_drags_);
    spec.drags.erase(std::find_if(live, spec.drags.end(), later), spec.drags.end());
    for (std::size_t i = scene_drags_; i < spec.drags.size(); ++i) {
        DraggedSpec& d = spec.drags[i];
        std::erase_if(d.path.keys, [&](const PoseKey& k) { return k.t > t + 1e-14 * t; });
        d.until = std::min(d.until, just_after(t, dt));
    }
    // A drag that would begin just now has nothing left of it.
    std::erase_if(spec.drags, [](const DraggedSpec& d) { return !(d.from < d.until); });
    timeline_.drop_after(frame_);
    std::erase_if(changed_at_, [&](std::int64_t f) { return f > frame_; });
    Model model = compile(spec);
    State state = fitted(model, timeline_.at(frame_).state);
    simulator_.go_on_with(std::move(model), state);
    // The report is that of the time line as it now stands.
    simulator_.set_state(std::move(state), timeline_.at(frame_).report);
    spec_ = std::move(spec);
}

void Run::advance() {
    resume();
    posing_.reset();
    const auto begin = std::chrono::steady_clock::now();
    const StepReport& step = simulator_.advance();
    Moment m;
    m.step_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    m.step = step;
    m.state = simulator_.state();
    m.energy = simulator_.mechanics().energy();
    m.joints = simulator_.joint_errors();
    m.report = simulator_.report_so_far();
    timeline_.push(std::move(m));
    frame_ = timeline_.last();
}

void Run::reset() {
    spec_.drags.resize(scene_drags_);
    Model model = compile(spec_);
    State state = initial_state(model);
    simulator_.go_on_with(std::move(model), state);
    simulator_.set_state(std::move(state));
    begin();
}

void Run::recompile(const Spec& spec, State state) {
    posing_.reset();
    Model model = compile(spec);
    state = fitted(model, std::move(state));
    simulator_.go_on_with(std::move(model), std::move(state));
}

void Run::change_settings(const SimulationSpec& settings) {
    resume();
    Spec spec = spec_;
    spec.drags = simulator_.drags();
    spec.simulation = settings;
    State state = simulator_.state();
    const bool other_frames = settings.dt != model().simulation.dt;
    if (other_frames) {
        state.frame = std::llround(state.time / settings.dt);
        state.time = static_cast<double>(state.frame) * settings.dt;
    }
    recompile(spec, std::move(state));
    spec_ = std::move(spec);
    if (!other_frames) return note_change();
    // Frames are counted in it: what was recorded and what it came to are of another run.
    simulator_.set_state(simulator_.state());
    changed_at_.clear();
    timeline_.clear();
    timeline_.push(moment_of(simulator_.state(), {}, 0));
    frame_ = timeline_.last();
    note_change();
}

bool Run::adopt(const Spec& spec) {
    if (spec.drags.size() != scene_drags_) return false;
    Spec fresh = spec;
    const std::vector<DraggedSpec>& drags = simulator_.drags();
    fresh.drags.insert(fresh.drags.end(), drags.begin() + static_cast<std::ptrdiff_t>(scene_drags_), drags.end());
    Spec before = spec_;
    before.drags = drags;
    // Both compiled: what pulling did to the model is no part of its fingerprint.
    Model model = compile(fresh);
    if (model.fingerprint != compile(before).fingerprint) return false;
    const auto same_names = [](const auto& a, const auto& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const auto& x, const auto& y) { return x.name == y.name; });
    };
    if (!same_names(model.bodies, this->model().bodies) || !same_names(model.joints, this->model().joints))
        return false;
    simulator_.go_on_with(std::move(model), simulator_.state());
    spec_ = std::move(fresh);
    return true;
}

void Run::grab(DraggedSpec drag, const Pose& target) {
    resume();
    Spec spec = spec_;
    spec.drags = simulator_.drags();
    const double now = simulator_.state().time;
    drag.from = just_after(now, model().simulation.dt);
    drag.path = {Interpolation::linear, {{now, {target.x, normalized(target.q)}}}};
    spec.drags.push_back(std::move(drag));
    recompile(spec, simulator_.state());
    spec_ = std::move(spec);
}

void Run::release(const std::string& drag) {
    resume();
    if (!is_live(drag)) return;
    const auto& drags = simulator_.drags();
    const auto d = std::find_if(drags.begin(), drags.end(), [&](const auto& e) { return e.name == drag; });
    if (d->until < infinity) return;
    if (d->from >= just_after(simulator_.state().time, model().simulation.dt)) {
        // No frame has seen it: it never was.
        Spec spec = spec_;
        spec.drags = drags;
        std::erase_if(spec.drags, [&](const DraggedSpec& e) { return e.name == drag; });
        State state = simulator_.state();
        const auto gone = static_cast<std::ptrdiff_t>(d - drags.begin());
        const auto body = static_cast<std::ptrdiff_t>(model().bodies.size() - drags.size()) + gone;
        const auto joint = static_cast<std::ptrdiff_t>(model().joints.size() - drags.size()) + gone;
        state.x.erase(state.x.begin() + body);
        state.q.erase(state.q.begin() + body);
        state.v.erase(state.v.begin() + body);
        state.w.erase(state.w.begin() + body);
        state.loads.erase(state.loads.begin() + joint);
        state.slack.erase(state.slack.begin() + joint);
        recompile(spec, std::move(state));
        spec_ = std::move(spec);
        return;
    }
    simulator_.release(drag);
}

std::vector<DraggedSpec> Run::live_drags() const {
    const auto& drags = simulator_.drags();
    return {drags.begin() + static_cast<std::ptrdiff_t>(std::min(scene_drags_, drags.size())), drags.end()};
}

bool Run::is_live(const std::string& drag) const {
    const auto& drags = simulator_.drags();
    return std::any_of(drags.begin() + static_cast<std::ptrdiff_t>(std::min(scene_drags_, drags.size())), drags.end(),
                       [&](const DraggedSpec& d) { return d.name == drag; });
}

}  // namespace armature::studio

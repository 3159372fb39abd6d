// Of Run: changes of the present frame that no text says, and their undoing.
#include <algorithm>

#include "armature/studio/run.h"

namespace armature::studio {

std::size_t Branch::bytes() const {
    std::size_t sum = 0;
    for (const MomentPtr& m : moments) sum += bytes_of(*m);
    return sum;
}

void Run::note_change() {
    if (changed_at_.empty() || changed_at_.back() != frame_) changed_at_.push_back(frame_);
}

void Run::replace_present(State state) {
    measure_freedoms(model(), state);
    // The run goes on from here, and so does its report; at the beginning it is yet to begin.
    simulator_.set_state(state, timeline_.at(timeline_.last()).report);
    timeline_.replace_last(moment_of(std::move(state), {}, 0));
    frame_ = timeline_.last();
    note_change();
}

void Run::place(const std::map<std::string, Pose>& placements) {
    resume();
    State state = simulator_.state();
    for (const auto& [name, pose] : placements) {
        const BodyId id = model().find_body(name);
        if (id <= 0 || model().bodies[static_cast<std::size_t>(id)].kernel == Kernel::path) continue;
        state.set_pose_WB(model(), id, pose);
        state.v[static_cast<std::size_t>(id)] = state.w[static_cast<std::size_t>(id)] = {};
    }
    replace_present(std::move(state));
}

AssemblyReport Run::assemble() {
    resume();
    AssemblyReport report = simulator_.assemble();
    replace_present(simulator_.state());
    assembly_ = report;
    return report;
}

std::vector<State> Run::way_of_assembly(const State& from, int iterations, std::size_t most) const {
    // Every place on the way is computed from its beginning, for a solver keeps what it knows to itself: half as many more
    // iterations each time make it three times the work of the assembly.
    std::vector<int> counts;
    for (int n = 1; n < iterations; n = std::max(n + 1, n + n / 2)) counts.push_back(n);
    std::vector<State> way;
    if (counts.empty() || most == 0) return way;
    Model model = this->model();
    for (std::size_t i = 0; i < std::min(most, counts.size()); ++i) {
        const std::size_t pick = counts.size() <= most ? i : i * counts.size() / most;
        model.simulation.assembly_iterations = counts[pick];
        Diagnostics unused;
        Solver solver = make_solver(model, unused);
        State state = from;
        armature::assemble(model, state, solver, 0);
        way.push_back(std::move(state));
    }
    return way;
}

void Run::begin_drags_anew(const std::map<std::string, Pose>& targets) {
    // What a hand did in frames that are recorded stays said: a drag that has held before ends here under another name, and
    // one that begins now takes its place.
    const double now = simulator_.state().time, dt = model().simulation.dt;
    const double begin = just_after(now, dt);
    Spec spec = spec_;
    spec.drags = simulator_.drags();
    std::vector<DraggedSpec> fresh;
    for (std::size_t i = scene_drags_; i < spec.drags.size(); ++i) {
        DraggedSpec& d = spec.drags[i];
        if (targets.count(d.name) == 0 || d.until < infinity || d.from >= begin) continue;
        DraggedSpec next = d;
        next.from = begin;
        next.path = {Interpolation::linear, {{now, d.path.keys.back().pose}}};
        d.until = begin;
        const std::string stem = d.name + "_before";
        for (int n = 1; model().find_body(d.name) >= 0 || model().find_joint(d.name) >= 0; ++n)
            d.name = n == 1 ? stem : stem + std::to_string(n);
        fresh.push_back(std::move(next));
    }
    if (fresh.empty()) return;
    for (DraggedSpec& d : fresh) spec.drags.push_back(std::move(d));
    recompile(spec, simulator_.state());
    spec_ = std::move(spec);
}

Run::Posed Run::pose(const std::map<std::string, Pose>& targets) {
    resume();
    begin_drags_anew(targets);
    State state = simulator_.state();
    if (!posing_) {
        Spec held = spec_;
        held.drags = simulator_.drags();
        const auto over = [](const DraggedSpec& d) { return d.until < infinity; };
        held.drags.erase(
            std::remove_if(held.drags.begin() + static_cast<std::ptrdiff_t>(scene_drags_), held.drags.end(), over),
            held.drags.end());
        posing_.emplace(std::move(held), scene_drags_, state.time);
    }
    const Posed result{posing_->pull(state, targets), posing_->arrived()};
    if (!result.moved) return result;
    // The hands begin where they came to.
    Model model = simulator_.model();
    for (DraggedSpec& d : model.drags) {
        if (targets.count(d.name) == 0) continue;
        const auto tracker = static_cast<std::size_t>(model.find_body(d.name));
        d.path.keys.front().pose = posing_->target(d.name);
        model.bodies[tracker].path = d.path;
        const Pose at = path_at(model.bodies[tracker], state.time).pose;
        model.bodies[tracker].pose_WB = at;
        state.x[tracker] = at.x;
        state.q[tracker] = at.q;
    }
    spec_.drags = model.drags;
    simulator_.go_on_with(std::move(model), state);
    replace_present(std::move(state));
    return result;
}

Branch Run::branch_from(std::int64_t frame) const {
    Branch b{frame, frame_, timeline_.from(frame), live_drags(), {}};
    const double end = b.moments.back()->state.time, after = just_after(end, model().simulation.dt);
    // Hands let go: those that none of these frames has seen never were, the others end. Pins stay.
    const auto is_pin = [](const DraggedSpec& d) { return d.name.starts_with("pin"); };
    std::erase_if(b.drags, [&](const DraggedSpec& d) { return !is_pin(d) && d.from >= after; });
    for (DraggedSpec& d : b.drags)
        if (!is_pin(d)) d.until = std::min(d.until, after);
    for (const std::int64_t f : changed_at_)
        if (f >= frame) b.changes.push_back(f);
    return b;
}

std::optional<Branch> Run::exchange(Branch b) {
    if (b.moments.empty() || !timeline_.has(b.frame)) return {};
    Branch before = branch_from(b.frame);
    Spec spec = spec_;
    spec.drags = simulator_.drags();
    spec.drags.resize(scene_drags_);
    spec.drags.insert(spec.drags.end(), b.drags.begin(), b.drags.end());
    recompile(spec, b.moments.back()->state);
    simulator_.set_state(simulator_.state(), b.moments.back()->report);
    spec_ = std::move(spec);
    timeline_.drop_after(b.frame - 1);
    for (MomentPtr& m : b.moments) timeline_.push(std::move(m));
    std::erase_if(changed_at_, [&](std::int64_t f) { return f >= b.frame; });
    changed_at_.insert(changed_at_.end(), b.changes.begin(), b.changes.end());
    frame_ = std::clamp(b.shown, timeline_.first(), timeline_.last());
    return before;
}

}  // namespace armature::studio

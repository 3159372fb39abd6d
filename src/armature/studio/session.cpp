#include "armature/studio/session.h"

namespace armature::studio {

namespace {

Spec with_settings(Spec spec, const SettingsInForce& settings) {
    spec.simulation = settings.applied(spec.simulation);
    return spec;
}

}  // namespace

SimulationSpec SettingsInForce::applied(SimulationSpec s) const {
    const bool other_solver = solver && *solver != s.solver;
    if (solver) s.solver = *solver;
    // What goes with a solver unless it is said otherwise (model/spec.h, docs/solvers/): a scene written for one is not to be
    // refused by another because of the scheme that it named for the first.
    if (other_solver && s.solver == "procedural") s.scheme = Scheme::verlet;
    if (other_solver && s.solver != "linearized" && s.scheme == Scheme::exact) s.scheme = Scheme::newton;
    if (scheme) s.scheme = *scheme;
    if (dt) s.dt = *dt;
    if (tolerance) s.tolerance = *tolerance;
    if (budget) s.linearized.budget = *budget;
    if (iterations) s.iterations = *iterations;
    return s;
}

Session::Session(Spec spec, SettingsInForce settings, std::size_t room)
    : scene_(std::move(spec)),
      settings_(std::move(settings)),
      room_(room),
      run_(std::make_unique<Run>(with_settings(scene_, settings_), room)),
      body_count_(run_->model().bodies.size()) {}

bool Session::adopt(const Spec& spec) {
    if (!run_->adopt(with_settings(spec, settings_))) return false;
    scene_ = spec;
    if (ghost_ && !ghost_->adopt(ghost_spec())) set_ghost(ghost_solver_);
    return true;
}

void Session::advance() {
    end_gesture();
    move_hands();
    pose_due_ = false;  // this frame goes where the hands are; to pause after it must not move anything
    const std::int64_t before = run_->frame();
    run_->advance();
    input_ = pending_input_;
    if (!ghost_) return;
    // The ghost is where the run is: it looks back and goes on with it, or begins again where it was not yet there.
    if (!ghost_->timeline().has(before)) return set_ghost(ghost_solver_);
    ghost_->seek(before);
    ghost_->advance();
}

void Session::seek(std::int64_t frame) {
    if (frame != run_->frame()) {
        end_gesture();
        pose_due_ = false;
    }
    run_->seek(frame);
    if (ghost_) ghost_->seek(run_->frame());
}

void Session::reset() {
    hands_.clear();
    waiting_.clear();
    pose_due_ = in_gesture_ = ghost_stale_ = false;
    run_->reset();
    input_ = pending_input_;
    if (ghost_) ghost_ = std::make_unique<Run>(ghost_spec(), room_);
}

void Session::set(const SettingsInForce& settings) {
    run_->change_settings(settings.applied(scene_.simulation));
    settings_ = settings;
    if (ghost_) set_ghost(ghost_solver_);
}

Spec Session::ghost_spec() const {
    SettingsInForce settings = settings_;
    settings.solver = ghost_solver_;
    // A scheme that the other solver needs is not asked of this one.
    if (settings.scheme == Scheme::exact && ghost_solver_ != "linearized") settings.scheme.reset();
    return with_settings(scene_, settings);
}

void Session::set_ghost(const std::string& solver) {
    const std::string before = ghost_solver_;
    ghost_solver_ = solver;
    if (solver.empty()) {
        ghost_.reset();
        return;
    }
    try {
        Spec spec = ghost_spec();
        const std::vector<DraggedSpec> live = run_->live_drags();
        spec.drags.insert(spec.drags.end(), live.begin(), live.end());
        ghost_ = std::make_unique<Run>(std::move(spec), live.size(), run_->state_at(run_->frame()), room_);
    } catch (...) {
        ghost_solver_ = before;
        throw;
    }
}

void Session::place(const std::map<std::string, Pose>& placements) {
    end_gesture();
    run_->place(placements);
    if (ghost_) set_ghost(ghost_solver_);
}

AssemblyReport Session::assemble() {
    end_gesture();
    AssemblyReport report = run_->assemble();
    if (ghost_) set_ghost(ghost_solver_);
    return report;
}

}  // namespace armature::studio

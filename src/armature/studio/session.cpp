#include "armature/studio/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "armature/scene/drag_text.h"

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

void Session::move_hands() {
    if (run_->frame() != run_->timeline().last()) hands_.clear();  // going on from an earlier frame ends them
    if (hands_.empty()) return;
    const Model& model = run_->model();
    const Moment& m = run_->moment();
    const bool torn = m.step.unconverged > 0 || !(m.joints.worst_gap <= model.simulation.max_gap);
    for (auto& [name, hand] : hands_) {
        const auto tracker = static_cast<std::size_t>(model.find_body(name));
        const Pose now = model.bodies[tracker].path.keys.back().pose;
        const double size = model.islands.empty() ? 1 : model.islands[0].size;
        Pose target = hand.wanted;
        if (torn && hand.healthy) {
            const double moved = norm(now.x - hand.good.x);
            if (moved > 0) hand.stride = std::max(0.25 * moved, 1e-4 * size);
            target = hand.good;
        } else {
            hand.healthy = hand.healthy || !torn;
            hand.good = now;
            hand.stride *= 1.25;
            const Vec3 way = hand.wanted.x - now.x;
            if (const double s = hand.stride / norm(way); s < 1) {
                target.x = now.x + s * way;
                target.q = normalized(exp_rotation(s * log_rotation(hand.wanted.q * conjugate(now.q))) * now.q);
            }
        }
        if (target == now) continue;
        run_->pull(name, target);
        if (ghost_ && ghost_->model().find_body(name) >= 0) ghost_->pull(name, target);
    }
}

void Session::advance() {
    move_hands();
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
    run_->seek(frame);
    if (ghost_) ghost_->seek(run_->frame());
}

void Session::reset() {
    hands_.clear();
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

std::string Session::fresh_name(const std::string& wanted) const {
    const Model& model = run_->model();
    for (int n = 1;; ++n) {
        std::string name = n == 1 ? wanted : fmt::format("{}{}", wanted, n);
        if (model.find_body(name) < 0 && model.find_joint(name) < 0) return name;
    }
}

std::string Session::grab(const std::string& solid, const Vec3& at_B, bool orient, const std::optional<Vec3>& target,
                          const std::string& name) {
    const Model& model = run_->model();
    const BodyId id = model.find_body(solid);
    const auto refuse = [&](const std::string& message, const std::string& hint = {}) {
        Diagnostics d;
        d.error({}, message, hint);
        throw InputError(std::move(d));
    };
    if (id < 0) refuse(fmt::format("there is no object `{}` to take hold of", solid));
    const Body& body = model.bodies[static_cast<std::size_t>(id)];
    if (!body.dynamic()) refuse(fmt::format("`{}` cannot give way", solid), "take hold of a dynamic object");
    if (!is_finite(at_B) || (target && !is_finite(*target))) refuse("a point is not finite");
    DraggedSpec drag;
    drag.name = fresh_name(name);
    drag.solid = solid;
    drag.at_B = body.particle ? Vec3{} : at_B;
    drag.orient = orient && !body.particle;
    const Pose pose = run_->state_at(run_->frame()).pose_WB(model, id);
    const Pose begin{target.value_or(pose * drag.at_B), drag.orient ? pose.q : Quat{}};
    run_->grab(drag, begin);
    if (ghost_ && ghost_->timeline().has(run_->frame())) {
        ghost_->seek(run_->frame());
        ghost_->grab(drag, begin);
    } else if (ghost_) {
        set_ghost(ghost_solver_);
    }
    return drag.name;
}

bool Session::pull(const std::string& drag, const Vec3& target, const std::optional<Quat>& orientation,
                   std::uint32_t input) {
    if (!run_->is_live(drag) || !is_finite(target) || (orientation && !is_finite(*orientation))) return false;
    if (orientation && !(norm2(*orientation) > 0)) return false;
    for (const DraggedSpec& d : run_->live_drags())
        if (d.name == drag && d.until < infinity) return false;
    const auto tracker = static_cast<std::size_t>(run_->model().find_body(drag));
    const Pose now = run_->model().bodies[tracker].path.keys.back().pose;
    Hand& hand = hands_.try_emplace(drag, Hand{now, now}).first->second;
    hand.wanted = {target, normalized(orientation.value_or(now.q))};
    pending_input_ = input;
    return true;
}

bool Session::release(const std::string& drag) {
    if (!run_->is_live(drag)) return false;
    hands_.erase(drag);
    run_->release(drag);
    if (ghost_) ghost_->release(drag);
    return true;
}

std::string Session::drags_text() const {
    std::string text;
    for (const DraggedSpec& d : run_->live_drags()) text += (text.empty() ? "" : "\n") + to_text(d);
    return text;
}

void Session::place(const std::map<std::string, Pose>& placements) {
    run_->place(placements);
    if (ghost_) set_ghost(ghost_solver_);
}

AssemblyReport Session::assemble() {
    AssemblyReport report = run_->assemble();
    if (ghost_) set_ghost(ghost_solver_);
    return report;
}

}  // namespace armature::studio

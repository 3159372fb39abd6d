// Of Session: hands that take hold, pull and let go, while time runs and while it stands still.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "armature/scene/drag_text.h"
#include "armature/studio/session.h"

namespace armature::studio {

void Session::move_hands() {
    take_hold();
    if (hands_.empty()) return;
    const Model& model = run_->model();
    for (const auto& [name, target] : hands_) {
        const auto tracker = static_cast<std::size_t>(model.find_body(name));
        if (target == model.bodies[tracker].path.keys.back().pose) continue;
        run_->pull(name, target);
        if (ghost_ && ghost_->model().find_body(name) >= 0) ghost_->pull(name, target);
    }
}

std::string Session::fresh_name(const std::string& wanted) const {
    const Model& model = run_->model();
    for (int n = 1;; ++n) {
        std::string name = n == 1 ? wanted : fmt::format("{}{}", wanted, n);
        if (model.find_body(name) < 0 && model.find_joint(name) < 0 && waiting_.count(name) == 0) return name;
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
    if (run_->frame() != run_->timeline().last())
        waiting_[drag.name] = {drag, begin};
    else
        take_hold(drag, begin);
    return drag.name;
}

void Session::take_hold(const DraggedSpec& drag, const Pose& begin) {
    run_->grab(drag, begin);
    if (ghost_ && ghost_->timeline().has(run_->frame())) {
        ghost_->seek(run_->frame());
        ghost_->grab(drag, begin);
    } else if (ghost_) {
        set_ghost(ghost_solver_);
    }
}

void Session::take_hold() {
    if (run_->frame() != run_->timeline().last())  // going on from an earlier frame ends those that held until later
        std::erase_if(hands_, [&](const auto& hand) { return waiting_.count(hand.first) == 0; });
    for (const auto& [name, waiting] : waiting_) take_hold(waiting.drag, waiting.begin);
    waiting_.clear();
}

bool Session::pull(const std::string& drag, const Vec3& target, const std::optional<Quat>& orientation,
                   std::uint32_t input) {
    if (!is_finite(target) || (orientation && !is_finite(*orientation))) return false;
    if (orientation && !(norm2(*orientation) > 0)) return false;
    const std::vector<DraggedSpec> held = held_drags();
    const auto it = std::find_if(held.begin(), held.end(), [&](const DraggedSpec& d) { return d.name == drag; });
    if (it == held.end()) return false;
    hands_[drag] = {target, normalized(orientation.value_or(it->path.keys.back().pose.q))};
    pending_input_ = input;
    pose_due_ = true;
    return true;
}

std::vector<DraggedSpec> Session::held_drags() const {
    std::vector<DraggedSpec> held = run_->live_drags();
    std::erase_if(held, [](const DraggedSpec& d) { return d.until < infinity; });
    for (const auto& [name, waiting] : waiting_) {
        held.push_back(waiting.drag);
        held.back().path = {Interpolation::linear, {{run_->moment().state.time, waiting.begin}}};
    }
    return held;
}

void Session::end_gesture() {
    in_gesture_ = false;
    if (ghost_ && ghost_stale_) set_ghost(ghost_solver_);
    ghost_stale_ = false;
}

Session::Posed Session::pose() {
    Posed result;
    if (!std::exchange(pose_due_, false) || hands_.empty()) return result;
    std::optional<Branch> before;
    if (!in_gesture_) before = run_->branch();
    take_hold();
    if (hands_.empty()) return result;
    const Run::Posed posed = run_->pose(hands_);
    input_ = pending_input_;
    result.moved = posed.moved;
    pose_due_ = posed.moved && !posed.arrived;
    if (posed.moved) ghost_stale_ = true;
    // Frames that taking hold has dropped come back too.
    if (before && (posed.moved || before->moments.size() > 1)) {
        result.before = std::move(before);
        in_gesture_ = true;
    }
    return result;
}

std::optional<Branch> Session::exchange(Branch branch) {
    hands_.clear();
    waiting_.clear();
    pose_due_ = in_gesture_ = ghost_stale_ = false;
    std::optional<Branch> before = run_->exchange(std::move(branch));
    if (ghost_) set_ghost(ghost_solver_);
    return before;
}

bool Session::release(const std::string& drag) {
    if (waiting_.erase(drag) > 0) return true;
    if (!run_->is_live(drag)) return false;
    hands_.erase(drag);
    if (hands_.empty()) end_gesture();
    run_->release(drag);
    if (ghost_ && ghost_->is_live(drag)) ghost_->release(drag);
    return true;
}

std::string Session::drags_text() const {
    std::string text;
    for (const DraggedSpec& d : run_->live_drags()) text += (text.empty() ? "" : "\n") + to_text(d);
    return text;
}

}  // namespace armature::studio

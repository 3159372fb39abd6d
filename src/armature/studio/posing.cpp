#include "armature/studio/posing.h"

#include <algorithm>
#include <cmath>

#include "armature/model/compile.h"
#include "armature/sim/flush_denormals.h"
#include "armature/sim/mechanics.h"

namespace armature::studio {

namespace {

/// Of the size of the structure: further at once, and Newton's method may end in another way of putting it together.
constexpr double longest_stride = 0.1, shortest_stride = 1e-4;
/// Corrections at a time; what is left of the way is for the next time.
constexpr int most_tries = 8;
/// Iterations of a correction with hands: what takes more is tried in shorter strides, and what is out of reach never arrives. A
/// compromise need only lead in the right direction.
constexpr int most_iterations = 200, for_a_compromise = 30;

Spec held_from_now(Spec spec, std::size_t scene_drags, double time) {
    for (std::size_t i = scene_drags; i < spec.drags.size(); ++i) {
        DraggedSpec& d = spec.drags[i];
        d.from = -infinity;
        d.until = infinity;
        d.path = {Interpolation::linear, {{time, d.path.keys.back().pose}}};
    }
    return spec;
}

Solver solver_of(const Model& model) {
    Diagnostics diagnostics;
    Solver solver = make_solver(model, diagnostics);
    if (diagnostics.has_errors()) throw InputError(diagnostics);
    return solver;
}

}  // namespace

Posing::Posing(Spec spec, std::size_t scene_drags, double time)
    : model_(compile(held_from_now(spec, scene_drags, time))),
      scene_bodies_(model_.bodies.size() - (spec.drags.size() - scene_drags)),
      scene_joints_(model_.joints.size() - (spec.drags.size() - scene_drags)),
      solver_(solver_of(model_)) {
    if (std::holds_alternative<LinearizedSolver>(solver_) && DisplacementSolver::refusals(model_).empty())
        relaxing_ = DisplacementSolver(model_.simulation.displacement);
    for (std::size_t k = 0; k < model_.islands.size(); ++k) {
        const auto& joints = model_.islands[k].joints;
        const bool held = std::any_of(joints.begin(), joints.end(), [&](const Island::LocalJoint& j) {
            return static_cast<std::size_t>(j.joint) >= scene_joints_;
        });
        if (!held) continue;
        islands_.push_back(k);
        size_ = islands_.size() == 1 ? model_.islands[k].size : std::max(size_, model_.islands[k].size);
    }
}

PoseKey& Posing::key_of(const std::string& drag) {
    return model_.bodies[static_cast<std::size_t>(model_.find_body(drag))].path.keys.front();
}

Pose Posing::target(const std::string& drag) const {
    return model_.bodies[static_cast<std::size_t>(model_.find_body(drag))].path.keys.front().pose;
}

bool Posing::correct_island(std::size_t index, const Island& island, Solver& solver, int iterations) {
    gather(island, state_, local_);
    if (state_.islands[index].failed_body >= 0 || find_not_finite(island, local_) >= 0) return false;
    place_kinematic(model_, island, state_.time, local_);
    before_ = local_;
    const SimulationSpec& s = model_.simulation;
    const auto correct_once = [&](bool with_contacts) {
        CorrectionProblem problem{model_,  island, state_.time, local_.x,    local_.q,  nullptr,
                                  nullptr, moved_, impulses_,   s.tolerance, iterations};
        collect_hard_laws(model_, island, state_.time, local_, state_.freedoms, laws_);
        problem.laws = &laws_.rows;
        if (with_contacts) {
            problem.start_x = &before_.x;
            problem.start_q = &before_.q;
            problem.contacts = &contacts_.rows;
        }
        correct(solver, problem);
        return find_not_finite(island, local_) < 0;
    };
    if (!correct_once(false)) return false;
    if (island.contacts.empty()) {
        scatter(island, local_, state_);
        return true;
    }
    for (Vec3& v : before_.v) v = {};
    for (Vec3& w : before_.w) w = {};
    collect_contacts(model_, island, s.dt, before_, local_, {}, contacts_);
    for (ContactRow& row : contacts_.rows) row.friction = 0;
    if (!contacts_.rows.empty() && !correct_once(true)) return false;
    in_floor_ = in_floor_ || enters_floor();
    scatter(island, local_, state_);
    return true;
}

bool Posing::enters_floor() const {
    return std::any_of(contacts_.rows.begin(), contacts_.rows.end(), [&](const ContactRow& row) {
        const Placement a = placement_of(local_, row.body1), b = placement_of(local_, row.body2);
        const Vec3 apart = (a.x + a.R * row.p1_G) - (b.x + b.R * row.p2_G);
        return dot(b.R * row.normal_2, apart) < -model_.simulation.max_gap;
    });
}

double Posing::worst_joint() const {
    std::vector<double> errors;
    measure_joints(model_, state_, errors);
    double worst = 0;
    for (const std::size_t k : islands_)
        for (const Island::LocalJoint& j : model_.islands[k].joints)
            if (const auto joint = static_cast<std::size_t>(j.joint); joint < scene_joints_)
                worst = std::isfinite(errors[joint]) ? std::max(worst, errors[joint]) : infinity;
    return worst;
}

bool Posing::holds() const {
    // Hands may give way, joints and floors may not.
    return !in_floor_ && worst_joint() <= allowed_;
}

void Posing::come_to_rest() {
    for (const std::size_t k : islands_) {
        const Island& island = model_.islands[k];
        if (state_.islands[k].failed_body >= 0) continue;
        for (std::size_t i = 0; i < static_cast<std::size_t>(island.dynamic_count); ++i) {
            const auto body = static_cast<std::size_t>(island.bodies[i]);
            state_.v[body] = state_.w[body] = {};
        }
        for (const Island::LocalJoint& j : island.joints) state_.loads[static_cast<std::size_t>(j.joint)] = {};
        state_.islands[k] = {};
        state_.contacts[k].clear();
    }
}

const std::vector<Island>& Posing::without_hands(const Targets& targets) {
    std::vector<std::string> names;
    for (const auto& [drag, pose] : targets) names.push_back(drag);
    const auto [it, is_new] = loose_.try_emplace(names);
    if (!is_new) return it->second;
    for (const std::size_t k : islands_) {
        Island loose = model_.islands[k];
        std::erase_if(loose.joints, [&](const Island::LocalJoint& j) {
            return targets.count(model_.joints[static_cast<std::size_t>(j.joint)].name) > 0;
        });
        it->second.push_back(std::move(loose));
    }
    return it->second;
}

bool Posing::give_way(const Targets& targets) {
    const std::vector<Island>& loose = without_hands(targets);
    in_floor_ = false;
    for (std::size_t i = 0; i < islands_.size(); ++i)
        if (!correct_island(islands_[i], loose[i], solver_, model_.simulation.iterations)) return false;
    if (!holds()) return false;
    for (const DraggedSpec& d : model_.drags) {
        if (targets.count(d.name) == 0) continue;
        const Pose solid = state_.pose_WB(model_, model_.find_body(d.solid));
        key_of(d.name).pose = {solid * d.at_B, d.orient ? solid.q : target(d.name).q};
    }
    return true;
}

bool Posing::try_targets(const Targets& targets) {
    const State saved = state_;
    Targets were;
    for (const auto& [drag, pose] : targets) were[drag] = std::exchange(key_of(drag).pose, pose);
    bool good = true;
    in_floor_ = false;
    const int few = std::min(most_iterations, model_.simulation.iterations);
    for (const std::size_t k : islands_) good = good && correct_island(k, model_.islands[k], solver_, few);
    if (good && holds()) return true;
    // The procedural solver knows islands by their place, and lets hands give way by itself.
    if (!takes_any_step(solver_)) {
        if (relaxing_) {
            state_ = saved;
            good = true;
            for (const std::size_t k : islands_)
                good = good && correct_island(k, model_.islands[k], *relaxing_, for_a_compromise);
        }
        if (good && give_way(targets)) return true;
    }
    state_ = saved;
    for (const auto& [drag, pose] : were) key_of(drag).pose = pose;
    return false;
}

double Posing::way_to(const Targets& targets) const {
    double longest = 0;
    for (const auto& [drag, pose] : targets) {
        const Pose now = target(drag);
        const double turn = norm(log_rotation(normalized(pose.q * conjugate(now.q))));
        longest = std::max(longest, norm(pose.x - now.x) + 0.5 * size_ * turn);
    }
    return longest;
}

Posing::Targets Posing::part_of_the_way(Targets targets, double share) const {
    if (share >= 1) return targets;
    for (auto& [drag, pose] : targets) {
        const Pose now = target(drag);
        const Vec3 turn = log_rotation(normalized(pose.q * conjugate(now.q)));
        pose = {now.x + share * (pose.x - now.x), normalized(exp_rotation(share * turn) * now.q)};
    }
    return targets;
}

bool Posing::pull(State& state, const std::map<std::string, Pose>& targets) {
    const FlushDenormals flush;
    // The arrays of the state begin with what the scene has, this model's do too.
    state_ = state;
    state_.x.resize(scene_bodies_);
    state_.q.resize(scene_bodies_);
    state_.v.resize(scene_bodies_);
    state_.w.resize(scene_bodies_);
    state_.x.resize(model_.bodies.size());
    state_.q.resize(model_.bodies.size());
    state_.v.resize(model_.bodies.size());
    state_.w.resize(model_.bodies.size());
    state_.loads.resize(scene_joints_);
    state_.loads.resize(model_.joints.size());
    state_.slack.resize(model_.joints.size());
    for (std::size_t i = scene_bodies_; i < model_.bodies.size(); ++i)
        state_.set_pose_WB(model_, static_cast<BodyId>(i), model_.bodies[i].path.keys.front().pose);

    // No worse than they were. The procedural solver places what it can and has no tolerance to meet.
    const SimulationSpec& settings = model_.simulation;
    // The others may be a little beyond theirs on the way, or next to the edge of what is possible nothing would move at all.
    const double at_first = worst_joint();
    allowed_ = std::max(takes_any_step(solver_) ? settings.max_gap : 3 * settings.tolerance, at_first);
    bool any = false;
    const double least = shortest_stride * size_;
    arrived_ = way_to(targets) == 0;
    for (int tries = 0; tries < most_tries && !arrived_; ++tries) {
        // The same share of every hand's way, at most a stride of any.
        const double way = way_to(targets);
        stride_ = std::min(stride_, longest_stride * size_);
        const double share = std::min(1.0, stride_ / way);
        const State saved = state_;
        Targets were = targets;
        for (auto& [drag, pose] : were) pose = target(drag);
        if (try_targets(part_of_the_way(targets, share))) {
            const double left = way_to(targets);
            if (left == 0 || left <= way - least) {
                any = true;
                arrived_ = left == 0;
                stride_ *= 2;
                continue;
            }
            // No nearer: as it was.
            state_ = saved;
            for (const auto& [drag, pose] : were) key_of(drag).pose = pose;
        }
        stride_ = 0.5 * std::min(stride_, way);
        if (stride_ < least) {
            stride_ = least;
            break;
        }
    }
    if (!any) return false;
    if (!takes_any_step(solver_)) {
        // At the end the joints have the last word.
        const State saved = state_;
        Targets were = targets;
        for (auto& [drag, pose] : were) pose = target(drag);
        allowed_ = worst_joint();
        if (!give_way(targets)) {
            state_ = saved;
            for (const auto& [drag, pose] : were) key_of(drag).pose = pose;
        }
    }
    come_to_rest();
    measure_freedoms(model_, state_);
    // Bodies and joints of the scene; the hands are the run's.
    std::copy_n(state_.x.begin(), scene_bodies_, state.x.begin());
    std::copy_n(state_.q.begin(), scene_bodies_, state.q.begin());
    std::copy_n(state_.v.begin(), scene_bodies_, state.v.begin());
    std::copy_n(state_.w.begin(), scene_bodies_, state.w.begin());
    std::copy_n(state_.loads.begin(), scene_joints_, state.loads.begin());
    state.islands = state_.islands;
    state.contacts = state_.contacts;
    state.freedoms = state_.freedoms;
    return true;
}

}  // namespace armature::studio

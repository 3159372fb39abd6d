// Newton's method around the sparse system: the active set, what comes out.
#include "armature/solvers/linearized/linearized.h"

#include <algorithm>
#include <cmath>

#include "armature/solvers/linearized/goal.h"

namespace armature {

namespace {

constexpr double at_compromise = 1e-4;  // of the tolerance: an iteration that moves no more has found its compromise
constexpr double nearly_there = 3;      // times the goal: what round-off may leave
constexpr double regularisation = 1e-10, regularisation_beside_hubs = 1e-7;
constexpr double inner_share = 1e-6;  // of the residual, where conjugate gradients stop
constexpr double largest_turn = 0.8;  // rad
constexpr int most_in_a_step = 40, most_in_a_last_try = 300;
// Iterations in a row that do not halve the error before it is called off. Assembly may creep for a while.
constexpr int patience_in_a_step = 12;
constexpr int idle_of_round_off = 4;  // in a row: torques and turns will not agree any better
constexpr int patience_without_a_step = 150;
constexpr int patience_with_a_rest = 30;  // of their least squares
constexpr int most_undone = 10;  // in a row: by then an iteration is a short way down the slope, and there is none
constexpr int most_flat = 5;     // in a row that gain next to nothing: a least-squares rest
constexpr double flat = 1e-6;    // of the sum of squares
constexpr int most_active_sets = 12;

}  // namespace

std::vector<std::string> LinearizedSolver::refusals(const Model& model) {
    std::vector<std::string> no;
    bool contacts = false;
    for (const Island& island : model.islands) contacts = contacts || !island.contacts.empty();
    if (contacts) no.push_back("contact with floors (solver displacement does)");
    if (!model.simulation.displacement.physics) no.push_back("`physics no` (solver displacement does)");
    return no;
}

template <class Act>
void LinearizedSolver::each_row(Act&& act) {
    const auto& joints = problem_->island.joints;
    for (std::size_t k = 0; k < joints.size(); ++k)
        for (std::size_t i = system_.first[k]; i < system_.first[k + 1]; ++i) act(system_.rows[i], joints[k], k);
}

void LinearizedSolver::push(const SystemRow& r, int body1, int body2, double lambda) {
    if (moves(body1)) {
        move_[idx(body1)] += (lambda * inv_mass(body1)) * r.linear;
        turn_[idx(body1)] += lambda * r.turn1;
    }
    if (moves(body2)) {
        move_[idx(body2)] -= (lambda * inv_mass(body2)) * r.linear;
        turn_[idx(body2)] += lambda * r.turn2;
    }
}

double LinearizedSolver::along(const SystemRow& r, int body1, int body2) const {
    return dot(r.read_linear, move_[idx(body1)] - move_[idx(body2)]) + dot(r.read_angular1, turn_[idx(body1)]) +
           dot(r.read_angular2, turn_[idx(body2)]);
}

/// Square of the largest turn that a unit of torque can make, at most.
double LinearizedSolver::inv_inertia_bound(int body) const {
    const double most = trace(problem_->body(body).inv_inertia_G);
    return most * most;
}

void LinearizedSolver::balance() {
    CorrectionProblem& p = *problem_;
    change_ = 0;
    if (!response_.whole()) return;
    sum_up();
    for (int i = 0; i < p.island.dynamic_count; ++i) {
        const BodyResponse::Imbalance left = response_.imbalance(p, i, move_[idx(i)], turn_[idx(i)]);
        left_move_[idx(i)] = left.move;
        left_torque_[idx(i)] = left.torque;
        change_ = std::max({change_, norm2(left.move), norm2(left.torque) * inv_inertia_bound(i)});
    }
    change_ = std::sqrt(change_);
}

void LinearizedSolver::sum_up() {
    std::fill(move_.begin(), move_.end(), Vec3{});
    std::fill(turn_.begin(), turn_.end(), Vec3{});
    each_row([&](const SystemRow& r, const Island::LocalJoint& j, std::size_t) {
        const double l = system_.lambda[r.slot];
        move_[idx(j.body1)] += (l * inv_mass(j.body1)) * r.linear;
        move_[idx(j.body2)] -= (l * inv_mass(j.body2)) * r.linear;
        turn_[idx(j.body1)] += l * r.angular1;
        turn_[idx(j.body2)] += l * r.angular2;
    });
}

void LinearizedSolver::start_from_imbalance() {
    std::fill(move_.begin(), move_.end(), Vec3{});
    std::fill(turn_.begin(), turn_.end(), Vec3{});
    if (!response_.whole()) return;
    for (int i = 0; i < problem_->island.dynamic_count; ++i) {
        move_[idx(i)] = left_move_[idx(i)];
        turn_[idx(i)] = response_.inv_inertia(i) * left_torque_[idx(i)];
    }
}

bool LinearizedSolver::gradients_in_use() {
    if (settings_.method != LinearMethod::automatic) return settings_.method == LinearMethod::gradients;
    return gradients_pay(direct_.cost(problem_->island));
}

bool LinearizedSolver::gradients_pay(double direct_cost) const {
    // Fill-in of large nets grows with the power 1.5 of their joints, an iteration of gradients with the power 1.
    const double gradients = 100.0 * settings_.inner * static_cast<double>(problem_->island.joints.size());
    return direct_cost > 10 * gradients;
}

void LinearizedSolver::solve() {
    const std::vector<double>& lambda = system_.lambda;
    for (SystemRow& r : system_.rows) {
        const double l = lambda[r.slot];
        r.delta = 0;
        r.active = !(l >= r.high && r.residual >= 0) && !(l <= r.low && r.residual <= 0) && r.low < r.high;
        if (r.low == r.high) r.delta = r.low - l;
    }
    for (int pass = 0;; ++pass) {
        solve_active();
        bool left = false;
        for (const SystemRow& r : system_.rows) {
            const double whole = lambda[r.slot] + r.delta;
            left = left || (r.active && (whole < r.low || whole > r.high));
        }
        if (!left) left = will_be_passed();
        if (!left || pass == most_active_sets) break;
        for (SystemRow& r : system_.rows) {
            const double l = lambda[r.slot], whole = l + r.delta;
            if (r.passed) {
                r.delta = 0;
                r.active = true;
                r.passed = false;
                continue;
            }
            if (!r.active || (whole >= r.low && whole <= r.high)) continue;
            r.delta = std::clamp(whole, r.low, r.high) - l;
            r.active = false;
        }
    }
}

bool LinearizedSolver::will_be_passed() {
    const std::vector<double>& lambda = system_.lambda;
    const bool any = std::any_of(system_.rows.begin(), system_.rows.end(),
                                 [](const SystemRow& r) { return !r.active && r.low < r.high; });
    if (!any) return false;
    start_from_imbalance();
    each_row([&](const SystemRow& r, const Island::LocalJoint& j, std::size_t) { push(r, j.body1, j.body2, r.delta); });
    bool found = false;
    const double goal = goal_of(*problem_);
    each_row([&](SystemRow& r, const Island::LocalJoint& j, std::size_t) {
        if (r.active || !(r.low < r.high)) return;
        const double whole = lambda[r.slot] + r.delta;
        const double missing = r.residual - along(r, j.body1, j.body2) - r.compliance * r.delta;
        r.passed = (whole <= r.low && missing > goal) || (whole >= r.high && missing < -goal);
        found = found || r.passed;
    });
    return found;
}

void LinearizedSolver::solve_active() {
    const bool beside_hubs = !gradients_ && direct_.has_hubs(problem_->island);
    packed_.pack(*problem_, system_, beside_hubs ? std::max(damping_, regularisation_beside_hubs) : damping_, plain_);
    start_from_imbalance();
    each_row([&](const SystemRow& r, const Island::LocalJoint& j, std::size_t) {
        if (!r.active && r.delta != 0) push(r, j.body1, j.body2, r.delta);
    });
    unknown_.resize(packed_.rows.size());
    std::size_t at = 0;  // the unknowns stand in the order of the joints
    each_row([&](const SystemRow& r, const Island::LocalJoint& j, std::size_t) {
        if (r.active) unknown_[at++] = r.residual - along(r, j.body1, j.body2);
    });
    if (gradients_)
        conjugate_.solve(packed_, unknown_, settings_.inner, inner_share);
    else
        direct_.solve(problem_->island, packed_, unknown_);
    at = 0;
    for (SystemRow& r : system_.rows)
        if (r.active) r.delta = unknown_[at++];
}

void LinearizedSolver::apply() {
    CorrectionProblem& p = *problem_;
    std::vector<double>& lambda = system_.lambda;
    start_from_imbalance();
    each_row([&](SystemRow& r, const Island::LocalJoint& j, std::size_t) {
        r.delta = std::clamp(lambda[r.slot] + r.delta, r.low, r.high) - lambda[r.slot];
        push(r, j.body1, j.body2, r.delta);
    });
    double most2 = 0;
    for (const Vec3& t : turn_) most2 = std::max(most2, norm2(t));
    const double scale = most2 > largest_turn * largest_turn ? largest_turn / std::sqrt(most2) : 1;
    for (SystemRow& r : system_.rows)
        if (!r.bend) lambda[r.slot] += scale * r.delta;
    moved_by_ = 0;
    for (int i = 0; i < p.island.dynamic_count; ++i) {
        const Vec3 move = scale * move_[idx(i)], turn = scale * turn_[idx(i)];
        moved_by_ = std::max({moved_by_, norm2(move), norm2(turn)});
        response_.move_by(p, i, move, turn);
    }
    moved_by_ = std::sqrt(moved_by_);
    if (response_.whole()) return;
    each_row([&](const SystemRow& r, const Island::LocalJoint&, std::size_t k) {
        if (!r.part) return;
        p.impulses[k].force += (scale * r.delta) * r.linear;
        if (r.linear == Vec3{}) p.impulses[k].torque += (scale * r.delta) * r.angular1;
    });
}

void LinearizedSolver::sum_impulses() {
    CorrectionProblem& p = *problem_;
    sum_up();
    p.impulses.assign(p.island.joints.size(), JointLoad{});
    each_row([&](const SystemRow& r, const Island::LocalJoint&, std::size_t k) {
        if (!r.part) return;
        const double l = system_.lambda[r.slot];
        p.impulses[k].force += l * r.linear;
        if (r.linear == Vec3{}) p.impulses[k].torque += l * r.angular1;
    });
    // Impulses and placements agree to the goal; linear momentum wants them to the last digit. Turns are left: what is
    // round-off in a torque turns a needle out of its hinge.
    for (int i = 0; i < p.island.dynamic_count; ++i) response_.place(p, i, move_[idx(i)]);
}

void LinearizedSolver::hand_out() {
    CorrectionProblem& p = *problem_;
    if (p.laws)
        for (std::size_t i = 0; i < p.laws->size(); ++i) {
            LawRow& law = (*p.laws)[i];
            law.lambda = system_.lambda[system_.law_slot(i)];
            law.now =
                measure(*law.coordinate, response_.now(p, law.body1), response_.now(p, law.body2), law.turns_near);
            law.now = system_.law_over_step(p, law.now, i);
        }
    if (p.soft_points)
        for (std::size_t i = 0; i < p.soft_points->size(); ++i) {
            SoftPoint& soft = (*p.soft_points)[i];
            const Placement b1 = response_.now(p, soft.body1), b2 = response_.now(p, soft.body2);
            const PointError e = measure(*soft.part, b1, b2);
            const PartRows now = rows(Part{*soft.part}, b1, b2);
            soft.impulse = {};
            for (int j = 0; j < now.count; ++j)
                soft.impulse += system_.lambda[system_.soft_slot(i, j)] * now.row[idx(j)].linear;
            soft.r1 = e.r1;
            soft.r2 = e.r2;
            soft.d = e.d;
        }
    for (int i = 0; i < p.island.dynamic_count; ++i) p.q[idx(i)] = normalized(p.q[idx(i)]);
}

void LinearizedSolver::begin(CorrectionProblem& problem) {
    problem_ = &problem;
    const std::size_t bodies = problem.island.bodies.size();
    problem.moved.assign(bodies, Vec3{});
    problem.impulses.assign(problem.island.joints.size(), JointLoad{});
    move_.resize(bodies);
    turn_.resize(bodies);
    response_.begin(problem);
    gradients_ = gradients_in_use();
    plain_ = gradients_ || !response_.whole();
    system_.begin(problem, response_, plain_);
    damping_ = regularisation;
    change_ = moved_by_ = 0;
    out_of_time_ = false;
    left_move_.resize(bodies);
    left_torque_.resize(bodies);
    kept_.merit = infinity;
}

void LinearizedSolver::project(CorrectionProblem& problem, std::vector<Vec3>& v, std::vector<Vec3>& w,
                               const std::vector<LawSpeed>* speeds) {
    begin(problem);
    response_.use_true_inertias();
    system_.collect(problem, response_);
    system_.linearize(problem, response_, plain_);
    const auto speed_of = [&](const SystemRow& r) -> const LawSpeed* {
        const bool law = r.slot >= system_.law_slot(0) && r.slot < system_.soft_slot(0, 0);
        return speeds && law ? &(*speeds)[r.slot - system_.law_slot(0)] : nullptr;
    };
    for (SystemRow& r : system_.rows) {
        const LawSpeed* speed = speed_of(r);
        const bool bounded = r.low > -infinity || r.high < infinity || r.compliance > 0;
        if (speed && speed->counts && bounded) {
            r.low = r.low == 0 ? -speed->given : -infinity;  // all of it together pushes one way
            r.high = r.high == 0 ? -speed->given : infinity;
        } else if (bounded) {
            r.low = r.high = 0;  // bounds may be left
        }
    }
    // Twice: the second takes what the regularisation left.
    for (int pass = 0; pass < 2; ++pass) {
        each_row([&](SystemRow& r, const Island::LocalJoint& j, std::size_t) {
            const double rate = dot(r.linear, v[idx(j.body1)] - v[idx(j.body2)]) + dot(r.angular1, w[idx(j.body1)]) +
                                dot(r.angular2, w[idx(j.body2)]);
            const LawSpeed* speed = speed_of(r);
            r.residual = (speed ? speed->target : 0) - rate;
        });
        if (pass == 0) {
            solve();
        } else {
            for (SystemRow& r : system_.rows) r.delta = 0;
            solve_active();
        }
        std::fill(move_.begin(), move_.end(), Vec3{});
        std::fill(turn_.begin(), turn_.end(), Vec3{});
        each_row([&](SystemRow& r, const Island::LocalJoint& j, std::size_t) { push(r, j.body1, j.body2, r.delta); });
        for (int i = 0; i < problem.island.dynamic_count; ++i) {
            v[idx(i)] += move_[idx(i)];
            w[idx(i)] += turn_[idx(i)];
        }
    }
}

bool LinearizedSolver::worse() {
    // In a step errors may grow for a while on the way to what moves by the impulses alone.
    if (response_.whole()) return false;
    if (system_.merit > kept_.merit) {
        problem_->x = kept_.x;
        problem_->q = kept_.q;
        problem_->moved = kept_.moved;
        problem_->impulses = kept_.impulses;
        system_.lambda = kept_.lambda;
        response_.refresh(*problem_);
        damping_ = std::max(4 * damping_, 1e-4);
        return true;
    }
    damping_ = damping_ > 1e-4 ? damping_ / 3 : regularisation;
    kept_ = {system_.merit, problem_->x, problem_->q, problem_->moved, problem_->impulses, system_.lambda};
    return false;
}

bool LinearizedSolver::iterate(TimeBudget& budget, int most, int patience, int& made) {
    const double goal = goal_of(*problem_);
    double best = infinity, least_moved = infinity;
    int idle = 0, undone = 0, level = 0;
    kept_.merit = infinity;
    plain_ = gradients_ || !response_.whole();
    for (;;) {
        system_.collect(*problem_, response_);
        balance();
        const double error = std::max({system_.worst, system_.unbalanced, change_});
        // Impulses are known to round-off only, and that turns a needle by more than the goal: then what moved last tells.
        // Angular momentum is as exact as torques and turns agree.
        const double agreed = problem_->exact && idle < idle_of_round_off ? 1e-3 * goal : goal;
        const bool at_rest = change_ <= agreed || (made > 0 && moved_by_ <= 10 * agreed);
        if (std::max(system_.worst, system_.unbalanced) <= goal && at_rest) return true;
        if (system_.rows.empty()) return true;
        if (made >= most || !(error < infinity)) break;
        // What a needle lacks of balance is as good as nothing, but large as a turn: that it moves less and less tells, too.
        const bool gains = error < 0.5 * best || (response_.whole() && moved_by_ < 0.5 * least_moved);
        idle = gains || made == 0 ? 0 : idle + 1;
        best = std::min(best, error);
        if (made > 0) least_moved = std::min(least_moved, moved_by_);
        if (idle >= patience) break;
        out_of_time_ = !budget.room_for_another();
        if (out_of_time_) break;
        const double before = kept_.merit;
        undone = worse() ? undone + 1 : 0;
        if (undone > 0) system_.collect(*problem_, response_);
        level = undone > 0 || system_.merit > (1 - flat) * before ? level + (undone == 0) : 0;
        // Without a step there is time: a hand that leads out of reach is followed for as long as it gets any nearer.
        const bool rests = undone >= most_undone || level >= most_flat;
        if (!response_.whole() && problem_->start_q && rests) return false;
        system_.linearize(*problem_, response_, plain_);
        solve();
        apply();
        ++made;
    }
    if (worse()) system_.collect(*problem_, response_);
    return false;
}

bool LinearizedSolver::pushes_the_wrong_way() const {
    const double goal = goal_of(*problem_);
    return std::any_of(system_.rows.begin(), system_.rows.end(), [&](const SystemRow& r) {
        const double l = system_.lambda[r.slot];
        return r.part && l == 0 && ((r.low == 0 && r.residual > goal) || (r.high == 0 && r.residual < -goal));
    });
}

bool LinearizedSolver::held_at_start() const {
    const CorrectionProblem& p = *problem_;
    for (std::size_t k = 0; k < p.island.joints.size(); ++k) {
        const Island::LocalJoint& j = p.island.joints[k];
        const Joint& joint = p.model.joints[idx(j.joint)];
        if (!p.holds(joint) || (p.slack && (*p.slack)[k] > 0)) continue;
        for (const Part& part : joint.parts)
            if (!(violation(part, response_.start(p, j.body1), response_.start(p, j.body2)) <= p.tolerance))
                return false;
    }
    return true;
}

int LinearizedSolver::settle_for_less(TimeBudget& budget, bool held, CorrectionReport& report) {
    CorrectionProblem& p = *problem_;
    report.restless = true;
    int most = report.iterations + 1;
    const auto close = [&] {
        damping_ = regularisation;
        most = report.iterations + most_in_a_last_try;
        return iterate(budget, most, held ? patience_without_a_step : patience_with_a_rest, report.iterations);
    };
    // What held at the start can hold a moment later.
    if (held && !p.last_try) return most;
    response_.give_up_whole(p);
    system_.start_over(false);
    p.impulses.assign(p.island.joints.size(), JointLoad{});
    if (close()) return most;
    if (held) {
        response_.go_to_start(p);
        system_.start_over(false);
        close();
    } else if (system_.worst > p.tolerance) {
        report.contradictory = true;
        report.restless = false;
    }
    return most;
}

CorrectionReport LinearizedSolver::correct(CorrectionProblem& problem) {
    CorrectionReport report;
    if (goes_a_short_way(problem, report)) return report;
    begin(problem);
    report.way = gradients_ ? LinearWay::gradients : LinearWay::factorisation;
    TimeBudget budget(response_.whole() ? problem.time_left : 0);
    int most = problem.max_iterations;
    bool enough = false;
    if (response_.whole()) {
        most = std::min(most, most_in_a_step);
        bool there = iterate(budget, most, patience_in_a_step, report.iterations);
        // Who asked for a few iterations, or a little time, wants what they give.
        enough = out_of_time_ || report.iterations >= problem.max_iterations;
        if (!there && !enough && system_.lean()) {
            response_.start_over(problem);
            system_.start_over(true);
            most += report.iterations;
            there = iterate(budget, most, patience_in_a_step, report.iterations);
            enough = out_of_time_;
        }
        // What still moves about as far as it is off has not come to rest.
        const bool rests = system_.worst <= nearly_there * goal_of(problem) || moved_by_ <= 0.01 * system_.worst;
        const bool at_rest = moved_by_ <= at_compromise * problem.tolerance && rests &&
                             system_.worst <= problem.tolerance && !pushes_the_wrong_way();
        if (!there && !enough && !at_rest) most = settle_for_less(budget, held_at_start(), report);
    } else {
        iterate(budget, most, patience_without_a_step, report.iterations);
    }
    if (response_.whole()) sum_impulses();
    report.worst_error = system_.worst;
    report.worst_joint = system_.worst_joint < 0 ? -1 : problem.island.joints[idx(system_.worst_joint)].joint;
    report.converged = system_.worst <= problem.tolerance;
    report.balanced = system_.unbalanced <= problem.tolerance;
    report.stalled = !report.converged && report.iterations < most;
    hand_out();
    const bool rests_on_something = problem.contacts && !problem.contacts->empty();
    if (enough && !report.converged && !problem.slack && !rests_on_something) {
        const LeftOpen left = closing_.close(problem);
        report.worst_error = left.worst;
        report.worst_joint = left.joint < 0 ? -1 : problem.island.joints[idx(left.joint)].joint;
        report.converged = left.worst <= problem.tolerance;
        report.hurried = true;
    }
    return report;
}

}  // namespace armature

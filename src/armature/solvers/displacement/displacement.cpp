// Setting up an island, the loop over sweeps, and what comes out. The sweeps are in jacobi.cpp and gauss_seidel.cpp.
#include "armature/solvers/displacement/displacement.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

/// Beyond this much turning the gains are computed anew; they only steer the convergence, so they may lag a little.
constexpr double stale_after = 0.2;  // rad

/// Angle and twist parts whose two bounds coincide push both ways, like a ball joint.
bool is_equality(const Part& part) {
    if (const auto* a = std::get_if<AnglePart>(&part)) return a->min == a->max;
    if (const auto* t = std::get_if<TwistPart>(&part)) return t->min == t->max;
    return false;
}

}  // namespace

void DisplacementSolver::prepare(const CorrectionProblem& problem) {
    const Island& island = problem.island;
    const std::size_t n = island.bodies.size();
    x_ = &problem.x;
    q_ = &problem.q;
    dynamic_count_ = island.dynamic_count;
    tolerance_ = problem.tolerance;
    // Variant 2 parts rotation and translation: there is no one impulse whose work could be made to vanish.
    const bool half_way = problem.half_way && problem.start_x && parameters_.variant == 1;
    share_ = half_way ? 0.5 : 1;
    moved_ = &problem.moved;
    moved_->assign(n, Vec3{});
    mobility_.resize(n);
    R_.resize(n);
    torque_.assign(n, Vec3{});
    force_.assign(n, Vec3{});
    for (std::size_t i = 0; i < n; ++i) set_orientation(i, problem.q[i]);
    set_mobilities(problem);
    const bool physics = parameters_.physics;
    balls_.clear();
    ball_info_.clear();
    sliders_.clear();
    angulars_.clear();
    for (std::size_t k = 0; k < island.joints.size(); ++k) {
        const Island::LocalJoint& local = island.joints[k];
        const Joint& joint = problem.model.joints[idx(local.joint)];
        if (!problem.holds(joint)) continue;
        const double slack = problem.slack ? (*problem.slack)[k] : 0;
        Pair pair{local.body1, local.body2, 1, 1};
        if (!physics) {
            // A solid that cannot move leaves the whole motion to the other: the limit μ → 1.
            pair.side1 = local.body2 < dynamic_count_ ? joint.mobility : 1;
            pair.side2 = local.body1 < dynamic_count_ ? 1 - joint.mobility : 1;
        }
        const double reduced =
            1 / (pair.side1 * mobility_[idx(local.body1)].inv_mass + pair.side2 * mobility_[idx(local.body2)].inv_mass);
        const double alpha = joint.alpha ? *joint.alpha : (parameters_.alpha == AlphaRule::paper ? reduced : 0);
        const PointInfo info{static_cast<int>(k), reduced, alpha, 1};
        for (const Part& part : joint.parts) {
            const auto* p = std::get_if<PointPart>(&part);
            if (!p) {
                Angular a;
                a.pair = pair;
                a.joint = info.joint;
                a.part = &part;
                a.equality = slack == 0 && is_equality(part);
                a.slack = slack;
                angulars_.push_back(a);
            } else if (std::holds_alternative<PointDomain>(p->domain) && slack == 0) {
                balls_.push_back({pair, p->p1_G, p->p2_G, start_arms(problem, pair, *p), {}, {}, {}});
                ball_info_.push_back(info);
            } else {
                sliders_.push_back({pair, info, p, start_arms(problem, pair, *p), {}, {}, slack, {}, {}});
                if (share_ < 1 && slack == 0 && bends(p->domain)) sliders_.back().bend = start_bend(problem, pair, *p);
            }
        }
    }
    bound_turns(problem);
    laws_.clear();
    soft_.clear();
    contacts_.clear();
    weigh_parts();
    refresh_gains();
    prepare_laws(problem);
}

void DisplacementSolver::set_mobilities(const CorrectionProblem& problem) {
    const bool physics = parameters_.physics;
    for (std::size_t i = 0; i < problem.island.bodies.size(); ++i) {
        const Body& b = problem.model.bodies[idx(problem.island.bodies[i])];
        Mobility& m = mobility_[i];
        m = {};
        if (!b.dynamic()) continue;
        m.inv_mass = physics ? b.inv_mass : 1;
        if (b.particle) continue;
        m.inv_inertia_B = symmetric_part(physics ? b.inv_inertia_G : b.ability_to_rotate * Mat3::identity());
        m.gyration = physics ? b.gyration : 1 / std::sqrt(b.ability_to_rotate);
    }
}

DisplacementSolver::Arms DisplacementSolver::start_arms(const CorrectionProblem& problem, const Pair& pair,
                                                        const PointPart& part) const {
    if (share_ == 1) return {};
    const auto at = [&](int body) {
        return Placement{(*problem.start_x)[idx(body)], to_matrix((*problem.start_q)[idx(body)])};
    };
    PointError e = measure(part, at(pair.body1), at(pair.body2));
    if (bends(part.domain)) meet_at_particle(pair, e);
    return {share_ * (e.r1 + 0.5 * e.d), share_ * (e.r2 - 0.5 * e.d)};
}

void DisplacementSolver::weigh_parts() {
    const auto count = [&](const Pair& pair) {
        // A body that cannot move is not pulled about by its joints: its count does not slow them down.
        if (pair.body1 < dynamic_count_) ++count_[idx(pair.body1)];
        if (pair.body2 < dynamic_count_) ++count_[idx(pair.body2)];
    };
    const bool jacobi = parameters_.order == SweepOrder::jacobi;
    const auto weight = [&](const Pair& pair) {
        const int n = jacobi ? std::max(count_[idx(pair.body1)], count_[idx(pair.body2)]) : 1;
        return parameters_.relaxation / static_cast<double>(std::max(n, 1));
    };
    // A limit that is not touched slows nobody down: it is neither active nor counted.
    const auto count_angular = [&] {
        for (const Angular& a : angulars_)
            if (a.active) count(a.pair);
    };
    // What pushes only so hard is swept together in either order.
    const auto count_laws = [&] {
        for (const Law& l : laws_)
            if (l.active) count(l.pair);
        for (const Soft& s : soft_) count(s.pair);
        for (const Contact& c : contacts_)
            if (c.active) count(c.pair);
    };
    const auto law_weight = [&](const Pair& pair) {
        return parameters_.relaxation / std::max(count_[idx(pair.body1)], std::max(count_[idx(pair.body2)], 1));
    };
    count_.assign(R_.size(), 0);
    if (jacobi) {
        for (const Ball& b : balls_) count(b.pair);
        for (const Slider& s : sliders_) count(s.pair);
    }
    if (accelerated()) count_angular();
    count_laws();
    for (Law& l : laws_) l.weight = law_weight(l.pair);
    for (Soft& s : soft_) s.weight = law_weight(s.pair);
    for (Contact& c : contacts_) c.weight = law_weight(c.pair);
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        const double w = weight(balls_[k].pair);
        double& before = ball_info_[k].weight;
        if (w != before) balls_[k].gain = (w / before) * balls_[k].gain;
        before = w;
    }
    for (Slider& s : sliders_) s.info.weight = weight(s.pair);
    if (!accelerated()) {
        count_.assign(R_.size(), 0);
        count_angular();
    }
    for (Angular& a : angulars_) a.weight = weight(a.pair);
}

void DisplacementSolver::bound_turns(const CorrectionProblem& problem) {
    if (!problem.start_x) return;
    widest_gaps(*problem.start_x, *problem.start_q);
    bool any = false;
    for (std::size_t i = 0; i < idx(dynamic_count_); ++i) {
        mobility_[i].strained = mobility_[i].gyration > 0 && gap_[i] > 0.5 * mobility_[i].gyration;
        any = any || mobility_[i].strained;
    }
    if (any) stiffen_strained(problem);
}

void DisplacementSolver::stiffen_strained(const CorrectionProblem& problem) {
    widest_gaps(problem.x, problem.q);
    for (std::size_t i = 0; i < idx(dynamic_count_); ++i) {
        Mobility& m = mobility_[i];
        const double e = gap_[i] - 0.5 * m.gyration;
        if (!m.strained || !(e > 0)) continue;
        const Mat3 J = inverse(to_matrix(m.inv_inertia_B)) + (e * e / m.inv_mass) * Mat3::identity();
        m.inv_inertia_B = symmetric_part(inverse(J));
    }
}

void DisplacementSolver::relieve(const CorrectionProblem& problem) {
    set_mobilities(problem);
    for (Mobility& m : mobility_) m.strained = m.gyration > 0;
    stiffen_strained(problem);
    refresh_gains();
    restart_momentum();
}

void DisplacementSolver::widest_gaps(const std::vector<Vec3>& x, const std::vector<Quat>& q) {
    gap_.assign(R_.size(), 0);
    const auto at = [&](int body) { return Placement{x[idx(body)], to_matrix(q[idx(body)])}; };
    const auto note = [&](const Pair& pair, double gap) {
        gap_[idx(pair.body1)] = std::max(gap_[idx(pair.body1)], gap);
        gap_[idx(pair.body2)] = std::max(gap_[idx(pair.body2)], gap);
    };
    for (const Ball& b : balls_) {
        const Placement b1 = at(b.pair.body1), b2 = at(b.pair.body2);
        note(b.pair, norm((b2.x + b2.R * b.p2) - (b1.x + b1.R * b.p1)));
    }
    for (const Slider& s : sliders_) note(s.pair, norm(measure(*s.part, at(s.pair.body1), at(s.pair.body2)).d));
}

void DisplacementSolver::refresh_gains() {
    turned_ = 0;
    for (std::size_t k = 0; k < balls_.size(); ++k) {
        Ball& b = balls_[k];
        const PointInfo& info = ball_info_[k];
        if (info.alpha > 0) {
            b.gain = symmetric_part((info.weight * info.alpha) * Mat3::identity());
            continue;
        }
        Mat3 K = (1 / info.reduced) * Mat3::identity();
        const auto add_side = [&](int body, const Vec3& r, double side) {
            if (body >= dynamic_count_) return;
            const Mat3 inv_inertia = congruence(R_[idx(body)], to_matrix(mobility_[idx(body)].inv_inertia_B));
            K += side * congruence(skew(r), inv_inertia);  // −[r]× J⁻¹ [r]× = S J⁻¹ Sᵀ with S = [r]×
        };
        add_side(b.pair.body1, arm1(b.arms, R_[idx(b.pair.body1)] * b.p1, {}), b.pair.side1);
        add_side(b.pair.body2, arm2(b.arms, R_[idx(b.pair.body2)] * b.p2, {}), b.pair.side2);
        b.gain = symmetric_part(info.weight * inverse(K));
    }
}

AngularError DisplacementSolver::measure_angular(const Angular& a) const {
    const Placement b1 = placement(a.pair.body1), b2 = placement(a.pair.body2);
    const auto* angle = std::get_if<AnglePart>(a.part);
    AngularError e = angle ? measure(*angle, b1, b2) : measure(std::get<TwistPart>(*a.part), b1, b2);
    if (a.slack > 0) loosen(e, a.slack);
    return e;
}

double DisplacementSolver::limit_push(Angular& a, double change, double beta) const {
    const bool against_max = a.push != 0 ? a.push > 0 : change > 0;
    const auto allowed = [&](double push) { return against_max ? std::max(push, 0.0) : std::min(push, 0.0); };
    const double settled = allowed(a.push + change);
    a.push_growth = settled - a.settled_push;
    a.settled_push = settled;
    const double before = a.push;
    a.push = allowed(settled + beta * a.push_growth);
    return a.push - before;
}

double DisplacementSolver::angular_stiffness(const Pair& pair, const Vec3& axis) const {
    const double k = pair.side1 * dot(axis, inv_inertia_times(pair.body1, axis)) +
                     pair.side2 * dot(axis, inv_inertia_times(pair.body2, axis));
    return k > 0 ? 1 / k : 0;
}

void DisplacementSolver::hand_out_impulses(CorrectionProblem& problem) {
    hand_out_laws();
    problem.impulses.assign(problem.island.joints.size(), JointLoad{});
    if (!parameters_.physics) return;  // displacements without masses have no force behind them
    for (std::size_t k = 0; k < balls_.size(); ++k)
        problem.impulses[idx(ball_info_[k].joint)].force += balls_[k].impulse;
    for (const Slider& s : sliders_) problem.impulses[idx(s.info.joint)].force += s.impulse;
    for (const Angular& a : angulars_) problem.impulses[idx(a.joint)].torque += a.impulse;
}

CorrectionReport DisplacementSolver::correct(CorrectionProblem& problem) {
    prepare(problem);
    CorrectionReport report;
    const bool jacobi = parameters_.order == SweepOrder::jacobi;
    begin_momentum();
    // Slow convergence still moves things by (1 − rate) of what is left; a thousand times slower than any joint set we
    // have met counts as standing still.
    const double still = (has_laws() ? 1e-8 : 1e-6) * problem.tolerance;
    // From far away (assembly) accelerated sweeps with limits can go round in a circle for ever: one scattered monocycle in
    // nine did. Plain ones do not, so every other thousand is plain. A step is never that long.
    constexpr int patience = 1000;
    plain_ = false;
    for (;;) {
        worst2_ = 0;
        worst_joint_ = -1;
        unbalanced_ = 0;
        largest_move_ = 0;
        const bool moved = jacobi ? sweep_jacobi() : sweep_gauss_seidel();
        report.worst_error = std::sqrt(worst2_);
        report.worst_joint = worst_joint_ < 0 ? -1 : problem.island.joints[idx(worst_joint_)].joint;
        report.converged = !moved;
        if (report.converged) break;
        ++report.iterations;
        if (!(largest_move_ > still)) {  // also ends a run of NaN; the caller's finiteness check names the body
            // What pushes may be out of balance by less than anything would move for.
            report.converged = worst2_ <= tolerance_ * tolerance_;
            report.stalled = !report.converged;
            break;
        }
        if (report.iterations >= problem.max_iterations) {
            report.converged = worst2_ <= tolerance_ * tolerance_;
            break;
        }
        if (turned_ > stale_after) refresh_gains();
        // Without a step there is no start to tell which gaps are too wide: what has not closed by now is.
        if (!problem.start_x && report.iterations % 50 == 0) relieve(problem);
        if (report.iterations % patience == 0) {
            plain_ = !plain_;
            restart_momentum();
        }
    }
    report.balanced = unbalanced_ <= 30;  // a little more than asked for is still no gain
    hand_out_impulses(problem);
    for (int i = 0; i < dynamic_count_; ++i) problem.q[idx(i)] = normalized(problem.q[idx(i)]);
    return report;
}

}  // namespace armature

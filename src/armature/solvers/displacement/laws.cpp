// Laws, soft points and contacts in the sweeps: what pushes only so hard, or only one way.
//
// All of them keep the impulse they have given so far and move it, by the weighted residual, towards the set in which it
// may lie: an interval for a law, a cone for a contact. With the acceleration of displacement.h this is the accelerated
// projected gradient method [Mazhar, Heyn, Negrut, Tasora 2015]. A contact takes one gain 1/κ for its three directions,
// κ ≥ the largest eigenvalue of K: with K⁻¹ the fixed point would not be the law of friction, for a sliding contact's
// slip would press it.
#include <algorithm>
#include <cmath>

#include "armature/solvers/displacement/displacement.h"

namespace armature {

namespace {

/// What gives way settles where forces balance, and a force shows in places only weakly: a spring's stretch has to fit its
/// force to this part of itself, or to what moves nothing by more than this part of the tolerance.
constexpr double stretch_precision = 3e-4;
constexpr double place_precision = 1e-6;

/// How far from done, in units of the tolerance: `missing` m of `stretch`, of which `move` m would be made good.
double unbalanced(double missing, double stretch, double move, double tolerance) {
    const double of_place = move / (place_precision * tolerance);
    return stretch > 0 ? std::min(of_place, missing / (stretch_precision * stretch)) : of_place;
}

/// Kinks of friction are resolved this much finer than joints, for what sticks must not creep.
constexpr double finer_contact = 10;

double frobenius(const Mat3& m) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum += m(i, j) * m(i, j);
    return std::sqrt(sum);
}

}  // namespace

Mat3 DisplacementSolver::point_mobility(const Pair& pair, const Vec3& r1, const Vec3& r2) const {
    Mat3 K{};
    const auto add_side = [&](int body, const Vec3& r, double side) {
        if (body >= dynamic_count_) return;
        const Mobility& m = mobility_[idx(body)];
        K += (side * m.inv_mass) * Mat3::identity();
        K += side * congruence(skew(r), congruence(R_[idx(body)], to_matrix(m.inv_inertia_B)));
    };
    add_side(pair.body1, r1, pair.side1);
    add_side(pair.body2, r2, pair.side2);
    return K;
}

void DisplacementSolver::prepare_laws(const CorrectionProblem& problem) {
    const auto start = [&](int body) {
        return Placement{(*problem.start_x)[idx(body)], to_matrix((*problem.start_q)[idx(body)])};
    };
    if (problem.laws)
        for (LawRow& row : *problem.laws) {
            Law law;
            law.pair = {row.body1, row.body2, 1, 1};
            law.row = &row;
            if (share_ < 1) law.start = measure(*row.coordinate, start(row.body1), start(row.body2), row.turns_near);
            // A law of constant force pushes from the first sweep on.
            law.push = std::clamp(0.0, row.low, row.high);
            laws_.push_back(law);
        }
    if (problem.soft_points && problem.start_x)
        for (SoftPoint& row : *problem.soft_points) {
            const Pair pair{row.body1, row.body2, 1, 1};
            soft_.push_back({pair, &row, start_arms(problem, pair, *row.part), 1, {}, {}, {}, {}, {}, {}, {}});
        }
    if (problem.contacts && problem.start_x)
        for (ContactRow& row : *problem.contacts) {
            const Pair pair{row.body1, row.body2, 1, 1};
            Contact contact;
            contact.pair = pair;
            contact.row = &row;
            contact.start_x = (*problem.start_x)[idx(row.body1)];
            contact.start_q = (*problem.start_q)[idx(row.body1)];
            const Placement b1 = placement(row.body1), b2 = placement(row.body2), s2 = start(row.body2);
            const Vec3 P1 = b1.x + b1.R * row.p1_G;
            contact.carried = P1 - (s2.x + s2.R * transposed_times(b2.R, P1 - b2.x));
            const Mat3 K = point_mobility(pair, b1.R * row.p1_G, {});
            contact.gain = 1 / frobenius(K);
            contacts_.push_back(contact);
        }
    // Constant forces have pushed before the first sweep measures anything.
    bool pushed = false;
    for (Law& law : laws_) {
        if (law.push == 0) continue;
        measure_law(law);
        push_along(law, law.push);
        pushed = true;
    }
    if (!pushed) return;
    for (Angular& a : angulars_) a.turn = {};
    apply_rotations(false);
    apply_translations();
    for (Law& law : laws_) law.push = law.settled = translation_scale_ * law.push;
}

void DisplacementSolver::measure_law(Law& law) const {
    const LawRow& row = *law.row;
    law.now = measure(*row.coordinate, placement(law.pair.body1), placement(law.pair.body2), row.turns_near);
    law.residual = row.target - law.now.value - row.compliance * law.push;
    // The mean of the directions before and after: then the work of the law is what it should be. (The direction of a swing
    // turns round as it passes through zero.)
    if (share_ < 1 && !std::holds_alternative<SwingCoordinate>(*row.coordinate)) {
        law.now.linear = 0.5 * (law.now.linear + law.start.linear);
        law.now.angular1 = 0.5 * (law.now.angular1 + law.start.angular1);
        law.now.angular2 = 0.5 * (law.now.angular2 + law.start.angular2);
    }
    const Vec3 t1 = inv_inertia_times(law.pair.body1, law.now.angular1);
    const Vec3 t2 = inv_inertia_times(law.pair.body2, law.now.angular2);
    const double inv_mass = mobility_[idx(law.pair.body1)].inv_mass + mobility_[idx(law.pair.body2)].inv_mass;
    law.mobility = inv_mass * norm2(law.now.linear) + dot(law.now.angular1, t1) + dot(law.now.angular2, t2);
}

void DisplacementSolver::push_along(const Law& law, double lambda) {
    force_[idx(law.pair.body1)] += lambda * law.now.linear;
    force_[idx(law.pair.body2)] -= lambda * law.now.linear;
    torque_[idx(law.pair.body1)] += lambda * law.now.angular1;
    torque_[idx(law.pair.body2)] += lambda * law.now.angular2;
}

bool DisplacementSolver::measure_laws() {
    bool counts_changed = false;
    for (Law& law : laws_) {
        measure_law(law);
        const LawRow& row = *law.row;
        // At a bound with the residual pushing on there is nothing to do. (A given force is not there yet when its first
        // push would have turned something too far at once.)
        const bool within = law.push >= row.low && law.push <= row.high;
        const bool stuck = (law.push >= row.high && law.residual >= 0) || (law.push <= row.low && law.residual <= 0);
        const bool active = !(within && stuck) && law.mobility > 0;
        counts_changed = counts_changed || active != law.active;
        law.active = active;
        if (!active) continue;
        const double missing = std::fabs(law.residual);
        if (row.compliance > 0) {
            note_unbalanced(unbalanced(missing, row.compliance * std::fabs(law.push),
                                       missing * law.mobility / (law.mobility + row.compliance), tolerance_));
        } else {
            if (row.holds) note_error(missing * missing, row.joint);
            note_unbalanced(row.precision * missing / tolerance_);
        }
    }
    for (Soft& s : soft_) {
        const PointError e = measure(*s.row->part, placement(s.pair.body1), placement(s.pair.body2));
        s.r1 = arm1(s.arms, e.r1, e.d);
        s.r2 = arm2(s.arms, e.r2, e.d);
        const Mat3 K = point_mobility(s.pair, s.r1, s.r2);
        const Vec3 missing = s.row->stretch * e.d + s.row->before - s.impulse;
        s.step = inverse(Mat3::identity() + s.row->stretch * K) * missing;
        const double stretch = s.row->stretch;
        note_unbalanced(unbalanced(norm(missing) / stretch, norm(s.impulse) / stretch, norm(K * s.step), tolerance_));
    }
    for (Contact& c : contacts_) {
        measure_contact(c);
        const bool active = c.impulse != Vec3{} || c.gap < 0;
        counts_changed = counts_changed || active != c.active;
        c.active = active;
    }
    return counts_changed;
}

void DisplacementSolver::measure_contact(Contact& c) {
    const ContactRow& row = *c.row;
    const Placement b1 = placement(c.pair.body1), b2 = placement(c.pair.body2);
    c.normal = b2.R * row.normal_2;
    c.r1 = b1.R * row.p1_G;
    const Vec3 P1 = b1.x + c.r1;
    c.gap = dot(c.normal, P1 - (b2.x + b2.R * row.p2_G));
    // How far the body has slid over the place that it touches: with the rotation vector of the whole step a wheel that
    // rolls does not slide at all.
    const Vec3 turn = log_rotation((*q_)[idx(c.pair.body1)] * conjugate(c.start_q));
    const Vec3 slid = (b1.x - c.start_x) + cross(turn, c.r1) - c.carried + row.slip;
    c.slid = slid - dot(c.normal, slid) * c.normal;
    const double pressed = dot(c.normal, c.impulse);
    const Vec3 tangent = c.impulse - pressed * c.normal;
    const bool held = norm2(tangent) < 0.999 * 0.999 * row.friction * row.friction * pressed * pressed;
    if (c.gap < 0) note_error(c.gap * c.gap, -1);
    double e2 = c.gap < 0 || pressed > 0 ? c.gap * c.gap : 0;
    if (held) e2 = std::max(e2, norm2(c.slid));
    note_unbalanced(finer_contact * std::sqrt(e2) / tolerance_);
}

/// The nearest impulse that presses and does not exceed its friction, direction by direction.
Vec3 DisplacementSolver::within_cone(const Contact& c, const Vec3& impulse) {
    const double pressed = std::max(dot(c.normal, impulse), 0.0);
    Vec3 tangent = impulse - dot(c.normal, impulse) * c.normal;
    const double most = c.row->friction * pressed, size = norm(tangent);
    if (size > most) tangent *= size > 0 ? most / size : 0;
    return pressed * c.normal + tangent;
}

void DisplacementSolver::gather_laws() {
    for (Law& law : laws_) {
        law.push_now = 0;
        if (!law.active) continue;
        const LawRow& row = *law.row;
        along_ += law.residual * law.growth;
        const double settled =
            std::clamp(law.push + law.weight * law.residual / (law.mobility + row.compliance), row.low, row.high);
        law.growth = settled - law.settled;
        law.settled = settled;
        const double push = std::clamp(settled + beta_ * law.growth, row.low, row.high);
        law.push_now = push - law.push;
        law.push = push;
        push_along(law, law.push_now);
    }
    for (Soft& s : soft_) {
        const double stretch = s.row->stretch;
        along_ += stretch > 0 ? dot(s.step, s.growth) / stretch : 0;
        const Vec3 settled = s.impulse + s.weight * s.step;
        s.growth = settled - s.settled;
        s.settled = settled;
        s.push_now = settled + beta_ * s.growth - s.impulse;
        s.impulse += s.push_now;
        push_at(s.pair, s.r1, s.r2, s.push_now);
    }
    for (Contact& c : contacts_) {
        c.push_now = {};
        if (!c.active) continue;
        const Vec3 wanted = -c.gap * c.normal - c.slid;
        along_ += dot(wanted, c.growth);
        const Vec3 settled = within_cone(c, c.impulse + (c.weight * c.gain) * wanted);
        c.growth = settled - c.settled;
        c.settled = settled;
        const Vec3 impulse = within_cone(c, settled + beta_ * c.growth);
        c.push_now = impulse - c.impulse;
        c.impulse = impulse;
        push_at(c.pair, c.r1, {}, c.push_now);
    }
}

void DisplacementSolver::push_at(const Pair& pair, const Vec3& r1, const Vec3& r2, const Vec3& p) {
    force_[idx(pair.body1)] += p;
    force_[idx(pair.body2)] -= p;
    torque_[idx(pair.body1)] += cross(r1, p);
    torque_[idx(pair.body2)] -= cross(r2, p);
}

void DisplacementSolver::take_back_laws(double share) {
    for (Law& law : laws_) {
        law.push -= share * law.push_now;
        law.settled = law.push;
        law.growth = 0;
    }
    for (Soft& s : soft_) {
        s.impulse -= share * s.push_now;
        s.settled = s.impulse;
        s.growth = {};
    }
    for (Contact& c : contacts_) {
        c.impulse -= share * c.push_now;
        c.settled = c.impulse;
        c.growth = {};
    }
}

void DisplacementSolver::restart_laws() {
    for (Law& law : laws_) {
        law.settled = law.push;
        law.growth = 0;
    }
    for (Soft& s : soft_) {
        s.settled = s.impulse;
        s.growth = {};
    }
    for (Contact& c : contacts_) {
        c.settled = c.impulse;
        c.growth = {};
    }
}

void DisplacementSolver::hand_out_laws() {
    for (Law& law : laws_) {
        measure_law(law);
        law.row->lambda = law.push;
        law.row->now = law.now;
    }
    for (Soft& s : soft_) {
        const PointError e = measure(*s.row->part, placement(s.pair.body1), placement(s.pair.body2));
        s.row->impulse = s.impulse;
        s.row->r1 = arm1(s.arms, e.r1, e.d);
        s.row->r2 = arm2(s.arms, e.r2, e.d);
        s.row->d = e.d;
    }
    for (Contact& c : contacts_) {
        measure_contact(c);
        ContactRow& row = *c.row;
        row.normal = dot(c.normal, c.impulse);
        row.normal_W = c.normal;
        row.r1 = c.r1;
        row.tangent = c.impulse - row.normal * c.normal;
        row.slides = !(norm(row.tangent) < (1 - 1e-6) * row.friction * row.normal);
        row.slip = row.slides ? Vec3{} : c.slid;
    }
}

}  // namespace armature

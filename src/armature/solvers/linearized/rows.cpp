#include "armature/solvers/linearized/rows.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

constexpr double smallest_sine2 = 1e-24;  // parallel axes have no plane to turn in
constexpr double at_bound = 1e-2;         // of the tolerance: nearer to a bound than this at the start, it leaned on it

/// The rows of an angle that is zero or π: its two axes are parallel, and it has no rim.
bool aligned(const AnglePart& part) {
    return part.min == part.max && (part.max <= 0 || part.min >= pi);
}

/// The row half-way that belongs to a row of now; the one of now where the part has come to another of its bounds.
const Row& partner(const PartRows& middle, const PartRows& now, int i) {
    const Row& b = now.row[static_cast<std::size_t>(i)];
    if (middle.count != now.count) return b;
    const Row& a = middle.row[static_cast<std::size_t>(i)];
    const bool turned_over = dot(a.linear, b.linear) + dot(a.angular1, b.angular1) < 0;
    return a.kind == b.kind && !turned_over ? a : b;
}

/// What is left of the errors of a part that may still be out of place by `slack`.
void loosen(PartRows& rows, double slack) {
    double equal2 = 0;
    for (int i = 0; i < rows.count; ++i) {
        const Row& r = rows.row[static_cast<std::size_t>(i)];
        if (r.kind == RowKind::equality) equal2 += r.error * r.error;
    }
    const double size = std::sqrt(equal2), share = size > slack ? 1 - slack / size : 0;
    PartRows kept;
    for (int i = 0; i < rows.count; ++i) {
        Row r = rows.row[static_cast<std::size_t>(i)];
        if (r.kind == RowKind::equality) {
            if (share == 0) continue;
            r.error *= share;
        } else {
            r.error += r.kind == RowKind::at_least ? slack : -slack;
        }
        kept.add(r);
    }
    rows = kept;
}

double violated(const Row& row) {
    if (row.kind == RowKind::at_least) return std::min(row.error, 0.0);
    if (row.kind == RowKind::at_most) return std::max(row.error, 0.0);
    return row.error;
}

CoordinateValue mean(const CoordinateValue& a, const CoordinateValue& b) {
    CoordinateValue m = b;
    m.linear = 0.5 * (a.linear + b.linear);
    m.angular1 = 0.5 * (a.angular1 + b.angular1);
    m.angular2 = 0.5 * (a.angular2 + b.angular2);
    return m;
}

/// −[p][r]
Mat3 arm_stiffness(const Vec3& p, const Vec3& r) {
    return dot(p, r) * Mat3::identity() - outer(r, p);
}

}  // namespace

void SystemRows::begin(const CorrectionProblem& p, const BodyResponse& response, bool plain) {
    half_way_ = p.half_way && p.start_x;
    first_part_.clear();
    std::size_t parts = 0;
    for (const Island::LocalJoint& local : p.island.joints) {
        first_part_.push_back(parts);
        parts += p.model.joints[idx(local.joint)].parts.size();
    }
    law_slots_ = 3 * parts;
    soft_slots_ = law_slots_ + (p.laws ? p.laws->size() : 0);
    bend_slot_ = soft_slots_ + 3 * (p.soft_points ? p.soft_points->size() : 0);
    lambda.assign(bend_slot_ + 1, 0);
    bends_ = half_way_ && !plain;
    leaned_.clear();
    if (half_way_) note_bounds(p, response);
    stiffness_.resize(idx(p.island.dynamic_count));
    start_laws_.clear();
    if (!half_way_ || !p.laws) return;
    for (const LawRow& law : *p.laws)
        start_laws_.push_back(
            measure(*law.coordinate, response.start(p, law.body1), response.start(p, law.body2), law.turns_near));
}

void SystemRows::note_bounds(const CorrectionProblem& p, const BodyResponse& response) {
    for (const Island::LocalJoint& local : p.island.joints)
        for (const Part& part : p.model.joints[idx(local.joint)].parts) {
            char leaned = 0;
            if (one_sided(part)) {
                const PartRows start =
                    armature::rows(part, response.start(p, local.body1), response.start(p, local.body2));
                for (int j = 0; j < start.count; ++j)
                    if (std::fabs(start.row[idx(j)].error) <= at_bound * p.tolerance)
                        leaned = static_cast<char>(leaned | 1 << j);
            }
            leaned_.push_back(leaned);
        }
}

void SystemRows::start_over(bool bounds_alone) {
    std::fill(lambda.begin(), lambda.end(), 0.0);
    std::fill(leaned_.begin(), leaned_.end(), char{0});
    if (!bounds_alone) half_way_ = bends_ = false;
}

bool SystemRows::lean() const {
    return std::any_of(leaned_.begin(), leaned_.end(), [](char leaned) { return leaned != 0; });
}

void SystemRows::collect(const CorrectionProblem& p, const BodyResponse& response) {
    rows.clear();
    first.clear();
    worst = unbalanced = merit = 0;
    worst_joint = -1;
    std::size_t law = 0, soft = 0;
    for (std::size_t k = 0; k < p.island.joints.size(); ++k) {
        first.push_back(rows.size());
        const Joint& joint = p.model.joints[idx(p.island.joints[k].joint)];
        if (p.holds(joint)) add_parts(p, response, k, joint);
        // Both lists go through the joints in their order (sim/laws.cpp).
        while (p.laws && law < p.laws->size() && idx((*p.laws)[law].joint) == k) add_law(p, response, law++);
        while (p.soft_points && soft < p.soft_points->size() && idx((*p.soft_points)[soft].joint) == k)
            add_soft(p, response, soft++);
    }
    first.push_back(rows.size());
}

void SystemRows::linearize(const CorrectionProblem& p, BodyResponse& response, bool plain) {
    if (!plain) stiffen(p, response);
    response.linearize(p, plain ? nullptr : &stiffness_);
    for (std::size_t k = 0; k < p.island.joints.size(); ++k) {
        const Island::LocalJoint& j = p.island.joints[k];
        for (std::size_t i = first[k]; i < first[k + 1]; ++i) {
            SystemRow& r = rows[i];
            r.turn1 = j.body1 < p.island.dynamic_count ? response.inv_inertia(j.body1) * r.angular1 : Vec3{};
            r.turn2 = j.body2 < p.island.dynamic_count ? response.inv_inertia(j.body2) * r.angular2 : Vec3{};
        }
    }
}

void SystemRows::add(const Row& J, const Row& now, std::size_t slot, double target, double compliance) {
    SystemRow& r = rows.emplace_back();
    r.linear = J.linear;
    r.angular1 = J.angular1;
    r.angular2 = J.angular2;
    r.read_linear = now.linear;
    r.read_angular1 = now.angular1;
    r.read_angular2 = now.angular2;
    r.compliance = compliance;
    r.residual = target - now.error - compliance * lambda[slot];
    if (now.kind == RowKind::at_least) r.low = 0;
    if (now.kind == RowKind::at_most) r.high = 0;
    r.slot = slot;
}

void SystemRows::add_parts(const CorrectionProblem& p, const BodyResponse& response, std::size_t k,
                           const Joint& joint) {
    const Island::LocalJoint& local = p.island.joints[k];
    const double slack = p.slack ? (*p.slack)[k] : 0;
    const Placement b1 = response.now(p, local.body1), b2 = response.now(p, local.body2);
    for (std::size_t i = 0; i < joint.parts.size(); ++i) {
        const auto* point = std::get_if<PointPart>(&joint.parts[i]);
        if (point && slack == 0 && std::holds_alternative<PointDomain>(point->domain)) {
            add_ball(p, response, k, *point, 3 * (first_part_[k] + i));
            continue;
        }
        PartRows now = armature::rows(joint.parts[i], b1, b2), middle;
        if (half_way_)
            middle =
                armature::rows(joint.parts[i], response.half_way(p, local.body1), response.half_way(p, local.body2));
        if (slack > 0) loosen(now, slack);
        double error2 = 0;
        for (int j = 0; j < now.count; ++j) {
            const Row& row = now.row[idx(j)];
            const std::size_t slot = 3 * (first_part_[k] + i) + idx(j);
            // What came to its bound in this step was stopped there: half-way it was inside, and the direction from there, across
            // a narrow cone, may be any.
            const bool lasts =
                half_way_ && (row.kind == RowKind::equality || (leaned_[first_part_[k] + i] >> j & 1) != 0);
            add(lasts ? partner(middle, now, j) : row, row, slot, 0, 0);
            rows.back().part = true;
            error2 += violated(row) * violated(row);
            // One that pushes must also be there: it is at its bound, not inside.
            if (lambda[slot] != 0) unbalanced = std::max(unbalanced, std::fabs(row.error));
        }
        if (const auto* angle = std::get_if<AnglePart>(&joint.parts[i]); angle && bends_ && !aligned(*angle))
            add_rim(b1.R * angle->a1_B, b2.R * angle->a2_B, now.count);
        merit += error2;
        const double error = std::sqrt(error2);
        if (!(error <= worst)) {  // NaN too
            worst = error;
            worst_joint = static_cast<int>(k);
        }
    }
}

void SystemRows::add_rim(const Vec3& a1, const Vec3& a2, int count) {
    double closing = 0, share = 1;  // torque that closes the angle; half of it where the row pushes half-way
    for (std::size_t i = rows.size() - idx(count); i < rows.size(); ++i) {
        if (lambda[rows[i].slot] == 0) continue;
        closing -= lambda[rows[i].slot];
        share = rows[i].angular1 == rows[i].read_angular1 ? 1 : 0.5;
    }
    if (closing == 0) return;
    // p and m of the header, not of unit length, and cot ½θ or tan ½θ.
    const Vec3 across = a2 - a1, along = a1 + a2;
    const Vec3& turn = closing > 0 ? across : along;
    const double turn2 = norm2(turn), other2 = norm2(closing > 0 ? along : across);
    if (!(turn2 > smallest_sine2) || other2 == 0) return;
    const double stiffness = 0.5 * share * std::fabs(closing) * std::sqrt(other2 / turn2);
    const Vec3 unit = turn / std::sqrt(turn2);
    SystemRow& r = rows.emplace_back();
    r.angular1 = r.read_angular1 = unit;
    r.angular2 = r.read_angular2 = -unit;
    r.compliance = 1 / stiffness;
    r.slot = bend_slot_;
    r.bend = true;
}

void SystemRows::add_ball(const CorrectionProblem& p, const BodyResponse& response, std::size_t k,
                          const PointPart& part, std::size_t slot) {
    const Island::LocalJoint& j = p.island.joints[k];
    const Placement b1 = response.now(p, j.body1), b2 = response.now(p, j.body2);
    const Vec3 r1 = b1.R * part.p1_G, r2 = b2.R * part.p2_G;
    const Vec3 gap = (b1.x + r1) - (b2.x + r2);
    Vec3 arm1 = r1, arm2 = r2;
    if (half_way_) {
        arm1 = 0.5 * (r1 + response.start(p, j.body1).R * part.p1_G);
        arm2 = 0.5 * (r2 + response.start(p, j.body2).R * part.p2_G);
    }
    const std::size_t at = rows.size();
    rows.resize(at + 3);
    const auto cross_axis = [](const Vec3& r, int i) {
        return i == 0 ? Vec3{0, r.z, -r.y} : i == 1 ? Vec3{-r.z, 0, r.x} : Vec3{r.y, -r.x, 0};
    };
    const double error[3] = {gap.x, gap.y, gap.z};
    for (int i = 0; i < 3; ++i) {
        SystemRow& r = rows[at + idx(i)];
        r.linear = r.read_linear = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
        r.angular1 = cross_axis(arm1, i);
        r.angular2 = -cross_axis(arm2, i);
        r.read_angular1 = cross_axis(r1, i);
        r.read_angular2 = -cross_axis(r2, i);
        r.slot = slot + idx(i);
        r.residual = -error[i];
        r.compliance = 0;
        r.low = -infinity;
        r.high = infinity;
        r.part = true;
        if (lambda[r.slot] != 0) unbalanced = std::max(unbalanced, std::fabs(error[i]));
    }
    const double error2 = norm2(gap);
    merit += error2;
    if (error2 <= worst * worst) return;
    worst = std::sqrt(error2);  // NaN too
    worst_joint = static_cast<int>(k);
}

void SystemRows::add_law(const CorrectionProblem& p, const BodyResponse& response, std::size_t i) {
    const LawRow& law = (*p.laws)[i];
    const CoordinateValue now =
        measure(*law.coordinate, response.now(p, law.body1), response.now(p, law.body2), law.turns_near);
    const CoordinateValue over = law_over_step(p, now, i);
    add({over.linear, over.angular1, over.angular2, 0, RowKind::equality},
        {now.linear, now.angular1, now.angular2, now.value, RowKind::equality}, law_slot(i), law.target,
        law.compliance);
    SystemRow& r = rows.back();
    r.low = law.low;
    r.high = law.high;
    const double l = lambda[r.slot];
    const bool idle = (l >= law.high && r.residual >= 0) || (l <= law.low && r.residual <= 0);
    if (idle || law.low == law.high) return;
    const double missing = std::fabs(r.residual);
    if (law.compliance == 0) merit += missing * missing;
    unbalanced = std::max(unbalanced, missing / (1 + law.compliance));
    if (law.compliance == 0 && law.holds && missing > worst) {
        worst = missing;
        worst_joint = law.joint;
    }
}

CoordinateValue SystemRows::law_over_step(const CorrectionProblem& p, const CoordinateValue& now, std::size_t i) const {
    const LawRow& law = (*p.laws)[i];
    // The direction of a swing turns round as it passes through zero.
    if (!half_way_ || std::holds_alternative<SwingCoordinate>(*law.coordinate)) return now;
    return mean(start_laws_[i], now);
}

void SystemRows::add_soft(const CorrectionProblem& p, const BodyResponse& response, std::size_t i) {
    const SoftPoint& soft = (*p.soft_points)[i];
    const Part part{*soft.part};
    const PartRows now = armature::rows(part, response.now(p, soft.body1), response.now(p, soft.body2));
    PartRows middle;
    if (half_way_) middle = armature::rows(part, response.half_way(p, soft.body1), response.half_way(p, soft.body2));
    for (int j = 0; j < now.count; ++j) {
        const Row& row = now.row[idx(j)];
        add(half_way_ ? partner(middle, now, j) : row, row, soft_slot(i, j),
            dot(row.linear, soft.before) / soft.stretch, 1 / soft.stretch);
        unbalanced = std::max(unbalanced, std::fabs(rows.back().residual) / (1 + 1 / soft.stretch));
    }
}

void SystemRows::stiffen(const CorrectionProblem& p, const BodyResponse& response) {
    std::fill(stiffness_.begin(), stiffness_.end(), Mat3{});
    for (std::size_t k = 0; k < p.island.joints.size(); ++k) {
        const Island::LocalJoint& j = p.island.joints[k];
        Vec3 force;
        for (std::size_t i = first[k]; i < first[k + 1]; ++i)
            if (rows[i].part) force += lambda[rows[i].slot] * rows[i].linear;
        if (force == Vec3{}) continue;
        if (half_way_) force *= 0.5;
        const Joint& joint = p.model.joints[idx(j.joint)];
        const auto part = std::find_if(joint.parts.begin(), joint.parts.end(),
                                       [](const Part& q) { return std::holds_alternative<PointPart>(q); });
        if (part == joint.parts.end()) continue;
        // Where the joint holds, P1 is where it acts on both.
        const Placement b1 = response.now(p, j.body1);
        const Vec3 r1 = b1.R * std::get<PointPart>(*part).p1_G;
        const Vec3 r2 = b1.x + r1 - response.now(p, j.body2).x;
        if (j.body1 < p.island.dynamic_count) stiffness_[idx(j.body1)] += arm_stiffness(force, r1);
        if (j.body2 < p.island.dynamic_count) stiffness_[idx(j.body2)] += arm_stiffness(-force, r2);
    }
}

}  // namespace armature

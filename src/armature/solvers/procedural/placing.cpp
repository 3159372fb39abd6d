#include "armature/solvers/procedural/placing.h"

#include <algorithm>
#include <cmath>

#include "armature/solvers/procedural/compulsive.h"

namespace armature {

namespace {

constexpr bool same(const Quat& q) {
    return q.x == 0 && q.y == 0 && q.z == 0;
}
Vec3 across(const Vec3& v, const Vec3& axis) {
    return v - dot(v, axis) * axis;
}
PointError loosened(PointError e, double slack) {
    if (slack > 0) loosen(e, slack);
    return e;
}

}  // namespace

void Placer::turn(int body, const Quat& Q, const Vec3* about) {
    if (same(Q)) return;  // a solid that is not turned keeps its orientation to the last bit
    Quat& q = (*c_.q)[idx(body)];
    q = normalized(Q * q);
    if (about == nullptr) return;
    Vec3& x = (*c_.x)[idx(body)];
    x = *about + rotate(Q, x - *about);
}

Quat Placer::turn_to(const Link& link, int body, const Vec3& point, const Vec3& target) const {
    const Vec3 r = point - (*c_.x)[idx(body)], s = target - point;
    const double h = body == link.body1 ? link.h1 : link.h2;
    if (h >= 0) return compulsive_turn(r, s, h);
    return following_turn((body == link.body1 ? link.reach1 : link.reach2) * r, s);
}

void Placer::place_ball(const Link& link, int from, int to, const std::vector<Vec3>* keep) {
    const bool first = to == link.body1;
    const Vec3 &here = first ? link.p1 : link.p2, &there = first ? link.p2 : link.p1;
    Vec3& x = (*c_.x)[idx(to)];
    Quat& q = (*c_.q)[idx(to)];
    const Vec3 c1 = (*c_.x)[idx(from)] + rotate((*c_.q)[idx(from)], there);
    const Vec3 r = rotate(q, here), s = c1 - (x + r);
    const double h = first ? link.h1 : link.h2;
    const Quat Q = keep     ? fitting_turn(*keep, x + r, s)
                   : h >= 0 ? compulsive_turn(r, s, h)
                            : following_turn((first ? link.reach1 : link.reach2) * r, s);
    if (!same(Q)) q = normalized(Q * q);
    x = c1 - rotate(q, here);  // T = (I − R) r + s, without the round-off of the way there
}

void Placer::place_any(const Link& link, int from, int to, const std::vector<Vec3>* keep) {
    if (link.axis >= 0) agree(link, to);
    if (link.point >= 0) meet(link, from, to, keep);
    Vec3 P1;
    const Vec3* about = nullptr;
    if (link.point >= 0) {
        P1 = joint_point(link);
        about = &P1;
    }
    clamp(link, to, about);
    if (!floors_.none(to) && about) {
        leave_floor(link, to, about);
        clamp(link, to, about);
    }
    if (link.point >= 0) close(link, to);
}

/// Step 1: what has one direction only.
void Placer::agree(const Link& link, int to) {
    const Joint& joint = joint_of(link);
    clamp_part(link, joint.parts[idx(link.axis)], to, nullptr);
    if (link.turning != Link::Turning::locked) return;
    for (const Part& part : joint.parts)
        if (std::holds_alternative<TwistPart>(part)) clamp_part(link, part, to, nullptr);
}

/// Step 2.
void Placer::meet(const Link& link, int from, int to, const std::vector<Vec3>* keep) {
    const bool first = to == link.body1;
    if (link.turning != Link::Turning::locked) {
        const PointError e = loosened(measure(point_of(link), at(link.body1), at(link.body2)), slack_of(link));
        Vec3 r = first ? e.r1 : e.r2, s = first ? e.d : -e.d;
        const double h = first ? link.h1 : link.h2;
        Vec3 u;
        const bool hinge = link.turning == Link::Turning::hinge;
        if (hinge) {
            u = hinge_axis(link, from);
        }
        if (keep) {
            turn(to, fitting_turn(*keep, (*c_.x)[idx(to)] + r, s, hinge ? &u : nullptr), nullptr);
        } else {
            if (hinge) {
                r = across(r, u);
                s = across(s, u);
            }
            turn(to, h >= 0 ? compulsive_turn(r, s, h) : following_turn((first ? link.reach1 : link.reach2) * r, s),
                 nullptr);
        }
    }
    close(link, to);
}

void Placer::close(const Link& link, int to) {
    const PointError e = loosened(measure(point_of(link), at(link.body1), at(link.body2)), slack_of(link));
    (*c_.x)[idx(to)] += to == link.body1 ? e.d : -e.d;
}

Vec3 Placer::joint_point(const Link& link) const {
    return (*c_.x)[idx(link.body1)] + rotate((*c_.q)[idx(link.body1)], link.p1);
}

void Placer::settle(const Link& link, int to) {
    if (link.point >= 0) close(link, to);
    const Vec3 P1 = joint_point(link);
    clamp(link, to, link.point >= 0 ? &P1 : nullptr);
    if (link.point >= 0) close(link, to);
}

Vec3 Placer::hinge_axis(const Link& link, int from) const {
    const auto& angle = std::get<AnglePart>(joint_of(link).parts[idx(link.axis)]);
    return rotate((*c_.q)[idx(from)], from == link.body1 ? angle.a1_B : angle.a2_B);
}

/// Step 3.
void Placer::clamp(const Link& link, int to, const Vec3* about) {
    for (const Part& part : joint_of(link).parts)
        if (!std::holds_alternative<PointPart>(part)) clamp_part(link, part, to, about);
    clamp_freedoms(link, to, about);
    if (link.also >= 0) clamp(structure_.link(link.also), to, about);
}

void Placer::clamp_part(const Link& link, const Part& part, int to, const Vec3* about) {
    const bool first = to == link.body1;
    const double slack = slack_of(link);
    if (const auto* angle = std::get_if<AnglePart>(&part)) {
        AngularError e = measure(*angle, at(link.body1), at(link.body2));
        if (slack > 0) loosen(e, slack);
        if (e.excess != 0) turn(to, exp_rotation((first ? e.excess : -e.excess) * e.axis), about);
    } else if (const auto* twist = std::get_if<TwistPart>(&part)) {
        AngularError e = measure(*twist, at(link.body1), at(link.body2));
        if (slack > 0) loosen(e, slack);
        if (e.excess == 0) return;
        const Vec3 a1 = rotate((*c_.q)[idx(link.body1)], twist->a1_B),
                   a2 = rotate((*c_.q)[idx(link.body2)], twist->a2_B);
        // `excess` counts about the median axis a1 + a2; about its own axis a solid turns by as much as the twist changes.
        const double whole = e.excess * std::sqrt(2 / (1 + dot(a1, a2)));
        turn(to, exp_rotation((first ? whole : -whole) * (first ? a1 : a2)), about);
    }
}

void Placer::clamp_freedoms(const Link& link, int to, const Vec3* about) {
    if (!c_.laws) return;
    const int begin = (*c_.first_law)[idx(link.joint)], end = (*c_.first_law)[idx(link.joint) + 1];
    const LawRow* thread = nullptr;
    for (int k = begin; k < end; ++k)
        if (std::holds_alternative<ScrewCoordinate>(*(*c_.laws)[idx(k)].coordinate)) thread = &(*c_.laws)[idx(k)];
    for (int k = begin; k < end; ++k)
        if (&(*c_.laws)[idx(k)] != thread) clamp_row((*c_.laws)[idx(k)], thread, to, about);
    if (thread) clamp_row(*thread, nullptr, to, about);
}

/// The axis about which, or along which, solid 1 moves to raise the coordinate by as much; of `to`, where it has a choice.
struct AxisOf {
    const Quat &q1, &q2;
    bool first;
    const CoordinateValue& now;
    Vec3 operator()(const SlideCoordinate& c) const { return rotate(q2, c.axis_2); }
    Vec3 operator()(const ScrewCoordinate& c) const { return rotate(q2, c.slide.axis_2); }
    Vec3 operator()(const TurnCoordinate& c) const { return first ? rotate(q1, c.a1_B) : rotate(q2, c.a2_B); }
    Vec3 operator()(const SwingCoordinate&) const { return now.angular1; }
    Vec3 operator()(const DialCoordinate& c) const { return rotate(c.side > 0 ? q2 : q1, c.a_B); }
};

void Placer::clamp_row(const LawRow& row, const LawRow* thread, int to, const Vec3* about) {
    const CoordinateValue now = measure(*row.coordinate, at(row.body1), at(row.body2), row.turns_near);
    double excess = now.value - row.target;
    if (row.low == 0) excess = std::min(excess, 0.0);
    if (row.high == 0) excess = std::max(excess, 0.0);
    if (excess == 0) return;
    const bool first = to == row.body1;
    const AxisOf axis_of{(*c_.q)[idx(row.body1)], (*c_.q)[idx(row.body2)], first, now};
    double back = first ? -excess : excess;
    if (!is_length(*row.coordinate)) return turn(to, exp_rotation(back * std::visit(axis_of, *row.coordinate)), about);
    if (thread) {  // the nut can only go back by turning; the thread then takes it along
        const auto& screw = std::get<ScrewCoordinate>(*thread->coordinate);
        if (screw.per_radian != 0)
            return turn(to, exp_rotation((back / screw.per_radian) * axis_of(screw.turn)), about);
    }
    (*c_.x)[idx(to)] += back * std::visit(axis_of, *row.coordinate);
}

void Placer::leave_floor(const Link& link, int to, const Vec3* about) {
    for (int k = 0; k < 3; ++k) {
        const FloorPoint p = floors_.deepest(to, *c_.x, *c_.q);
        if (!(p.depth > 0)) return;
        const Vec3 arm = p.point - *about;
        Vec3 axis = cross(arm, p.normal);
        if (link.turning == Link::Turning::locked) return;
        if (link.turning == Link::Turning::hinge) {
            axis = hinge_axis(link, link.body1);
        }
        const double n = norm(axis);
        if (!(n > 1e-9 * norm(arm))) return;
        turn(to, exp_rotation(rise(arm, axis / n, p.normal, p.depth) * (axis / n)), about);
    }
}

double Placer::error(const Link& link) const {
    const Placement b1 = at(link.body1), b2 = at(link.body2);
    const double slack = slack_of(link);
    double worst = 0;
    for (const Part& part : joint_of(link).parts) worst = std::max(worst, violation(part, b1, b2) - slack);
    return worst;
}

}  // namespace armature

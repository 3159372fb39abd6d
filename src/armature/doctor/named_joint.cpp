#include "armature/doctor/named_joint.h"

#include <algorithm>
#include <cmath>

namespace armature::doctor {

namespace {

enum class Place { none, point, line, plane, other };
enum class Turn { none, aligned, right_angle, other };

Place place_of(const ConstraintSpec& c) {
    if (!c.hinge) return Place::none;
    if (std::holds_alternative<PointDomain>(c.hinge->domain)) return Place::point;
    if (const auto* s = std::get_if<SegmentDomain>(&c.hinge->domain))
        return s->min == -infinity && s->max == infinity ? Place::line : Place::other;
    if (const auto* r = std::get_if<RingDomain>(&c.hinge->domain))
        return r->min == 0 && r->max == infinity ? Place::plane : Place::other;
    return Place::other;
}

Turn turn_of(const ConstraintSpec& c) {
    if (!c.angle) return Turn::none;
    if (c.angle->min == 0 && c.angle->max == 0) return Turn::aligned;
    if (std::fabs(c.angle->min - pi / 2) < 1e-12 && c.angle->min == c.angle->max) return Turn::right_angle;
    return Turn::other;
}

std::optional<JointType> type_of(const ConstraintSpec& c) {
    const Place place = place_of(c);
    const Turn turn = turn_of(c);
    if (c.twist) {
        if (turn != Turn::aligned || c.twist->min != 0 || c.twist->max != 0 || c.screw) return {};
        if (place == Place::point) return JointType::embedding;
        if (place == Place::line) return JointType::sliding;
        return {};
    }
    if (c.screw) return place == Place::line && turn == Turn::aligned ? std::optional(JointType::screw) : std::nullopt;
    struct Row {
        Place place;
        Turn turn;
        JointType type;
    };
    for (const Row& row : {Row{Place::point, Turn::aligned, JointType::pin},
                           {Place::line, Turn::aligned, JointType::cylindrical},
                           {Place::plane, Turn::aligned, JointType::plane_on_plane},
                           {Place::point, Turn::none, JointType::ball},
                           {Place::point, Turn::right_angle, JointType::universal},
                           {Place::plane, Turn::right_angle, JointType::cylinder_on_plane},
                           {Place::line, Turn::none, JointType::ball_in_cylinder},
                           {Place::plane, Turn::none, JointType::ball_on_plane}})
        if (row.place == place && row.turn == turn) return row.type;
    return {};
}

bool acts(const FreedomSpec& f) {
    for (const ScalarTrack* t : {&f.min, &f.max, &f.stiffness, &f.damping, &f.force, &f.speed})
        if (t->given()) return true;
    return false;
}

Vec3 across_or(const Vec3& wanted, const Vec3& axis) {
    const Vec3 u = normalized(axis);
    return norm(wanted - dot(wanted, u) * u) > 1e-9 ? wanted : any_perpendicular(u);
}

}  // namespace

std::optional<NamedJoint> recognise(const ConstraintSpec& c) {
    const std::optional<JointType> type = type_of(c);
    if (!type) return {};
    NamedJoint j;
    j.type = *type;
    j.L1.at_B = c.hinge->p1_B;
    j.L2.at_B = c.hinge->p2_B;
    if (c.screw) j.pitch = c.screw->pitch;
    // The freedoms of a joint carry its frames; the parts tell the rest.
    for (const FreedomSpec& f : c.freedoms) {
        if (f.kind == FreedomKind::slide) continue;
        const bool dial = f.kind == FreedomKind::dial1 || f.kind == FreedomKind::dial2;
        j.L2.main_B = f.axis2_B;
        j.L2.second_B = f.across2_B;
        j.L1.main_B = dial ? f.across1_B : f.axis1_B;
        j.L1.second_B = dial ? f.axis1_B : f.across1_B;
        if (f.kind != FreedomKind::dial2) break;  // its across1 is j1; the other dial has i1
    }
    if (const auto* s = std::get_if<SegmentDomain>(&c.hinge->domain)) j.L2.main_B = s->axis_2;
    if (const auto* r = std::get_if<RingDomain>(&c.hinge->domain)) j.L2.main_B = r->normal_2;
    if (c.angle && turn_of(c) == Turn::aligned) {
        j.L1.main_B = c.angle->a1_B;
        j.L2.main_B = c.angle->a2_B;
    } else if (c.angle) {
        j.L1.second_B = c.angle->a1_B;
        j.L2.main_B = c.angle->a2_B;
        if (c.freedoms.empty()) j.L1.main_B = any_perpendicular(normalized(c.angle->a1_B));
    }
    if (c.twist) {
        j.L1.second_B = c.twist->b1_B;
        j.L2.second_B = c.twist->b2_B;
    }
    j.L1.second_B = across_or(j.L1.second_B, j.L1.main_B);
    j.L2.second_B = across_or(j.L2.second_B, j.L2.main_B);
    return j;
}

bool something_acts(const ConstraintSpec& c) {
    return std::any_of(c.freedoms.begin(), c.freedoms.end(), acts);
}

std::optional<ConstraintSpec> remade(const ConstraintSpec& c, const NamedJoint& as) {
    ConstraintSpec made = make_joint(as.type, c.solid1, as.L1, c.solid2, as.L2, as.pitch);
    for (const FreedomSpec& f : c.freedoms) {
        if (!acts(f)) continue;
        FreedomSpec* same = find_freedom(made, f.name);
        if (same == nullptr || same->kind != f.kind) return {};
        same->restitution = f.restitution;
        for (auto value : {&FreedomSpec::min, &FreedomSpec::max, &FreedomSpec::stiffness, &FreedomSpec::rest,
                           &FreedomSpec::damping, &FreedomSpec::force, &FreedomSpec::speed, &FreedomSpec::max_force})
            same->*value = f.*value;
    }
    ConstraintSpec out = c;
    out.hinge = made.hinge;
    out.angle = made.angle;
    out.twist = made.twist;
    out.screw = made.screw;
    out.freedoms = made.freedoms;
    return out;
}

}  // namespace armature::doctor

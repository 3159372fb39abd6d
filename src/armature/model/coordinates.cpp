#include "armature/model/coordinates.h"

#include <cmath>

namespace armature {

namespace {

CoordinateValue slide(const SlideCoordinate& c, const Placement& b1, const Placement& b2) {
    const Vec3 u = b2.R * c.axis_2;
    const Vec3 r1 = b1.R * c.p1_G, P1 = b1.x + r1;
    const Vec3 P2 = b2.x + b2.R * c.p2_G;
    return {dot(u, P1 - P2), u, cross(r1, u), -cross(P1 - b2.x, u)};
}

double near_turn(double angle, double near) {
    return angle - 2 * pi * std::round((angle - near) / (2 * pi));
}

CoordinateValue turn(const TurnCoordinate& c, const Placement& b1, const Placement& b2, double near) {
    const Vec3 a1 = b1.R * c.a1_B, a2 = b2.R * c.a2_B;
    const double s = 1 + dot(a1, a2);
    if (s < 1e-9) return {near, {}, {}, {}};  // opposite axes: the turn is not defined
    const Vec3 b1w = rotate(shortest_arc(a1, a2), b1.R * c.b1_B), b2w = b2.R * c.b2_B;
    const double angle = std::atan2(dot(a2, cross(b2w, b1w)), dot(b1w, b2w));
    const Vec3 axis = (a1 + a2) / s;
    return {near_turn(angle, near), {}, axis, -axis};
}

CoordinateValue dial(const DialCoordinate& c, const Placement& b1, const Placement& b2, double near) {
    const Placement& carrier = c.side > 0 ? b2 : b1;
    const Placement& other = c.side > 0 ? b1 : b2;
    const Vec3 a = carrier.R * c.a_B, z = carrier.R * c.z_B, p = other.R * c.p_B;
    const Vec3 across = p - dot(p, a) * a;
    const double s = norm2(across);
    if (s < 1e-18) return {near, {}, {}, {}};  // the pointer stands on the dial: it shows nothing
    const double angle = c.side * std::atan2(dot(p, cross(a, z)), dot(p, z));
    const Vec3 axis = cross(p, cross(a, across)) / s;
    return {near_turn(angle, near), {}, axis, -axis};
}

CoordinateValue swing(const SwingCoordinate& c, const Placement& b1, const Placement& b2) {
    const Vec3 a1 = b1.R * c.a1_B, a2 = b2.R * c.a2_B;
    const Vec3 n = cross(a2, a1);
    const double s = norm(n);
    // Parallel axes leave the plane of turning open; any_perpendicular picks the same one each time.
    const Vec3 axis = s > 1e-12 ? n / s : any_perpendicular(a1);
    return {std::atan2(s, dot(a1, a2)), {}, axis, -axis};
}

struct Measure {
    const Placement &b1, &b2;
    double near;
    CoordinateValue operator()(const SlideCoordinate& c) const { return slide(c, b1, b2); }
    CoordinateValue operator()(const TurnCoordinate& c) const { return turn(c, b1, b2, near); }
    CoordinateValue operator()(const SwingCoordinate& c) const { return swing(c, b1, b2); }
    CoordinateValue operator()(const DialCoordinate& c) const { return dial(c, b1, b2, near); }
    CoordinateValue operator()(const ScrewCoordinate& c) const {
        const CoordinateValue l = slide(c.slide, b1, b2), t = turn(c.turn, b1, b2, near);
        return {l.value - c.per_radian * t.value - c.offset, l.linear, l.angular1 - c.per_radian * t.angular1,
                l.angular2 - c.per_radian * t.angular2};
    }
};

}  // namespace

CoordinateValue measure(const Coordinate& coordinate, const Placement& b1, const Placement& b2, double turns_near) {
    return std::visit(Measure{b1, b2, turns_near}, coordinate);
}

double turn_of(const Coordinate& coordinate, const Placement& b1, const Placement& b2, double turns_near) {
    if (const auto* t = std::get_if<TurnCoordinate>(&coordinate)) return turn(*t, b1, b2, turns_near).value;
    if (const auto* d = std::get_if<DialCoordinate>(&coordinate)) return dial(*d, b1, b2, turns_near).value;
    if (const auto* s = std::get_if<ScrewCoordinate>(&coordinate)) return turn(s->turn, b1, b2, turns_near).value;
    return 0;
}

}  // namespace armature

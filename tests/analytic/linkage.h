// Planar linkages in the plane z = 0, built of rods between points: ball joints at the ends, and every rod's z axis held
// along the world's, so that the plane is kept without saying so twice.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "analytic/analytic.h"

namespace armature::analytic {

/// A point of a mechanism and its velocity.
struct Point {
    Vec3 at, v;
};
/// A point that moves as `place(t)`, at t = 0.
inline Point moving(const std::function<Vec3(double)>& place) {
    const double e = 1e-5;
    return {place(0), (place(e) - place(-e)) / (2 * e)};
}

/// A rod from P to Q, moving with them. Its own frame is in the middle, x along it: its ends are ±half(rod).
inline void add_rod(Spec& spec, const std::string& name, const Point& P, const Point& Q) {
    const Vec3 along = Q.at - P.at;
    const double length = norm(along);
    SolidSpec& rod = spec.add_solid(name);
    rod.shapes.emplace_back().geometry = Box{{length, 0.04, 0.04}};
    rod.pose_WB = {0.5 * (P.at + Q.at), from_axis_angle({0, 0, 1}, std::atan2(along.y, along.x))};
    rod.velocity = 0.5 * (P.v + Q.v);
    rod.spin = cross(along, Q.v - P.v) / (length * length);
    spec.add_constraint(name, "world").angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
}
inline Vec3 half(const Spec& spec, const std::string& rod) {
    for (const SolidSpec& s : spec.solids)
        if (s.name == rod) return {0.5 * std::get<Box>(s.shapes[0].geometry).size.x, 0, 0};
    return {};
}
inline void join(Spec& spec, const std::string& a, const Vec3& at_a, const std::string& b, const Vec3& at_b) {
    HingeSpec& hinge = spec.add_constraint(a, b).hinge.emplace();
    hinge.p1_B = at_a;
    hinge.p2_B = at_b;
}

/// A solid that turns about the z axis through `pivot` as angle(t) says.
inline void add_crank(Spec& spec, const std::string& name, const Vec3& pivot,
                      const std::function<double(double)>& angle, Interpolation interpolation, double spacing,
                      double end) {
    SolidSpec& crank = spec.add_solid(name);
    crank.kernel = Kernel::path;
    crank.path.interpolation = interpolation;
    for (int i = -1; (i - 1) * spacing < end; ++i) {
        const double t = i * spacing;
        crank.path.keys.push_back({t, {pivot, from_axis_angle({0, 0, 1}, angle(t))}});
    }
}

}  // namespace armature::analytic

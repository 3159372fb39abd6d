#include "armature/solvers/procedural/compulsive.h"

#include <cmath>

#include "armature/math/constants.h"

namespace armature {

namespace {

/// A cross product below this share of its factors is round-off, not an axis.
constexpr double no_axis = 1e-14;

}  // namespace

double compulsive_angle(double phi, double r_times_s, double h) {
    if (!(r_times_s > 0)) return 0;
    return phi * std::exp(-h / r_times_s);
}

Quat compulsive_turn(const Vec3& r, const Vec3& s, double h) {
    const double rs = norm(r) * norm(s);
    const Vec3 n = cross(r, s);
    const double sine = norm(n);
    if (!(sine > no_axis * rs)) return {};
    return exp_rotation((compulsive_angle(std::atan2(sine, dot(r, s)), rs, h) / sine) * n);
}

Quat following_turn(const Vec3& a, const Vec3& s) {
    // Without normalising a and a + s: the quaternion (|a||b| + a·b, a × b) is the smallest turn from a to b, unscaled.
    const Vec3 b = a + s, n = cross(a, s);
    const double lengths = std::sqrt(norm2(a) * norm2(b)), w = lengths + dot(a, b);
    const double n2 = norm2(n);
    if (!(std::sqrt(n2) > no_axis * std::sqrt(norm2(a) * norm2(s)))) return {};
    if (!(w > 1e-8 * lengths)) return exp_rotation((std::atan2(std::sqrt(n2), dot(a, b)) / std::sqrt(n2)) * n);
    const double scale = 1 / std::sqrt(w * w + n2);
    return {scale * w, scale * n.x, scale * n.y, scale * n.z};
}

Quat fitting_turn(const std::vector<Vec3>& points, const Vec3& c2, const Vec3& s, const Vec3* axis) {
    Vec3 sum;
    double squares = 0;
    for (const Vec3& f : points) {
        sum += f - c2;
        squares += norm2(f - c2);
    }
    Vec3 n = cross(s, sum);
    if (axis) n = dot(n, *axis) * *axis;
    const double sine = norm(n);
    // Points on the very spot that is pulled, to round-off, say nothing about the turn.
    if (!(squares > 1e-24 * norm2(c2)) || !(sine > no_axis * std::sqrt(norm2(s) * norm2(sum)))) return {};
    double cosine = squares - dot(s, sum);
    for (const Vec3& f : points) {
        const double along = dot(f - c2, n) / sine;
        cosine -= along * (along - dot(s, n) / sine);
    }
    return exp_rotation((std::atan2(sine, cosine) / sine) * n);
}

double suitable_h(const Vec3& r, double reach, const Vec3& s) {
    const Vec3 a = reach * r;
    const double phi = std::atan2(norm(cross(r, s)), dot(r, s));
    const double psi = std::atan2(norm(cross(a, s)), dot(a, a + s));
    if (!(psi > 0)) return infinity;
    return norm(r) * norm(s) * std::log(phi / psi);
}

}  // namespace armature

#include "armature/math/quat.h"

#include <algorithm>

namespace armature {

Quat exp_large_rotation(const Vec3& phi) {
    const double h2 = 0.25 * norm2(phi);
    if (h2 < moderate_turn2) {
        const double r = 1 - h2 * (1.0 / 42) * (1 - h2 * (1.0 / 72) * (1 - h2 * (1.0 / 110) * (1 - h2 * (1.0 / 156))));
        const double c = 1 - h2 * (1.0 / 56) * (1 - h2 * (1.0 / 90) * (1 - h2 * (1.0 / 132) * (1 - h2 * (1.0 / 182))));
        const double s = 0.5 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 20) * r);
        const double w = 1 - h2 * 0.5 * (1 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 30) * c));
        return {w, s * phi.x, s * phi.y, s * phi.z};
    }
    const double h = 0.5 * norm(phi);
    const double s = 0.5 * std::sin(h) / h;
    return {std::cos(h), s * phi.x, s * phi.y, s * phi.z};
}

Vec3 log_rotation(const Quat& q0) {
    const Quat q = q0.w < 0 ? Quat{-q0.w, -q0.x, -q0.y, -q0.z} : q0;  // the shorter of the two ways round
    const double s2 = norm2(q.vec());
    if (s2 < 1e-3) {  // arcsin(s)/s; the first dropped term is below 1e-19
        const double ratio =
            1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112 + s2 * (35.0 / 1152 + s2 * (63.0 / 2816)))));
        return 2 * ratio * q.vec();
    }
    const double s = std::sqrt(s2);
    return (2.0 * std::atan2(s, q.w) / s) * q.vec();
}

Quat from_matrix(const Mat3& R) {
    // Start from the largest of the four components: the others are divided by it.
    const double t = trace(R);
    Quat q;
    if (t > 0) {
        q = {1 + t, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
    } else if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
        q = {R(2, 1) - R(1, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2), R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)};
    } else if (R(1, 1) >= R(2, 2)) {
        q = {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 - R(0, 0) + R(1, 1) - R(2, 2), R(1, 2) + R(2, 1)};
    } else {
        q = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 - R(0, 0) - R(1, 1) + R(2, 2)};
    }
    return normalized(q);
}

Quat from_axis_angle(const Vec3& axis, double angle) {
    return exp_rotation(angle * normalized(axis));
}

Quat shortest_arc(const Vec3& a, const Vec3& b) {
    const Vec3 v = cross(a, b);
    const double c = dot(a, b);
    if (c > -0.9) return normalized(Quat{1 + c, v.x, v.y, v.z});
    // Near opposite vectors 1 + c has lost its digits: take the angle from sine and cosine, and clean the axis.
    const double s = norm(v);
    if (s < 1e-15) {
        const Vec3 p = any_perpendicular(a);
        return {0, p.x, p.y, p.z};
    }
    const Vec3 axis = normalized(v - dot(a, v) * a);
    return exp_rotation(std::atan2(s, c) * axis);
}

Quat slerp(const Quat& a, const Quat& b, double u) {
    return normalized(exp_rotation(u * log_rotation(b * conjugate(a))) * a);
}

}  // namespace armature

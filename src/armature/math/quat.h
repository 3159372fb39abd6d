// Unit quaternions for orientations and the exact exponential map.
//
//   q = (w, v): the rotation by θ about the unit axis u is w = cos(θ/2), v = sin(θ/2) u.
//   exp_rotation(φ)  turns a rotation vector φ = θ u into its quaternion, exactly for any θ;
//   log_rotation(q)  is the rotation vector of q with |φ| ≤ π.
// A rotation in world axes acts from the left: q ← exp_rotation(ω dt) q.
#pragma once

#include "armature/math/mat3.h"

namespace armature {

struct Quat {
    double w = 1, x = 0, y = 0, z = 0;

    Vec3 vec() const { return {x, y, z}; }
    bool operator==(const Quat&) const = default;
};

inline Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat conjugate(const Quat& q) {
    return {q.w, -q.x, -q.y, -q.z};
}
inline double norm2(const Quat& q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
/// What makes a unit of q, |q|² = 1 + e. Nearly all that come here are units but for round-off: they need neither a root nor a
/// division, for the next term of the series, ⅜ e², is below 4e-17; and what is one to the last digits stays as it is.
inline constexpr double nearly_unit = 1e-8, as_good_as_unit = 0x1p-50;
inline Quat normalized(const Quat& q) {
    const double n2 = norm2(q), e = n2 - 1;
    if (e < nearly_unit && -e < nearly_unit) {
        const double s = e <= as_good_as_unit && -e <= as_good_as_unit ? 1 : 1 - 0.5 * e;
        return {s * q.w, s * q.x, s * q.y, s * q.z};
    }
    if (!(n2 > 0)) return {};
    const double s = 1 / std::sqrt(n2);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}
inline bool is_finite(const Quat& q) {
    return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

inline Mat3 to_matrix(const Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
                 wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
            {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
            {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
inline Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u = q.vec();
    const Vec3 t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
inline Vec3 rotate_back(const Quat& q, const Vec3& v) {
    return rotate(conjugate(q), v);
}

/// The quaternion of the rotation vector φ. sin(h)/h and cos(h), h = θ/2, by series: no division by a vanishing angle, no call
/// to sin and cos, which not every machine rounds alike, and lanes.h has them too. For turns up to 0.2 rad, what nearly all turns of
/// a step are, the first dropped term is below 3e-17, and up to 1 rad below 5e-17.
inline constexpr double small_turn2 = 0.01, moderate_turn2 = 0.25;  // (θ/2)²
Quat exp_large_rotation(const Vec3& phi);
inline Quat exp_rotation(const Vec3& phi) {
    const double h2 = 0.25 * norm2(phi);  // (θ/2)²
    if (!(h2 < small_turn2)) return exp_large_rotation(phi);
    const double s = 0.5 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 20) * (1 - h2 * (1.0 / 42) * (1 - h2 * (1.0 / 72))));
    const double w = 1 - h2 * 0.5 * (1 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 30) * (1 - h2 * (1.0 / 56))));
    return {w, s * phi.x, s * phi.y, s * phi.z};
}
Vec3 log_rotation(const Quat& q);
Quat from_matrix(const Mat3& R);
Quat from_axis_angle(const Vec3& axis, double angle);

/// The smallest rotation that takes the unit vector a to the unit vector b. Opposite vectors have no smallest one:
/// then the turn is by π about any_perpendicular(a).
Quat shortest_arc(const Vec3& a, const Vec3& b);

/// q ← exp(φ) q, renormalised.
inline Quat turned(const Quat& q, const Vec3& phi) {
    return normalized(exp_rotation(phi) * q);
}

/// Spherical linear interpolation along the shorter way.
Quat slerp(const Quat& a, const Quat& b, double u);

}  // namespace armature

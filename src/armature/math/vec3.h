// Vectors of three doubles.
//
// Why not a general matrix library here: every operation of the step is written out in one fixed order, so that
// the state is the same to the last bit with any compiler and any optimisation level (built with
// -ffp-contract=off), and the headers of the hot loops compile in milliseconds.
#pragma once

#include <cmath>

namespace armature {

struct Vec3 {
    double x = 0, y = 0, z = 0;

    double& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
    double operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
    bool operator==(const Vec3&) const = default;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator-(const Vec3& a) {
    return {-a.x, -a.y, -a.z};
}
inline Vec3 operator*(double s, const Vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline Vec3 operator*(const Vec3& a, double s) {
    return {s * a.x, s * a.y, s * a.z};
}
inline Vec3 operator/(const Vec3& a, double s) {
    return {a.x / s, a.y / s, a.z / s};
}
inline Vec3& operator+=(Vec3& a, const Vec3& b) {
    return a = a + b;
}
inline Vec3& operator-=(Vec3& a, const Vec3& b) {
    return a = a - b;
}
inline Vec3& operator*=(Vec3& a, double s) {
    return a = s * a;
}

inline double dot(const Vec3& a, const Vec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3 cwise_product(const Vec3& a, const Vec3& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline double norm2(const Vec3& a) {
    return dot(a, a);
}
inline double norm(const Vec3& a) {
    return std::sqrt(dot(a, a));
}

inline bool is_finite(const Vec3& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// a / |a|. A vector too short to have a direction gives `fallback`, never a NaN.
inline Vec3 normalized(const Vec3& a, const Vec3& fallback = {1, 0, 0}) {
    // Scale first: squaring 1e-200 would underflow although the direction is perfectly good.
    const double s = std::fmax(std::fabs(a.x), std::fmax(std::fabs(a.y), std::fabs(a.z)));
    if (!(s > 1e-300) || !std::isfinite(s)) return fallback;
    const Vec3 b = a / s;
    return b / norm(b);
}

/// A unit vector at right angles to the unit vector n (the same one every time).
inline Vec3 any_perpendicular(const Vec3& n) {
    const Vec3 e = std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    return normalized(cross(n, e));
}

}  // namespace armature

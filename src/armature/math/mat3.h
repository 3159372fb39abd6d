// 3 × 3 matrices, stored by rows. See vec3.h for why they are written by hand.
#pragma once

#include "armature/math/vec3.h"

namespace armature {

struct Mat3 {
    Vec3 row0{}, row1{}, row2{};

    static Mat3 identity() { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; }
    static Mat3 diagonal(const Vec3& d) { return {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}; }
    static Mat3 from_columns(const Vec3& a, const Vec3& b, const Vec3& c) {
        return {{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}};
    }

    Vec3& row(int i) { return i == 0 ? row0 : (i == 1 ? row1 : row2); }
    const Vec3& row(int i) const { return i == 0 ? row0 : (i == 1 ? row1 : row2); }
    double operator()(int i, int j) const { return row(i)[j]; }
    double& operator()(int i, int j) { return row(i)[j]; }
    bool operator==(const Mat3&) const = default;
};

inline Vec3 operator*(const Mat3& m, const Vec3& v) {
    return {dot(m.row0, v), dot(m.row1, v), dot(m.row2, v)};
}
/// mᵀ v without forming mᵀ.
inline Vec3 transposed_times(const Mat3& m, const Vec3& v) {
    return {m.row0.x * v.x + m.row1.x * v.y + m.row2.x * v.z, m.row0.y * v.x + m.row1.y * v.y + m.row2.y * v.z,
            m.row0.z * v.x + m.row1.z * v.y + m.row2.z * v.z};
}
inline Mat3 transposed(const Mat3& m) {
    return Mat3::from_columns(m.row0, m.row1, m.row2);
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) {
    return {transposed_times(b, a.row0), transposed_times(b, a.row1), transposed_times(b, a.row2)};
}
inline Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {a.row0 + b.row0, a.row1 + b.row1, a.row2 + b.row2};
}
inline Mat3 operator-(const Mat3& a, const Mat3& b) {
    return {a.row0 - b.row0, a.row1 - b.row1, a.row2 - b.row2};
}
inline Mat3 operator*(double s, const Mat3& a) {
    return {s * a.row0, s * a.row1, s * a.row2};
}
inline Mat3& operator+=(Mat3& a, const Mat3& b) {
    return a = a + b;
}

inline double trace(const Mat3& m) {
    return m.row0.x + m.row1.y + m.row2.z;
}
inline double determinant(const Mat3& m) {
    return dot(m.row0, cross(m.row1, m.row2));
}
inline Mat3 outer(const Vec3& a, const Vec3& b) {
    return {a.x * b, a.y * b, a.z * b};
}
/// The cross-product matrix: skew(w) v = w × v.
inline Mat3 skew(const Vec3& w) {
    return {{0, -w.z, w.y}, {w.z, 0, -w.x}, {-w.y, w.x, 0}};
}

inline bool is_finite(const Mat3& m) {
    return is_finite(m.row0) && is_finite(m.row1) && is_finite(m.row2);
}

/// m⁻¹; the caller knows that m is regular.
inline Mat3 inverse(const Mat3& m) {
    const Vec3 c0 = cross(m.row1, m.row2), c1 = cross(m.row2, m.row0), c2 = cross(m.row0, m.row1);
    const double s = 1.0 / dot(m.row0, c0);
    return Mat3::from_columns(s * c0, s * c1, s * c2);
}

/// R D Rᵀ for a symmetric D, exactly symmetric.
inline Mat3 congruence(const Mat3& R, const Mat3& D) {
    const Mat3 A = R * D;
    const double xx = dot(A.row0, R.row0), xy = dot(A.row0, R.row1), xz = dot(A.row0, R.row2);
    const double yy = dot(A.row1, R.row1), yz = dot(A.row1, R.row2), zz = dot(A.row2, R.row2);
    return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}

/// Eigenvalues (ascending) of a symmetric matrix and its unit eigenvectors as columns, right-handed. Jacobi's
/// rotations: slower than a closed formula and right to the last digits for repeated eigenvalues.
struct SymmetricEigen {
    Vec3 values;
    Mat3 vectors;
};
SymmetricEigen symmetric_eigen(const Mat3& m);

}  // namespace armature

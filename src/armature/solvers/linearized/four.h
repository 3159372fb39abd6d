// Vectors and 3 × 3 matrices whose operations are single instructions on four numbers at once, for inner loops: x, y, z and a
// fourth that is always zero. Each number is computed by the same operations in the same order as in math/vec3.h; the bits do
// not depend on whether a machine does them one, two or four at a time.
//
// Everything here is inlined into its caller by force: the same source becomes code for plain machines and, in functions marked
// for it, for those with wider instructions.
#pragma once

#include "armature/math/lanes.h"
#include "armature/math/mat3.h"

namespace armature::four {

using V = double __attribute__((vector_size(32)));

/// A V in an array. Wide instructions want it at multiples of 32 bytes, which a compiler for plain machines does not know.
struct alignas(32) Cell {
    V v;
};

ARMATURE_INLINE V load(const Vec3& v) {
    return V{v.x, v.y, v.z, 0};
}
ARMATURE_INLINE Vec3 store(const V& v) {
    return {v[0], v[1], v[2]};
}
ARMATURE_INLINE V all(double s) {
    return V{s, s, s, s};
}
ARMATURE_INLINE V yzx(const V& a) {
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}
ARMATURE_INLINE V cross(const V& a, const V& b) {
    return yzx(a * yzx(b) - yzx(a) * b);
}
ARMATURE_INLINE double dot(const V& a, const V& b) {
    const V p = a * b;
    return p[0] + p[1] + p[2];
}

/// By columns.
struct alignas(32) M {
    V c0, c1, c2;
};
ARMATURE_INLINE M load(const Mat3& m) {
    return {V{m.row0.x, m.row1.x, m.row2.x, 0}, V{m.row0.y, m.row1.y, m.row2.y, 0}, V{m.row0.z, m.row1.z, m.row2.z, 0}};
}
ARMATURE_INLINE M zero() {
    return {V{}, V{}, V{}};
}
ARMATURE_INLINE M operator+(const M& a, const M& b) {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
}
ARMATURE_INLINE M operator-(const M& a, const M& b) {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
ARMATURE_INLINE V operator*(const M& a, const V& b) {
    return a.c0 * all(b[0]) + a.c1 * all(b[1]) + a.c2 * all(b[2]);
}
ARMATURE_INLINE M operator*(const M& a, const M& b) {
    return {a * b.c0, a * b.c1, a * b.c2};
}
/// a [r]
ARMATURE_INLINE M times_skew(const M& a, const V& r) {
    const V x = all(r[0]), y = all(r[1]), z = all(r[2]);
    return {z * a.c1 - y * a.c2, x * a.c2 - z * a.c0, y * a.c0 - x * a.c1};
}
ARMATURE_INLINE M skew(const V& r) {
    return {V{0, r[2], -r[1], 0}, V{-r[2], 0, r[0], 0}, V{r[1], -r[0], 0, 0}};
}
ARMATURE_INLINE M transposed(const M& m) {
    const V none{};
    const V a = __builtin_shufflevector(m.c0, m.c1, 0, 4, 2, 6), b = __builtin_shufflevector(m.c0, m.c1, 1, 5, 3, 7);
    const V c = __builtin_shufflevector(m.c2, none, 0, 4, 2, 6), d = __builtin_shufflevector(m.c2, none, 1, 5, 3, 7);
    return {__builtin_shufflevector(a, c, 0, 1, 4, 5), __builtin_shufflevector(b, d, 0, 1, 4, 5),
            __builtin_shufflevector(a, c, 2, 3, 6, 7)};
}
/// The rows of the inverse times the determinant, and that.
struct Adjugate {
    M rows;
    double determinant;
};
ARMATURE_INLINE Adjugate adjugate(const M& m) {
    const V r0 = cross(m.c1, m.c2);
    return {{r0, cross(m.c2, m.c0), cross(m.c0, m.c1)}, dot(m.c0, r0)};
}
/// The caller knows that m is regular.
ARMATURE_INLINE M inverse(const M& m) {
    const Adjugate a = adjugate(m);
    const V s = all(1 / a.determinant);
    return transposed({s * a.rows.c0, s * a.rows.c1, s * a.rows.c2});
}

}  // namespace armature::four

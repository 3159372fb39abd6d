// Vectors of the plane and 2 × 2 matrices, a matrix or two vectors in one instruction on four numbers; what four.h is in space.
#pragma once

#include "armature/math/lanes.h"

namespace armature::two {

using V = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));

/// A V in an array.
struct alignas(16) Cell {
    V v;
};
/// Two vectors side by side.
struct alignas(32) Pair {
    Four v;
};

ARMATURE_INLINE V all(double s) {
    return V{s, s};
}
ARMATURE_INLINE Four both(const V& a) {
    return __builtin_shufflevector(a, a, 0, 1, 0, 1);
}
ARMATURE_INLINE Four beside(const V& a, const V& b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3);
}
ARMATURE_INLINE V first(const Four& a) {
    return __builtin_shufflevector(a, a, 0, 1);
}
ARMATURE_INLINE V second(const Four& a) {
    return __builtin_shufflevector(a, a, 2, 3);
}
/// (y, x) of both.
ARMATURE_INLINE Four swapped(const Four& a) {
    return __builtin_shufflevector(a, a, 1, 0, 3, 2);
}
ARMATURE_INLINE double dot(const V& a, const V& b) {
    const V p = a * b;
    return p[0] + p[1];
}

/// By columns: m00 m10 m01 m11.
struct alignas(32) M {
    Four v;
};
ARMATURE_INLINE M zero() {
    return {Four{}};
}
ARMATURE_INLINE M scaled_one(double s) {
    return {Four{s, 0, 0, s}};
}
/// a bᵀ
ARMATURE_INLINE M outer(const V& a, const V& b) {
    return {both(a) * __builtin_shufflevector(b, b, 0, 0, 1, 1)};
}
ARMATURE_INLINE M operator+(const M& a, const M& b) {
    return {a.v + b.v};
}
ARMATURE_INLINE M operator-(const M& a, const M& b) {
    return {a.v - b.v};
}
ARMATURE_INLINE V operator*(const M& a, const V& b) {
    const Four p = a.v * __builtin_shufflevector(b, b, 0, 0, 1, 1);
    return first(p) + second(p);
}
ARMATURE_INLINE M operator*(const M& a, const M& b) {
    return {__builtin_shufflevector(a.v, a.v, 0, 1, 0, 1) * __builtin_shufflevector(b.v, b.v, 0, 0, 2, 2) +
            __builtin_shufflevector(a.v, a.v, 2, 3, 2, 3) * __builtin_shufflevector(b.v, b.v, 1, 1, 3, 3)};
}
/// In two rows elimination loses no digit that the determinant keeps.
ARMATURE_INLINE M pivot_inverse(const M& m) {
    const double s = 1 / (m.v[0] * m.v[3] - m.v[2] * m.v[1]);
    const Four adjugate = __builtin_shufflevector(m.v, -m.v, 3, 5, 6, 0);
    return {Four{s, s, s, s} * adjugate};
}

}  // namespace armature::two

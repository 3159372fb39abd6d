// K = ∂T/∂φ of bilateral.h, and what a body between two points gives to the system.
#pragma once

#include "armature/solvers/linearized/lockstep/rows.h"

namespace armature::lockstep {

template <class V>
ARMATURE_INLINE Mat<V> slope(const Mat<V>& J, const Vec<V>& theta) {
    const Vec<V> half = all<V>(0.5) * theta;
    // J [½θ] by rows
    return {J.row0 - cross(J.row0, half), J.row1 - cross(J.row1, half), J.row2 - cross(J.row2, half)};
}
template <class V>
ARMATURE_INLINE Mat<V> exact_slope(const Mat<V>& J, const Turned<V>& turned, const Vec<V>& half_spin) {
    const Vec<V>& t = turned.theta;
    const Mat<V> K = slope(J, t);
    // J D⁻¹ with D⁻¹ = 1 − ½[θ] + ¼θθᵀ
    const Vec<V> along = all<V>(0.25) * (J * t);
    return turned(Mat<V>{K.row0 + along.x * t, K.row1 + along.y * t, K.row2 + along.z * t}) -
           skew(turned(J * (t - half_spin)));
}

/// r × by, and m on the diagonal: how far the point at the arm r goes.
template <class V>
ARMATURE_INLINE Mat<V> read_at(const Vec<V>& r, const Mat<V>& by, const V& m) {
    Mat<V> A{r.z * by.row1 - r.y * by.row2, r.x * by.row2 - r.z * by.row0, r.y * by.row0 - r.x * by.row1};
    A.row0.x += m;
    A.row1.y += m;
    A.row2.z += m;
    return A;
}
/// The turns that a unit of force at the arm r makes.
template <class V>
ARMATURE_INLINE Mat<V> turns_at(const Mat<V>& W, const Vec<V>& r) {
    return {cross(W.row0, r), cross(W.row1, r), cross(W.row2, r)};
}

}  // namespace armature::lockstep

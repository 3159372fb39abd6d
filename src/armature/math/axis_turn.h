// Quaternions that turn about one of the axes x, y and z, side by side (lanes.h): w and one number more. Products and units have
// the bits of those in space, where the two others are +0.
#pragma once

#include "armature/math/lanes.h"

namespace armature::lanes {

template <class V>
struct AxisTurn {
    V w, along;

    ARMATURE_INLINE AxisTurn operator*(const AxisTurn& o) const {
        return {w * o.w - along * o.along, w * o.along + along * o.w};
    }
};
template <class V>
ARMATURE_INLINE AxisTurn<V> conjugate(const AxisTurn<V>& q) {
    return {q.w, -q.along};
}
template <class V>
ARMATURE_INLINE AxisTurn<V> normalized(const AxisTurn<V>& q) {
    const V s = to_unit(V(q.w * q.w + q.along * q.along));
    return {s * q.w, s * q.along};
}

/// Of a turn about axis n, and back.
template <int n, class V>
ARMATURE_INLINE AxisTurn<V> about(const Turn<V>& q) {
    return {q.w, number<n>(q.vec())};
}
template <int n, class V>
ARMATURE_INLINE Turn<V> in_space(const AxisTurn<V>& q) {
    const Vec<V> v = along<n>(q.along);
    return {q.w, v.x, v.y, v.z};
}

}  // namespace armature::lanes

// Symmetric 3 × 3 matrices by their six numbers.
#pragma once

#include "armature/math/mat3.h"

namespace armature {

struct Sym3 {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};
inline Sym3 symmetric_part(const Mat3& m) {
    return {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)};
}
inline Mat3 to_matrix(const Sym3& m) {
    return {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
}
inline Sym3 operator*(double s, const Sym3& m) {
    return {s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz};
}
inline Vec3 operator*(const Sym3& m, const Vec3& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}

}  // namespace armature

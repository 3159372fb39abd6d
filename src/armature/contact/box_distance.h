// Points against the solid box |p_i| ≤ h_i.
//
//   outside:  q_i = clamp(p_i, −h_i, h_i),  gap = |p − q|,  n = (p − q)/gap
//   inside:   i = argmin (h_i − |p_i|),  gap = −(h_i − |p_i|),  n = ±e_i          (the nearest face)
// The gap is continuous and convex in p; n jumps where two faces are equally near.
#pragma once

#include "armature/math/vec3.h"

namespace armature::detail {

struct PointOnBox {
    Vec3 q;          ///< the nearest point of the surface
    Vec3 n;          ///< unit, out of the box
    double gap = 0;  ///< p = q + gap n
};

/// Of a point equally near to several faces the first of x, y, z counts, and of two opposite ones the positive.
PointOnBox nearest_on_box(const Vec3& p, const Vec3& h);

inline double clamp_to(double x, double h) {
    return std::fmax(-h, std::fmin(h, x));
}
inline Vec3 clamp_to(const Vec3& p, const Vec3& h) {
    return {clamp_to(p.x, h.x), clamp_to(p.y, h.y), clamp_to(p.z, h.z)};
}

}  // namespace armature::detail

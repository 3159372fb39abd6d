// The points of a shape that come first when a surface with the outward normal n comes towards it.
//
//   ellipsoid:  with D = diag(radii):  the farthest point along n is  c + R D² Rᵀ n / |D Rᵀ n|
//   cylinder:   a its axis, s = sin∠(a, n):  u = −(n − (n·a) a)/s  points to the deepest point of each rim,  ±l a + r u
//   capsule:    the end that comes first:  ±l a − r n;  the other one:  ∓l a + r u
#pragma once

#include "armature/contact/contact_sink.h"

namespace armature::detail {

/// Relative to the centre. |D Rᵀ n| is at least the smallest radius.
inline Vec3 ellipsoid_support(const Vec3& radii, const Relative& X, const Vec3& n) {
    const Vec3 w = cwise_product(radii, transposed_times(X.R, n));
    return X.R * cwise_product(radii, w / norm(w));
}

/// u of the equations above; when the axis is along n every direction is as deep: the local −x then.
inline Vec3 deepest_radial(const Relative& X, const Vec3& n) {
    const Vec3 a = X.axis(1);
    const Vec3 across = n - dot(n, a) * a;
    return -normalized(across, X.axis(0));
}

/// End 0 is at −y, 1 at +y.
inline Vec3 capsule_end_point(const Capsule& s, const Relative& X, int end, const Vec3& n) {
    const Vec3 out = (end == 0 ? -1.0 : 1.0) * X.axis(1);
    const Vec3 centre = X.c + (0.5 * s.length) * out;
    return dot(out, n) <= 0 ? centre - s.radius * n : centre + s.radius * deepest_radial(X, n);
}

/// The rims of a cylinder as n meets them. Rim 0 is at −y, 1 at +y.
struct RimPoints {
    RimPoints(const Cylinder& s, const Relative& X_, const Vec3& n)
        : X(X_), radius(s.radius), half(0.5 * s.length), u(deepest_radial(X_, n)) {
        const double sine = norm(n - dot(n, X.axis(1)) * X.axis(1));
        tilted = sine >= 1e-6;
        flat = sine <= 0.5;
    }

    const Relative& X;
    double radius, half;
    Vec3 u;
    bool tilted;  ///< the deepest point is somewhere in particular
    bool flat;    ///< the caps face n, more or less

    Vec3 centre(int rim) const { return X.c + (rim == 0 ? -half : half) * X.axis(1); }
    Vec3 deepest(int rim) const { return centre(rim) + radius * u; }
    /// Fixed to the rim: at local x, z, −x, −z.
    Vec3 quarter_point(int rim, int quarter) const {
        return centre(rim) + (quarter < 2 ? radius : -radius) * X.axis(quarter % 2 == 0 ? 0 : 2);
    }
};

}  // namespace armature::detail

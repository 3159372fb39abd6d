// A solid somewhere, for tests that move it a little and look at the difference.
#pragma once

#include "armature/math/random.h"
#include "armature/model/joint_parts.h"

namespace armature::test {

struct Placed {
    Vec3 x;
    Quat q;
    Placement at() const { return {x, to_matrix(q)}; }
};

inline Placed random_placed(Random& random) {
    const Vec3 x = random.in_box(1);  // a statement of its own: arguments are not read in any order
    return {x, random.orientation()};
}

/// The placement after moving with these velocities for a short time.
inline Placed moved(const Placed& p, const Vec3& v, const Vec3& w, double dt) {
    return {p.x + dt * v, turned(p.q, dt * w)};
}

/// A unit vector at right angles to a.
inline Vec3 across(Random& random, const Vec3& a) {
    return normalized(cross(a, random.direction()), any_perpendicular(a));
}

}  // namespace armature::test

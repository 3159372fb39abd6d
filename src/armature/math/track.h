// Values over time given by keys: constant, piecewise linear or a C¹ cubic through the keys.
//
//   linear:  f(t) = f_i + u (f_{i+1} − f_i),             u = (t − t_i)/(t_{i+1} − t_i)
//   spline:  cubic Hermite with the tangents of the parabola through three neighbouring keys (one-sided at the ends),
//            second-order accurate for uneven keys.
// Before the first key and after the last the value is held and the rate is zero.
#pragma once

#include <vector>

#include "armature/math/pose.h"

namespace armature {

enum class Interpolation { linear, spline };

struct VectorKey {
    double t = 0;  ///< seconds
    Vec3 value;
};

/// A vector over time. One key = a constant. Keys have strictly rising times (checked by compile()).
struct VectorTrack {
    Interpolation interpolation = Interpolation::linear;
    std::vector<VectorKey> keys;

    static VectorTrack constant(const Vec3& value) { return {Interpolation::linear, {{0, value}}}; }
};

/// f(t). An empty track is zero.
Vec3 evaluate(const VectorTrack& track, double t);

struct PoseKey {
    double t = 0;  ///< seconds
    Pose pose;
};

/// A placement over time. Orientations run along the shorter way between keys: slerp for `linear`; for `spline` the
/// cubic Hermite quaternion curve of [Kim, Kim, Shin 1995] with Catmull–Rom angular velocities at the keys.
struct PoseTrack {
    Interpolation interpolation = Interpolation::spline;
    std::vector<PoseKey> keys;
};

struct PoseAndVelocity {
    Pose pose;
    Vec3 v;  ///< exact derivative of pose.x, m/s
    Vec3 w;  ///< angular velocity of pose.q in world axes, rad/s
};
PoseAndVelocity evaluate(const PoseTrack& track, double t);

}  // namespace armature

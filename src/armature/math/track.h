// Values over time given by keys: constant, piecewise linear or a C¹ cubic through the keys.
//
//   linear:  f(t) = f_i + u (f_{i+1} − f_i),  u = (t − t_i)/h_i,  h_i = t_{i+1} − t_i
//   spline:  cubic Hermite; the tangent at a key is that of the parabola through it and its neighbours
//            (one-sided at the ends), second-order accurate for uneven keys. With d_i = (f_{i+1} − f_i)/h_i:
//              inside  m_i = (h_i d_{i−1} + h_{i−1} d_i)/(h_{i−1} + h_i)
//              ends    m_0 = d_0 + h_0 (d_0 − d_1)/(h_0 + h_1), and its mirror image.
//
// Orientations: slerp, or the cubic Hermite quaternion curve [Kim, Kim, Shin 1995, §4]
//   q(u) = q_i exp(w1 B1(u)) exp(w2 B2(u)) exp(w3 B3(u)),
//   B1 = 1 − (1−u)³,  B2 = 3u² − 2u³,  B3 = u³          (cumulative Bernstein basis)
//   w1 = h ω_i/3,  w3 = h ω_{i+1}/3,  w2 = log(exp(−w1) q_i⁻¹ q_{i+1} exp(−w3)),
// where ω_i is the angular velocity at key i in body axes: the tangent rule above with the slopes
// d_i = log(q_i⁻¹ q_{i+1})/h_i, each with the same coordinates in the body axes of both its keys.
//
// Before the first key and from the last on the value is held and the rate is zero. At a key the rate is that
// of the interval on its right.
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

struct ScalarKey {
    double t = 0;  ///< seconds
    double value = 0;
};

/// A number over time. One key = a constant.
struct ScalarTrack {
    Interpolation interpolation = Interpolation::linear;
    std::vector<ScalarKey> keys;

    static ScalarTrack constant(double value) { return {Interpolation::linear, {{0, value}}}; }
    bool given() const { return !keys.empty(); }
};
struct ScalarAndRate {
    double value = 0, rate = 0;
};
/// f(t) and its derivative. An empty track is zero.
ScalarAndRate evaluate(const ScalarTrack& track, double t);

struct PoseKey {
    double t = 0;  ///< seconds
    Pose pose;
};

/// A placement over time. Orientations run along the shorter way between keys: slerp for `linear`; for
/// `spline` the cubic Hermite quaternion curve of [Kim, Kim, Shin 1995] with Catmull–Rom angular velocities
/// at the keys.
struct PoseTrack {
    Interpolation interpolation = Interpolation::spline;
    std::vector<PoseKey> keys;
};

struct PoseAndVelocity {
    Pose pose;
    Vec3 v;  ///< exact derivative of pose.x, m/s
    Vec3 w;  ///< angular velocity of pose.q in world axes, rad/s
};
/// An empty track stays at the identity. Takes O(log keys) and allocates nothing.
PoseAndVelocity evaluate(const PoseTrack& track, double t);

}  // namespace armature

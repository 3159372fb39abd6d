#include "armature/math/track.h"

#include <algorithm>
#include <cstddef>

namespace armature {

namespace {

/// The interval [t_i, t_{i+1}) that holds t, or an end at which the value is held.
struct Interval {
    std::size_t i = 0;
    bool held = true;
};

template <class Key>
Interval locate(const std::vector<Key>& keys, double t) {
    const auto after = std::upper_bound(keys.begin(), keys.end(), t, [](double a, const Key& k) { return a < k.t; });
    if (after == keys.begin()) return {0, true};
    if (after == keys.end()) return {keys.size() - 1, true};
    return {static_cast<std::size_t>(after - keys.begin()) - 1, false};
}

/// The tangent of the header at key i of n ≥ 2, from a function that gives the slope d_i of an interval.
template <class Key, class Slope>
Vec3 tangent(const std::vector<Key>& keys, std::size_t i, const Slope& slope) {
    const std::size_t last = keys.size() - 1;
    if (last == 1) return slope(0);
    const auto length = [&](std::size_t k) { return keys[k + 1].t - keys[k].t; };
    if (i == 0 || i == last) {
        const std::size_t near = i == 0 ? 0 : last - 1, far = i == 0 ? 1 : last - 2;
        const Vec3 d = slope(near);
        return d + (length(near) / (length(near) + length(far))) * (d - slope(far));
    }
    const double before = length(i - 1), after = length(i);
    return (after / (before + after)) * slope(i - 1) + (before / (before + after)) * slope(i);
}

struct ValueAndRate {
    Vec3 value, rate;
};

/// The vector part of both tracks inside the interval i; `at(k)` is the vector of key k.
template <class Key, class At>
ValueAndRate interpolate(const std::vector<Key>& keys, Interpolation kind, std::size_t i, double t, const At& at) {
    const double h = keys[i + 1].t - keys[i].t, u = (t - keys[i].t) / h;
    const auto slope = [&](std::size_t k) { return (at(k + 1) - at(k)) / (keys[k + 1].t - keys[k].t); };
    const Vec3 d = slope(i);
    if (kind == Interpolation::linear) return {at(i) + (u * h) * d, d};
    // The straight line plus what the tangents deviate from it: a straight track stays straight.
    const Vec3 a = tangent(keys, i, slope) - d, b = tangent(keys, i + 1, slope) - d;
    const double s = 1 - u;
    return {at(i) + (u * h) * (d + s * (s * a - u * b)), d + (s * (1 - 3 * u)) * a + (u * (3 * u - 2)) * b};
}

struct TurnAndRate {
    Quat q;
    Vec3 w;
};

TurnAndRate interpolate_turn(const std::vector<PoseKey>& keys, Interpolation kind, std::size_t i, double t) {
    const auto q = [&](std::size_t k) { return normalized(keys[k].pose.q); };
    const auto slope = [&](std::size_t k) {
        return log_rotation(conjugate(q(k)) * q(k + 1)) / (keys[k + 1].t - keys[k].t);
    };
    const double h = keys[i + 1].t - keys[i].t, u = (t - keys[i].t) / h, s = 1 - u;
    const Quat q0 = q(i);
    if (kind == Interpolation::linear) {
        // Between two equal keys it is held, to the last bit: a hand that rests may or may not have made the second one.
        if (keys[i].pose.q == keys[i + 1].pose.q) return {q0, {}};
        const Vec3 d = slope(i);
        return {normalized(q0 * exp_rotation((u * h) * d)), rotate(q0, d)};
    }
    const Vec3 w1 = (h / 3) * tangent(keys, i, slope), w3 = (h / 3) * tangent(keys, i + 1, slope);
    const Vec3 w2 = log_rotation(exp_rotation(-w1) * conjugate(q0) * q(i + 1) * exp_rotation(-w3));
    const Quat e1 = exp_rotation((1 - s * s * s) * w1);
    const Quat e2 = exp_rotation((u * u * (3 - 2 * u)) * w2);
    const Quat e3 = exp_rotation((u * u * u) * w3);
    // Each factor turns about its own fixed axis at the rate w B'(u); rates of a product add up from the
    // inside out, each seen through the factors on its left.
    const Vec3 rate3 = (3 * u * u) * w3;
    const Vec3 rate2 = (6 * u * s) * w2 + rotate(e2, rate3);
    const Vec3 rate1 = (3 * s * s) * w1 + rotate(e1, rate2);
    return {normalized(q0 * e1 * e2 * e3), rotate(q0, rate1) / h};
}

}  // namespace

ScalarAndRate evaluate(const ScalarTrack& track, double t) {
    if (track.keys.empty()) return {};
    const Interval at = locate(track.keys, t);
    if (at.held) return {track.keys[at.i].value, 0};
    const ValueAndRate f = interpolate(track.keys, track.interpolation, at.i, t, [&](std::size_t k) {
        return Vec3{track.keys[k].value, 0, 0};
    });
    return {f.value.x, f.rate.x};
}

Vec3 evaluate(const VectorTrack& track, double t) {
    if (track.keys.empty()) return {};
    const Interval in = locate(track.keys, t);
    if (in.held) return track.keys[in.i].value;
    const auto at = [&](std::size_t k) { return track.keys[k].value; };
    return interpolate(track.keys, track.interpolation, in.i, t, at).value;
}

PoseAndVelocity evaluate(const PoseTrack& track, double t) {
    if (track.keys.empty()) return {};
    const Interval in = locate(track.keys, t);
    const Pose& key = track.keys[in.i].pose;
    if (in.held) return {{key.x, normalized(key.q)}, {}, {}};
    const auto at = [&](std::size_t k) { return track.keys[k].pose.x; };
    const ValueAndRate x = interpolate(track.keys, track.interpolation, in.i, t, at);
    const TurnAndRate turn = interpolate_turn(track.keys, track.interpolation, in.i, t);
    return {{x.value, turn.q}, x.rate, turn.w};
}

}  // namespace armature

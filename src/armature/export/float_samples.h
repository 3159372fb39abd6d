// The motion of a run in the form that animation files want: float32, a list of times and per solid a list of
// translations and one of rotations.
//
// - A value that never changes in float32 is kept once and not per frame: such channels are left out of files.
// - Rotations are unit quaternions whose sign is chosen so that neighbours in time have q·q′ ≥ 0; q and −q are the same
//   orientation, but players interpolate between them the long way round.
// - A frame whose time float32 cannot tell from the frame before is left out (dt = 1e-4 s after half an hour).
// - A placement that float32 cannot hold (not finite, or beyond 3e38 m) is left where it was in the frame before.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "armature/model/model.h"
#include "armature/sim/recording.h"

namespace armature {

/// N numbers, again and again.
template <std::size_t N>
class FloatSamples {
  public:
    using Value = std::array<float, N>;

    void add(const Value& value) {
        if (count_ == 0) first_ = value;
        if (values_.empty() && value != first_) {
            values_.reserve(2 * N * (count_ + 1));
            for (std::size_t i = 0; i < count_; ++i) values_.insert(values_.end(), first_.begin(), first_.end());
        }
        if (!values_.empty() || value != first_) values_.insert(values_.end(), value.begin(), value.end());
        last_ = value;
        ++count_;
    }

    bool constant() const { return values_.empty(); }
    const Value& first() const { return first_; }
    const Value& last() const { return last_; }
    /// All of them in a row, empty when constant. The object is of no use afterwards.
    std::vector<float> take() { return std::move(values_); }

  private:
    std::vector<float> values_;
    Value first_{}, last_{};
    std::size_t count_ = 0;
};

struct PoseSamples {
    FloatSamples<3> translation;  ///< of the author's frame B, m
    FloatSamples<4> rotation;     ///< x, y, z, w
};

struct MotionSamples {
    explicit MotionSamples(const Model& model) : poses(model.bodies.size()) {}
    void add(const FrameRecord& frame);

    std::vector<float> times;        ///< s, rising
    std::vector<PoseSamples> poses;  ///< per BodyId
};

/// Translation and rotation as above, of a placement that stands alone.
std::array<float, 3> float_translation(const Vec3& x);
std::array<float, 4> float_rotation(const Quat& q);

}  // namespace armature

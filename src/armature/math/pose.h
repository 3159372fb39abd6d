// A rigid placement: p_W = x + R p_B.
#pragma once

#include "armature/math/quat.h"

namespace armature {

struct Pose {
    Vec3 x;  ///< metres
    Quat q;

    bool operator==(const Pose&) const = default;
};

inline Vec3 operator*(const Pose& X, const Vec3& p) {
    return X.x + rotate(X.q, p);
}
inline Pose operator*(const Pose& A, const Pose& B) {
    return {A * B.x, normalized(A.q * B.q)};
}
inline Pose inverse(const Pose& X) {
    return {rotate_back(X.q, -X.x), conjugate(X.q)};
}
inline bool is_finite(const Pose& X) {
    return is_finite(X.x) && is_finite(X.q);
}

}  // namespace armature

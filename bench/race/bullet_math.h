// Between our vectors and Bullet's.
#pragma once

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include "scene.h"

namespace armature::race {

inline btVector3 to_bullet(const Vec3& v) {
    return {btScalar(v.x), btScalar(v.y), btScalar(v.z)};
}
inline btQuaternion to_bullet(const Quat& q) {
    return {btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)};
}
inline btTransform to_bullet(const Pose& X) {
    return btTransform(to_bullet(X.q), to_bullet(X.x));
}
inline Pose from_bullet(const btTransform& X) {
    const btVector3& p = X.getOrigin();
    const btQuaternion q = X.getRotation();
    return {{p.x(), p.y(), p.z()}, normalized(Quat{q.w(), q.x(), q.y(), q.z()})};
}

inline std::string bullet_version() {
    return fmt::format("{}.{:02}, {}", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100,
                       sizeof(btScalar) == 8 ? "double" : "single precision");
}

}  // namespace armature::race

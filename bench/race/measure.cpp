#include "measure.h"

#include <algorithm>

namespace armature::race {
namespace {

double kinetic(const RaceBody& body, const Vec3& v, const Vec3& w_B) {
    return 0.5 * body.mass * norm2(v) + 0.5 * dot(w_B, cwise_product(body.inertia, w_B));
}

}  // namespace

JointGap worst_gap(const RaceScene& scene, const std::vector<Pose>& poses_WB) {
    const auto pose = [&](int body) { return body == world ? Pose{} : poses_WB[static_cast<std::size_t>(body)]; };
    JointGap worst;
    for (const RaceJoint& joint : scene.joints) {
        const Pose A = pose(joint.a), B = pose(joint.b);
        worst.point = std::max(worst.point, norm(A * joint.pa_B - B * joint.pb_B));
        if (joint.kind != JointKind::hinge) continue;
        const Vec3 a = rotate(A.q, joint.axis_a_B), b = rotate(B.q, joint.axis_b_B);
        worst.axis = std::max(worst.axis, std::atan2(norm(cross(a, b)), dot(a, b)));
    }
    return worst;
}

double start_energy(const RaceScene& scene) {
    double energy = 0;
    for (const RaceBody& body : scene.bodies)
        energy += kinetic(body, body.velocity, rotate_back(body.pose_WB.q, body.spin)) -
                  body.mass * dot(scene.gravity, body.pose_WB.x);
    return energy;
}

double mean_energy(const RaceScene& scene, const std::vector<Pose>& before_WB, const std::vector<Pose>& after_WB,
                   double dt) {
    double energy = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Pose &from = before_WB[i], &to = after_WB[i];
        const Vec3 turn_B = log_rotation(normalized(conjugate(from.q) * to.q));
        energy += kinetic(scene.bodies[i], (to.x - from.x) / dt, turn_B / dt) -
                  scene.bodies[i].mass * dot(scene.gravity, 0.5 * (from.x + to.x));
    }
    return energy;
}

}  // namespace armature::race

#include "armature/sim/giving_hands.h"

namespace armature {

SoftSpec hand_spring(const Model& model, const Island& island, const Island::LocalJoint& hand,
                     const LocalBodies& start) {
    const Joint& joint = model.joints[idx(hand.joint)];
    double mass = 0, away = 0;
    for (int i = 0; i < island.dynamic_count; ++i) mass += body_of(model, island, i).mass;
    for (const Part& part : joint.parts)
        if (std::holds_alternative<PointPart>(part))
            away = violation(part, placement_of(start, hand.body1), placement_of(start, hand.body2));
    const double inertia = 0.5 * trace(body_of(model, island, hand.body1).inertia_G);
    constexpr double w = hand_frequency;
    return {mass * w * w / (1 + away / (0.3 * island.size)), 2 * mass * w, inertia * w * w, 2 * inertia * w};
}

double hand_work(const Model& model, const Island& island, const Laws& laws, double impulse_to_force,
                 const LocalBodies& start, const LocalBodies& now) {
    double work = 0;
    for (std::size_t k = 0; k < laws.soft.size(); ++k) {
        const SoftPoint& pull = laws.soft[k];
        if (!model.joints[idx(island.joints[idx(pull.joint)].joint)].drag) continue;
        const auto held = [&](const LocalBodies& at) {
            const Placement body = placement_of(at, pull.body1);
            return body.x + body.R * pull.part->p1_G;
        };
        const SoftSource& spring = laws.soft_sources[k];
        work += impulse_to_force * dot(pull.impulse, held(now) - held(start)) -
                0.5 * spring.stiffness * (norm2(spring.start) - norm2(pull.d));
    }
    return work;
}

}  // namespace armature

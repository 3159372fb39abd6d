// The two frames of a joint, with what the text leaves open filled in as the solids are placed, and the constraint that
// they make.
#include "armature/scene/build/builder.h"

namespace armature::lang {

namespace {

Pose pose_at_start(const SolidSpec* solid) {
    if (solid == nullptr) return {};
    if (solid->kernel == Kernel::path && !solid->path.keys.empty()) return evaluate(solid->path, 0).pose;
    return solid->pose_WB;
}

/// The frame's y, or its z where the axis is nearer to y: easy to foresee, unlike a vector that any axis would do for.
Vec3 usual_second(const Vec3& axis) {
    const Vec3 u = normalized(axis);
    return u.y * u.y <= 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

struct Frames {
    JointFrame L1, L2;
};

Frames frames(const PendingJoint& j, const Pose& X1, const Pose& X2) {
    Frames f;
    f.L1.at_B = j.at1;
    f.L1.main_B = j.axis1;
    f.L2.at_B = j.at2 ? *j.at2 : inverse(X2) * (X1 * j.at1);
    f.L2.main_B = j.axis2 ? *j.axis2 : rotate_back(X2.q, rotate(X1.q, j.axis1));
    // The main axes may still be apart, for the assembly to bring together: the second axis is carried over along the
    // smallest rotation between them, as a turn is measured.
    const Vec3 i1 = normalized(rotate(X1.q, f.L1.main_B)), i2 = normalized(rotate(X2.q, f.L2.main_B));
    if (j.across1) {
        f.L1.second_B = *j.across1;
        f.L2.second_B =
            j.across2 ? *j.across2 : rotate_back(X2.q, rotate(shortest_arc(i1, i2), rotate(X1.q, *j.across1)));
    } else {
        f.L2.second_B = usual_second(f.L2.main_B);
        f.L1.second_B = rotate_back(X1.q, rotate(shortest_arc(i2, i1), rotate(X2.q, f.L2.second_B)));
    }
    return f;
}

}  // namespace

void finish_joints(Builder& b) {
    if (b.joints.empty()) return;
    std::unordered_map<std::string_view, const SolidSpec*> solids;
    for (const SolidSpec& s : b.scene.spec.solids) solids.emplace(s.name, &s);
    const auto find = [&](const std::string& name) {
        const auto it = solids.find(name);
        return it == solids.end() ? nullptr : it->second;  // the world, or a name that was reported
    };
    for (PendingJoint& j : b.joints) {
        ConstraintSpec& c = b.scene.spec.constraints[j.constraint];
        const Frames f = frames(j, pose_at_start(find(c.solid1)), pose_at_start(find(c.solid2)));
        ConstraintSpec made = make_joint(j.type, c.solid1, f.L1, c.solid2, f.L2, j.pitch);
        for (FreedomSpec& given : j.freedoms) {
            FreedomSpec* freedom = find_freedom(made, given.name);
            if (freedom == nullptr) continue;  // reported
            freedom->restitution = given.restitution;
            for (auto value :
                 {&FreedomSpec::min, &FreedomSpec::max, &FreedomSpec::stiffness, &FreedomSpec::rest,
                  &FreedomSpec::damping, &FreedomSpec::force, &FreedomSpec::speed, &FreedomSpec::max_force})
                freedom->*value = std::move(given.*value);
        }
        c.hinge = std::move(made.hinge);
        c.angle = made.angle;
        c.twist = made.twist;
        c.screw = made.screw;
        c.freedoms = std::move(made.freedoms);
    }
}

}  // namespace armature::lang

#include "armature/sim/assembly_branch.h"

#include <cmath>

namespace armature {

namespace {

/// Below this an elbow is straight or folded, and may end up on either side.
constexpr double clear = 0.05;

const PointPart* point_of(const Joint& joint) {
    for (const Part& part : joint.parts)
        if (const auto* point = std::get_if<PointPart>(&part)) return point;
    return nullptr;
}

/// The part that keeps the axes of a pin parallel.
const AnglePart* axis_of(const Joint& joint) {
    for (const Part& part : joint.parts)
        if (const auto* angle = std::get_if<AnglePart>(&part); angle && angle->min == angle->max)
            if (angle->max <= 0 || angle->min >= pi) return angle;
    return nullptr;
}

bool has_twist(const Joint& joint) {
    for (const Part& part : joint.parts)
        if (const auto* twist = std::get_if<TwistPart>(&part); twist && twist->min == twist->max) return true;
    return false;
}

}  // namespace

AssemblyBranch::AssemblyBranch(const Model& model, const Island& island, double t) {
    const auto joint_at = [&](std::size_t k) -> const Joint& { return model.joints[idx(island.joints[k].joint)]; };
    const auto counts = [&](std::size_t k) {
        return joint_at(k).valid_at(t) && !joint_at(k).soft && !joint_at(k).drag && point_of(joint_at(k));
    };
    // What hangs on one joint alone is taken away until nothing does; what is left are the loops and what is between them. All that
    // cannot move is one solid.
    const std::size_t joints = island.joints.size();
    const int ground = island.dynamic_count;
    const auto node = [&](int body) { return std::min(body, ground); };
    std::vector<std::vector<std::size_t>> at(idx(ground) + 1);
    std::vector<char> left(joints, 0);
    std::vector<std::size_t> degree(at.size(), 0);
    for (std::size_t k = 0; k < joints; ++k) {
        if (!counts(k)) continue;
        left[k] = 1;
        for (const int body : {island.joints[k].body1, island.joints[k].body2}) {
            at[idx(node(body))].push_back(k);
            ++degree[idx(node(body))];
        }
    }
    std::vector<int> ends;
    for (int body = 0; body <= ground; ++body)
        if (degree[idx(body)] == 1) ends.push_back(body);
    while (!ends.empty()) {
        const int body = ends.back();
        ends.pop_back();
        for (const std::size_t k : at[idx(body)]) {
            if (!left[k]) continue;
            left[k] = 0;
            const int one = node(island.joints[k].body1), two = node(island.joints[k].body2);
            const int other = one == body ? two : one;
            if (--degree[idx(other)] == 1) ends.push_back(other);
        }
    }
    // From the pin at `here` on a solid to the farthest other joint of it, across the axis.
    const auto reach = [&](std::size_t pin, int body, const Vec3& here, const Vec3& axis) {
        Vec3 best;
        for (const std::size_t k : at[idx(node(body))]) {
            if (k == pin || !left[k]) continue;
            const Island::LocalJoint& j = island.joints[k];
            if (j.body1 != body && j.body2 != body) continue;  // of another solid that cannot move
            const PointPart* point = point_of(joint_at(k));
            const Vec3 way = (j.body1 == body ? point->p1_G : point->p2_G) - here;
            const Vec3 across = way - dot(way, axis) * axis;
            if (norm2(across) > norm2(best)) best = across;
        }
        return best;
    };
    for (std::size_t k = 0; k < joints; ++k) {
        const AnglePart* axis = left[k] ? axis_of(joint_at(k)) : nullptr;
        const PointPart* point = point_of(joint_at(k));
        if (!axis || has_twist(joint_at(k)) || !std::holds_alternative<PointDomain>(point->domain)) continue;
        const Island::LocalJoint& j = island.joints[k];
        const Vec3 d1 = reach(k, j.body1, point->p1_G, axis->a1_B), d2 = reach(k, j.body2, point->p2_G, axis->a2_B);
        if (norm2(d1) == 0 || norm2(d2) == 0) continue;
        elbows_.push_back({island.joints[k].joint, j.body1, j.body2, axis->a1_B, -1.0 * d1 / norm(d1), d2 / norm(d2)});
    }
}

double AssemblyBranch::bend(const Elbow& elbow, const LocalBodies& at) {
    const Quat &q1 = at.q[idx(elbow.body1)], &q2 = at.q[idx(elbow.body2)];
    return dot(rotate(q1, elbow.axis_1), cross(rotate(q1, elbow.d1), rotate(q2, elbow.d2)));
}

std::vector<JointId> AssemblyBranch::turned_over(const LocalBodies& written, const LocalBodies& found) const {
    std::vector<JointId> over;
    for (const Elbow& elbow : elbows_) {
        const double before = bend(elbow, written), after = bend(elbow, found);
        if (before * after < 0 && std::fabs(before) > clear && std::fabs(after) > clear) over.push_back(elbow.joint);
    }
    return over;
}

}  // namespace armature

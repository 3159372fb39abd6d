#include "tree.h"

#include <stdexcept>
#include <utility>

namespace armature::race {
namespace {

/// Of two directions, neither of them zero.
bool parallel(const Vec3& a, const Vec3& b) {
    return norm(cross(a, b)) < 1e-9 && norm(a) > 0 && norm(b) > 0;
}

}  // namespace

Tree make_tree(const RaceScene& scene) {
    const std::size_t count = scene.bodies.size();
    std::vector<std::vector<int>> joints_of(count);
    std::vector<int> at_world;
    for (std::size_t j = 0; j < scene.joints.size(); ++j)
        for (const int body : {scene.joints[j].a, scene.joints[j].b})
            (body == world ? at_world : joints_of[static_cast<std::size_t>(body)]).push_back(static_cast<int>(j));

    Tree tree;
    std::vector<int> root(count, world);
    std::vector<bool> used(scene.joints.size(), false);
    std::vector<Vec3> plane(count);  // the direction about which everything up to the root turns; zero: none
    const auto add = [&](int parent, int j) {
        const RaceJoint& joint = scene.joints[static_cast<std::size_t>(j)];
        const bool forward = joint.a == parent;
        const int body = forward ? joint.b : joint.a;
        const auto b = static_cast<std::size_t>(body), p = static_cast<std::size_t>(parent);
        if (body == world || root[b] != world) return;
        root[b] = parent == world ? body : root[p];
        used[static_cast<std::size_t>(j)] = true;
        TreeNode node{body, parent, j, root[b], joint.pa_B, joint.pb_B, joint.axis_a_B, joint.axis_b_B, {}, 0};
        if (!forward) {
            std::swap(node.parent_point_P, node.point_B);
            std::swap(node.parent_axis_P, node.axis_B);
        }
        node.X_PB = inverse(scene.pose(parent)) * scene.pose(body);
        const Vec3 spin = scene.bodies[b].spin - (parent == world ? Vec3{} : scene.bodies[p].spin);
        const Vec3 axis = rotate(scene.bodies[b].pose_WB.q, node.axis_B);
        if (joint.kind == JointKind::hinge) {
            node.rate = dot(axis, spin);
            if (parent == world || parallel(axis, plane[p])) plane[b] = axis;
        } else if (norm(spin) > 0) {
            throw std::runtime_error("a ball joint that turns at the start is not supported");
        }
        tree.nodes.push_back(node);
    };
    for (const int j : at_world) add(world, j);
    for (std::size_t next = 0; next < tree.nodes.size(); ++next) {
        const int parent = tree.nodes[next].body;
        for (const int j : joints_of[static_cast<std::size_t>(parent)]) add(parent, j);
    }
    if (tree.nodes.size() < count) throw std::runtime_error("a body that hangs on nothing is not supported");

    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
        if (used[j]) continue;
        const RaceJoint& joint = scene.joints[j];
        tree.loops.push_back(static_cast<int>(j));
        if (joint.kind != JointKind::hinge) continue;
        for (const auto& [body, axis] : {std::pair{joint.a, joint.axis_a_B}, std::pair{joint.b, joint.axis_b_B}})
            if (body != world && !parallel(plane[static_cast<std::size_t>(body)], rotate(scene.pose(body).q, axis)))
                throw std::runtime_error("a loop closed by a hinge out of its plane is not supported");
    }
    return tree;
}

}  // namespace armature::race

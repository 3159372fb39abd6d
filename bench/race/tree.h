// For engines with joint coordinates: a spanning tree of a scene, rooted in the world, and the joints it leaves over.
#pragma once

#include "scene.h"

namespace armature::race {

struct TreeNode {
    int body = 0;
    int parent = world;            ///< a body, earlier in the list; the world for roots
    int joint = 0;                 ///< that joins the two
    int root = 0;                  ///< the root of its tree
    Vec3 parent_point_P, point_B;  ///< anchors of the joint, in the frames of parent and body
    Vec3 parent_axis_P, axis_B;    ///< of a hinge
    Pose X_PB;                     ///< the body in its parent's frame at the start
    double rate = 0;               ///< rad/s of a hinge at the start, of the body against its parent
};

struct Tree {
    std::vector<TreeNode> nodes;  ///< breadth first: parents come before their children
    std::vector<int> loops;       ///< joints that are not in the tree
};

/// Throws std::runtime_error for what our scenes do not have and the engines' builders do not handle: a body that hangs on
/// nothing, a hinge that is left over although its bodies can leave its plane (any other is held by a ball), or a ball
/// that starts turning.
Tree make_tree(const RaceScene& scene);

}  // namespace armature::race

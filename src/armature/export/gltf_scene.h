// The still part of a glTF file: nodes, meshes and materials of a model.
//
//   doll[3]                   a group: the part of a name before a dot; never moves
//     doll[3].arm             a solid, placed in the world
//       doll[3].arm.box       each of its shapes, placed in the solid; the second box is doll[3].arm.box#2
//
// Every name is the full one, as in the scene and in tables, so that a node is found by the name its solid has. Groups
// stand at the origin: a solid's translation and rotation are those of the recording, whatever its parents. Where a
// solid has the name that a group would have, there is no such group, since the solid's node moves.
//
// Equal shapes share their numbers, equal shapes of one colour their mesh, and equal colours their material.
#pragma once

#include <vector>

#include "armature/export/float_samples.h"
#include "armature/export/glb.h"

namespace armature {

struct GltfScene {
    Json nodes = Json::array(), meshes = Json::array(), materials = Json::array();
    std::vector<int> roots;         ///< nodes without a parent
    std::vector<int> node_of_body;  ///< per BodyId; −1 for the world
};

/// Solids stand where `motion` begins.
GltfScene make_gltf_scene(const Model& model, const MotionSamples& motion, GlbNumbers& numbers);

}  // namespace armature

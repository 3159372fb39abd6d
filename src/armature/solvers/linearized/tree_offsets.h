// Of a tree of solids that are tied by points (tree_closing.h): where the centre of each is, seen from that of the one before,
// when the points meet. That depends on turns alone, so eight ties at a time (math/lanes.h).
#pragma once

#include <vector>

#include "armature/math/quat.h"

namespace armature {

/// Eight ties side by side; beyond the last one, that one again.
struct alignas(64) TieLanes {
    double at_from[3][8], at_to[3][8];  ///< the point, from the centres of mass of both, body axes
    int from[8], to[8];                 ///< local bodies
    bool from_in_a_row, to_in_a_row;
};

/// R at_from − R at_to of each, eight per group.
void find_offsets(const std::vector<TieLanes>& ties, const std::vector<Quat>& q, std::vector<Vec3>& offsets);

}  // namespace armature

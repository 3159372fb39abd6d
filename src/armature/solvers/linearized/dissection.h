// Nested dissection: which nodes of a sparse symmetric pattern are eliminated before which, so that large nets fill in little.
//
// A part of the graph is cut in two by the smallest separator between two of its ends (separator.h); what lies on either side is
// eliminated before it, and is cut in turn [George & Liu, Computer Solution of Large Sparse Positive Definite Systems, ch. 8]. A net
// of n × n meshes then costs n³ where minimum degree came to n⁴ and more. Levels of a search, as in the book, cut a net across its
// diagonal: the smallest separators leave a quarter less to multiply.
#pragma once

#include <vector>

namespace armature {

/// The stage of each node: those of a lower one go first. `next`: the neighbours of each node.
std::vector<int> dissect(const std::vector<std::vector<int>>& next);

}  // namespace armature

// The order in which the nodes of a sparse symmetric pattern are eliminated, and where that fills in. It depends on which
// nodes are coupled, not on numbers: it is found once for a structure.
//
// Minimum degree; among equals the one that has waited longest. On a tree nothing fills in and the cost is linear. Chains are
// eaten from both ends and trees from all their leaves in turn: a column need not wait for the one before it, and a processor
// works at several at once. What fills in a lot is cut by nested dissection first (dissection.h), where that is cheaper.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace armature {

struct Elimination {
    /// Nodes 0 … nodes − 1, of which the given pairs (in any order, repeats allowed) are coupled. A node for which `after`
    /// lists others has nothing on its diagonal before one of them is eliminated, and waits for that.
    void analyse(int nodes, const std::vector<std::pair<int, int>>& couplings,
                 const std::vector<std::vector<int>>& after = {});
    /// The same without dissection; nodes of a lower stage go first.
    void analyse_in_stages(const std::vector<std::pair<int, int>>& couplings, const std::vector<int>& stage);
    /// Products of two blocks in a factorisation of a general matrix.
    std::size_t products() const { return 2 * (updates.size() + below.size()); }

    std::vector<int> order, position;  ///< node at a position, and back
    // Nodes below j, eliminated later and coupled with it by then, are below[first[j]] … below[first[j + 1] − 1], in the order
    // of elimination. The index is the number of the coupling.
    std::vector<std::size_t> first;
    std::vector<int> below;
    std::vector<std::size_t>
        updates;  ///< for each column in order, each pair k before i below it: the coupling of (i, k)

    /// The coupling of i and j, which must be coupled. `row` is eliminated after `column`.
    struct Coupling {
        std::size_t at;
        int row, column;
    };
    Coupling coupling(int i, int j) const;

  private:
    /// Nodes of a lower stage go first, where they may.
    void eliminate(std::vector<std::vector<int>> next, const std::vector<std::vector<int>>& after,
                   const std::vector<int>& stage);
    void find_updates();
};

}  // namespace armature

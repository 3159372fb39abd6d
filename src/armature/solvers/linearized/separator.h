// The smallest set of nodes without which the two ends of a graph have nothing to do with each other.
//
// By Menger's theorem there are as many paths from one end to the other that share no node as the smallest such set has nodes. They
// are found one by one, each along a search that may take nodes back from those before it [Ford & Fulkerson 1956]; a node of each
// path, the last that a further search comes to, is in the set.
#pragma once

#include <cstddef>
#include <vector>

namespace armature {

/// A graph as one row of neighbours after the other; those of node n are from first[n] to first[n + 1].
struct Neighbours {
    std::vector<std::size_t> first{0};
    std::vector<int> all;

    std::size_t size() const { return first.size() - 1; }
};

enum class Side : char { near, between, far };

class Separator {
  public:
    /// Of nodes that lie between; it is looked for from the near end, and of several that are as small it is the nearest. False when
    /// there is none, or none of less than `most` nodes. Afterwards sides are near, far, and between for those of the set.
    bool find(const Neighbours& graph, std::vector<Side>& sides, std::size_t most);

  private:
    /// Nodes are come into and left; of those on a path only one may be possible.
    struct Visit {
        int node;
        bool leaving;
    };
    bool add_path();
    void take_path(Visit last);
    bool visit(Visit v, Visit from);
    Visit& origin(Visit v) { return origin_[2 * static_cast<std::size_t>(v.node) + v.leaving]; }

    const Neighbours* graph_ = nullptr;
    const std::vector<Side>* sides_ = nullptr;
    std::vector<int> before_, after_;  ///< on its path: at the ends −1; where there is none −2
    std::vector<Visit> origin_;        ///< of each visit in the search at hand; node −2: not come to yet
    std::vector<Visit> queue_;
};

}  // namespace armature

// Where a structure repeats, and where to cut it; see lockstep.h.
#pragma once

#include <optional>
#include <vector>

#include "armature/solvers/linearized/bilateral.h"

namespace armature::lockstep {

/// Parts of `size` nodes one after the other from `first` on, whose bodies are `bodies` apart. The first `cut` nodes of each part
/// are singles; nothing leads from what is left of a part to what is left of another but through singles and hubs.
struct Cutting {
    int first = 0, size = 0, cut = 0, parts = 0, bodies = 0;

    int begin(int part) const { return first + part * size; }
    /// −1: none.
    int part_of(int node) const {
        const int part = node < first ? -1 : (node - first) / size;
        return part < parts ? part : -1;
    }
    int place_of(int node) const { return node - begin(part_of(node)); }
    bool in_part(int node) const { return part_of(node) >= 0 && place_of(node) >= cut; }
    int kept() const { return parts * (size - cut); }
};

/// What there is to cut. Its hubs are not those of the plan, which may have some in every part.
struct Graph {
    const BilateralPlan& plan;
    int dynamic_count;
    std::vector<int> hubs;                     ///< bodies
    std::vector<std::vector<int>> neighbours;  ///< nodes that share a body that moves and is no hub

    Graph(const BilateralPlan& of, int dynamic);
    bool moves(int body) const { return body < dynamic_count; }
    /// −1: it is none.
    int hub_of(int body) const;
};

/// Nothing when the structure does not repeat often enough to be worth it.
std::optional<Cutting> find_cutting(const Graph& graph);

}  // namespace armature::lockstep

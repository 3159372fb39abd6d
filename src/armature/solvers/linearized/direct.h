// J M⁻¹ Jᵀ + E + R by factorisation: one block per joint, all its active rows; two are coupled when they share a solid that
// can move (block_factor.h). The order of elimination is found once for an island.
//
// A body with very many joints is a hub, as in bilateral.h: it stays in the system with a block of its own, its motion
//   u − M⁻¹ Jᵀ λ = 0,   and the rows of its joints read u:   J u + … = b,
// so that the cost of a star grows with its arms, not with their cube.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "armature/solvers/linearized/block_factor.h"
#include "armature/solvers/linearized/packed_rows.h"

namespace armature {

class DirectSystem {
  public:
    /// x in: b, out: the solution.
    void solve(const Island& island, const PackedSystem& system, std::vector<double>& x);
    /// Multiplications of one factorisation with three rows per joint, to choose by.
    double cost(const Island& island) { return structure_of(island).cost; }
    /// Joints that are held twice want more regularisation beside them (bilateral_iterations.cpp).
    bool has_hubs(const Island& island) { return !structure_of(island).hub_sides.empty(); }

  private:
    /// A contribution to J M⁻¹ Jᵀ: two joints, or one, coupled through a body.
    struct Through {
        int body, row, column;
        std::size_t at;  ///< of the coupling
        unsigned row_side, column_side;
    };
    /// A joint at a hub, whose node is `hub`.
    struct HubSide {
        int body, hub, joint;
        std::size_t at;  ///< of the coupling
        unsigned side;
        bool hub_later;  ///< is eliminated after the joint
    };
    /// What of an island does not change.
    struct Structure {
        std::vector<std::pair<int, int>> bodies;  ///< of the joints, to know it by
        int dynamic_count = -1;
        std::vector<Through> through;
        std::vector<HubSide> hub_sides;
        int hubs = 0;
        BlockFactor matrix;
        double cost = 0;
    };
    Structure& structure_of(const Island& island);
    static void lay_out(Structure& s, const Island& island, const std::vector<std::vector<int>>& joints_of);
    void fill(Structure& s, const PackedSystem& system);
    static void fill_hub(Structure& s, const PackedSystem& system, const HubSide& h);

    std::map<const Island*, Structure> structures_;
    std::vector<int> sizes_;
};

}  // namespace armature

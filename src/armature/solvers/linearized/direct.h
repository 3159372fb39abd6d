// J M⁻¹ Jᵀ + E + R by factorisation: one block per joint, all its active rows; two are coupled when they share a solid that
// can move (block_factor.h). The order of elimination is found once for an island.
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

  private:
    /// A contribution to J M⁻¹ Jᵀ: two joints, or one, coupled through a body.
    struct Through {
        int body, row, column;
        std::size_t at;  ///< of the coupling
        unsigned row_side, column_side;
    };
    /// What of an island does not change.
    struct Structure {
        std::vector<std::pair<int, int>> bodies;  ///< of the joints, to know it by
        int dynamic_count = -1;
        std::vector<Through> through;
        BlockFactor matrix;
        double cost = 0;
    };
    Structure& structure_of(const Island& island);
    void fill(Structure& s, const PackedSystem& system);

    std::map<const Island*, Structure> structures_;
    std::vector<int> sizes_;
};

}  // namespace armature

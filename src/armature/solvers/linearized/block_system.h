// A x = b with small blocks of one size and a symmetric pattern: A = L D U, as block_factor.h without its freedom of sizes, for
// inner loops.
//
//   column j:   L_ij = A_ij D_j⁻¹,   A_ik ← A_ik − L_ij A_jk,   b_i ← b_i − L_ij b_j;       upwards:  x_j = D_j⁻¹ (b_j − Σ A_jk x_k)
//
// A Block can be added, subtracted and multiplied with its like and with the v of a Cell; pivot_inverse(Block) is its inverse.
#pragma once

#include <vector>

#include "armature/math/lanes.h"
#include "armature/solvers/linearized/elimination.h"

namespace armature {

template <class BlockType, class CellType>
struct BlockSystem {
    using Block = BlockType;
    using Cell = CellType;
    using Place = Block*;  ///< where one stands

    Elimination pattern;
    std::vector<Block> diagonal;      ///< per node: A_jj, then D⁻¹
    std::vector<Block> lower, upper;  ///< per coupling: A_(row, column), then L; and A_(column, row)
    std::vector<Cell> x;              ///< per node: b, then x

    void make_room() {
        diagonal.resize(pattern.order.size());
        x.resize(diagonal.size());
        lower.resize(pattern.below.size());
        upper.resize(pattern.below.size());
    }
    /// A_ij of two nodes that are coupled, or one.
    Place at(int i, int j) {
        if (i == j) return &diagonal[static_cast<std::size_t>(i)];
        const Elimination::Coupling c = pattern.coupling(i, j);
        return c.row == i ? &lower[c.at] : &upper[c.at];
    }
    template <class Act>
    void each_place(const Act& act) {
        for (std::vector<Block>* blocks : {&diagonal, &lower, &upper})
            for (Block& b : *blocks) act(&b);
    }
};

template <class Block, class Cell>
ARMATURE_INLINE void solve(BlockSystem<Block, Cell>& s) {
    Block *D = s.diagonal.data(), *lower = s.lower.data(), *upper = s.upper.data();
    Cell* x = s.x.data();
    const int* below = s.pattern.below.data();
    const std::size_t *first = s.pattern.first.data(), *update = s.pattern.updates.data();
    for (const int node : s.pattern.order) {
        const auto j = static_cast<std::size_t>(node);
        const Block inverse = pivot_inverse(D[j]);
        D[j] = inverse;
        const auto xj = x[j].v;
        const std::size_t begin = first[j], end = first[j + 1];
        for (std::size_t i = begin; i < end; ++i) lower[i] = lower[i] * inverse;
        for (std::size_t k = begin; k < end; ++k) {
            const Block Lk = lower[k];
            const Block& Uk = upper[k];
            const auto node_k = static_cast<std::size_t>(below[k]);
            D[node_k] = D[node_k] - Lk * Uk;
            x[node_k].v = x[node_k].v - Lk * xj;
            for (std::size_t i = k + 1; i < end; ++i, ++update) {
                lower[*update] = lower[*update] - lower[i] * Uk;
                upper[*update] = upper[*update] - Lk * upper[i];
            }
        }
    }
    for (auto at = s.pattern.order.rbegin(); at != s.pattern.order.rend(); ++at) {
        const auto j = static_cast<std::size_t>(*at);
        auto b = x[j].v;
        for (std::size_t k = first[j]; k < first[j + 1]; ++k)
            b = b - upper[k] * x[static_cast<std::size_t>(below[k])].v;
        x[j].v = D[j] * b;
    }
}

}  // namespace armature

// Sparse systems made of small dense blocks, whose pattern is symmetric. L: unit lower block triangular, D: block diagonal.
//
//   symmetric:  A = L D Lᵀ      column j:   D_j = A_jj,   L_ij = A_ij D_j⁻¹,   A_ik ← A_ik − L_ij A_jk
//   general:    A = L D U       the same, with A_jk in its own right instead of A_kjᵀ
//
// The pattern is analysed once for a structure (elimination.h). Sizes may change from one factorisation to the next (rows come
// and go), down to zero. Nothing is allocated once the largest system was met.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "armature/solvers/linearized/elimination.h"

namespace armature {

class BlockFactor {
  public:
    /// See elimination.h.
    void analyse(int nodes, const std::vector<std::pair<int, int>>& couplings,
                 const std::vector<std::vector<int>>& after = {}) {
        pattern_.analyse(nodes, couplings, after);
    }

    /// Makes room for blocks of these sizes, all zero.
    void begin(const std::vector<int>& sizes, bool symmetric = true);

    /// A_ii, row by row: size_i × size_i, both triangles to be filled in.
    double* diagonal(int i) { return &values_[diagonal_[idx(i)]]; }
    /// Where the coupling of i and j is stored, row by row: size_row × size_column of the two nodes named in what is returned.
    /// The place is found once for a structure; the values move with the sizes.
    using CouplingPlace = Elimination::Coupling;
    CouplingPlace coupling_place(int i, int j) const { return pattern_.coupling(i, j); }
    double* coupling_values(std::size_t at) { return &values_[block_[at]]; }
    /// Of a general system: the coupling the other way round, transposed: A_(column, row)ᵀ, size_row × size_column.
    double* transposed_values(std::size_t at) { return &upper_[block_[at]]; }

    void factor();
    /// Solves A x = b in place; the entries of node i begin at offset(i).
    void solve(std::vector<double>& b) const;
    std::size_t offset(int i) const { return offset_[idx(i)]; }
    std::size_t unknowns() const { return unknowns_; }
    /// Blocks below the diagonal of L, those that filled in included.
    std::size_t blocks() const { return pattern_.below.size(); }
    /// Products of two blocks in a factorisation.
    std::size_t updates() const { return pattern_.updates.size() + pattern_.below.size(); }

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    template <int N, bool symmetric>
    void factor_column(int j, std::size_t& update);
    template <bool symmetric>
    void solve_as(std::vector<double>& x) const;
    std::size_t pairs_below(int j) const {
        const std::size_t n = pattern_.first[idx(j) + 1] - pattern_.first[idx(j)];
        return n * (n - (n > 0)) / 2;
    }

    Elimination pattern_;
    // Of the numbers.
    std::vector<int> size_;
    std::vector<std::size_t> offset_, diagonal_, block_;  ///< where unknowns, A_ii and L_ij begin
    std::size_t unknowns_ = 0;
    bool symmetric_ = true;
    std::vector<double> values_, column_;
    std::vector<double> upper_;  ///< of a general system, laid out like values_
};

}  // namespace armature

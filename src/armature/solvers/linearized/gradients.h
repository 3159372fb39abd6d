// Conjugate gradients on (J M⁻¹ Jᵀ + E + R) Δλ = b without ever forming the matrix [Faure 1998]: Jᵀ spreads λ over the
// bodies, M⁻¹ moves them, J reads what the rows see of it. Preconditioned with the inverse of each joint's own block.
//
// Stops early: at a share of the first residual, or at a count; both outer and inner counts are the user's dial. What is
// left goes into the next outer iteration, which starts from the true errors. Redundant rows are no trouble (the iterates
// stay where J can reach); contradictory ones end at the residual that no λ can take away.
#pragma once

#include <vector>

#include "armature/solvers/linearized/packed_rows.h"

namespace armature {

class ConjugateGradients {
  public:
    /// `x` in: b, out: the solution. `most` is the number of iterations allowed, `share` of the norm of b where to stop.
    /// Returns the iterations made.
    int solve(const PackedSystem& system, std::vector<double>& x, int most, double share);

  private:
    void factor_blocks(const PackedSystem& system);
    void precondition(const PackedSystem& system, const std::vector<double>& r, std::vector<double>& z) const;
    void multiply(const PackedSystem& system, const std::vector<double>& p, std::vector<double>& Ap);

    std::vector<double> r_, z_, p_, Ap_;
    std::vector<double> blocks_;
    std::vector<std::size_t> block_at_;
    std::vector<Vec3> move_, turn_;  ///< per body
};

}  // namespace armature

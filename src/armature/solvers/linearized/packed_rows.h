// The active rows of an island side by side, as the sums of a linear system read them, and what their bodies weigh.
//   A = J M⁻¹ J̄ᵀ + E + R,   R a share of the diagonal
// J at the end of the step reads what J̄ of half-way pushes; with J̄ on both sides A is symmetric, and Newton's method slower.
#pragma once

#include <array>
#include <vector>

#include "armature/solvers/linearized/rows.h"

namespace armature {

struct PackedRow {
    Vec3 linear, force;                 ///< how it reads the motion (at the end of the step), and pushes (half-way)
    std::array<Vec3, 2> angular, turn;  ///< of solid 1 and 2: how it reads their turns, and turns them
    double added;                       ///< ε, and what regularises
};

struct PackedSystem {
    const std::vector<Island::LocalJoint>* joints = nullptr;
    std::vector<PackedRow> rows;     ///< in the order of the joints
    std::vector<std::size_t> first;  ///< per joint, and the end
    bool symmetric = true;           ///< every row reads as it pushes
    std::vector<double> inv_mass;    ///< per body of the island; 0 for those that cannot be moved

    /// From the rows that are active.
    void pack(const CorrectionProblem& p, const SystemRows& from, double regularisation, bool make_symmetric);

    int size(std::size_t joint) const { return static_cast<int>(first[joint + 1] - first[joint]); }
    /// What a unit of λ of row b moves along row a, through a body that is side sa of a's joint and sb of b's.
    static double through(double m, const PackedRow& a, unsigned sa, const PackedRow& b, unsigned sb) {
        return (sa == sb ? m : -m) * dot(a.linear, b.force) + dot(a.angular[sa], b.turn[sb]);
    }
};

}  // namespace armature

// Singular values:  A = U Σ Vᵀ,  U and V orthogonal, Σ diagonal with σ_1 ≥ σ_2 ≥ … ≥ 0.
//
//   1. H … A … H' = B   Householder reflections from both sides leave two diagonals, d and e    [Golub, Kahan 1965]
//   2. B → Σ            implicit QR steps with the shift of Wilkinson make e vanish             [Golub, Reinsch 1970]
//
// Both are steps of orthogonal matrices: every σ has an error of a few ε σ_1, small ones as large ones. That is what ranks
// are decided by (dense.h); a method that keeps the digits of small σ would take several times as long.
// See Golub, Van Loan: Matrix Computations, 4th ed., 5.4.8 and 8.6.
#pragma once

#include "armature/doctor/matrix.h"

namespace armature::doctor {

struct SingularValues {
    Vector sigma;  ///< min(rows, cols) of them, falling
    Matrix V;      ///< columns in the same order, then those that A takes to zero
};
enum class Vectors {
    none,
    few,  ///< as many columns of V as there are σ
    all
};
/// Of a matrix that has rows and columns.
SingularValues singular(const Matrix& A, Vectors vectors);

}  // namespace armature::doctor

// The doctor's linear algebra.
//
//   J = U Σ Vᵀ     rank = number of σ_i > ε σ_1;  the last columns of V span what can move (J v = 0),
//                  the last columns of U the dependencies between rows (uᵀ J = 0)
//
// Structures that a person writes have tens of solids, and each island is taken by itself: a sparse method would save
// fractions of a second and cost the certainty of the singular values.
#pragma once

#include <vector>

#include "armature/doctor/matrix.h"
#include "armature/doctor/mechanism.h"

namespace armature::doctor {

/// Scaled rows, one below the other.
Matrix jacobian(const Mechanism& mechanism, const std::vector<HeldRow>& rows);

struct RankOf {
    int rank = 0;
    double accepted = 1;  ///< smallest σ that counts, as a share of the largest
    double rejected = 0;  ///< largest one that does not
    Matrix null_space;    ///< orthonormal columns
};
/// Of a matrix that may have no rows or no columns.
RankOf rank_of(const Matrix& A, double tolerance = rank_tolerance);
/// The same with an absolute bound: for products with orthonormal bases, whose scale is known to be 1.
RankOf rank_below(const Matrix& A, double bound);

/// The rank alone, as rank_of has it: without vectors, and without the columns of solids that have no part in it, which is most of
/// them where a few joints of a large mechanism are looked at.
int rank_alone(const Matrix& A, double tolerance = rank_tolerance);
/// A without the columns that are zero.
Matrix touched_columns(const Matrix& A);

Vector singular_values(const Matrix& A);
/// Orthonormal columns that span those of A, as far as its σ are above the bound.
Matrix span_of(const Matrix& A, double bound);

}  // namespace armature::doctor

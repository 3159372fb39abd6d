// A x = b with 3 × 3 blocks and a symmetric pattern: A = L D U, as block_factor.h without its freedom of sizes, for inner loops.
//
//   column j:   L_ij = A_ij D_j⁻¹,   A_ik ← A_ik − L_ij A_jk,   b_i ← b_i − L_ij b_j;       upwards:  x_j = D_j⁻¹ (b_j − Σ A_jk x_k)
#pragma once

#include <vector>

#include "armature/solvers/linearized/elimination.h"
#include "armature/solvers/linearized/four.h"

namespace armature {

struct TripleSystem {
    Elimination pattern;
    std::vector<four::M> diagonal;      ///< per node: A_jj, then D⁻¹
    std::vector<four::M> lower, upper;  ///< per coupling: A_(row, column), then L; and A_(column, row)
    std::vector<four::Cell> x;          ///< per node: b, then x

    void make_room() {
        diagonal.resize(pattern.order.size());
        x.resize(diagonal.size());
        lower.resize(pattern.below.size());
        upper.resize(pattern.below.size());
    }
};

namespace four {

/// Elimination without a change of rows: right where the adjugate loses digits, on blocks that are nearly singular.
inline M careful_inverse(const M& m) {
    double a[3][6] = {{m.c0[0], m.c1[0], m.c2[0], 1, 0, 0},
                      {m.c0[1], m.c1[1], m.c2[1], 0, 1, 0},
                      {m.c0[2], m.c1[2], m.c2[2], 0, 0, 1}};
    for (int k = 0; k < 3; ++k) {
        const double pivot = 1 / a[k][k];
        for (double& v : a[k]) v *= pivot;
        for (int i = 0; i < 3; ++i) {
            const double l = a[i][k];
            if (i == k) continue;
            for (int j = 0; j < 6; ++j) a[i][j] -= l * a[k][j];
        }
    }
    return {V{a[0][3], a[1][3], a[2][3], 0}, V{a[0][4], a[1][4], a[2][4], 0}, V{a[0][5], a[1][5], a[2][5], 0}};
}

ARMATURE_INLINE void solve(TripleSystem& s) {
    M *D = s.diagonal.data(), *lower = s.lower.data(), *upper = s.upper.data();
    Cell* x = s.x.data();
    const int* below = s.pattern.below.data();
    const std::size_t *first = s.pattern.first.data(), *update = s.pattern.updates.data();
    for (const int node : s.pattern.order) {
        const auto j = static_cast<std::size_t>(node);
        const M pivot = D[j];
        const Adjugate a = adjugate(pivot);
        const double size = pivot.c0[0] * pivot.c1[1] * pivot.c2[2];
        const bool regular = a.determinant > 1e-4 * size;
        const V scale = all(1 / a.determinant);
        const M inverse =
            regular ? transposed({scale * a.rows.c0, scale * a.rows.c1, scale * a.rows.c2}) : careful_inverse(pivot);
        D[j] = inverse;
        const V xj = x[j].v;
        const std::size_t begin = first[j], end = first[j + 1];
        for (std::size_t i = begin; i < end; ++i) lower[i] = lower[i] * inverse;
        for (std::size_t k = begin; k < end; ++k) {
            const M Lk = lower[k];
            const M& Uk = upper[k];
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
        V b = x[j].v;
        for (std::size_t k = first[j]; k < first[j + 1]; ++k)
            b = b - upper[k] * x[static_cast<std::size_t>(below[k])].v;
        x[j].v = D[j] * b;
    }
}

}  // namespace four

}  // namespace armature

// Systems of 3 × 3 blocks.
#pragma once

#include "armature/solvers/linearized/block_system.h"
#include "armature/solvers/linearized/four.h"

namespace armature {

using TripleSystem = BlockSystem<four::M, four::Cell>;

namespace four {

using armature::solve;

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

ARMATURE_INLINE M pivot_inverse(const M& pivot) {
    const Adjugate a = adjugate(pivot);
    const double size = pivot.c0[0] * pivot.c1[1] * pivot.c2[2];
    const bool regular = a.determinant > 1e-4 * size;
    const V scale = all(1 / a.determinant);
    return regular ? transposed({scale * a.rows.c0, scale * a.rows.c1, scale * a.rows.c2}) : careful_inverse(pivot);
}

}  // namespace four

}  // namespace armature

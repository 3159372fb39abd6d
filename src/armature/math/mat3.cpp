#include "armature/math/mat3.h"

#include <utility>

namespace armature {

SymmetricEigen symmetric_eigen(const Mat3& m) {
    Mat3 A = m, V = Mat3::identity();
    for (int sweep = 0; sweep < 30; ++sweep) {
        const double off = std::fabs(A(0, 1)) + std::fabs(A(0, 2)) + std::fabs(A(1, 2));
        const double diagonal = std::fabs(A(0, 0)) + std::fabs(A(1, 1)) + std::fabs(A(2, 2));
        if (!(off > 1e-17 * diagonal)) break;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (A(p, q) == 0) continue;
                const double theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
                const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                Mat3 G = Mat3::identity();
                G(p, p) = G(q, q) = c;
                G(p, q) = s;
                G(q, p) = -s;
                A = transposed(G) * A * G;
                A(p, q) = A(q, p) = 0;
                V = V * G;
            }
        }
    }
    Mat3 rows = transposed(V);  // one eigenvector a row, easier to sort
    Vec3 d{A(0, 0), A(1, 1), A(2, 2)};
    const auto order = [&](int i, int j) {
        if (d[i] > d[j]) {
            std::swap(d[i], d[j]);
            std::swap(rows.row(i), rows.row(j));
        }
    };
    order(0, 1);
    order(1, 2);
    order(0, 1);
    if (determinant(rows) < 0) rows.row2 = -rows.row2;
    return {d, transposed(rows)};
}

}  // namespace armature

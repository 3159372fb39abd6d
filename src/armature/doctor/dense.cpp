#include "armature/doctor/dense.h"

#include <algorithm>

#include "armature/doctor/svd.h"

namespace armature::doctor {

namespace {

RankOf decomposed(const Matrix& A, double tolerance, bool absolute) {
    RankOf out;
    if (A.rows() == 0 || A.cols() == 0) {
        out.null_space = Matrix::identity(A.cols());
        return out;
    }
    const SingularValues svd = singular(A, Vectors::all);
    const Vector& s = svd.sigma;
    const double scale = absolute || !(s[0] > 0) ? 1 : s[0];
    for (const double sigma : s) {
        if (sigma > tolerance * scale) {
            ++out.rank;
            out.accepted = sigma / scale;
        } else {
            out.rejected = std::max(out.rejected, sigma / scale);
        }
    }
    out.null_space = some_columns(svd.V, out.rank, A.cols() - out.rank);
    return out;
}

}  // namespace

Matrix jacobian(const Mechanism& mechanism, const std::vector<HeldRow>& rows) {
    Matrix transposed_J(mechanism.columns(), static_cast<int>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        mechanism.write_row(rows[i], transposed_J.col(static_cast<int>(i)).data());
    return transposed(transposed_J);
}

RankOf rank_of(const Matrix& A, double tolerance) {
    return decomposed(A, tolerance, false);
}

RankOf rank_below(const Matrix& A, double bound) {
    return decomposed(A, bound, true);
}

Matrix touched_columns(const Matrix& A) {
    std::vector<int> touched;
    for (int c = 0; c < A.cols(); ++c)
        for (int r = 0; r < A.rows(); ++r)
            if (A(r, c) != 0) {
                touched.push_back(c);
                break;
            }
    return some_columns(A, touched);
}

int rank_alone(const Matrix& A, double tolerance) {
    const Matrix part = touched_columns(A);
    const Vector s = singular_values(part.rows() < part.cols() ? transposed(part) : part);
    int rank = 0;
    for (const double sigma : s) rank += sigma > tolerance * s[0];
    return rank;
}

Vector singular_values(const Matrix& A) {
    if (A.rows() == 0 || A.cols() == 0) return {};
    return singular(A, Vectors::none).sigma;
}

Matrix span_of(const Matrix& A, double bound) {
    if (A.rows() == 0 || A.cols() == 0) return Matrix(A.rows(), 0);
    const SingularValues svd = singular(transposed(A), Vectors::few);  // whose V is the U of A
    int rank = 0;
    while (rank < svd.sigma.size() && svd.sigma[rank] > bound) ++rank;
    return some_columns(svd.V, 0, rank);
}

}  // namespace armature::doctor

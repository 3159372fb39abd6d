#include "armature/doctor/dense.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>

namespace armature::doctor {

namespace {

RankOf decomposed(const Matrix& A, double tolerance, bool absolute) {
    RankOf out;
    if (A.rows() == 0 || A.cols() == 0) {
        out.null_space = Matrix::Identity(A.cols(), A.cols());
        return out;
    }
    const Eigen::BDCSVD<Matrix> svd(A, Eigen::ComputeFullV);
    const Vector& s = svd.singularValues();
    const double scale = absolute || !(s[0] > 0) ? 1 : s[0];
    for (Eigen::Index i = 0; i < s.size(); ++i) {
        if (s[i] > tolerance * scale) {
            ++out.rank;
            out.accepted = s[i] / scale;
        } else {
            out.rejected = std::max(out.rejected, s[i] / scale);
        }
    }
    out.null_space = svd.matrixV().rightCols(A.cols() - out.rank);
    return out;
}

}  // namespace

Matrix jacobian(const Mechanism& mechanism, const std::vector<HeldRow>& rows) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    RowMajor J = RowMajor::Zero(static_cast<Eigen::Index>(rows.size()), mechanism.columns());
    for (std::size_t i = 0; i < rows.size(); ++i)
        mechanism.write_row(rows[i], J.data() + static_cast<Eigen::Index>(i) * J.cols());
    return J;
}

RankOf rank_of(const Matrix& A, double tolerance) {
    return decomposed(A, tolerance, false);
}

RankOf rank_below(const Matrix& A, double bound) {
    return decomposed(A, bound, true);
}

Vector singular_values(const Matrix& A) {
    if (A.rows() == 0 || A.cols() == 0) return {};
    return Eigen::BDCSVD<Matrix>(A).singularValues();
}

Matrix span_of(const Matrix& A, double bound) {
    if (A.rows() == 0 || A.cols() == 0) return Matrix(A.rows(), 0);
    const Eigen::BDCSVD<Matrix> svd(A, Eigen::ComputeThinU);
    Eigen::Index rank = 0;
    while (rank < svd.singularValues().size() && svd.singularValues()[rank] > bound) ++rank;
    return svd.matrixU().leftCols(rank);
}

Vector solve_symmetric(const Matrix& A, const Vector& b) {
    return A.ldlt().solve(b);
}

}  // namespace armature::doctor

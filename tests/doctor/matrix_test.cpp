// The doctor's dense linear algebra, by what defines its results.
#include "armature/doctor/matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "armature/doctor/dense.h"
#include "armature/doctor/svd.h"
#include "armature/math/random.h"

namespace armature::doctor {
namespace {

Matrix random_matrix(int rows, int cols, Random& random) {
    Matrix out(rows, cols);
    for (int c = 0; c < cols; ++c)
        for (double& x : out.col(c)) x = random.uniform(-1, 1);
    return out;
}

/// n columns of it are orthonormal: Gram and Schmidt, twice.
Matrix random_orthonormal(int rows, int n, Random& random) {
    Matrix out(rows, 0);
    while (out.cols() < n) {
        Vector v = normalized(random_matrix(rows, 1, random).col(0));
        for (int i = 0; i < 2; ++i) v = normalized(v - out * transposed_times(out, v));
        out.append(v);
    }
    return out;
}

double off_orthonormal(const Matrix& Q) {
    return norm(transposed_times(Q, Q) - Matrix::identity(Q.cols()));
}

/// U Σ Vᵀ with given σ.
Matrix composed(int rows, int cols, const std::vector<double>& sigma, Random& random) {
    const int n = static_cast<int>(sigma.size());
    Matrix U = random_orthonormal(rows, n, random);
    for (int c = 0; c < n; ++c) scale(U.col(c), sigma[static_cast<std::size_t>(c)]);
    return U * transposed(random_orthonormal(cols, n, random));
}

/// A v_i is as long as σ_i, the A v_i are at right angles, and what belongs to no σ goes to zero. Round-off of the steps is
/// a few ε for each column: 1e-14 n.
void expect_decomposed(const Matrix& A) {
    const SingularValues s = singular(A, Vectors::all);
    const int n = std::min(A.rows(), A.cols());
    ASSERT_EQ(s.sigma.size(), n);
    ASSERT_EQ(s.V.cols(), A.cols());
    const double bound = 1e-14 * std::max(A.rows(), A.cols());
    EXPECT_LT(off_orthonormal(s.V), bound);
    EXPECT_TRUE(std::is_sorted(s.sigma.begin(), s.sigma.end(), std::greater<>()));
    const Matrix AV = A * s.V, squares = transposed_times(AV, AV);
    const double size = norm(A) > 0 ? norm(A) : 1;
    for (int i = 0; i < A.cols(); ++i) {
        EXPECT_NEAR(norm(AV.col(i)) / size, i < n ? s.sigma[i] / size : 0, bound);
        for (int k = 0; k < i; ++k) EXPECT_NEAR(squares(i, k) / (size * size), 0, bound);
    }
    const SingularValues few = singular(A, Vectors::few);
    ASSERT_EQ(few.V.cols(), n);
    EXPECT_LT(norm(few.V - some_columns(s.V, 0, n)), bound);
    EXPECT_LT(norm(singular(A, Vectors::none).sigma - s.sigma), bound * size);
}

TEST(SingularValues, OfMatricesOfEveryShape) {
    Random random(1);
    for (const int rows : {1, 2, 3, 7, 24, 60})
        for (const int cols : {1, 2, 3, 7, 24, 60}) {
            SCOPED_TRACE(testing::Message() << rows << " x " << cols);
            expect_decomposed(random_matrix(rows, cols, random));
        }
}

TEST(SingularValues, WhereColumnsRepeatOrAreZero) {
    Random random(2);
    for (int i = 0; i < 40; ++i) {
        Matrix A = random_matrix(random.integer(1, 30), random.integer(2, 30), random);
        for (int k = 0; k < 4; ++k) {
            const int from = random.integer(0, A.cols() - 1), to = random.integer(0, A.cols() - 1);
            if (k % 2 == 0) std::copy(A.col(from).begin(), A.col(from).end(), A.col(to).begin());
            if (k % 2 == 1) scale(A.col(to), 0);
        }
        expect_decomposed(A);
        expect_decomposed(transposed(A));
    }
    expect_decomposed(Matrix(5, 3));
    expect_decomposed(Matrix(3, 5));
    expect_decomposed(Matrix::identity(9));
}

TEST(SingularValues, AreThoseTheMatrixWasComposedOf) {
    Random random(3);
    const std::vector<double> sigma = {5, 5, 1, 0.3, 1e-4, 1e-4, 1e-9};
    for (const auto& [rows, cols] : {std::pair{12, 9}, {9, 12}, {7, 7}, {50, 7}}) {
        const Matrix A = composed(rows, cols, sigma, random);
        const Vector found = singular_values(A);
        for (int i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], i < 7 ? sigma[static_cast<std::size_t>(i)] : 0, 1e-14 * 12 * 5);
        const RankOf rank = rank_of(A);
        EXPECT_EQ(rank.rank, 6);
        EXPECT_NEAR(rank.accepted, 1e-4 / 5, 1e-13);
        EXPECT_NEAR(rank.rejected, 1e-9 / 5, 1e-13);
        EXPECT_EQ(rank.null_space.cols(), cols - 6);
        EXPECT_LT(norm(A * rank.null_space), 2e-9);
        EXPECT_EQ(span_of(A, 0.1).cols(), 4);
        EXPECT_LT(off_orthonormal(span_of(A, 0.1)), 1e-13);
    }
}

TEST(SingularValues, OfWhatIsNotFiniteComeToAnEnd) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
        Matrix A = Matrix::identity(6);
        A(2, 3) = bad;
        EXPECT_EQ(singular(A, Vectors::all).sigma.size(), 6);
    }
}

TEST(SolveSymmetric, LeavesNoResidueHoweverUnevenTheMatrix) {
    Random random(4);
    for (int i = 0; i < 60; ++i) {
        const int n = random.integer(1, 40);
        const Matrix J = random_matrix(random.integer(1, 50), n, random);
        Matrix A = transposed_times(J, J);
        const double least = i % 2 == 0 ? 1e-3 : 1e-10;
        for (int k = 0; k < n; ++k) A(k, k) += least;
        const Vector b(random_matrix(n, 1, random).col(0));
        const Vector x = solve_symmetric(A, b);
        EXPECT_LT(norm(A * x - b), 1e-14 * n * (norm(A) * norm(x) + norm(b)));  // backward stable
    }
}

TEST(SolveSymmetric, GivesZeroWhereNothingHolds) {
    EXPECT_EQ(norm(solve_symmetric(Matrix(3, 3), Vector(3))), 0);
    EXPECT_EQ(solve_symmetric(Matrix(0, 0), Vector(0)).size(), 0);
}

}  // namespace
}  // namespace armature::doctor

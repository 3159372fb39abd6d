#include "armature/math/mat3.h"

#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "support/test_scale.h"

namespace armature {
namespace {

double largest(const Mat3& m) {
    double result = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) result = std::fmax(result, std::fabs(m(i, j)));
    return result;
}

Mat3 random_matrix(Random& random, double half) {
    const Vec3 a = random.in_box(half), b = random.in_box(half), c = random.in_box(half);
    return {a, b, c};
}

TEST(Mat3, ProductsAgreeWithTheSumOverIndices) {
    Random random(1);
    const Mat3 A = random_matrix(random, 3), B = random_matrix(random, 3);
    const Vec3 v = random.in_box(3);
    for (int i = 0; i < 3; ++i) {
        double Av = 0, Atv = 0;
        for (int j = 0; j < 3; ++j) {
            Av += A(i, j) * v[j];
            Atv += A(j, i) * v[j];
            double AB = 0;
            for (int k = 0; k < 3; ++k) AB += A(i, k) * B(k, j);
            EXPECT_NEAR((A * B)(i, j), AB, 1e-14);
            EXPECT_EQ(transposed(A)(i, j), A(j, i));
            EXPECT_EQ(outer(v, A.row0)(i, j), v[i] * A.row0[j]);
        }
        EXPECT_NEAR((A * v)[i], Av, 1e-14);
        EXPECT_NEAR(transposed_times(A, v)[i], Atv, 1e-14);
    }
    EXPECT_LT(norm(skew(v) * A.row0 - cross(v, A.row0)), 1e-15);
}

TEST(Mat3, InverseTimesMatrixIsTheIdentity) {
    Random random(2);
    for (int i = 0; i < test::scaled(1000); ++i) {
        const Mat3 A = random_matrix(random, 2);
        if (std::fabs(determinant(A)) < 0.05) continue;  // the error grows with the condition number
        EXPECT_LT(largest(inverse(A) * A - Mat3::identity()), 1e-11);
    }
}

TEST(Mat3, CongruenceIsExactlySymmetricAndEqualsTheProduct) {
    Random random(3);
    for (int i = 0; i < 100; ++i) {
        const Mat3 R = to_matrix(random.orientation()), A = random_matrix(random, 2), D = A + transposed(A);
        const Mat3 C = congruence(R, D);
        EXPECT_EQ(C, transposed(C));
        EXPECT_LT(largest(C - R * D * transposed(R)), 1e-14);
    }
}

/// Builds V diag(d) Vᵀ and asks for d and V back; the residual A v = λ v needs no assumption on repeated
/// values.
void expect_eigen(const Vec3& d, const Quat& q) {
    const Mat3 A = congruence(to_matrix(q), Mat3::diagonal(d));
    const double scale = std::fmax(std::fabs(d.x), std::fabs(d.z));
    const double tolerance = 3e-14;  // 30 sweeps of three rotations, each off by a few 1e-16
    const SymmetricEigen e = symmetric_eigen(A);
    EXPECT_LT(norm(e.values - d), tolerance * scale);
    EXPECT_LE(e.values.x, e.values.y);
    EXPECT_LE(e.values.y, e.values.z);
    EXPECT_LT(largest(transposed(e.vectors) * e.vectors - Mat3::identity()), tolerance);
    EXPECT_NEAR(determinant(e.vectors), 1, tolerance);
    EXPECT_LT(largest(A * e.vectors - e.vectors * Mat3::diagonal(e.values)), tolerance * scale);
}

TEST(SymmetricEigen, RecoversValuesAndARightHandedFrameIncludingRepeatedOnes) {
    Random random(4);
    for (int i = 0; i < test::scaled(2000); ++i) {
        const double a = random.uniform(-1, 1), b = a + random.log_uniform(1e-16, 1),
                     c = b + random.log_uniform(1e-16, 1), scale = random.log_uniform(1e-30, 1e30);
        expect_eigen(scale * Vec3{a, b, c}, random.orientation());
        expect_eigen({scale, scale, 2 * scale}, random.orientation());
        expect_eigen({scale, 2 * scale, 2 * scale}, random.orientation());
        expect_eigen({scale, scale, scale}, random.orientation());
    }
}

TEST(SymmetricEigen, SortsADiagonalMatrixWithoutLosingADigit) {
    const SymmetricEigen e = symmetric_eigen(Mat3::diagonal({3, -1, 2}));
    EXPECT_EQ(e.values, (Vec3{-1, 2, 3}));
    EXPECT_EQ(determinant(e.vectors), 1);
}

}  // namespace
}  // namespace armature

#include "armature/doctor/matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace armature::doctor {

Matrix::Matrix(int rows, int cols)
    : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}

Matrix Matrix::identity(int size) {
    Matrix out(size, size);
    for (int i = 0; i < size; ++i) out(i, i) = 1;
    return out;
}

void Matrix::append(ConstColumn column) {
    values_.insert(values_.end(), column.begin(), column.end());
    ++cols_;
}

double dot(ConstColumn a, ConstColumn b) {
    // Four sums that do not wait for each other: half of a decomposition is spent here.
    double sum[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= a.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
    for (; i < a.size(); ++i) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double norm(ConstColumn a) {
    return std::sqrt(dot(a, a));
}

double norm(const Matrix& A) {
    return norm(A.all());
}

double largest(ConstColumn a) {
    double most = 0;
    for (const double x : a) most = std::max(most, std::fabs(x));
    return most;
}

void scale(Column a, double factor) {
    for (double& x : a) x *= factor;
}

void add(Column to, double factor, ConstColumn a) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * a[i];
}

Vector normalized(ConstColumn a) {
    Vector out(a);
    if (const double length = norm(a); length > 0) scale(out, 1 / length);
    return out;
}

Vector operator-(const Vector& a, const Vector& b) {
    Vector out = a;
    add(out, -1, b);
    return out;
}

Matrix transposed(const Matrix& A) {
    Matrix out(A.cols(), A.rows());
    for (int c = 0; c < A.cols(); ++c)
        for (int r = 0; r < A.rows(); ++r) out(c, r) = A(r, c);
    return out;
}

Matrix operator-(Matrix A, const Matrix& B) {
    for (int c = 0; c < A.cols(); ++c) add(A.col(c), -1, B.col(c));
    return A;
}

Vector operator*(const Matrix& A, ConstColumn x) {
    Vector out(A.rows());
    for (int c = 0; c < A.cols(); ++c)
        if (const double factor = x[static_cast<std::size_t>(c)]; factor != 0) add(out, factor, A.col(c));
    return out;
}

Matrix operator*(const Matrix& A, const Matrix& B) {
    Matrix out(A.rows(), B.cols());
    for (int c = 0; c < B.cols(); ++c)
        for (int k = 0; k < A.cols(); ++k)
            if (const double factor = B(k, c); factor != 0) add(out.col(c), factor, A.col(k));
    return out;
}

Matrix transposed_times(const Matrix& A, const Matrix& B) {
    return transposed(A) * B;
}

Vector transposed_times(const Matrix& A, ConstColumn x) {
    Vector out(A.cols());
    for (int c = 0; c < A.cols(); ++c) out[c] = dot(A.col(c), x);
    return out;
}

Matrix some_rows(const Matrix& A, const std::vector<int>& rows) {
    Matrix out(static_cast<int>(rows.size()), A.cols());
    for (int c = 0; c < out.cols(); ++c)
        for (int r = 0; r < out.rows(); ++r) out(r, c) = A(rows[static_cast<std::size_t>(r)], c);
    return out;
}

Matrix some_columns(const Matrix& A, const std::vector<int>& columns) {
    Matrix out(A.rows(), 0);
    for (const int c : columns) out.append(A.col(c));
    return out;
}

namespace {

std::vector<int> run(int first, int count) {
    std::vector<int> out(static_cast<std::size_t>(count));
    std::iota(out.begin(), out.end(), first);
    return out;
}

}  // namespace

Matrix some_rows(const Matrix& A, int first, int count) {
    return some_rows(A, run(first, count));
}

Matrix some_columns(const Matrix& A, int first, int count) {
    return some_columns(A, run(first, count));
}

Matrix below(const Matrix& A, const Matrix& B) {
    Matrix out(A.rows() + B.rows(), A.cols());
    for (int c = 0; c < out.cols(); ++c) {
        std::copy(A.col(c).begin(), A.col(c).end(), out.col(c).begin());
        std::copy(B.col(c).begin(), B.col(c).end(), out.col(c).begin() + A.rows());
    }
    return out;
}

/// P A Pᵀ = L D Lᵀ with the largest number left on the diagonal as the next pivot: A may be positive by a hair only. L and
/// D stand in the lower half of A.
Vector solve_symmetric(Matrix A, const Vector& b) {
    const int n = A.rows();
    Vector x = b;
    std::vector<int> swapped(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
        int p = k;
        for (int i = k + 1; i < n; ++i)
            if (std::fabs(A(i, i)) > std::fabs(A(p, p))) p = i;
        swapped[static_cast<std::size_t>(k)] = p;
        if (p != k) {
            std::swap(x[k], x[p]);
            std::swap(A(k, k), A(p, p));
            for (int c = 0; c < k; ++c) std::swap(A(k, c), A(p, c));
            for (int i = k + 1; i < p; ++i) std::swap(A(i, k), A(p, i));
            for (int i = p + 1; i < n; ++i) std::swap(A(i, k), A(i, p));
        }
        const auto rest = static_cast<std::size_t>(k) + 1;
        const Column l = A.col(k).subspan(rest);
        const double d = A(k, k);
        if (d == 0) continue;  // and all that is left of A is zero
        for (int c = k + 1; c < n; ++c)
            if (const double factor = A(c, k); factor != 0) {
                const auto from = static_cast<std::size_t>(c);
                add(A.col(c).subspan(from), -factor / d, l.subspan(from - rest));
            }
        scale(l, 1 / d);
        add(Column(x).subspan(rest), -x[k], l);
    }
    for (int k = n - 1; k >= 0; --k) {
        const auto rest = static_cast<std::size_t>(k) + 1;
        x[k] = (A(k, k) == 0 ? 0 : x[k] / A(k, k)) - dot(A.col(k).subspan(rest), Column(x).subspan(rest));
    }
    for (int k = n - 1; k >= 0; --k) std::swap(x[k], x[swapped[static_cast<std::size_t>(k)]]);
    return x;
}

}  // namespace armature::doctor

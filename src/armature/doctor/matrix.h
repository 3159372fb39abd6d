// Dense matrices and vectors of any size, for the doctor alone: by hand, as all mathematics here (math/vec3.h says why), and
// because a library of templates would take longer to compile than the rest of the doctor together.
//
// A matrix is stored by columns, and whatever is slow runs down them. Products skip the zeros of the right factor: a row
// of a Jacobian has twelve numbers that are none.
#pragma once

#include <span>
#include <vector>

namespace armature::doctor {

using Column = std::span<double>;
using ConstColumn = std::span<const double>;

class Vector {
  public:
    Vector() = default;
    explicit Vector(int size) : values_(static_cast<std::size_t>(size)) {}  ///< zeros
    explicit Vector(ConstColumn values) : values_(values.begin(), values.end()) {}

    int size() const { return static_cast<int>(values_.size()); }
    double& operator[](int i) { return values_[static_cast<std::size_t>(i)]; }
    double operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
    double* data() { return values_.data(); }
    const double* data() const { return values_.data(); }
    double* begin() { return data(); }
    double* end() { return data() + values_.size(); }
    const double* begin() const { return data(); }
    const double* end() const { return data() + values_.size(); }

  private:
    std::vector<double> values_;
};

class Matrix {
  public:
    Matrix() = default;
    Matrix(int rows, int cols);  ///< zeros
    static Matrix identity(int size);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    double& operator()(int r, int c) { return values_[at(r, c)]; }
    double operator()(int r, int c) const { return values_[at(r, c)]; }
    Column col(int c) { return {values_.data() + at(0, c), static_cast<std::size_t>(rows_)}; }
    ConstColumn col(int c) const { return {values_.data() + at(0, c), static_cast<std::size_t>(rows_)}; }
    ConstColumn all() const { return values_; }
    void append(ConstColumn column);

  private:
    std::size_t at(int r, int c) const {
        return static_cast<std::size_t>(c) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(r);
    }
    int rows_ = 0, cols_ = 0;
    std::vector<double> values_;
};

inline ConstColumn three(const Vector& a, int first) {
    return ConstColumn(a).subspan(static_cast<std::size_t>(first), 3);
}

double dot(ConstColumn a, ConstColumn b);
double norm(ConstColumn a);
double norm(const Matrix& A);   ///< root of the sum of all squares
double largest(ConstColumn a);  ///< max |a_i|, 0 of nothing
void scale(Column a, double factor);
void add(Column to, double factor, ConstColumn a);  ///< to += factor a
Vector normalized(ConstColumn a);
Vector operator-(const Vector& a, const Vector& b);

Matrix transposed(const Matrix& A);
Matrix operator-(Matrix A, const Matrix& B);
Matrix operator*(const Matrix& A, const Matrix& B);
Vector operator*(const Matrix& A, ConstColumn x);
Matrix transposed_times(const Matrix& A, const Matrix& B);  ///< Aᵀ B
Vector transposed_times(const Matrix& A, ConstColumn x);    ///< Aᵀ x

Matrix some_rows(const Matrix& A, int first, int count);
Matrix some_rows(const Matrix& A, const std::vector<int>& rows);
Matrix some_columns(const Matrix& A, int first, int count);
Matrix some_columns(const Matrix& A, const std::vector<int>& columns);
Matrix below(const Matrix& A, const Matrix& B);  ///< A above B

/// A⁻¹ b for a symmetric, positive A.
Vector solve_symmetric(Matrix A, const Vector& b);

}  // namespace armature::doctor

// Small matrices, row by row:  D = L d Lᵀ where it is symmetric, D = L U otherwise.
//
// The kernels know the size of a block at compile time up to the six rows of a weld; N = 0 stands for any size.
#pragma once

#include <type_traits>

namespace armature {

/// In place, D = L d Lᵀ: L below the diagonal, 1/d on it. A pivot that is not positive cannot be: A has a positive diagonal
/// added (linearized.h); a NaN goes through.
template <int N>
inline void factor_dense(double* D, int any) {
    const int n = N > 0 ? N : any;
    for (int j = 0; j < n; ++j) {
        double d = D[j * n + j];
        for (int k = 0; k < j; ++k) d -= D[j * n + k] * D[j * n + k] * D[k * n + k];
        D[j * n + j] = d;
        const double inverse = 1 / d;
        for (int i = j + 1; i < n; ++i) {
            double v = D[i * n + j];
            for (int k = 0; k < j; ++k) v -= D[i * n + k] * (D[j * n + k] * D[k * n + k]);
            D[i * n + j] = v * inverse;
        }
    }
    for (int j = 0; j < n; ++j) D[j * n + j] = 1 / D[j * n + j];
}

/// x ← D⁻¹ x.
template <int N>
inline void solve_dense(const double* D, int any, double* x) {
    const int n = N > 0 ? N : any;
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < i; ++k) x[i] -= D[i * n + k] * x[k];
    for (int i = 0; i < n; ++i) x[i] *= D[i * n + i];
    for (int i = n - 2; i >= 0; --i)
        for (int k = i + 1; k < n; ++k) x[i] -= D[k * n + i] * x[k];
}

/// In place, D = L U without a change of rows: unit L below the diagonal, U above it, 1/U_jj on it.
template <int N>
inline void factor_dense_lu(double* D, int any) {
    const int n = N > 0 ? N : any;
    for (int k = 0; k < n; ++k) {
        const double inverse = 1 / D[k * n + k];
        D[k * n + k] = inverse;
        for (int i = k + 1; i < n; ++i) {
            const double l = D[i * n + k] * inverse;
            D[i * n + k] = l;
            for (int j = k + 1; j < n; ++j) D[i * n + j] -= l * D[k * n + j];
        }
    }
}

/// x ← D⁻¹ x.
template <int N>
inline void solve_dense_lu(const double* D, int any, double* x) {
    const int n = N > 0 ? N : any;
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < i; ++k) x[i] -= D[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) x[i] -= D[i * n + k] * x[k];
        x[i] *= D[i * n + i];
    }
}

/// x ← D⁻ᵀ x.
template <int N>
inline void solve_dense_lu_transposed(const double* D, int any, double* x) {
    const int n = N > 0 ? N : any;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= D[k * n + i] * x[k];
        x[i] *= D[i * n + i];
    }
    for (int i = n - 2; i >= 0; --i)
        for (int k = i + 1; k < n; ++k) x[i] -= D[k * n + i] * x[k];
}

/// act(std::integral_constant<int, n>), or of 0 when n is above six.
template <class Act>
inline void with_size(int n, Act&& act) {
    switch (n) {
        case 1:
            return act(std::integral_constant<int, 1>{});
        case 2:
            return act(std::integral_constant<int, 2>{});
        case 3:
            return act(std::integral_constant<int, 3>{});
        case 4:
            return act(std::integral_constant<int, 4>{});
        case 5:
            return act(std::integral_constant<int, 5>{});
        case 6:
            return act(std::integral_constant<int, 6>{});
        default:
            return act(std::integral_constant<int, 0>{});
    }
}

}  // namespace armature

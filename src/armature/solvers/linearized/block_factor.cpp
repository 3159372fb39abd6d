#include "armature/solvers/linearized/block_factor.h"

#include <algorithm>

#include "armature/solvers/linearized/dense_factor.h"

namespace armature {

namespace {

/// target ← target − L Aᵀ, rows × n times n × columns.
template <int N>
void subtract_product(double* target, const double* L, int rows, const double* A, int columns, int any) {
    const int n = N > 0 ? N : any;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += L[r * n + k] * A[c * n + k];
            target[r * columns + c] -= sum;
        }
}

}  // namespace

void BlockFactor::begin(const std::vector<int>& sizes, bool symmetric) {
    symmetric_ = symmetric;
    size_ = sizes;
    offset_.resize(sizes.size());
    diagonal_.resize(sizes.size());
    block_.resize(pattern_.below.size());
    unknowns_ = 0;
    std::size_t used = 0, widest = 0;
    // In the order of elimination, so that the factorisation walks through memory.
    for (const int j : pattern_.order) {
        const std::size_t n = idx(sizes[idx(j)]);
        diagonal_[idx(j)] = used;
        used += n * n;
        std::size_t column = 0;
        for (std::size_t a = pattern_.first[idx(j)]; a < pattern_.first[idx(j) + 1]; ++a) {
            block_[a] = used;
            used += n * idx(sizes[idx(pattern_.below[a])]);
            column += n * idx(sizes[idx(pattern_.below[a])]);
        }
        widest = std::max(widest, column);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        offset_[i] = unknowns_;
        unknowns_ += idx(sizes[i]);
    }
    values_.assign(used + 1, 0);  // one more: an empty last block has an address too
    if (symmetric)
        column_.resize(widest + 1);
    else
        upper_.assign(used + 1, 0);
}

void BlockFactor::factor() {
    std::size_t update = 0;
    for (const int j : pattern_.order) {
        if (size_[idx(j)] == 0) {
            update += pairs_below(j);
            continue;
        }
        with_size(size_[idx(j)], [&](auto n) {
            if (symmetric_)
                factor_column<n(), true>(j, update);
            else
                factor_column<n(), false>(j, update);
        });
    }
}

template <int N, bool symmetric>
void BlockFactor::factor_column(int j, std::size_t& update) {
    const int n = size_[idx(j)];
    double* D = diagonal(j);
    if constexpr (symmetric)
        factor_dense<N>(D, n);
    else
        factor_dense_lu<N>(D, n);
    const std::size_t begin = pattern_.first[idx(j)], end = pattern_.first[idx(j) + 1];
    if (begin == end) return;
    const std::size_t from = block_[begin];
    // A_jk, transposed. Of a symmetric system that is A_kj, kept here while the blocks become L_kj.
    const double* right = upper_.data() + (symmetric ? 0 : from);
    if constexpr (symmetric) {
        const std::size_t count = block_[end - 1] + idx(n) * idx(size_[idx(pattern_.below[end - 1])]) - from;
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(from), count, column_.begin());
        right = column_.data();
    }
    for (std::size_t a = begin; a < end; ++a) {
        double* L = &values_[block_[a]];
        for (int r = 0; r < size_[idx(pattern_.below[a])]; ++r) {
            if constexpr (symmetric)
                solve_dense<N>(D, n, L + r * n);
            else
                solve_dense_lu_transposed<N>(D, n, L + r * n);
        }
    }
    const auto subtract = [&](double* target, const double* L, int rows, const double* A, int columns) {
        if (N > 0 && rows == N && columns == N)
            subtract_product<N>(target, L, N, A, N, N);
        else
            subtract_product<N>(target, L, rows, A, columns, n);
    };
    for (std::size_t a = begin; a < end; ++a) {
        const int size_a = size_[idx(pattern_.below[a])];
        const double *La = &values_[block_[a]], *Ra = right + (block_[a] - from);
        subtract(diagonal(pattern_.below[a]), La, size_a, Ra, size_a);
        for (std::size_t b = a + 1; b < end; ++b) {
            const int size_b = size_[idx(pattern_.below[b])];
            const std::size_t target = block_[pattern_.updates[update++]];
            subtract(&values_[target], &values_[block_[b]], size_b, Ra, size_a);
            if constexpr (!symmetric) subtract(&upper_[target], right + (block_[b] - from), size_b, La, size_a);
        }
    }
}

void BlockFactor::solve(std::vector<double>& x) const {
    if (symmetric_)
        solve_as<true>(x);
    else
        solve_as<false>(x);
}

template <bool symmetric>
void BlockFactor::solve_as(std::vector<double>& x) const {
    for (const int j : pattern_.order)
        with_size(size_[idx(j)], [&](auto size) {
            constexpr int N = size();
            const int n = N > 0 ? N : size_[idx(j)];
            const double* xj = x.data() + offset_[idx(j)];
            for (std::size_t a = pattern_.first[idx(j)]; a < pattern_.first[idx(j) + 1]; ++a) {
                const double* L = &values_[block_[a]];
                double* xi = x.data() + offset_[idx(pattern_.below[a])];
                for (int r = 0; r < size_[idx(pattern_.below[a])]; ++r)
                    for (int k = 0; k < n; ++k) xi[r] -= L[r * n + k] * xj[k];
            }
        });
    // Upwards. Symmetric: x_j = D⁻¹ b_j − Σ L_kjᵀ x_k.  General: x_j = D⁻¹ (b_j − Σ A_jk x_k).
    for (auto at = pattern_.order.rbegin(); at != pattern_.order.rend(); ++at)
        with_size(size_[idx(*at)], [&, j = *at](auto size) {
            constexpr int N = size();
            const int n = N > 0 ? N : size_[idx(j)];
            double* xj = x.data() + offset_[idx(j)];
            const double* D = &values_[diagonal_[idx(j)]];
            if constexpr (symmetric) solve_dense<N>(D, n, xj);
            for (std::size_t a = pattern_.first[idx(j)]; a < pattern_.first[idx(j) + 1]; ++a) {
                const double* right = symmetric ? &values_[block_[a]] : &upper_[block_[a]];
                const double* xi = x.data() + offset_[idx(pattern_.below[a])];
                for (int r = 0; r < size_[idx(pattern_.below[a])]; ++r)
                    for (int k = 0; k < n; ++k) xj[k] -= right[r * n + k] * xi[r];
            }
            if constexpr (!symmetric) solve_dense_lu<N>(D, n, xj);
        });
}

}  // namespace armature

// A x = b as in block_system.h for blocks of 3 × 3, where bodies of any topology couple many of them.
//
// What an elimination does to A_(row, column) it does to the transpose of A_(column, row) too, with other numbers:
//
//   A_ik ← A_ik − L_ij U_jk,      A_kiᵀ ← A_kiᵀ − U_jiᵀ L_kjᵀ           (i after k after j)
//
// so the two stand side by side, four numbers of a column each, and go by one instruction where the machine works on eight.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "armature/solvers/linearized/elimination.h"
#include "armature/solvers/linearized/triple_system.h"

namespace armature {

struct CoupledSystem {
    using Block = four::M;
    using Cell = four::Cell;
    /// Column by column: A_(row, column), then L; and A_(column, row)ᵀ.
    struct alignas(64) Coupled {
        double c[3][8];
    };
    /// Where a block stands.
    struct Place {
        double* at = nullptr;
        std::int16_t stride = 0;  ///< from one column to the next
        bool transposed = false;

        explicit operator bool() const { return at != nullptr; }
        auto operator<=>(const Place&) const = default;
    };

    Elimination pattern;
    std::vector<Block> diagonal;  ///< per node: A_jj, then D⁻¹
    std::vector<Coupled> coupled;
    std::vector<Cell> x;  ///< per node: b, then x

    void make_room() {
        diagonal.resize(pattern.order.size());
        x.resize(diagonal.size());
        coupled.resize(pattern.below.size());
    }
    /// A_ij of two nodes that are coupled, or one.
    Place at(int i, int j) {
        if (i == j) return on_diagonal(static_cast<std::size_t>(i));
        const Elimination::Coupling c = pattern.coupling(i, j);
        return c.row == i ? below_diagonal(c.at) : above_diagonal(c.at);
    }
    template <class Act>
    void each_place(const Act& act) {
        for (std::size_t i = 0; i < diagonal.size(); ++i) act(on_diagonal(i));
        for (std::size_t k = 0; k < coupled.size(); ++k) {
            act(below_diagonal(k));
            act(above_diagonal(k));
        }
    }

  private:
    Place on_diagonal(std::size_t i) { return {reinterpret_cast<double*>(&diagonal[i]), 4, false}; }
    Place below_diagonal(std::size_t k) { return {coupled[k].c[0], 8, false}; }
    Place above_diagonal(std::size_t k) { return {coupled[k].c[0] + 4, 8, true}; }
};

/// From b to x; A is lost.
void solve(CoupledSystem& system);

namespace four {

ARMATURE_INLINE V column_at(const CoupledSystem::Place& p, int c) {
    return lanes::load<V>(p.at + c * p.stride);
}
ARMATURE_INLINE M get(const CoupledSystem::Place& p) {
    const M m{column_at(p, 0), column_at(p, 1), column_at(p, 2)};
    return p.transposed ? transposed(m) : m;
}
ARMATURE_INLINE void set(const CoupledSystem::Place& p, const M& block) {
    const M m = p.transposed ? transposed(block) : block;
    lanes::store<V>(p.at, m.c0);
    lanes::store<V>(p.at + p.stride, m.c1);
    lanes::store<V>(p.at + 2 * p.stride, m.c2);
}

/// What stands below the diagonal.
ARMATURE_INLINE M left(const CoupledSystem::Coupled& k) {
    return {lanes::load<V>(k.c[0]), lanes::load<V>(k.c[1]), lanes::load<V>(k.c[2])};
}
ARMATURE_INLINE void set_left(CoupledSystem::Coupled& k, const M& L) {
    lanes::store<V>(k.c[0], L.c0);
    lanes::store<V>(k.c[1], L.c1);
    lanes::store<V>(k.c[2], L.c2);
}

/// What a node that is eliminated takes from A_kk and b_k of one that it is coupled with.
ARMATURE_INLINE void update_pivot(const CoupledSystem::Coupled& k, const V& xj, M& D, Cell& x) {
    const M L = left(k);
    const auto times_U = [&](int b) ARMATURE_LAMBDA {
        return L.c0 * all(k.c[0][4 + b]) + L.c1 * all(k.c[1][4 + b]) + L.c2 * all(k.c[2][4 + b]);
    };
    D = D - M{times_U(0), times_U(1), times_U(2)};
    x.v = x.v - L * xj;
}

/// Upwards.
ARMATURE_INLINE void substitute(CoupledSystem& s) {
    Cell* x = s.x.data();
    const int* below = s.pattern.below.data();
    const std::size_t* first = s.pattern.first.data();
    for (auto at = s.pattern.order.rbegin(); at != s.pattern.order.rend(); ++at) {
        const auto j = static_cast<std::size_t>(*at);
        V row0{}, row1{}, row2{};
        for (std::size_t k = first[j]; k < first[j + 1]; ++k) {
            const V xk = x[below[k]].v;
            const CoupledSystem::Coupled& U = s.coupled[k];
            row0 = row0 + lanes::load<V>(U.c[0] + 4) * xk;
            row1 = row1 + lanes::load<V>(U.c[1] + 4) * xk;
            row2 = row2 + lanes::load<V>(U.c[2] + 4) * xk;
        }
        const M columns = transposed({row0, row1, row2});
        x[j].v = s.diagonal[j] * (x[j].v - (columns.c0 + columns.c1 + columns.c2));
    }
}

/// solve() where each node is coupled with at most one of those after it, as in a chain: there is little to do, and it is done here.
ARMATURE_INLINE void solve_links(CoupledSystem& s) {
    for (const int j : s.pattern.order) {
        const auto node = static_cast<std::size_t>(j);
        const M inverse = pivot_inverse(s.diagonal[node]);
        s.diagonal[node] = inverse;
        const std::size_t at = s.pattern.first[node];
        if (at == s.pattern.first[node + 1]) continue;
        CoupledSystem::Coupled& k = s.coupled[at];
        set_left(k, left(k) * inverse);
        const auto next = static_cast<std::size_t>(s.pattern.below[at]);
        update_pivot(k, s.x[node].v, s.diagonal[next], s.x[next]);
    }
    substitute(s);
}

}  // namespace four

}  // namespace armature

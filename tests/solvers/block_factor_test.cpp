// The sparse factorisation against dense elimination with pivoting, on structures of every kind and blocks of every size.
#include "armature/solvers/linearized/block_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "armature/math/random.h"
#include "armature/solvers/linearized/dissection.h"

namespace armature::block_factor {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

Couplings chain(int n) {
    Couplings c;
    for (int i = 1; i < n; ++i) c.emplace_back(i - 1, i);
    return c;
}

/// Gauss elimination with row pivoting.
std::vector<double> dense_solution(std::vector<std::vector<double>> A, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::fabs(A[i][k]) > std::fabs(A[p][k])) p = i;
        std::swap(A[k], A[p]);
        std::swap(b[k], b[p]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = A[i][k] / A[k][k];
            for (std::size_t j = k; j < n; ++j) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
    return b;
}

/// Fills in a matrix at random whose diagonal outweighs the rest, solves, and gives the largest difference from the dense solution.
double difference_from_dense(Random& random, int nodes, const Couplings& couplings, bool symmetric) {
    std::vector<int> sizes;
    for (int i = 0; i < nodes; ++i) sizes.push_back(random.integer(0, 6));
    BlockFactor system;
    system.analyse(nodes, couplings);
    system.begin(sizes, symmetric);
    const std::size_t n = system.unknowns();
    std::vector<std::vector<double>> A(n, std::vector<double>(n, 0));
    std::vector<std::vector<char>> seen(static_cast<std::size_t>(nodes),
                                        std::vector<char>(static_cast<std::size_t>(nodes)));
    for (const auto& [a, b] : couplings) {
        const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
        if (a == b || seen[ia][ib]) continue;
        seen[ia][ib] = seen[ib][ia] = 1;
        const BlockFactor::CouplingPlace c = system.coupling_place(a, b);
        const int rows = sizes[static_cast<std::size_t>(c.row)], columns = sizes[static_cast<std::size_t>(c.column)];
        for (int r = 0; r < rows; ++r)
            for (int s = 0; s < columns; ++s) {
                const double v = random.uniform(-1, 1), back = symmetric ? v : random.uniform(-1, 1);
                system.coupling_values(c.at)[r * columns + s] = v;
                if (!symmetric) system.transposed_values(c.at)[r * columns + s] = back;
                const std::size_t i = system.offset(c.row) + static_cast<std::size_t>(r);
                const std::size_t j = system.offset(c.column) + static_cast<std::size_t>(s);
                A[i][j] = v;
                A[j][i] = back;
            }
    }
    for (int k = 0; k < nodes; ++k) {
        const int size = sizes[static_cast<std::size_t>(k)];
        for (int r = 0; r < size; ++r)
            for (int s = 0; s <= r; ++s) {
                const double v = random.uniform(-1, 1), back = symmetric ? v : random.uniform(-1, 1);
                const std::size_t i = system.offset(k) + static_cast<std::size_t>(r);
                const std::size_t j = system.offset(k) + static_cast<std::size_t>(s);
                A[i][j] = v;
                A[j][i] = back;
            }
    }
    for (std::size_t i = 0; i < n; ++i) {  // more than the rest of its row
        double sum = 0.1;
        for (std::size_t j = 0; j < n; ++j) sum += i == j ? 0 : std::fabs(A[i][j]);
        A[i][i] = sum;
    }
    for (int k = 0; k < nodes; ++k) {
        const int size = sizes[static_cast<std::size_t>(k)];
        for (int r = 0; r < size; ++r)
            for (int s = 0; s < size; ++s)
                system.diagonal(k)[r * size + s] =
                    A[system.offset(k) + static_cast<std::size_t>(r)][system.offset(k) + static_cast<std::size_t>(s)];
    }
    std::vector<double> b(n);
    for (double& v : b) v = random.uniform(-1, 1);
    const std::vector<double> wanted = dense_solution(A, b);
    system.factor();
    system.solve(b);
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(b[i] - wanted[i]));
    return worst;
}

TEST(BlockFactor, AgreesWithDenseEliminationOnRandomStructures) {
    Random random(1);
    for (int k = 0; k < 300; ++k) {
        const int nodes = random.integer(1, 14);
        Couplings couplings;
        const int edges = random.integer(0, 3 * nodes);
        for (int e = 0; e < edges; ++e)
            couplings.emplace_back(random.integer(0, nodes - 1), random.integer(0, nodes - 1));
        EXPECT_LT(difference_from_dense(random, nodes, couplings, true), 1e-11) << k;
        EXPECT_LT(difference_from_dense(random, nodes, couplings, false), 1e-11) << k;
    }
}

TEST(BlockFactor, NothingFillsInOnChainsAndTrees) {
    BlockFactor system;
    system.analyse(1000, chain(1000));
    EXPECT_EQ(system.blocks(), 999u);
    Random random(2);
    Couplings tree;
    for (int i = 1; i < 500; ++i) tree.emplace_back(i, random.integer(0, i - 1));
    system.analyse(500, tree);
    EXPECT_EQ(system.blocks(), 499u);
}

TEST(Elimination, NodesWithoutADiagonalComeAfterOneThatGivesThemOne) {
    Random random(3);
    for (int k = 0; k < 100; ++k) {
        const int nodes = random.integer(2, 30), free = random.integer(1, nodes);
        Couplings couplings;
        std::vector<std::vector<int>> after(static_cast<std::size_t>(nodes));
        for (int i = 0; i < nodes; ++i) couplings.emplace_back(i, random.integer(0, nodes - 1));
        for (int i = free; i < nodes; ++i)
            after[static_cast<std::size_t>(i)] = {random.integer(0, free - 1), random.integer(0, free - 1)};
        Elimination pattern;
        pattern.analyse(nodes, couplings, after);
        ASSERT_EQ(pattern.order.size(), static_cast<std::size_t>(nodes));
        const auto place = [&](int i) { return pattern.position[static_cast<std::size_t>(i)]; };
        for (int i = free; i < nodes; ++i) {
            const std::vector<int>& waits = after[static_cast<std::size_t>(i)];
            EXPECT_GT(place(i), std::min(place(waits[0]), place(waits[1]))) << k;
        }
    }
}

/// The joints of n × n knots, each coupled with all around it, as those of a net are.
Couplings net(int n) {
    Couplings couplings;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (const auto& [di, dj] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1}, std::pair{1, -1}})
                if (i + di < n && j + dj >= 0 && j + dj < n) couplings.emplace_back(n * i + j, n * (i + di) + j + dj);
    return couplings;
}

TEST(BlockFactor, AgreesWithDenseEliminationOnANetThatIsCutByDissection) {
    Random random(4);
    EXPECT_LT(difference_from_dense(random, 14 * 14, net(14), true), 1e-10);
    EXPECT_LT(difference_from_dense(random, 14 * 14, net(14), false), 1e-10);
}

TEST(Elimination, ANetOfTwiceTheWidthCostsEightTimesAsMuch) {
    const auto products = [](int n) {
        Elimination pattern;
        pattern.analyse(n * n, net(n));
        return static_cast<double>(pattern.products());
    };
    const double ratio = products(80) / products(40);  // n³: 8
    EXPECT_LT(ratio, 10);
    EXPECT_GT(ratio, 6);
}

TEST(Dissection, WhatASeparatorPartsIsNotCoupled) {
    constexpr int n = 30;
    std::vector<std::vector<int>> next(n * n);
    for (const auto& [i, j] : net(n)) {
        next[static_cast<std::size_t>(i)].push_back(j);
        next[static_cast<std::size_t>(j)].push_back(i);
    }
    const std::vector<int> stage = dissect(next);
    // The parts of the first two halves: those before the last separator, taken apart, have no coupling.
    const int last = *std::max_element(stage.begin(), stage.end());
    std::vector<char> met(stage.size(), 0);
    int pieces = 0;
    for (std::size_t start = 0; start < stage.size(); ++start) {
        if (met[start] || stage[start] == last) continue;
        ++pieces;
        std::vector<std::size_t> queue{start};
        met[start] = 1;
        for (std::size_t k = 0; k < queue.size(); ++k)
            for (const int m : next[queue[k]]) {
                const auto at = static_cast<std::size_t>(m);
                if (met[at] || stage[at] == last) continue;
                met[at] = 1;
                queue.push_back(at);
            }
        EXPECT_GE(queue.size(), stage.size() / 4) << "a third on either side, less what the separator takes";
    }
    EXPECT_EQ(pieces, 2);
}

TEST(BlockFactor, ARingFillsInLinearly) {
    Couplings ring = chain(100);
    ring.emplace_back(99, 0);
    BlockFactor system;
    system.analyse(100, ring);
    EXPECT_LE(system.blocks(), 2u * 100u);
}

}  // namespace
}  // namespace armature::block_factor

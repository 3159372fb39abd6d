// The system with couplings side by side: what it solves for satisfies A x = b, with the same bits on every machine.
#include "armature/solvers/linearized/coupled_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "armature/math/random.h"

namespace armature::coupled_system {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

Mat3 random_block(Random& random, double diagonal) {
    const Vec3 a = random.in_box(1), b = random.in_box(1), c = random.in_box(1);
    return {{a.x + diagonal, a.y, a.z}, {b.x, b.y + diagonal, b.z}, {c.x, c.y, c.z + diagonal}};
}

/// Blocks by rows and columns, and the sides b.
struct Problem {
    int nodes;
    std::map<std::pair<int, int>, Mat3> blocks;
    std::vector<Vec3> b;
};

Problem random_problem(Random& random, int nodes, const Couplings& couplings) {
    Problem p{nodes, {}, {}};
    std::vector<int> degree(static_cast<std::size_t>(nodes), 0);
    for (const auto& [i, j] : couplings) {
        p.blocks[{i, j}] = random_block(random, 0);
        p.blocks[{j, i}] = random_block(random, 0);
        for (const int n : {i, j}) ++degree[static_cast<std::size_t>(n)];
    }
    for (int n = 0; n < nodes; ++n) {
        p.blocks[{n, n}] = random_block(random, 3.0 * degree[static_cast<std::size_t>(n)] + 3);
        p.b.push_back(random.in_box(1));
    }
    return p;
}

std::vector<Vec3> solution(const Problem& p, const Couplings& couplings) {
    CoupledSystem system;
    system.pattern.analyse(p.nodes, couplings);
    system.make_room();
    system.each_place([](const CoupledSystem::Place& place) { four::set(place, four::zero()); });
    for (const auto& [at, block] : p.blocks) four::set(system.at(at.first, at.second), four::load(block));
    for (std::size_t n = 0; n < p.b.size(); ++n) system.x[n].v = four::load(p.b[n]);
    solve(system);
    std::vector<Vec3> x;
    for (const CoupledSystem::Cell& cell : system.x) x.push_back(four::store(cell.v));
    return x;
}

double worst_residual(const Problem& p, const std::vector<Vec3>& x) {
    std::vector<Vec3> left = p.b;
    for (const auto& [at, block] : p.blocks)
        left[static_cast<std::size_t>(at.first)] -= block * x[static_cast<std::size_t>(at.second)];
    double worst = 0;
    for (const Vec3& v : left) worst = std::max(worst, norm(v));
    return worst;
}

/// A net, and ties across it at random: columns with few and with many couplings, panels of one and of many nodes.
Couplings tangle(Random& random, int n, int across) {
    Couplings couplings;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (i + 1 < n) couplings.emplace_back(n * i + j, n * (i + 1) + j);
            if (j + 1 < n) couplings.emplace_back(n * i + j, n * i + j + 1);
        }
    for (int k = 0; k < across; ++k) {
        const int a = random.integer(0, n * n - 1), b = random.integer(0, n * n - 1);
        if (a != b) couplings.emplace_back(a, b);
    }
    return couplings;
}

TEST(CoupledSystem, WhatItSolvesForSatisfiesTheEquations) {
    Random random(3);
    for (const int n : {1, 2, 5, 9, 16})
        for (const int across : {0, n}) {
            const Couplings couplings = tangle(random, n, across);
            const Problem p = random_problem(random, n * n, couplings);
            EXPECT_LE(worst_residual(p, solution(p, couplings)), 1e-13) << n;
        }
}

TEST(CoupledSystem, GivesTheSameBitsOnEveryMachine) {
    Random random(4);
    const Couplings couplings = tangle(random, 12, 6);
    const Problem p = random_problem(random, 144, couplings);
    const std::vector<Vec3> widest = solution(p, couplings);
    for (const lanes::Machine most : {lanes::Machine::wide, lanes::Machine::plain}) {
        lanes::limit_machine(most);
        const std::vector<Vec3> narrow = solution(p, couplings);
        lanes::limit_machine(lanes::Machine::widest);
        for (std::size_t i = 0; i < widest.size(); ++i) EXPECT_EQ(widest[i], narrow[i]) << i;
    }
}

TEST(CoupledSystem, BlocksAreReadBackAsTheyWereSet) {
    Random random(5);
    CoupledSystem system;
    system.pattern.analyse(2, {{0, 1}});
    system.make_room();
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
        const four::M block = four::load(random_block(random, 0));
        four::set(system.at(i, j), block);
        const four::M back = four::get(system.at(i, j));
        for (int r = 0; r < 3; ++r) {
            EXPECT_EQ(back.c0[r], block.c0[r]);
            EXPECT_EQ(back.c1[r], block.c1[r]);
            EXPECT_EQ(back.c2[r], block.c2[r]);
        }
    }
}

}  // namespace
}  // namespace armature::coupled_system

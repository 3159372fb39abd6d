// The smallest separator against all sets of nodes there are, and on grids, whose smallest cut is known.
#include "armature/solvers/linearized/separator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "armature/math/random.h"

namespace armature::separator {
namespace {

Neighbours graph_of(const std::vector<std::vector<int>>& next) {
    Neighbours graph;
    for (const std::vector<int>& n : next) {
        graph.all.insert(graph.all.end(), n.begin(), n.end());
        graph.first.push_back(graph.all.size());
    }
    return graph;
}

void tie(std::vector<std::vector<int>>& next, int a, int b) {
    next[static_cast<std::size_t>(a)].push_back(b);
    next[static_cast<std::size_t>(b)].push_back(a);
}

std::size_t count(const std::vector<Side>& sides, Side side) {
    return static_cast<std::size_t>(std::count(sides.begin(), sides.end(), side));
}

bool parts(const Neighbours& graph, const std::vector<Side>& sides) {
    for (std::size_t n = 0; n < graph.size(); ++n)
        for (std::size_t k = graph.first[n]; k < graph.first[n + 1]; ++k)
            if (sides[n] == Side::near && sides[static_cast<std::size_t>(graph.all[k])] == Side::far) return false;
    return true;
}

/// No way from the near end to the far one but through the nodes whose bits are set.
bool cuts(const Neighbours& graph, const std::vector<Side>& sides, unsigned removed) {
    std::vector<char> met(graph.size(), 0);
    std::vector<std::size_t> queue;
    for (std::size_t n = 0; n < graph.size(); ++n)
        if (sides[n] == Side::near) {
            met[n] = 1;
            queue.push_back(n);
        }
    for (std::size_t at = 0; at < queue.size(); ++at)
        for (std::size_t k = graph.first[queue[at]]; k < graph.first[queue[at] + 1]; ++k) {
            const auto n = static_cast<std::size_t>(graph.all[k]);
            if (met[n] || (removed >> n & 1)) continue;
            if (sides[n] == Side::far) return false;
            met[n] = 1;
            queue.push_back(n);
        }
    return true;
}

TEST(Separator, IsAsSmallAsTheSmallestOfAllSetsInRandomGraphs) {
    Random random(7);
    int found = 0;
    for (int sample = 0; sample < 400; ++sample) {
        const int nodes = random.integer(4, 12);
        std::vector<std::vector<int>> next(static_cast<std::size_t>(nodes));
        const double density = random.uniform(0.15, 0.6);
        for (int a = 0; a < nodes; ++a)
            for (int b = 0; b < a; ++b)
                if (random.unit() < density) tie(next, a, b);
        const Neighbours graph = graph_of(next);
        std::vector<Side> sides(static_cast<std::size_t>(nodes), Side::between);
        sides.front() = Side::near;
        sides.back() = Side::far;
        int smallest = nodes;
        for (unsigned set = 0; set < 1u << nodes; ++set) {
            if ((set & 1) || (set >> (nodes - 1) & 1)) continue;  // not of the ends
            if (cuts(graph, sides, set)) smallest = std::min(smallest, std::popcount(set));
        }
        std::vector<Side> cut = sides;
        const bool there = Separator().find(graph, cut, static_cast<std::size_t>(nodes));
        ASSERT_EQ(there, smallest < nodes) << sample;
        if (!there) continue;
        ++found;
        ASSERT_EQ(count(cut, Side::between), static_cast<std::size_t>(smallest)) << sample;
        ASSERT_TRUE(parts(graph, cut)) << sample;
        ASSERT_EQ(cut.front(), Side::near);
        ASSERT_EQ(cut.back(), Side::far);
    }
    EXPECT_GE(found, 100);
}

TEST(Separator, OfAGridIsAsWideAsItsNarrowestColumn) {
    constexpr int wide = 30, high = 20;
    std::vector<std::vector<int>> next(wide * high);
    for (int i = 0; i < wide; ++i)
        for (int j = 0; j < high; ++j) {
            if (i == 15 && j >= 8) continue;  // a slit
            if (i + 1 < wide && !(i + 1 == 15 && j >= 8)) tie(next, high * i + j, high * (i + 1) + j);
            if (j + 1 < high && !(i == 15 && j + 1 >= 8)) tie(next, high * i + j, high * i + j + 1);
        }
    const Neighbours graph = graph_of(next);
    std::vector<Side> sides(next.size(), Side::between);
    for (int j = 0; j < high; ++j) {
        for (int i = 0; i < 8; ++i) sides[static_cast<std::size_t>(high * i + j)] = Side::near;
        for (int i = 22; i < wide; ++i) sides[static_cast<std::size_t>(high * i + j)] = Side::far;
    }
    Separator separator;
    std::vector<Side> cut = sides;
    ASSERT_TRUE(separator.find(graph, cut, next.size()));
    EXPECT_EQ(count(cut, Side::between), 8u);
    EXPECT_TRUE(parts(graph, cut));
    cut = sides;
    EXPECT_FALSE(separator.find(graph, cut, 8)) << "none of less than eight";
}

}  // namespace
}  // namespace armature::separator

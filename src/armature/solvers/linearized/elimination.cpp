#include "armature/solvers/linearized/elimination.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <set>

#include "armature/solvers/linearized/dissection.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

constexpr std::size_t worth_dissecting = 60;  // products per node

std::vector<std::vector<int>> neighbours(std::size_t nodes, const std::vector<std::pair<int, int>>& couplings) {
    std::vector<std::vector<int>> next(nodes);
    for (const auto& [i, j] : couplings) {
        if (i == j) continue;
        next[idx(i)].push_back(j);
        next[idx(j)].push_back(i);
    }
    for (std::vector<int>& n : next) {
        std::sort(n.begin(), n.end());
        n.erase(std::unique(n.begin(), n.end()), n.end());
    }
    return next;
}

}  // namespace

void Elimination::analyse_in_stages(const std::vector<std::pair<int, int>>& couplings, const std::vector<int>& stage) {
    eliminate(neighbours(stage.size(), couplings), {}, stage);
}

void Elimination::analyse(int nodes, const std::vector<std::pair<int, int>>& couplings,
                          const std::vector<std::vector<int>>& after) {
    const std::vector<std::vector<int>> next = neighbours(idx(nodes), couplings);
    eliminate(next, after, std::vector<int>(idx(nodes), 0));
    if (products() < worth_dissecting * idx(nodes)) return;
    Elimination dissected;
    dissected.eliminate(next, after, dissect(next));
    if (dissected.products() < products()) *this = std::move(dissected);
}

void Elimination::eliminate(std::vector<std::vector<int>> next, const std::vector<std::vector<int>>& after,
                            const std::vector<int>& stage) {
    const int nodes = static_cast<int>(next.size());
    struct Waiting {
        int stage;
        std::size_t degree;
        long long since;
        int node;
        auto operator<=>(const Waiting&) const = default;
    };
    std::set<Waiting> by_degree;
    std::vector<Waiting> as(idx(nodes));
    long long now = 0;
    std::vector<char> blocked(idx(nodes), 0);
    std::vector<std::vector<int>> releases(after.empty() ? 0 : idx(nodes));
    for (std::size_t i = 0; i < after.size(); ++i) {
        blocked[i] = !after[i].empty();
        for (const int j : after[i]) releases[idx(j)].push_back(static_cast<int>(i));
    }
    const auto wait = [&](int i) {
        as[idx(i)] = {stage[idx(i)], next[idx(i)].size(), now++, i};
        if (!blocked[idx(i)]) by_degree.insert(as[idx(i)]);
    };
    for (int i = 0; i < nodes; ++i) wait(i);
    order.clear();
    position.assign(idx(nodes), 0);
    std::vector<std::vector<int>> later(idx(nodes));
    std::vector<int> merged;
    while (!by_degree.empty()) {
        const int j = by_degree.begin()->node;
        by_degree.erase(by_degree.begin());
        position[idx(j)] = static_cast<int>(order.size());
        order.push_back(j);
        later[idx(j)] = next[idx(j)];
        // What was coupled through j is now coupled directly.
        for (const int i : next[idx(j)]) {
            std::vector<int>& n = next[idx(i)];
            by_degree.erase(as[idx(i)]);
            merged.clear();
            std::set_union(n.begin(), n.end(), next[idx(j)].begin(), next[idx(j)].end(), std::back_inserter(merged));
            merged.erase(std::remove_if(merged.begin(), merged.end(), [&](int k) { return k == i || k == j; }),
                         merged.end());
            n.assign(merged.begin(), merged.end());
            wait(i);
        }
        next[idx(j)].clear();
        if (releases.empty()) continue;
        for (const int i : releases[idx(j)])
            if (blocked[idx(i)]) {
                blocked[idx(i)] = 0;
                wait(i);
            }
    }
    first.assign(idx(nodes) + 1, 0);
    below.clear();
    for (int j = 0; j < nodes; ++j) {
        first[idx(j)] = below.size();
        std::vector<int>& b = later[idx(j)];
        std::sort(b.begin(), b.end(), [&](int i, int k) { return position[idx(i)] < position[idx(k)]; });
        below.insert(below.end(), b.begin(), b.end());
    }
    first[idx(nodes)] = below.size();
    find_updates();
}

void Elimination::find_updates() {
    updates.clear();
    for (const int j : order)
        for (std::size_t a = first[idx(j)]; a < first[idx(j) + 1]; ++a)
            for (std::size_t b = a + 1; b < first[idx(j) + 1]; ++b) {
                const int column = below[a];
                const auto begin = below.begin() + static_cast<std::ptrdiff_t>(first[idx(column)]);
                const auto end = below.begin() + static_cast<std::ptrdiff_t>(first[idx(column) + 1]);
                const auto at = std::lower_bound(begin, end, below[b],
                                                 [&](int i, int k) { return position[idx(i)] < position[idx(k)]; });
                updates.push_back(static_cast<std::size_t>(at - below.begin()));
            }
}

Elimination::Coupling Elimination::coupling(int i, int j) const {
    if (position[idx(i)] < position[idx(j)]) std::swap(i, j);
    std::size_t at = first[idx(j)];
    while (below[at] != i) ++at;
    return {at, i, j};
}

}  // namespace armature

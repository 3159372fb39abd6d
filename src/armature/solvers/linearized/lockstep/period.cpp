#include "armature/solvers/linearized/lockstep/period.h"

#include <algorithm>

#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature::lockstep {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

constexpr int longest_period = 64;   // nodes
constexpr int fewest_nodes = 32;     // that are worth eight lanes
constexpr int fewest_parts = 6;      // of eight, where they are apart by themselves
constexpr double least_share = 0.6;  // of the nodes, in the parts
constexpr std::size_t crowd = 16;    // sides of a body that make it a hub

/// Nodes first + i·nodes + r, r < nodes, are alike for all i < periods; their bodies are `bodies` further on each time.
struct Period {
    int first = 0, nodes = 0, bodies = 0, periods = 0;
};

/// How far the bodies of node k + p are from those of node k; 0 when the two are not alike. Hubs are the same for all.
int shift(const Graph& graph, int k, int p) {
    const BilateralPlan::Node &a = graph.plan.nodes[idx(k)], &b = graph.plan.nodes[idx(k + p)];
    if (a.axis != b.axis) return 0;
    int by = 0;
    for (const auto& [from, to] : {std::pair{a.body1, b.body1}, std::pair{a.body2, b.body2}}) {
        if (graph.moves(from) != graph.moves(to) || graph.hub_of(from) != graph.hub_of(to)) return 0;
        if (!graph.moves(from) || graph.hub_of(from) >= 0) continue;
        if (to - from <= 0 || (by != 0 && to - from != by)) return 0;
        by = to - from;
    }
    return by;
}

/// The longest run of nodes that are alike at the distance p.
Period longest_run(const Graph& graph, int p) {
    const int n = static_cast<int>(graph.plan.nodes.size());
    Period best;
    for (int k = 0; k + p < n;) {
        const int by = shift(graph, k, p);
        int end = k + 1;
        while (by != 0 && end + p < n && shift(graph, end, p) == by) ++end;
        const int periods = (end - k + p) / p;
        if (by != 0 && periods > best.periods) best = {k, p, by, periods};
        k = end;
    }
    return best;
}

/// How many nodes at the beginning of each part have to be singles.
int needed_cut(const Cutting& c, const Graph& graph) {
    int cut = 0;
    for (int k = c.first; k < c.begin(c.parts); ++k)
        for (const int other : graph.neighbours[idx(k)])
            if (c.part_of(other) >= 0 && c.part_of(other) < c.part_of(k) && c.place_of(other) >= cut)
                cut = std::max(cut, c.place_of(k) + 1);
    return cut;
}

/// Where in the period parts begin decides how many nodes are cut away.
Cutting best_cutting(const Period& found, const Graph& graph) {
    Cutting best;
    for (int begin = 0; begin < found.nodes; ++begin) {
        const int first = found.first + begin, periods = found.periods - (begin > 0 ? 1 : 0);
        // Parts that are apart by themselves can be as many as there are.
        Cutting apart{first, found.nodes, 0, periods, found.bodies};
        if (periods >= fewest_parts && needed_cut(apart, graph) == 0 && apart.kept() > best.kept()) best = apart;
        const int length = periods / eight;
        if (length < 2) continue;
        Cutting cut{first, length * found.nodes, 0, eight, length * found.bodies};
        cut.cut = needed_cut(cut, graph);
        if (cut.kept() > best.kept()) best = cut;
    }
    return best;
}

/// A node between hubs and what does not move has nothing of its own on the diagonal: it cannot go first.
bool all_stand_alone(const Graph& graph, const Cutting& c) {
    for (int k = c.first; k < c.begin(c.parts); ++k) {
        const BilateralPlan::Node& n = graph.plan.nodes[idx(k)];
        const auto own = [&](int body) { return graph.moves(body) && graph.hub_of(body) < 0; };
        if (c.in_part(k) && !own(n.body1) && !own(n.body2)) return false;
    }
    return true;
}

}  // namespace

Graph::Graph(const BilateralPlan& of, int dynamic) : plan(of), dynamic_count(dynamic) {
    std::vector<std::vector<int>> at(idx(dynamic_count));
    for (std::size_t k = 0; k < plan.nodes.size(); ++k)
        for (const int body : {plan.nodes[k].body1, plan.nodes[k].body2})
            if (moves(body)) at[idx(body)].push_back(static_cast<int>(k));
    neighbours.resize(plan.nodes.size());
    for (std::size_t b = 0; b < at.size(); ++b) {
        if (at[b].size() > crowd) {
            hubs.push_back(static_cast<int>(b));
            continue;
        }
        for (const int i : at[b])
            for (const int j : at[b])
                if (i != j) neighbours[idx(i)].push_back(j);
    }
    for (std::vector<int>& n : neighbours) {
        std::sort(n.begin(), n.end());
        n.erase(std::unique(n.begin(), n.end()), n.end());
    }
}

int Graph::hub_of(int body) const {
    const auto at = std::lower_bound(hubs.begin(), hubs.end(), body);
    return at != hubs.end() && *at == body ? static_cast<int>(at - hubs.begin()) : -1;
}

std::optional<Cutting> find_cutting(const Graph& graph) {
    const int n = static_cast<int>(graph.plan.nodes.size());
    if (n < fewest_nodes) return std::nullopt;
    for (int p = 1; p <= std::min(longest_period, n / fewest_parts); ++p) {
        const Period found = longest_run(graph, p);
        if (found.periods < fewest_parts || found.periods * p < least_share * n) continue;
        const Cutting cutting = best_cutting(found, graph);
        if (cutting.kept() < least_share * n || !all_stand_alone(graph, cutting)) continue;
        return cutting;
    }
    return std::nullopt;
}

}  // namespace armature::lockstep

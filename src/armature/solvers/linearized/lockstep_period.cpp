#include "armature/solvers/linearized/lockstep_period.h"

#include <algorithm>

#include "armature/solvers/linearized/lockstep.h"

namespace armature::lockstep {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

constexpr int longest_period = 64;   // nodes
constexpr int fewest_nodes = 32;     // that are worth eight lanes
constexpr int fewest_parts = 6;      // of eight, where they are apart by themselves
constexpr double least_share = 0.6;  // of the nodes, in the parts

/// Nodes first + i·nodes + r, r < nodes, are alike for all i < periods; their bodies are `bodies` further on each time.
struct Period {
    int first = 0, nodes = 0, bodies = 0, periods = 0;
};

/// How far the bodies of node k + p are from those of node k; 0 when the two are not alike. Hubs are the same for all.
int shift(const BilateralPlan& plan, int dynamic_count, int k, int p) {
    const BilateralPlan::Node &a = plan.nodes[idx(k)], &b = plan.nodes[idx(k + p)];
    if (a.axis != b.axis) return 0;
    int by = 0;
    for (const auto& [from, to] : {std::pair{a.body1, b.body1}, std::pair{a.body2, b.body2}}) {
        if ((from < dynamic_count) != (to < dynamic_count) || is_hub(plan, from) != is_hub(plan, to)) return 0;
        if (from >= dynamic_count) continue;
        if (is_hub(plan, from)) {
            if (from != to) return 0;
            continue;
        }
        if (to - from <= 0 || (by != 0 && to - from != by)) return 0;
        by = to - from;
    }
    return by;
}

/// The longest run of nodes that are alike at the distance p.
Period longest_run(const BilateralPlan& plan, int dynamic_count, int p) {
    const int n = static_cast<int>(plan.nodes.size());
    Period best;
    for (int k = 0; k + p < n;) {
        const int by = shift(plan, dynamic_count, k, p);
        int end = k + 1;
        while (by != 0 && end + p < n && shift(plan, dynamic_count, end, p) == by) ++end;
        const int periods = (end - k + p) / p;
        if (by != 0 && periods > best.periods) best = {k, p, by, periods};
        k = end;
    }
    return best;
}

/// How many nodes at the beginning of each part have to be singles.
int needed_cut(const Cutting& c, const Neighbours& neighbours) {
    int cut = 0;
    for (int k = c.first; k < c.begin(c.parts); ++k)
        for (const int other : neighbours[idx(k)])
            if (c.part_of(other) >= 0 && c.part_of(other) < c.part_of(k) && c.place_of(other) >= cut)
                cut = std::max(cut, c.place_of(k) + 1);
    return cut;
}

/// Where in the period parts begin decides how many nodes are cut away.
Cutting best_cutting(const Period& found, const Neighbours& neighbours) {
    Cutting best;
    for (int begin = 0; begin < found.nodes; ++begin) {
        const int first = found.first + begin, periods = found.periods - (begin > 0 ? 1 : 0);
        // Parts that are apart by themselves can be as many as there are.
        Cutting apart{first, found.nodes, 0, periods, found.bodies};
        if (periods >= fewest_parts && needed_cut(apart, neighbours) == 0 && apart.kept() > best.kept()) best = apart;
        const int length = periods / eight;
        if (length < 2) continue;
        Cutting cut{first, length * found.nodes, 0, eight, length * found.bodies};
        cut.cut = needed_cut(cut, neighbours);
        if (cut.kept() > best.kept()) best = cut;
    }
    return best;
}

/// A node between hubs and what does not move has nothing of its own on the diagonal: it cannot go first.
bool all_stand_alone(const BilateralPlan& plan, int dynamic_count, const Cutting& c) {
    for (int k = c.first; k < c.begin(c.parts); ++k) {
        const BilateralPlan::Node& n = plan.nodes[idx(k)];
        const auto own = [&](int body) { return body < dynamic_count && !is_hub(plan, body); };
        if (c.in_part(k) && !own(n.body1) && !own(n.body2)) return false;
    }
    return true;
}

}  // namespace

bool is_hub(const BilateralPlan& plan, int body) {
    return std::any_of(plan.hubs.begin(), plan.hubs.end(), [&](const auto& hub) { return hub.body == body; });
}

Neighbours find_neighbours(const BilateralPlan& plan, int dynamic_count) {
    std::vector<std::vector<int>> at(idx(dynamic_count));
    for (std::size_t k = 0; k < plan.nodes.size(); ++k)
        for (const int body : {plan.nodes[k].body1, plan.nodes[k].body2})
            if (body < dynamic_count && !is_hub(plan, body)) at[idx(body)].push_back(static_cast<int>(k));
    Neighbours neighbours(plan.nodes.size());
    for (const std::vector<int>& together : at)
        for (const int a : together)
            for (const int b : together)
                if (a != b) neighbours[idx(a)].push_back(b);
    for (std::vector<int>& n : neighbours) {
        std::sort(n.begin(), n.end());
        n.erase(std::unique(n.begin(), n.end()), n.end());
    }
    return neighbours;
}

std::optional<Cutting> find_cutting(const BilateralPlan& plan, int dynamic_count, const Neighbours& neighbours) {
    const int n = static_cast<int>(plan.nodes.size());
    if (n < fewest_nodes) return std::nullopt;
    for (int p = 1; p <= std::min(longest_period, n / fewest_parts); ++p) {
        const Period found = longest_run(plan, dynamic_count, p);
        if (found.periods < fewest_parts || found.periods * p < least_share * n) continue;
        const Cutting cutting = best_cutting(found, neighbours);
        if (cutting.kept() < least_share * n || !all_stand_alone(plan, dynamic_count, cutting)) continue;
        return cutting;
    }
    return std::nullopt;
}

}  // namespace armature::lockstep

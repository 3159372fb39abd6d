#include "armature/solvers/linearized/dissection.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "armature/solvers/linearized/separator.h"

namespace armature {

namespace {

constexpr std::size_t small_enough = 16;  // for minimum degree
constexpr std::size_t ends_tried = 5;     // of a piece: it is cut between each two
constexpr double end_share = 0.35;        // of the nodes are left at either side of a cut, at least

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// How far nodes are from one, and those in the order of that. To begin with, −1 stands for each that is to be found.
void measure_from(int start, const Neighbours& graph, std::vector<int>& distance, std::vector<int>& met) {
    distance[idx(start)] = 0;
    met.assign(1, start);
    for (std::size_t k = 0; k < met.size(); ++k)
        for (std::size_t at = graph.first[idx(met[k])]; at < graph.first[idx(met[k]) + 1]; ++at) {
            int& there = distance[idx(graph.all[at])];
            if (there >= 0) continue;
            there = distance[idx(met[k])] + 1;
            met.push_back(graph.all[at]);
        }
}

class Dissection {
  public:
    explicit Dissection(const std::vector<std::vector<int>>& next)
        : next_(next), stage_(next.size(), 0), number_(next.size(), -1) {
        std::vector<int> all(next.size());
        std::iota(all.begin(), all.end(), 0);
        cut(all);
    }
    std::vector<int> stages() && { return std::move(stage_); }

  private:
    /// Each connected piece of what is there.
    void cut(const std::vector<int>& nodes) {
        const Neighbours graph = graph_of(nodes);
        std::vector<int> distance(nodes.size(), -1), met;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (distance[n] >= 0) continue;
            measure_from(static_cast<int>(n), graph, distance, met);
            for (int& m : met) m = nodes[idx(m)];
            cut_piece(met);
        }
    }

    void cut_piece(const std::vector<int>& nodes) {
        std::vector<Side> sides;
        if (nodes.size() <= small_enough || !find_cut(graph_of(nodes), sides)) {
            leave(nodes);
            return;
        }
        std::vector<int> near, far, separator;
        for (std::size_t n = 0; n < nodes.size(); ++n)
            (sides[n] == Side::near ? near : sides[n] == Side::far ? far : separator).push_back(nodes[n]);
        cut(near);
        cut(far);
        leave(separator);
    }

    /// The smallest between any two ends, where one that leaves unequal parts counts as larger.
    bool find_cut(const Neighbours& graph, std::vector<Side>& best) {
        std::vector<std::vector<int>> distance(ends_tried);
        std::vector<int> met, nearest(graph.size(), static_cast<int>(graph.size()));
        distance[0].assign(graph.size(), -1);
        measure_from(0, graph, distance[0], met);
        int farthest = met.back();
        for (std::vector<int>& d : distance) {  // each end as far from the others as can be
            d.assign(graph.size(), -1);
            measure_from(farthest, graph, d, met);
            for (std::size_t n = 0; n < graph.size(); ++n) nearest[n] = std::min(nearest[n], d[n]);
            farthest = static_cast<int>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
        }
        double least = static_cast<double>(graph.size());
        std::vector<Side> sides;
        for (std::size_t a = 0; a < ends_tried; ++a)
            for (std::size_t b = 0; b < ends_tried; ++b) {
                if (a == b || !order_between(distance[a], distance[b], sides)) continue;
                if (!separator_.find(graph, sides, static_cast<std::size_t>(least))) continue;
                const auto count = [&](Side s) {
                    return static_cast<double>(std::count(sides.begin(), sides.end(), s));
                };
                const double near = count(Side::near), far = count(Side::far);
                const double cost = count(Side::between) * (1 + std::abs(near - far) / (near + far));
                if (cost >= least) continue;
                least = cost;
                best = sides;
            }
        return least < static_cast<double>(graph.size());
    }

    /// What is nearer to one end than to the other, and what is in between.
    static bool order_between(const std::vector<int>& from, const std::vector<int>& to, std::vector<Side>& sides) {
        std::vector<int> towards(from.size());
        for (std::size_t n = 0; n < from.size(); ++n) towards[n] = from[n] - to[n];
        std::vector<int> sorted = towards;
        std::sort(sorted.begin(), sorted.end());
        const auto share = static_cast<std::size_t>(end_share * static_cast<double>(sorted.size()));
        const int last_near = sorted[share], first_far = sorted[sorted.size() - 1 - share];
        if (sorted.front() == last_near || sorted.back() == first_far) return false;
        sides.resize(from.size());
        for (std::size_t n = 0; n < from.size(); ++n)
            sides[n] = towards[n] < last_near ? Side::near : towards[n] > first_far ? Side::far : Side::between;
        return true;
    }

    Neighbours graph_of(const std::vector<int>& nodes) {
        for (std::size_t n = 0; n < nodes.size(); ++n) number_[idx(nodes[n])] = static_cast<int>(n);
        Neighbours graph;
        for (const int n : nodes) {
            for (const int m : next_[idx(n)])
                if (number_[idx(m)] >= 0) graph.all.push_back(number_[idx(m)]);
            graph.first.push_back(graph.all.size());
        }
        for (const int n : nodes) number_[idx(n)] = -1;
        return graph;
    }

    void leave(const std::vector<int>& nodes) {
        const int stage = stages_++;
        for (const int n : nodes) stage_[idx(n)] = stage;
    }

    const std::vector<std::vector<int>>& next_;
    std::vector<int> stage_;
    std::vector<int> number_;  ///< in the piece at hand, or −1
    int stages_ = 0;
    Separator separator_;
};

}  // namespace

std::vector<int> dissect(const std::vector<std::vector<int>>& next) {
    return Dissection(next).stages();
}

}  // namespace armature

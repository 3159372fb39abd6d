#include "armature/solvers/linearized/separator.h"

#include <algorithm>

namespace armature {

namespace {

constexpr int end = -1, none = -2;

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

bool Separator::visit(Visit v, Visit from) {
    if (origin(v).node != none) return false;
    origin(v) = from;
    queue_.push_back(v);
    return true;
}

bool Separator::add_path() {
    const auto neighbours = [&](int n, auto&& each) {
        for (std::size_t k = graph_->first[idx(n)]; k < graph_->first[idx(n) + 1]; ++k)
            if (each(graph_->all[k])) return true;
        return false;
    };
    const auto side = [&](int n) { return (*sides_)[idx(n)]; };
    origin_.assign(2 * graph_->size(), {none, false});
    queue_.clear();
    for (int n = 0; n < static_cast<int>(graph_->size()); ++n) {
        if (side(n) != Side::between) continue;
        if (neighbours(n, [&](int m) { return side(m) == Side::near; })) visit({n, false}, {end, false});
    }
    for (std::size_t k = 0; k < queue_.size(); ++k) {
        const Visit v = queue_[k];
        const bool on_path = after_[idx(v.node)] != none;
        if (!v.leaving) {
            // What is on a path already can only be followed back along it.
            if (!on_path)
                visit({v.node, true}, v);
            else if (before_[idx(v.node)] >= 0)
                visit({before_[idx(v.node)], true}, v);
            continue;
        }
        if (on_path) visit({v.node, false}, v);
        const bool arrived = neighbours(v.node, [&](int m) {
            if (side(m) == Side::far) return after_[idx(v.node)] != end;
            if (side(m) == Side::between && m != after_[idx(v.node)]) visit({m, false}, v);
            return false;
        });
        if (!arrived) continue;
        take_path(v);
        return true;
    }
    return false;
}

/// From the far end back: what the search took back from a path is joined to what it went along instead.
void Separator::take_path(Visit last) {
    struct Link {
        int from, to;
        bool back;
    };
    std::vector<Link> links{{last.node, end, false}};
    for (Visit v = last; v.node != end; v = origin(v)) {
        const Visit from = origin(v);
        if (from.node == v.node) continue;  // come into, then left, or the other way round
        links.push_back(v.leaving ? Link{v.node, from.node, true} : Link{from.node, v.node, false});
    }
    for (const Link& l : links)
        if (l.back) {
            after_[idx(l.from)] = none;
            before_[idx(l.to)] = none;
        }
    for (const Link& l : links)
        if (!l.back) {
            if (l.from != end) after_[idx(l.from)] = l.to;
            if (l.to != end) before_[idx(l.to)] = l.from;
        }
}

bool Separator::find(const Neighbours& graph, std::vector<Side>& sides, std::size_t most) {
    graph_ = &graph;
    sides_ = &sides;
    before_.assign(graph.size(), none);
    after_.assign(graph.size(), none);
    for (std::size_t n = 0; n < graph.size(); ++n)
        for (std::size_t k = graph.first[n]; k < graph.first[n + 1]; ++k)
            if (sides[n] == Side::near && sides[idx(graph.all[k])] == Side::far) return false;
    for (std::size_t paths = 0; add_path();)
        if (++paths >= most) return false;
    for (int n = 0; n < static_cast<int>(graph.size()); ++n) {
        if (sides[idx(n)] != Side::between) continue;
        const bool entered = origin({n, false}).node != none, left = origin({n, true}).node != none;
        sides[idx(n)] = !entered && !left ? Side::far : left ? Side::near : Side::between;
    }
    return true;
}

}  // namespace armature

#include "armature/solvers/procedural/structure.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "armature/solvers/procedural/compulsive.h"

namespace armature {

namespace {

const Body& body_at(const Model& model, const Island& island, int local) {
    return model.bodies[static_cast<std::size_t>(island.bodies[static_cast<std::size_t>(local)])];
}

/// Mean square distance of the mass from the centre: trace J = 2 ∫ r² dm.
double mean_square(const Body& b) {
    return b.dynamic() && !b.particle ? 0.5 * trace(b.inertia_G) / b.mass : 0;
}

Link make_link(const Model& model, const Island& island, int index) {
    const Island::LocalJoint& local = island.joints[static_cast<std::size_t>(index)];
    const Joint& joint = model.joints[static_cast<std::size_t>(local.joint)];
    const Body &b1 = body_at(model, island, local.body1), &b2 = body_at(model, island, local.body2);
    Link l;
    l.joint = index;
    l.body1 = local.body1;
    l.body2 = local.body2;
    l.drag = joint.drag;
    l.anchor = !b1.dynamic() || !b2.dynamic();
    bool blocked = false;
    for (std::size_t k = 0; k < joint.parts.size(); ++k) {
        if (const auto* p = std::get_if<PointPart>(&joint.parts[k])) {
            l.point = static_cast<int>(k);
            l.ball = joint.parts.size() == 1 && std::holds_alternative<PointDomain>(p->domain);
            l.p1 = p->p1_G;
            l.p2 = p->p2_G;
        } else if (const auto* a = std::get_if<AnglePart>(&joint.parts[k])) {
            if (a->min == a->max && (a->min == 0 || a->min == pi)) l.axis = static_cast<int>(k);
            l.limited = l.limited || a->min != a->max;
        } else if (const auto* t = std::get_if<TwistPart>(&joint.parts[k])) {
            blocked = t->min == t->max;
            l.limited = l.limited || !blocked;
        }
    }
    if (l.axis >= 0) l.turning = blocked ? Link::Turning::locked : Link::Turning::hinge;
    for (const FreedomId f : joint.freedoms) {
        const bool idle = model.freedoms[static_cast<std::size_t>(f)].idle();
        l.ball = l.ball && idle;
        l.limited = l.limited || !idle;
    }
    const auto h_of = [&](const Body& b) {
        if (joint.h) return *joint.h;
        return b.h ? *b.h : model.simulation.procedural.h;
    };
    l.h1 = h_of(b1);
    l.h2 = h_of(b2);
    l.reach1 = percussion(mean_square(b1), norm2(l.p1));
    l.reach2 = percussion(mean_square(b2), norm2(l.p2));
    return l;
}

class Sets {
  public:
    explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
    int root(int i) {
        while (at(i) != i) i = at(i) = at(at(i));
        return i;
    }
    /// False when they were together already.
    bool join(int a, int b) {
        a = root(a);
        b = root(b);
        if (a == b) return false;
        at(std::max(a, b)) = std::min(a, b);
        return true;
    }

  private:
    int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }
    std::vector<int> parent_;
};

}  // namespace

void Structure::make(const Model& model, const Island& island, double t) {
    fingerprint_ = model.fingerprint;
    from_ = -infinity;
    until_ = infinity;
    add_links(model, island, t);
    grow_forest(island);
    gather_components(model, island);
}

void Structure::add_links(const Model& model, const Island& island, double t) {
    links_.clear();
    for (std::size_t k = 0; k < island.joints.size(); ++k) {
        const Joint& j = model.joints[idx(island.joints[k].joint)];
        for (const double change : {j.from, j.until}) {
            if (change <= t) from_ = std::max(from_, change);
            if (change > t) until_ = std::min(until_, change);
        }
        const bool idle = j.parts.empty() && std::all_of(j.freedoms.begin(), j.freedoms.end(),
                                                         [&](FreedomId f) { return model.freedoms[idx(f)].idle(); });
        if (j.valid_at(t) && !idle) links_.push_back(make_link(model, island, static_cast<int>(k)));
    }
    // Those with a point first: what only turns does not say where a solid is.
    std::stable_partition(links_.begin(), links_.end(), [](const Link& l) { return l.point >= 0; });
}

void Structure::grow_forest(const Island& island) {
    branches_.clear();
    closures_.clear();
    Sets sets(idx(island.dynamic_count));
    std::map<std::pair<int, int>, int> host;
    for (int k = 0; k < static_cast<int>(links_.size()); ++k) {
        Link& l = links_[idx(k)];
        const auto [it, fresh] = host.emplace(std::minmax(l.body1, l.body2), k);
        if (!fresh && l.point < 0) {
            Link& first = links_[idx(it->second)];
            l.also = first.also;
            first.also = k;
            first.ball = false;
            first.limited = first.limited || l.limited;
        } else if (!l.anchor && sets.join(l.body1, l.body2)) {
            branches_.push_back(k);
        } else {
            closures_.push_back(k);
        }
    }
    const auto n = idx(island.dynamic_count);
    start_.assign(n + 1, 0);
    for (const int k : branches_)
        for (const int b : {links_[idx(k)].body1, links_[idx(k)].body2}) ++start_[idx(b) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    neighbours_.resize(2 * branches_.size());
    std::vector<int> next(start_.begin(), start_.end());
    for (const int k : branches_) {
        const Link& l = links_[idx(k)];
        neighbours_[idx(next[idx(l.body1)]++)] = {k, l.body2, 0};
        neighbours_[idx(next[idx(l.body2)]++)] = {k, l.body1, 0};
    }
    closure_start_.assign(n + 1, 0);
    const auto ends = [&](int link, auto visit) {
        for (const int b : {links_[idx(link)].body1, links_[idx(link)].body2})
            if (b < island.dynamic_count) visit(idx(b));
    };
    for (const int k : closures_) ends(k, [&](std::size_t b) { ++closure_start_[b + 1]; });
    std::partial_sum(closure_start_.begin(), closure_start_.end(), closure_start_.begin());
    closure_links_.resize(closure_start_.empty() ? 0 : idx(closure_start_.back()));
    next.assign(closure_start_.begin(), closure_start_.end());
    for (const int k : closures_) ends(k, [&](std::size_t b) { closure_links_[idx(next[b]++)] = k; });
}

void Structure::walk(int root, std::vector<Stride>& out) const {
    // Breadth first: `out` itself is the queue.
    const std::size_t begin = out.size();
    const auto leave = [&](int body, int by) {
        neighbours(body, [&](const Neighbour& n) {
            if (n.link != by) out.push_back({n.link, body, n.body});
        });
    };
    leave(root, -1);
    for (std::size_t k = begin; k < out.size(); ++k) {
        const Stride at = out[k];
        leave(at.to, at.link);
    }
}

void Structure::gather_components(const Model& model, const Island& island) {
    components_.clear();
    strides_.clear();
    const auto n = idx(island.dynamic_count);
    mass_behind_.assign(n, 0);
    std::vector<int> component(n, -1), closures;
    for (std::size_t i = 0; i < n; ++i) {
        if (component[i] >= 0) continue;
        const auto index = static_cast<int>(components_.size());
        Component c;
        std::vector<Stride> members;
        walk(static_cast<int>(i), members);
        component[i] = index;
        for (const Stride& s : members) component[idx(s.to)] = index;
        c.root = automatic_root(model, island, static_cast<int>(i));
        c.first_closure = static_cast<int>(closures.size());
        for (const bool drags : {true, false})
            for (const int k : closures_) {
                const Link& l = links_[idx(k)];
                const int body = l.body1 < island.dynamic_count ? l.body1 : l.body2;
                if (component[idx(body)] != index || l.drag != drags) continue;
                closures.push_back(k);
                c.anchored = c.anchored || l.anchor;
            }
        c.closures = static_cast<int>(closures.size()) - c.first_closure;
        const Link* only = c.closures == 1 ? &links_[idx(closures.back())] : nullptr;
        if (only && only->anchor) c.root = only->body1 < island.dynamic_count ? only->body1 : only->body2;
        c.first_stride = static_cast<int>(strides_.size());
        walk(c.root, strides_);
        c.strides = static_cast<int>(strides_.size()) - c.first_stride;
        for (const Stride& s : members) c.limited = c.limited || links_[idx(s.link)].limited;
        components_.push_back(c);
    }
    closures_ = std::move(closures);
    for (std::size_t b = 0; b < n; ++b) mass_behind_[b] = body_at(model, island, static_cast<int>(b)).mass;
    std::vector<int> ends(n);
    for (std::size_t b = 0; b < n; ++b) ends[b] = closure_start_[b + 1] - closure_start_[b];
    // Inward: a solid hands what is behind it to the one it hangs on.
    for (std::size_t k = strides_.size(); k-- > 0;) {
        mass_behind_[idx(strides_[k].from)] += mass_behind_[idx(strides_[k].to)];
        ends[idx(strides_[k].from)] += ends[idx(strides_[k].to)];
    }
    for (Component& c : components_) c.mass = mass_behind_[idx(c.root)];
    for (const Stride& s : strides_) {
        const int all = ends[idx(components_[idx(component[idx(s.to)])].root)], behind = ends[idx(s.to)];
        for (int k = start_[idx(s.from)]; k < start_[idx(s.from) + 1]; ++k)
            if (neighbours_[idx(k)].link == s.link) neighbours_[idx(k)].closures_behind = behind;
        for (int k = start_[idx(s.to)]; k < start_[idx(s.to) + 1]; ++k)
            if (neighbours_[idx(k)].link == s.link) neighbours_[idx(k)].closures_behind = all - behind;
    }
}

// The solid that the author chose or, of all, the one whose heaviest branch is lightest: the trunk, not a finger.
int Structure::automatic_root(const Model& model, const Island& island, int any) {
    std::vector<Stride> order;
    walk(any, order);
    const auto mass_of = [&](int b) { return body_at(model, island, b).mass; };
    std::map<int, double> behind, heaviest;
    behind[any] = mass_of(any);
    if (body_at(model, island, any).root) return any;
    for (const Stride& s : order) {
        if (body_at(model, island, s.to).root) return s.to;
        behind[s.to] = mass_of(s.to);
    }
    for (std::size_t k = order.size(); k-- > 0;) {
        behind[order[k].from] += behind[order[k].to];
        heaviest[order[k].from] = std::max(heaviest[order[k].from], behind[order[k].to]);
    }
    int best = any;
    double least = heaviest[any];
    for (const Stride& s : order) {
        const double load = std::max(heaviest[s.to], behind[any] - behind[s.to]);
        if (load < least || (load == least && s.to < best)) {
            least = load;
            best = s.to;
        }
    }
    return best;
}

}  // namespace armature

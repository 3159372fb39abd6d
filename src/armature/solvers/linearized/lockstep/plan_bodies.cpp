// Where bodies stand, and their sides at the nodes.
#include <algorithm>

#include "armature/solvers/linearized/lockstep/planner.h"

namespace armature::lockstep {

void Planner::add_group(const std::array<BodyOf, eight>& bodies, Role role) {
    Bodies group;
    group.role = role;
    group.hub.fill(-1);
    group.first_side = out_->sides.size();
    std::map<std::array<int, 3>, Side> by_key;
    for (std::size_t lane = 0; lane < eight; ++lane) {
        group.body[lane] = bodies[lane].body;
        if (bodies[lane].body >= 0) group.used = static_cast<int>(lane) + 1;
        if (role == Role::ghost && bodies[lane].body >= 0) group.hub[lane] = hub_of(bodies[lane].body);
        for (const SideOf& s : bodies[lane].sides) {
            const bool axis = node(s.node).axis;
            Side fresh{};
            fresh.axis = axis;
            fresh.which = s.which;
            fresh.node.fill(-1);
            by_key.emplace(std::array{s.key, axis ? 1 : 0, s.which}, fresh).first->second.node[lane] = s.node;
        }
    }
    for (auto& [key, side] : by_key) {
        finish(side);
        out_->sides.push_back(side);
    }
    group.end_side = out_->sides.size();
    out_->bodies.push_back(group);
}

void Planner::finish(Side& side) const {
    constexpr std::size_t numbers = std::size_t{node_rows} * eight;
    side.aligned = true;
    for (std::size_t lane = 0; lane < eight; ++lane) {
        const int k = side.node[lane];
        const auto [group, at_lane] = k < 0 ? std::pair{out_->nodes.size(), static_cast<int>(lane)} : place_[idx(k)];
        side.at[lane] = static_cast<int>(group * numbers) + at_lane;
        side.sign.v[lane] = k < 0 ? 0 : side.which == 0 ? 1 : -1;
        four::V shape[2] = {};
        if (k >= 0) {
            const BilateralPlan::Shape& s = plan_.shapes[idx(k)];
            shape[0] = side.axis ? (side.which == 0 ? s.a : s.t) : (side.which == 0 ? s.p1 : s.p2);
            shape[1] = s.s;
        }
        for (int r = 0; r < 3; ++r) {
            side.shape[r].v[lane] = shape[0][r];
            side.shape[3 + r].v[lane] = shape[1][r];
        }
    }
    // A lane without a node may stand for one that is nobody's in a group of the parts.
    const std::size_t group = side.node[0] < 0 ? out_->nodes.size() : place_[idx(side.node[0])].first;
    for (std::size_t lane = 0; lane < eight; ++lane) {
        const int there = group < out_->nodes.size() ? out_->nodes[group].node[lane] : -2;
        side.aligned = side.aligned && there == side.node[lane];
    }
    if (side.aligned)
        for (std::size_t lane = 0; lane < eight; ++lane) side.at[lane] = static_cast<int>(group * numbers + lane);
}

bool Planner::groups_are_apart() const {
    for (const Bodies& group : out_->bodies) {
        if (group.role == Role::strand) continue;  // these see to it themselves
        std::set<int> taken;
        for (std::size_t s = group.first_side; s < group.end_side; ++s)
            for (const int k : out_->sides[s].node)
                if (k >= 0 && !taken.insert(k).second) return false;
    }
    return true;
}

void Planner::lay_out_bodies() {
    std::vector<std::vector<SideOf>> sides(idx(dynamic_count_));
    std::vector<BodyOf> held, ghosts, hubs;       // one side each, but for hubs, which have none
    std::map<int, std::vector<BodyOf>> of_parts;  // by hub: per part, ghosts with all sides there
    for (int k = 0; k < node_count(); ++k) {
        const BilateralPlan::Node& n = node(k);
        for (const auto& [body, which] : {std::pair{n.body1, 0}, std::pair{n.body2, 1}}) {
            if (moves(body) && within_a_strand_[idx(body)]) continue;
            const int hub = moves(body) ? hub_of(body) : -1;
            if (!moves(body)) {
                held.push_back({body, {{0, k, which}}});
            } else if (hub < 0) {
                sides[idx(body)].push_back({0, k, which});
            } else if (!in_part(k)) {
                ghosts.push_back({body, {{0, k, which}}});
            } else {
                std::vector<BodyOf>& per_part = of_parts[hub];
                per_part.resize(idx(cut_.parts));
                BodyOf& ghost = per_part[idx(part_of(k))];
                ghost.body = body;
                ghost.sides.push_back({cut_.place_of(k), k, which});
            }
        }
    }
    for (const int hub : graph_.hubs) hubs.push_back({hub, {}});
    add_in_eights(hubs, Role::hub);
    add_strands();
    std::vector<char> placed = within_a_strand_;
    add_bodies_of_parts(sides, placed);
    std::vector<BodyOf> rest;
    for (int b = 0; b < dynamic_count_; ++b)
        if (!placed[idx(b)] && hub_of(b) < 0) rest.push_back({b, sides[idx(b)]});
    add_in_eights(rest, Role::body);
    add_in_eights(held, Role::held);
    for (const auto& [hub, per_part] : of_parts) add_side_by_side(per_part, Role::ghost);
    add_in_eights(ghosts, Role::ghost);
}

void Planner::add_bodies_of_parts(const std::vector<std::vector<SideOf>>& sides, std::vector<char>& placed) {
    const auto own = [&](int body) { return moves(body) && hub_of(body) < 0; };
    int first_body = dynamic_count_;
    for (int r = 0; r < cut_.size; ++r)
        for (const int body : {node(cut_.first + r).body1, node(cut_.first + r).body2})
            if (own(body)) first_body = std::min(first_body, body);
    // Those of the first part or of what comes before it: what makes fewer strangers.
    int best = first_body;
    const int period = cut_.bodies;
    for (int shift = 1; shift <= std::min(period, 64); ++shift)
        if (strangers(first_body + shift, sides) < strangers(best, sides)) best = first_body + shift;
    for (int i = 0; i < cut_.bodies; ++i) {
        std::vector<BodyOf> per_part(idx(cut_.parts));
        if (best + i + (cut_.parts - 1) * cut_.bodies >= dynamic_count_) break;
        for (int part = 0; part < cut_.parts; ++part) {
            const int b = best + i + part * cut_.bodies;
            if (!own(b) || within_a_strand_[idx(b)]) continue;
            placed[idx(b)] = 1;
            per_part[idx(part)].body = b;
            for (SideOf s : sides[idx(b)]) {
                s.key = s.node - cut_.begin(part);
                per_part[idx(part)].sides.push_back(s);
            }
        }
        add_side_by_side(per_part, Role::body);
    }
}

void Planner::add_side_by_side(const std::vector<BodyOf>& per_part, Role role) {
    for (std::size_t begin = 0; begin < per_part.size(); begin += eight) {
        std::array<BodyOf, eight> group;
        for (std::size_t lane = 0; lane < eight && begin + lane < per_part.size(); ++lane)
            group[lane] = per_part[begin + lane];
        if (std::any_of(group.begin(), group.end(), [](const BodyOf& b) { return b.body >= 0; }))
            add_group(group, role);
    }
}

int Planner::strangers(int first_body, const std::vector<std::vector<SideOf>>& sides) const {
    int found = 0;
    for (int b = first_body; b < std::min(first_body + cut_.parts * cut_.bodies, dynamic_count_); ++b)
        for (const SideOf& s : sides[idx(b)])
            found += in_part(s.node) && part_of(s.node) != (b - first_body) / cut_.bodies ? 1 : 0;
    return found;
}

void Planner::add_in_eights(std::vector<BodyOf> rest, Role role) {
    constexpr std::size_t look_ahead = 32;
    for (std::size_t begin = 0; begin < rest.size();) {
        std::array<BodyOf, eight> group;
        std::set<int> taken;
        std::size_t lane = 0;
        for (std::size_t i = begin; i < std::min(begin + look_ahead, rest.size()) && lane < eight; ++i) {
            const auto meets = [&](const SideOf& s) { return taken.contains(s.node); };
            if (std::any_of(rest[i].sides.begin(), rest[i].sides.end(), meets)) continue;
            group[lane] = rest[i];
            std::map<std::pair<bool, int>, int> met;
            for (SideOf& s : group[lane].sides) {
                s.key = met[{node(s.node).axis, s.which}]++;
                taken.insert(s.node);
            }
            ++lane;
            const auto from = rest.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto at = rest.begin() + static_cast<std::ptrdiff_t>(i);
            std::rotate(from, at, at + 1);
            ++begin;
        }
        add_group(group, role);
    }
}

void Planner::make_room() {
    Lockstep& l = *out_;
    l.body.resize(l.bodies.size());
    l.node.resize(l.nodes.size() + 1);
    std::size_t number = l.nodes.size();
    for (Strand& s : l.strands) {
        s.number = number;
        number += s.link.size();
    }
    l.hub_sums.resize(graph_.hubs.size());
    l.hub_at.resize(graph_.hubs.size());
    for (std::size_t g = 0; g < l.nodes.size(); ++g) {
        l.nodes[g].whole = !l.nodes[g].axis;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            const bool there = l.nodes[g].node[lane] >= 0;
            l.node[g].r[lockstep::counts].v[lane] = there ? 1 : 0;
            l.nodes[g].whole = l.nodes[g].whole && there;
        }
    }
    for (std::size_t g = 0; g < l.bodies.size(); ++g)
        for (std::size_t lane = 0; lane < eight; ++lane) {
            const int b = l.bodies[g].body[lane];
            const bool there = b >= 0 && moves(b), turns = there && !plan_.bodies[idx(b)].particle;
            if (l.bodies[g].role == Role::hub && b >= 0) l.hub_at[idx(hub_of(b))] = {g, static_cast<int>(lane)};
            l.body[g].r[lockstep::inv_mass].v[lane] = there ? plan_.bodies[idx(b)].inv_mass : 0;
            l.body[g].r[lockstep::most_turn2].v[lane] = there ? plan_.bodies[idx(b)].most_turn2 : 0;
            l.body[g].r[lockstep::turns].v[lane] = turns ? 1 : 0;
            const four::M J = turns ? plan_.bodies[idx(b)].inertia : four::zero();
            const double rows[6] = {J.c0[0], J.c1[1], J.c2[2], J.c1[0], J.c2[0], J.c2[1]};
            for (std::size_t k = 0; k < 6; ++k) l.bodies[g].inertia_B[k].v[lane] = rows[k];
        }
}

}  // namespace armature::lockstep

// Where each block that a body adds to the system goes.
#include <algorithm>

#include "armature/solvers/linearized/lockstep/planner.h"

namespace armature::lockstep {

void Planner::find_targets() {
    Lockstep& l = *out_;
    std::set<const double*> reached;
    each_block([&](Bodies&, const auto& row, const auto& column) {
        for (const Target::Lane& to : target(row, column).lane)
            if (to.at) reached.insert(to.at);
    });
    // What some lane does not reach begins at zero, or with the first update that comes to it.
    std::set<const double*> met;
    const std::size_t couplings = l.pattern.below.size();
    std::vector<char> untouched(couplings, 1);
    for (std::size_t at = 0; at < l.lower.size(); ++at)
        for (std::size_t lane = 0; lane < eight; ++lane)
            if (reached.contains(&l.lower[at].m[0].v[lane])) untouched[at % couplings] = 0;
    for (std::size_t at = l.pattern.first[l.units]; at < couplings; ++at) untouched[at] = 0;  // of slots
    for (std::size_t at = 0; at < l.lower.size(); ++at) {
        bool all = true;
        for (std::size_t lane = 0; lane < eight; ++lane) all = all && reached.contains(&l.lower[at].m[0].v[lane]);
        if (all || untouched[at % couplings]) continue;
        l.filled.push_back(at);
        for (std::size_t lane = 0; lane < eight; ++lane)
            met.insert({&l.lower[at].m[0].v[lane], &l.upper[at].m[0].v[lane]});
    }
    l.first_update.resize(l.pattern.updates.size());
    for (std::size_t u = 0; u < l.pattern.updates.size(); ++u) {
        l.first_update[u] = untouched[l.pattern.updates[u]];
        untouched[l.pattern.updates[u]] = 0;
    }
    for (std::vector<four::M>* blocks : {&l.top.diagonal, &l.top.lower, &l.top.upper})
        for (four::M& b : *blocks)
            if (!reached.contains(reinterpret_cast<const double*>(&b))) l.filled_singles.push_back(&b);
    const Bodies* last = nullptr;
    each_block([&](Bodies& group, const auto& row, const auto& column) {
        if (last != &group) group.first_target = l.targets.size();
        last = &group;
        Target t = target(row, column);
        bool first = true, again = true;
        for (Target::Lane& to : t.lane) {
            if (!to.at) continue;
            to.first = met.insert(to.at).second;
            first = first && to.first;
            again = again && !to.first;
        }
        t.first = first;
        if (!first && !again) t.block = nullptr;
        l.targets.push_back(t);
    });
    for (Bodies& group : l.bodies) {
        group.between = group.role == Role::body && group.end_side == group.first_side + 2;
        for (std::size_t s = group.first_side; s < group.end_side; ++s)
            group.between = group.between && !l.sides[s].axis && l.sides[s].aligned;
        for (std::size_t t = 0; t < 4 && group.between; ++t)
            group.between = l.targets[group.first_target + t].block != nullptr;
    }
}

Target Planner::target(const std::array<int, eight>& row, const std::array<int, eight>& column) {
    Target t;
    Block* common = nullptr;
    std::size_t block_number = 0;
    bool all = true;
    for (std::size_t lane = 0; lane < eight; ++lane) {
        Target::Lane& to = t.lane[lane];
        const int i = row[lane], j = column[lane];
        if (i < 0 || j < 0) continue;
        if (!in_part(i) && !in_part(j)) {
            to.single = true;
            to.at = reinterpret_cast<double*>(out_->top.at(single_of_.at(i), single_of_.at(j)));
            all = false;
            continue;
        }
        const int part = part_of(in_part(i) ? i : j), units = static_cast<int>(out_->units);
        const auto place = [&](int k) { return in_part(k) ? unit_of(k) : units + slot_of(part, k); };
        block_number = block_of(part);
        Block* block = part_block(block_number, place(i), place(j));
        to.at = &block->m[0].v[lane_of(part)];
        if (!common) common = block;
        all = all && lane_of(part) == lane && block == common;
    }
    if (!common || !all) return t;
    const auto nobodys = [&](std::size_t lane) { return static_cast<int>(block_number * eight + lane) >= cut_.parts; };
    for (std::size_t lane = 0; lane < eight; ++lane) {
        if (!t.lane[lane].at && !nobodys(lane)) return t;
        t.lane[lane].at = &common->m[0].v[lane];
    }
    t.block = common;
    return t;
}

Block* Planner::part_block(std::size_t block, int i, int j) {
    if (i == j) return &out_->diagonal[block * (out_->units + out_->slots) + idx(i)];
    const Elimination::Coupling c = out_->pattern.coupling(i, j);
    const std::size_t at = block * out_->pattern.below.size() + c.at;
    return c.row == i ? &out_->lower[at] : &out_->upper[at];
}

}  // namespace armature::lockstep

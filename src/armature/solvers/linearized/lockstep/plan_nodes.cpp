// Where nodes stand, and what is coupled with what.
#include <algorithm>

#include "armature/solvers/linearized/lockstep/flat.h"
#include "armature/solvers/linearized/lockstep/planner.h"

namespace armature::lockstep {

void Planner::lay_out_nodes() {
    std::vector<int> places;
    unit_at_.assign(idx(cut_.size), -1);
    for (int place = cut_.cut; place < cut_.size; ++place) {
        bool inside = false;
        for (const Stretch& s : stretches_) inside = inside || (place >= s.begin + s.per_joint && place < s.end);
        if (inside) continue;
        unit_at_[idx(place)] = static_cast<int>(places.size());
        places.push_back(place);
    }
    out_->units = places.size();
    out_->blocks = block_of(cut_.parts + eight - 1);
    place_.assign(plan_.nodes.size(), {0, 0});
    for (std::size_t block = 0; block < out_->blocks; ++block)
        for (std::size_t u = 0; u < out_->units; ++u) {
            Nodes group;
            for (int lane = 0; lane < eight; ++lane) {
                const int part = static_cast<int>(block) * eight + lane;
                const int k = part < cut_.parts ? cut_.begin(part) + places[u] : -1;
                group.node[idx(lane)] = k;
                if (k >= 0) place_[idx(k)] = {out_->nodes.size(), lane};
            }
            group.axis = node(group.node[0]).axis;
            out_->nodes.push_back(group);
        }
    // Those at the same place of each part side by side.
    for (int place = 0; place < cut_.cut; ++place)
        for (int part = 0; part < cut_.parts; ++part) out_->singles.push_back(cut_.begin(part) + place);
    for (int k = 0; k < node_count(); ++k)
        if (part_of(k) < 0) out_->singles.push_back(k);
    for (const bool axis : {false, true}) {
        int lane = eight;
        for (const int k : out_->singles) {
            if (node(k).axis != axis) continue;
            if (lane == eight) {
                out_->nodes.push_back({{-1, -1, -1, -1, -1, -1, -1, -1}, axis});
                lane = 0;
            }
            out_->nodes.back().node[idx(lane)] = k;
            place_[idx(k)] = {out_->nodes.size() - 1, lane++};
        }
    }
    for (const int k : out_->singles) out_->single_at.push_back(place_[idx(k)]);
    for (std::size_t h = 0; h < graph_.hubs.size(); ++h) {
        out_->singles.push_back(move_of(static_cast<int>(h)));
        out_->singles.push_back(turn_of(static_cast<int>(h)));
    }
    for (std::size_t i = 0; i < out_->singles.size(); ++i) single_of_[out_->singles[i]] = static_cast<int>(i);
}

void Planner::find_slots() {
    for (int k = 0; k < node_count(); ++k)
        if (in_part(k) && !in_strand(k))
            each_coupled(k, [&](int other) {
                if (!in_part(other)) slot_at_.emplace(seen_from(part_of(k), other), 0);
            });
    each_strand_coupled([&](int part, int k, int other) {
        if (in_part(k) != in_part(other)) slot_at_.emplace(seen_from(part, in_part(k) ? other : k), 0);
    });
    int next = 0;
    for (auto& [seen, slot] : slot_at_) slot = next++;
    out_->slots = slot_at_.size();
    std::array<int, eight> none;
    none.fill(-1);
    out_->slot.assign(out_->blocks * out_->slots, none);
    std::vector<std::pair<int, int>> couplings;
    const int units = static_cast<int>(out_->units);
    const auto couple = [&](int part, int k, int other) {
        const int slot = in_part(other) ? 0 : slot_of(part, other);
        couplings.emplace_back(unit_of(k), in_part(other) ? unit_of(other) : units + slot);
        if (!in_part(other)) out_->slot[block_of(part) * out_->slots + idx(slot)][lane_of(part)] = single_of_.at(other);
    };
    for (int k = 0; k < node_count(); ++k)
        if (in_part(k) && !in_strand(k))
            each_coupled(k, [&](int other) {
                if (!in_strand(other)) couple(part_of(k), k, other);
            });
    each_strand_coupled([&](int part, int k, int other) {
        if (in_part(k))
            couple(part, k, other);
        else if (in_part(other))
            couple(part, other, k);
    });
    std::vector<int> stage(out_->units + out_->slots, 0);
    std::fill(stage.begin() + units, stage.end(), 1);
    out_->pattern.analyse_in_stages(couplings, stage);
}

void Planner::make_room_for_blocks() {
    out_->diagonal.resize(out_->blocks * (out_->units + out_->slots));
    out_->lower.resize(out_->blocks * out_->pattern.below.size());
    out_->upper.resize(out_->lower.size());
    out_->slot_change.resize(out_->slot.size());
}

void Planner::find_top() {
    std::vector<std::pair<int, int>> couplings;
    std::vector<std::vector<int>> after(out_->singles.size());
    const std::vector<int> inward = joints_inward(plan_.nodes, dynamic_count_);  // see lay_out in tied_plan.cpp
    for (const int k : out_->singles) {
        if (k >= node_count()) continue;
        const std::size_t single = idx(single_of_.at(k));
        bool alone = false;  // has a diagonal of its own
        int hanging = -1;    // the hub that hangs by it
        for (const int body : {node(k).body1, node(k).body2}) {
            if (!moves(body)) continue;
            alone = alone || hub_of(body) < 0;
            if (!inward.empty() && hub_of(body) >= 0 && inward[idx(body)] == node(k).joint) hanging = hub_of(body);
        }
        each_coupled(k, [&](int other) {
            if (in_part(other)) return;
            const int other_single = single_of_.at(other);
            couplings.emplace_back(static_cast<int>(single), other_single);
            const bool of_use = other >= node_count() && (node(k).axis || (other - node_count()) % 2 == 0);
            const bool hangs = hanging >= 0 && (other == move_of(hanging) || other == turn_of(hanging));
            if (of_use && (hanging < 0 ? !alone : hangs)) after[single].push_back(other_single);
        });
    }
    each_strand_coupled([&](int, int k, int other) {
        if (!in_part(k) && !in_part(other)) couplings.emplace_back(single_of_.at(k), single_of_.at(other));
    });
    // What the elimination of a part couples.
    const auto each_meeting = [&](auto&& act) {
        for (std::size_t block = 0; block < out_->blocks; ++block)
            for (std::size_t a = 0; a < out_->slots; ++a)
                for (std::size_t at = out_->pattern.first[out_->units + a];
                     at < out_->pattern.first[out_->units + a + 1]; ++at) {
                    const std::size_t b = idx(out_->pattern.below[at]) - out_->units;
                    act(block * out_->pattern.below.size() + at, out_->slot[block * out_->slots + a],
                        out_->slot[block * out_->slots + b]);
                }
    };
    each_meeting([&](std::size_t, const std::array<int, eight>& a, const std::array<int, eight>& b) {
        for (std::size_t lane = 0; lane < eight; ++lane)
            if (a[lane] >= 0 && b[lane] >= 0) couplings.emplace_back(a[lane], b[lane]);
    });
    TripleSystem& top = out_->top;
    top.pattern.analyse(static_cast<int>(out_->singles.size()), couplings, after);
    top.make_room();
    each_meeting([&](std::size_t at, const std::array<int, eight>& a, const std::array<int, eight>& b) {
        Lockstep::Meeting meeting{at, {}, {}};
        for (std::size_t lane = 0; lane < eight; ++lane) {
            if (a[lane] < 0 || b[lane] < 0) continue;
            meeting.lower[lane] = top.at(b[lane], a[lane]);
            meeting.upper[lane] = top.at(a[lane], b[lane]);
        }
        out_->meetings.push_back(meeting);
    });
}

}  // namespace armature::lockstep

namespace armature {

std::unique_ptr<Lockstep> make_lockstep_of_equals(const BilateralPlan& plan, int dynamic_count) {
    return lockstep::Planner(plan, dynamic_count).make_of_equals();
}
std::unique_ptr<Lockstep> make_lockstep(const BilateralPlan& plan, int dynamic_count) {
    std::unique_ptr<Lockstep> made = lockstep::Planner(plan, dynamic_count).make();
    if (made) made->flat_plan = lockstep::make_flat_plan(plan, made->strands, dynamic_count);
    return made;
}

}  // namespace armature

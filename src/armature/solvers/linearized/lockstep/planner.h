// What lays the parts of a structure out side by side; see lockstep.h. Only plan*.cpp know it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "armature/solvers/linearized/lockstep/lockstep.h"
#include "armature/solvers/linearized/lockstep/period.h"

namespace armature::lockstep {

inline std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

class Planner {
  public:
    Planner(const BilateralPlan& plan, int dynamic_count)
        : plan_(plan), dynamic_count_(dynamic_count), graph_(plan, dynamic_count) {}
    std::unique_ptr<Lockstep> make() {
        const std::optional<Cutting> cutting = find_cutting(graph_);
        return cutting ? lay_out(*cutting) : nullptr;
    }
    std::unique_ptr<Lockstep> make_of_equals() {
        const int nodes = node_count() / eight, bodies = dynamic_count_ / eight;
        constants_vary_ = true;
        return graph_.hubs.empty() ? lay_out({0, nodes, 0, eight, bodies}) : nullptr;
    }

  private:
    std::unique_ptr<Lockstep> lay_out(const Cutting& cutting) {
        cut_ = cutting;
        find_strands();
        out_ = std::make_unique<Lockstep>();
        out_->tree = plan_.tree;
        lay_out_nodes();
        find_slots();
        make_room_for_blocks();
        find_top();
        lay_out_bodies();
        if (!groups_are_apart()) return nullptr;
        make_room();
        find_targets();
        return std::move(out_);
    }
    const BilateralPlan::Node& node(int k) const { return plan_.nodes[idx(k)]; }
    int node_count() const { return static_cast<int>(plan_.nodes.size()); }
    bool moves(int body) const { return body < dynamic_count_; }
    int hub_of(int body) const { return graph_.hub_of(body); }
    // Nodes and hubs have one numbering: nodes, then of each hub its move and its turn.
    int move_of(int hub) const { return node_count() + 2 * hub; }
    int turn_of(int hub) const { return node_count() + 2 * hub + 1; }
    bool in_part(int k) const { return k < node_count() && cut_.in_part(k); }
    /// Of a node in a part: −1 within a strand.
    int unit_of(int k) const { return unit_at_[idx(cut_.place_of(k))]; }
    bool in_strand(int k) const { return in_part(k) && unit_of(k) < 0; }
    int part_of(int k) const { return cut_.part_of(k); }
    static std::size_t block_of(int part) { return idx(part / eight); }
    static std::size_t lane_of(int part) { return idx(part % eight); }
    /// What a node is coupled with: nodes that share a body, and its hubs.
    template <class Act>
    void each_coupled(int k, Act&& act) const {
        for (const int other : graph_.neighbours[idx(k)]) act(other);
        for (const int body : {node(k).body1, node(k).body2}) {
            const int hub = moves(body) ? hub_of(body) : -1;
            if (hub < 0) continue;
            if (!node(k).axis) act(move_of(hub));
            act(turn_of(hub));
        }
    }
    /// The nodes from `begin` to `end` of a part, by their places, with the bodies between them.
    struct Stretch {
        int begin, end;  ///< where it is all of a part: from cut to cut
        int per_joint;   ///< nodes: a point, or a point and an axis
        bool mirrored;
        int links() const { return (end - begin) / per_joint; }
    };
    void find_strands();
    /// Parts that are links from end to end: between the cuts there is nothing but a strand.
    bool whole_parts();
    /// The body of a link: between the node at this place and the next; −1 where there is none.
    int link_at(int part, int place, const Stretch& kind) const;
    /// Of the given kind, from where it begins.
    Stretch longest(Stretch kind) const;
    static constexpr std::pair<int, bool> kinds[] = {{1, false}, {1, true}, {2, false}};  ///< nodes per joint; mirrored
    void add_stretch(const Stretch& stretch);
    /// act(part, k, other): the nodes at the two ends of each strand, which it couples.
    template <class Act>
    void each_strand_coupled(Act&& act) const {
        for (const Stretch& s : stretches_)
            for (int part = 0; part < cut_.parts; ++part)
                for (int n = 0; n < s.per_joint * s.per_joint; ++n)
                    act(part, cut_.begin(part) + s.begin + n / s.per_joint, cut_.begin(part) + s.end + n % s.per_joint);
    }
    void add_strands();
    void lay_out_nodes();
    /// A single as a part sees it: nodes by how far they are from its beginning, hubs by themselves. The same for all parts but
    /// for those at the ends.
    std::pair<bool, int> seen_from(int part, int single) const {
        const bool hub = single >= node_count();
        return {hub, hub ? single : single - cut_.begin(part)};
    }
    int slot_of(int part, int single) const { return slot_at_.at(seen_from(part, single)); }
    void find_slots();
    void make_room_for_blocks();
    void find_top();

    struct SideOf {
        int key;  ///< sides of the same key stand side by side
        int node, which;
    };
    struct BodyOf {
        int body = -1;
        std::vector<SideOf> sides;
    };
    /// Up to eight bodies with their sides: sides of the same key become one of the group.
    void add_group(const std::array<BodyOf, eight>& bodies, Role role);
    void finish(Side& side) const;
    bool groups_are_apart() const;
    void lay_out_bodies();
    /// Those that repeat with the parts.
    void add_bodies_of_parts(const std::vector<std::vector<SideOf>>& sides, std::vector<char>& placed);
    void add_side_by_side(const std::vector<BodyOf>& per_part, Role role);
    /// How often a body would stand in another lane than the part that one of its nodes is in.
    int strangers(int first_body, const std::vector<std::vector<SideOf>>& sides) const;
    /// As they come. No two bodies of a group have a node in common: what they add to it would depend on how many are worked on
    /// at once.
    void add_in_eights(std::vector<BodyOf> rest, Role role);
    void make_room();

    /// act(group, rows, columns): the nodes, or hub's nodes, lane by lane, of each block that bodies and ghosts make, in order.
    template <class Act>
    void each_block(Act&& act) {
        using Lanes = std::array<int, eight>;
        for (Bodies& group : out_->bodies) {
            if (group.role == Role::body || group.role == Role::strand)
                for (std::size_t column = group.first_side; column < group.end_side; ++column)
                    for (std::size_t row = group.first_side; row < group.end_side; ++row)
                        act(group, out_->sides[row].node, out_->sides[column].node);
            if (group.role != Role::ghost) continue;
            for (std::size_t s = group.first_side; s < group.end_side; ++s) {
                const Side& side = out_->sides[s];
                Lanes move, turn;
                for (std::size_t lane = 0; lane < eight; ++lane) {
                    const int hub = side.node[lane] >= 0 ? group.hub[lane] : -1;
                    move[lane] = hub < 0 || side.axis ? -1 : move_of(hub);
                    turn[lane] = hub < 0 ? -1 : turn_of(hub);
                }
                act(group, move, side.node);
                act(group, turn, side.node);
                act(group, side.node, move);
                act(group, side.node, turn);
            }
        }
    }
    void find_targets();
    /// Without who is the first. Lanes that stand for no part go along with the others: what comes there is zero.
    Target target(const std::array<int, eight>& row, const std::array<int, eight>& column);
    Block* part_block(std::size_t block, int i, int j);
    const BilateralPlan& plan_;
    int dynamic_count_;
    Graph graph_;
    Cutting cut_;
    bool constants_vary_ = false;  ///< masses and arms are not those of the plan for ever
    std::vector<Stretch> stretches_;
    std::vector<int> unit_at_;                        ///< by places
    std::vector<char> sides_at_;                      ///< of each body that moves: how many, three for more
    std::vector<char> within_a_strand_;               ///< bodies
    std::vector<std::pair<std::size_t, int>> place_;  ///< of nodes: group and lane
    std::map<int, int> single_of_;
    std::map<std::pair<bool, int>, int> slot_at_;
    std::unique_ptr<Lockstep> out_;
};

}  // namespace armature::lockstep

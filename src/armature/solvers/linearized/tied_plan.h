// The system of joints that tie points, and where each contribution to it goes: found once for an island.
//
// Joints are nodes with a block of rows each. A body couples all nodes at its sides with each other; one at which many meet, a hub,
// stays in the system with two nodes of its own instead, its move and its turn (bilateral.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/linearized/elimination.h"

namespace armature {

struct TiedNode {
    int body1, body2;
    int joint;  ///< local
    bool axis;  ///< it turns its bodies and does not move them
};

/// Node n has the sides 2n, at solid 1, and 2n + 1. Of each body that moves, those at it.
using TiedSides = std::vector<std::vector<int>>;
TiedSides sides_of(const std::vector<TiedNode>& nodes, int dynamic_count);

/// Of each body that moves the joint by which it hangs on what does not, or on some one body of its tree; −1: it is that one.
/// Empty where there are loops.
std::vector<int> joints_inward(const std::vector<TiedNode>& nodes, int dynamic_count);

/// A choice of hubs, and what it leads to. Nodes first, then of each hub its move and its turn.
struct TiedLayout {
    std::vector<int> hub_bodies;
    Elimination pattern;
    std::size_t products = 0;
};
/// Which bodies are hubs is a matter of what the factorisation then costs: a few choices are tried.
TiedLayout cheapest_layout(const std::vector<TiedNode>& nodes, const TiedSides& sides);

/// What does not move counts as one body.
bool is_forest(const Island& island);

template <class SystemType>
struct TiedPlan {
    using System = SystemType;
    using Place = typename System::Place;
    using Node = TiedNode;
    /// What pushes at the side `column` of a body move along the side `row`.
    struct Pair {
        int row, column;
        Place block;  ///< of the system
        bool first;   ///< to come to this block
    };
    /// The blocks of a node and of the hub at one of its sides: what its impulses do to the hub, and what it reads of that.
    struct HubSide {
        int side;
        Place moves, turns, reads_move, reads_turn;
    };
    struct Hub {
        int body, move_node, turn_node;
        std::size_t first_side, end_side;
    };

    bool fits = false;
    bool tree = true;  ///< or several: no loops, and so nothing is held twice
    std::uint64_t fingerprint = 0;
    std::size_t joints = 0, body_count = 0;
    std::vector<Node> nodes;
    std::vector<Pair> pairs;              ///< in the order of bodies, and of columns; none at hubs
    std::vector<std::size_t> first_pair;  ///< per dynamic body, and the end
    std::vector<Place> filled;            ///< blocks that only fill in
    std::vector<Hub> hubs;
    std::vector<HubSide> hub_sides;
    System system;

    /// The system of `nodes`; its pattern alone, to know what it would cost, or with room for its numbers.
    void lay_out(int dynamic_count, bool with_numbers = true) {
        const TiedSides sides = sides_of(nodes, dynamic_count);
        TiedLayout layout = cheapest_layout(nodes, sides);
        system.pattern = std::move(layout.pattern);
        if (!with_numbers) return;
        system.make_room();
        std::set<Place> met;
        std::size_t next_hub = 0;
        for (std::size_t i = 0; i < sides.size(); ++i) {
            first_pair.push_back(pairs.size());
            if (next_hub < layout.hub_bodies.size() && layout.hub_bodies[next_hub] == static_cast<int>(i)) {
                add_hub(static_cast<int>(i), static_cast<int>(nodes.size() + 2 * next_hub++), sides[i], met);
                continue;
            }
            for (const int column : sides[i])
                for (const int row : sides[i]) {
                    const Place at = system.at(row / 2, column / 2);
                    pairs.push_back({row, column, at, met.insert(at).second});
                }
        }
        first_pair.push_back(pairs.size());
        system.each_place([&](const Place& place) {
            if (!met.contains(place)) filled.push_back(place);
        });
    }

    /// Multiplications of one factorisation with blocks of so many, to choose by.
    double cost(double multiplications) const {
        const Elimination& e = system.pattern;
        return multiplications * static_cast<double>(e.updates.size() + e.below.size() + e.order.size());
    }

  private:
    void add_hub(int body, int move, const std::vector<int>& sides, std::set<Place>& met) {
        const int turn = move + 1;
        Hub hub{body, move, turn, hub_sides.size(), 0};
        for (const int side : sides) {
            const int node = side / 2;
            const bool axis = nodes[static_cast<std::size_t>(node)].axis;
            hub_sides.push_back({side, axis ? Place{} : system.at(move, node), system.at(turn, node),
                                 axis ? Place{} : system.at(node, move), system.at(node, turn)});
            const HubSide& added = hub_sides.back();
            met.insert({added.moves, added.turns, added.reads_move, added.reads_turn});
        }
        met.insert({system.at(move, move), system.at(turn, turn)});
        hub.end_side = hub_sides.size();
        hubs.push_back(hub);
    }
};

/// Plans by island, and the one at hand. They point into themselves: a copy makes its own.
template <class Plan>
class PlansOfIslands {
  public:
    PlansOfIslands() = default;
    PlansOfIslands(const PlansOfIslands&) {}
    PlansOfIslands& operator=(const PlansOfIslands&) {
        plans_.clear();
        at_hand_ = nullptr;
        return *this;
    }
    PlansOfIslands(PlansOfIslands&&) = default;
    PlansOfIslands& operator=(PlansOfIslands&&) = default;
    ~PlansOfIslands() = default;

    /// make(plan) fills in one that is new or not of this model.
    template <class Make>
    Plan& take(const CorrectionProblem& p, Make&& make) {
        Plan& plan = plans_[&p.island];
        if (plan.fingerprint != p.model.fingerprint || plan.body_count != p.island.bodies.size() ||
            plan.joints != p.island.joints.size()) {
            plan = {};
            plan.fingerprint = p.model.fingerprint;
            plan.body_count = p.island.bodies.size();
            plan.joints = p.island.joints.size();
            make(plan);
        }
        at_hand_ = &plan;
        return plan;
    }
    /// The one that was taken last.
    Plan* operator->() const { return at_hand_; }
    Plan& operator*() const { return *at_hand_; }

  private:
    std::map<const Island*, Plan> plans_;
    Plan* at_hand_ = nullptr;
};

}  // namespace armature

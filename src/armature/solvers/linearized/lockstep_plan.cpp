// Lays the parts of a structure out side by side; see lockstep.h.
#include <algorithm>
#include <map>
#include <set>

#include "armature/solvers/linearized/lockstep.h"
#include "armature/solvers/linearized/lockstep_period.h"

namespace armature {

namespace {

using lockstep::Bodies;
using lockstep::eight;
using lockstep::Role;
using lockstep::Side;
using lockstep::Target;

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

class Planner {
  public:
    Planner(const BilateralPlan& plan, int dynamic_count)
        : plan_(plan), dynamic_count_(dynamic_count), graph_(plan, dynamic_count) {}

    std::unique_ptr<Lockstep> make() {
        const std::optional<lockstep::Cutting> cutting = lockstep::find_cutting(graph_);
        if (!cutting) return nullptr;
        cut_ = *cutting;
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

  private:
    const BilateralPlan::Node& node(int k) const { return plan_.nodes[idx(k)]; }
    int node_count() const { return static_cast<int>(plan_.nodes.size()); }
    bool moves(int body) const { return body < dynamic_count_; }
    int hub_of(int body) const { return graph_.hub_of(body); }

    // Nodes and hubs have one numbering: nodes, then of each hub its move and its turn.
    int move_of(int hub) const { return node_count() + 2 * hub; }
    int turn_of(int hub) const { return node_count() + 2 * hub + 1; }
    bool in_part(int k) const { return k < node_count() && cut_.in_part(k); }
    int unit_of(int k) const { return cut_.place_of(k) - cut_.cut; }
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

    void lay_out_nodes() {
        out_->units = idx(cut_.size - cut_.cut);
        out_->blocks = block_of(cut_.parts + eight - 1);
        place_.assign(plan_.nodes.size(), {0, 0});
        for (std::size_t block = 0; block < out_->blocks; ++block)
            for (std::size_t u = 0; u < out_->units; ++u) {
                lockstep::Nodes group;
                for (int lane = 0; lane < eight; ++lane) {
                    const int part = static_cast<int>(block) * eight + lane;
                    const int k = part < cut_.parts ? cut_.begin(part) + cut_.cut + static_cast<int>(u) : -1;
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

    /// A single as a part sees it: nodes by how far they are from its beginning, hubs by themselves. The same for all parts but
    /// for those at the ends.
    std::pair<bool, int> seen_from(int part, int single) const {
        const bool hub = single >= node_count();
        return {hub, hub ? single : single - cut_.begin(part)};
    }
    int slot_of(int part, int single) const { return slot_at_.at(seen_from(part, single)); }

    void find_slots() {
        for (int k = 0; k < node_count(); ++k)
            if (in_part(k))
                each_coupled(k, [&](int other) {
                    if (!in_part(other)) slot_at_.emplace(seen_from(part_of(k), other), 0);
                });
        int next = 0;
        for (auto& [seen, slot] : slot_at_) slot = next++;
        out_->slots = slot_at_.size();
        std::array<int, eight> none;
        none.fill(-1);
        out_->slot.assign(out_->blocks * out_->slots, none);
        std::vector<std::pair<int, int>> couplings;
        const int units = static_cast<int>(out_->units);
        for (int k = 0; k < node_count(); ++k) {
            if (!in_part(k)) continue;
            const int part = part_of(k);
            each_coupled(k, [&](int other) {
                const int slot = in_part(other) ? 0 : slot_of(part, other);
                couplings.emplace_back(unit_of(k), in_part(other) ? unit_of(other) : units + slot);
                if (!in_part(other))
                    out_->slot[block_of(part) * out_->slots + idx(slot)][lane_of(part)] = single_of_.at(other);
            });
        }
        std::vector<int> stage(out_->units + out_->slots, 0);
        std::fill(stage.begin() + units, stage.end(), 1);
        out_->pattern.analyse_in_stages(couplings, stage);
    }

    void make_room_for_blocks() {
        out_->diagonal.resize(out_->blocks * (out_->units + out_->slots));
        out_->lower.resize(out_->blocks * out_->pattern.below.size());
        out_->upper.resize(out_->lower.size());
        out_->slot_change.resize(out_->slot.size());
    }

    void find_top() {
        std::vector<std::pair<int, int>> couplings;
        std::vector<std::vector<int>> after(out_->singles.size());
        for (const int k : out_->singles) {
            if (k >= node_count()) continue;
            const std::size_t single = idx(single_of_.at(k));
            bool alone = false;  // has a diagonal of its own
            for (const int body : {node(k).body1, node(k).body2}) alone = alone || (moves(body) && hub_of(body) < 0);
            each_coupled(k, [&](int other) {
                if (in_part(other)) return;
                const int other_single = single_of_.at(other);
                couplings.emplace_back(static_cast<int>(single), other_single);
                const bool of_use = other >= node_count() && (node(k).axis || (other - node_count()) % 2 == 0);
                if (!alone && of_use) after[single].push_back(other_single);
            });
        }
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
                meeting.lower[lane] = top_block(b[lane], a[lane]);
                meeting.upper[lane] = top_block(a[lane], b[lane]);
            }
            out_->meetings.push_back(meeting);
        });
    }
    four::M* top_block(int i, int j) {
        TripleSystem& top = out_->top;
        if (i == j) return &top.diagonal[idx(i)];
        const Elimination::Coupling c = top.pattern.coupling(i, j);
        return c.row == i ? &top.lower[c.at] : &top.upper[c.at];
    }

    // Bodies ----------------------------------------------------------------------------------------------------------------

    struct SideOf {
        int key;  ///< sides of the same key stand side by side
        int node, which;
    };
    struct BodyOf {
        int body = -1;
        std::vector<SideOf> sides;
    };

    /// Up to eight bodies with their sides: sides of the same key become one of the group.
    void add_group(const std::array<BodyOf, eight>& bodies, Role role) {
        Bodies group;
        group.role = role;
        group.hub.fill(-1);
        group.first_side = out_->sides.size();
        std::map<std::array<int, 3>, Side> by_key;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            group.body[lane] = bodies[lane].body;
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

    void finish(Side& side) const {
        constexpr std::size_t numbers = std::size_t{lockstep::node_rows} * eight;
        side.aligned = true;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            const int k = side.node[lane];
            const auto [group, at_lane] =
                k < 0 ? std::pair{out_->nodes.size(), static_cast<int>(lane)} : place_[idx(k)];
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

    bool groups_are_apart() const {
        for (const Bodies& group : out_->bodies) {
            std::set<int> taken;
            for (std::size_t s = group.first_side; s < group.end_side; ++s)
                for (const int k : out_->sides[s].node)
                    if (k >= 0 && !taken.insert(k).second) return false;
        }
        return true;
    }

    void lay_out_bodies() {
        std::vector<std::vector<SideOf>> sides(idx(dynamic_count_));
        std::vector<BodyOf> held, ghosts, hubs;       // one side each, but for hubs, which have none
        std::map<int, std::vector<BodyOf>> of_parts;  // by hub: per part, ghosts with all sides there
        for (int k = 0; k < node_count(); ++k) {
            const BilateralPlan::Node& n = node(k);
            for (const auto& [body, which] : {std::pair{n.body1, 0}, std::pair{n.body2, 1}}) {
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
        std::vector<char> placed(idx(dynamic_count_), 0);
        add_bodies_of_parts(sides, placed);
        std::vector<BodyOf> rest;
        for (int b = 0; b < dynamic_count_; ++b)
            if (!placed[idx(b)] && hub_of(b) < 0) rest.push_back({b, sides[idx(b)]});
        add_in_eights(rest, Role::body);
        add_in_eights(held, Role::held);
        for (const auto& [hub, per_part] : of_parts) add_side_by_side(per_part, Role::ghost);
        add_in_eights(ghosts, Role::ghost);
    }

    /// Those that repeat with the parts.
    void add_bodies_of_parts(const std::vector<std::vector<SideOf>>& sides, std::vector<char>& placed) {
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
                if (!own(b)) continue;
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

    void add_side_by_side(const std::vector<BodyOf>& per_part, Role role) {
        for (std::size_t begin = 0; begin < per_part.size(); begin += eight) {
            std::array<BodyOf, eight> group;
            for (std::size_t lane = 0; lane < eight && begin + lane < per_part.size(); ++lane)
                group[lane] = per_part[begin + lane];
            add_group(group, role);
        }
    }

    /// How often a body would stand in another lane than the part that one of its nodes is in.
    int strangers(int first_body, const std::vector<std::vector<SideOf>>& sides) const {
        int found = 0;
        for (int b = first_body; b < std::min(first_body + cut_.parts * cut_.bodies, dynamic_count_); ++b)
            for (const SideOf& s : sides[idx(b)])
                found += in_part(s.node) && part_of(s.node) != (b - first_body) / cut_.bodies ? 1 : 0;
        return found;
    }

    /// As they come. No two bodies of a group have a node in common: what they add to it would depend on how many are worked on
    /// at once.
    void add_in_eights(std::vector<BodyOf> rest, Role role) {
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

    void make_room() {
        Lockstep& l = *out_;
        l.body.resize(l.bodies.size());
        l.node.resize(l.nodes.size() + 1);
        l.hub_sums.resize(graph_.hubs.size());
        l.hub_at.resize(graph_.hubs.size());
        for (std::size_t g = 0; g < l.nodes.size(); ++g)
            for (std::size_t lane = 0; lane < eight; ++lane)
                l.node[g].r[lockstep::counts].v[lane] = l.nodes[g].node[lane] >= 0 ? 1 : 0;
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

    // Where blocks go ---------------------------------------------------------------------------------------------------------

    /// act(group, rows, columns): the nodes, or hub's nodes, lane by lane, of each block that bodies and ghosts make, in order.
    template <class Act>
    void each_block(Act&& act) {
        using Lanes = std::array<int, eight>;
        for (Bodies& group : out_->bodies) {
            if (group.role == Role::body)
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

    void find_targets() {
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

    /// Without who is the first. Lanes that stand for no part go along with the others: what comes there is zero.
    Target target(const std::array<int, eight>& row, const std::array<int, eight>& column) {
        Target t;
        lockstep::Block* common = nullptr;
        std::size_t block_number = 0;
        bool all = true;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            Target::Lane& to = t.lane[lane];
            const int i = row[lane], j = column[lane];
            if (i < 0 || j < 0) continue;
            if (!in_part(i) && !in_part(j)) {
                to.single = true;
                to.at = reinterpret_cast<double*>(top_block(single_of_.at(i), single_of_.at(j)));
                all = false;
                continue;
            }
            const int part = part_of(in_part(i) ? i : j), units = static_cast<int>(out_->units);
            const auto place = [&](int k) { return in_part(k) ? unit_of(k) : units + slot_of(part, k); };
            block_number = block_of(part);
            lockstep::Block* block = part_block(block_number, place(i), place(j));
            to.at = &block->m[0].v[lane_of(part)];
            if (!common) common = block;
            all = all && lane_of(part) == lane && block == common;
        }
        if (!common || !all) return t;
        const auto nobodys = [&](std::size_t lane) {
            return static_cast<int>(block_number * eight + lane) >= cut_.parts;
        };
        for (std::size_t lane = 0; lane < eight; ++lane) {
            if (!t.lane[lane].at && !nobodys(lane)) return t;
            t.lane[lane].at = &common->m[0].v[lane];
        }
        t.block = common;
        return t;
    }
    lockstep::Block* part_block(std::size_t block, int i, int j) {
        if (i == j) return &out_->diagonal[block * (out_->units + out_->slots) + idx(i)];
        const Elimination::Coupling c = out_->pattern.coupling(i, j);
        const std::size_t at = block * out_->pattern.below.size() + c.at;
        return c.row == i ? &out_->lower[at] : &out_->upper[at];
    }

    const BilateralPlan& plan_;
    int dynamic_count_;
    lockstep::Graph graph_;
    lockstep::Cutting cut_;
    std::vector<std::pair<std::size_t, int>> place_;  ///< of nodes: group and lane
    std::map<int, int> single_of_;
    std::map<std::pair<bool, int>, int> slot_at_;
    std::unique_ptr<Lockstep> out_;
};

}  // namespace

std::unique_ptr<Lockstep> make_lockstep(const BilateralPlan& plan, int dynamic_count) {
    return Planner(plan, dynamic_count).make();
}

}  // namespace armature

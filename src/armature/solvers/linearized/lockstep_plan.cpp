// Finds the period of a structure and lays its parts out side by side; see lockstep.h.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "armature/solvers/linearized/lockstep.h"

namespace armature {

namespace {

using lockstep::eight;

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

constexpr int longest_period = 64;   // nodes
constexpr int fewest_nodes = 32;     // that are worth eight lanes
constexpr double least_share = 0.6;  // of the nodes, in the parts

/// Nodes first + i·nodes + r, r < nodes, are alike for all i < periods; their bodies are `bodies` further on each time.
struct Period {
    int first = 0, nodes = 0, bodies = 0, periods = 0;
};

class Planner {
  public:
    Planner(const BilateralPlan& plan, int dynamic_count) : plan_(plan), dynamic_count_(dynamic_count) {}

    std::unique_ptr<Lockstep> make() {
        if (!plan_.hubs.empty() || static_cast<int>(plan_.nodes.size()) < fewest_nodes) return nullptr;
        const std::optional<Period> found = find_period();
        if (!found) return nullptr;
        find_neighbours();
        if (!cut_well(*found)) return nullptr;
        out_ = std::make_unique<Lockstep>();
        out_->tree = plan_.tree;
        lay_out_nodes();
        find_slots();
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

    /// How far the bodies of node k + p are from those of node k; 0 when the two are not alike.
    int shift(int k, int p) const {
        const BilateralPlan::Node &a = node(k), &b = node(k + p);
        if (a.axis != b.axis) return 0;
        int by = 0;
        for (const auto& [from, to] : {std::pair{a.body1, b.body1}, std::pair{a.body2, b.body2}}) {
            if (moves(from) != moves(to)) return 0;
            if (!moves(from)) continue;
            if (to - from <= 0 || (by != 0 && to - from != by)) return 0;
            by = to - from;
        }
        return by;
    }

    std::optional<Period> find_period() const {
        const int n = node_count();
        for (int p = 1; p <= std::min(longest_period, n / eight); ++p) {
            Period best;
            for (int k = 0; k + p < n;) {
                const int by = shift(k, p);
                int end = k + 1;
                while (by != 0 && end + p < n && shift(end, p) == by) ++end;
                const int periods = (end - k + p) / p;
                if (by != 0 && periods > best.periods) best = {k, p, by, periods};
                k = end;
            }
            if (best.periods >= 2 * eight && best.periods * p >= least_share * n) return best;
        }
        return std::nullopt;
    }

    void find_neighbours() {
        std::vector<std::vector<int>> at(idx(dynamic_count_));
        for (int k = 0; k < node_count(); ++k)
            for (const int body : {node(k).body1, node(k).body2})
                if (moves(body)) at[idx(body)].push_back(k);
        neighbours_.resize(plan_.nodes.size());
        for (const std::vector<int>& together : at)
            for (const int a : together)
                for (const int b : together)
                    if (a != b) neighbours_[idx(a)].push_back(b);
        for (std::vector<int>& n : neighbours_) {
            std::sort(n.begin(), n.end());
            n.erase(std::unique(n.begin(), n.end()), n.end());
        }
    }

    int part_size() const { return length_ * period_.nodes; }
    int part_begin(int lane) const { return period_.first + lane * part_size(); }
    /// −1: none.
    int lane_of(int k) const {
        const int lane = k < period_.first ? -1 : (k - period_.first) / part_size();
        return lane < eight ? lane : -1;
    }
    int place_of(int k) const { return k - part_begin(lane_of(k)); }
    bool in_part(int k) const { return lane_of(k) >= 0 && place_of(k) >= cut_; }

    /// The first nodes of each part become singles until nothing leads from one part to another. Where in the period parts
    /// begin decides how many that are.
    bool cut_well(const Period& found) {
        Period best;
        int best_cut = 0, most = 0;
        for (int begin = 0; begin < found.nodes; ++begin) {
            period_ = found;
            period_.first += begin;
            if (begin > 0) --period_.periods;
            length_ = period_.periods / eight;
            if (length_ < 2) continue;
            cut();
            if (part_size() - cut_ <= most) continue;
            most = part_size() - cut_;
            best = period_;
            best_cut = cut_;
        }
        period_ = best;
        length_ = best.periods / eight;
        cut_ = best_cut;
        return eight * most >= least_share * node_count();
    }
    void cut() {
        cut_ = 0;
        for (int k = period_.first; k < part_begin(eight); ++k)
            for (const int other : neighbours_[idx(k)])
                if (lane_of(other) >= 0 && lane_of(other) < lane_of(k) && place_of(other) >= cut_)
                    cut_ = std::max(cut_, place_of(k) + 1);
    }

    int unit_of(int k) const { return place_of(k) - cut_; }

    void lay_out_nodes() {
        out_->units = idx(part_size() - cut_);
        place_.assign(plan_.nodes.size(), {0, 0});
        for (int u = 0; u < static_cast<int>(out_->units); ++u) {
            lockstep::Nodes group;
            for (int lane = 0; lane < eight; ++lane) {
                const int k = part_begin(lane) + cut_ + u;
                group.node[idx(lane)] = k;
                place_[idx(k)] = {out_->nodes.size(), lane};
            }
            group.axis = node(group.node[0]).axis;
            out_->nodes.push_back(group);
        }
        // Those at the same place of each part side by side.
        for (int place = 0; place < cut_; ++place)
            for (int lane = 0; lane < eight; ++lane) out_->singles.push_back(part_begin(lane) + place);
        for (int k = 0; k < node_count(); ++k)
            if (lane_of(k) < 0) out_->singles.push_back(k);
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
        for (std::size_t i = 0; i < out_->singles.size(); ++i) {
            single_of_[out_->singles[i]] = static_cast<int>(i);
            out_->single_at.push_back(place_[idx(out_->singles[i])]);
        }
    }

    /// Singles that a part touches, by how far they are from its beginning: the same for all parts but for those at the ends.
    void find_slots() {
        std::map<int, std::array<int, eight>> by_distance;
        std::vector<std::pair<int, int>> couplings;
        std::array<int, eight> none;
        none.fill(-1);
        for (int k = 0; k < node_count(); ++k) {
            if (!in_part(k)) continue;
            for (const int other : neighbours_[idx(k)])
                if (!in_part(other))
                    by_distance.emplace(other - part_begin(lane_of(k)), none).first->second[idx(lane_of(k))] =
                        single_of_.at(other);
        }
        for (const auto& [distance, of_lane] : by_distance) {
            slot_at_[distance] = static_cast<int>(out_->slots.size());
            out_->slots.push_back(of_lane);
        }
        const int units = static_cast<int>(out_->units);
        for (int k = 0; k < node_count(); ++k) {
            if (!in_part(k)) continue;
            for (const int other : neighbours_[idx(k)])
                couplings.emplace_back(unit_of(k),
                                       in_part(other) ? unit_of(other) : units + slot_of(lane_of(k), other));
        }
        std::vector<int> stage(out_->units + out_->slots.size(), 0);
        std::fill(stage.begin() + units, stage.end(), 1);
        out_->pattern.analyse_in_stages(couplings, stage);
    }
    int slot_of(int lane, int single) const { return slot_at_.at(single - part_begin(lane)); }

    void find_top() {
        std::vector<std::pair<int, int>> couplings;
        for (const int k : out_->singles)
            for (const int other : neighbours_[idx(k)])
                if (!in_part(other)) couplings.emplace_back(single_of_.at(k), single_of_.at(other));
        // What the elimination of a part couples.
        const std::size_t units = out_->units;
        const auto each_meeting = [&](auto&& act) {
            for (std::size_t a = 0; a < out_->slots.size(); ++a) {
                const std::size_t column = units + a;
                for (std::size_t at = out_->pattern.first[column]; at < out_->pattern.first[column + 1]; ++at)
                    act(at, a, idx(out_->pattern.below[at]) - units);
            }
        };
        each_meeting([&](std::size_t, std::size_t a, std::size_t b) {
            for (std::size_t lane = 0; lane < eight; ++lane)
                if (out_->slots[a][lane] >= 0 && out_->slots[b][lane] >= 0)
                    couplings.emplace_back(out_->slots[a][lane], out_->slots[b][lane]);
        });
        TripleSystem& top = out_->top;
        top.pattern.analyse(static_cast<int>(out_->singles.size()), couplings);
        top.make_room();
        each_meeting([&](std::size_t at, std::size_t a, std::size_t b) {
            Lockstep::Meeting meeting{at, {}, {}};
            for (std::size_t lane = 0; lane < eight; ++lane) {
                const int column = out_->slots[a][lane], row = out_->slots[b][lane];
                if (column < 0 || row < 0) continue;
                meeting.lower[lane] = top_block(row, column);
                meeting.upper[lane] = top_block(column, row);
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

    /// A group of bodies with their sides: sides of the same key become one of the group.
    void add_group(const std::array<int, eight>& body, const std::array<std::vector<SideOf>, eight>& sides) {
        lockstep::Bodies group;
        group.body = body;
        for (const int b : body) group.moves = group.moves || (b >= 0 && moves(b));
        group.first_side = out_->sides.size();
        std::map<std::array<int, 3>, lockstep::Side> by_key;
        for (std::size_t lane = 0; lane < eight; ++lane)
            for (const SideOf& s : sides[lane]) {
                const bool axis = node(s.node).axis;
                lockstep::Side fresh;
                fresh.axis = axis;
                fresh.which = s.which;
                fresh.node.fill(-1);
                by_key.emplace(std::array{s.key, axis ? 1 : 0, s.which}, fresh).first->second.node[lane] = s.node;
            }
        for (auto& [key, side] : by_key) {
            finish(side);
            out_->sides.push_back(side);
        }
        group.end_side = out_->sides.size();
        out_->bodies.push_back(group);
    }

    bool groups_are_apart() const {
        for (const lockstep::Bodies& group : out_->bodies) {
            std::set<int> taken;
            for (std::size_t s = group.first_side; s < group.end_side; ++s)
                for (const int k : out_->sides[s].node)
                    if (k >= 0 && !taken.insert(k).second) return false;
        }
        return true;
    }

    void finish(lockstep::Side& side) const {
        constexpr std::size_t numbers = std::size_t{lockstep::node_rows} * eight;
        side.aligned = true;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            const int k = side.node[lane];
            const auto [group, at_lane] =
                k < 0 ? std::pair{out_->nodes.size(), static_cast<int>(lane)} : place_[idx(k)];
            side.at[lane] = static_cast<int>(group * numbers) + at_lane;
            side.aligned = side.aligned && side.at[lane] == side.at[0] + static_cast<int>(lane);
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
        side.aligned = side.aligned && side.at[0] % eight == 0;
    }

    void lay_out_bodies() {
        std::vector<std::vector<SideOf>> sides(idx(dynamic_count_));
        std::vector<std::pair<int, SideOf>> held;  // sides of what does not move: each as if it were a body of its own
        for (int k = 0; k < node_count(); ++k) {
            const BilateralPlan::Node& n = node(k);
            for (const auto& [body, which] : {std::pair{n.body1, 0}, std::pair{n.body2, 1}}) {
                if (moves(body))
                    sides[idx(body)].push_back({0, k, which});
                else
                    held.push_back({body, {0, k, which}});
            }
        }
        // Bodies of the parts: those that repeat with them.
        int first_body = dynamic_count_;
        for (int r = 0; r < period_.nodes; ++r)
            for (const int body : {node(period_.first + r).body1, node(period_.first + r).body2})
                if (moves(body)) first_body = std::min(first_body, body);
        const int stride = length_ * period_.bodies;
        if (strangers(first_body + period_.bodies, stride, sides) < strangers(first_body, stride, sides))
            first_body += period_.bodies;
        std::vector<char> placed(idx(dynamic_count_), 0);
        for (int i = 0; i < stride; ++i) {
            std::array<int, eight> body;
            std::array<std::vector<SideOf>, eight> of_lane;
            if (first_body + i + (eight - 1) * stride >= dynamic_count_) break;
            for (int lane = 0; lane < eight; ++lane) {
                const int b = body[idx(lane)] = first_body + i + lane * stride;
                placed[idx(b)] = 1;
                for (SideOf s : sides[idx(b)]) {
                    s.key = s.node - part_begin(lane);
                    of_lane[idx(lane)].push_back(s);
                }
            }
            add_group(body, of_lane);
        }
        // The others as they come.
        std::vector<std::pair<int, std::vector<SideOf>>> rest;
        for (int b = 0; b < dynamic_count_; ++b)
            if (!placed[idx(b)]) rest.emplace_back(b, sides[idx(b)]);
        add_in_eights(rest);
        rest.clear();
        for (const auto& [body, side] : held) rest.push_back({body, {side}});
        add_in_eights(rest);
    }

    /// How often a body would stand in another lane than the part that one of its nodes is in.
    int strangers(int first_body, int stride, const std::vector<std::vector<SideOf>>& sides) const {
        int found = 0;
        for (int b = first_body; b < std::min(first_body + eight * stride, dynamic_count_); ++b)
            for (const SideOf& s : sides[idx(b)])
                found += in_part(s.node) && lane_of(s.node) != (b - first_body) / stride ? 1 : 0;
        return found;
    }

    /// No two bodies of a group have a node in common: what they add to it would depend on how many are worked on at once.
    void add_in_eights(std::vector<std::pair<int, std::vector<SideOf>>> rest) {
        constexpr std::size_t look_ahead = 32;
        for (std::size_t begin = 0; begin < rest.size();) {
            std::array<int, eight> body;
            body.fill(-1);
            std::array<std::vector<SideOf>, eight> of_lane;
            std::set<int> taken;
            std::size_t lane = 0;
            for (std::size_t i = begin; i < std::min(begin + look_ahead, rest.size()) && lane < eight; ++i) {
                const auto meets = [&](const SideOf& s) { return taken.contains(s.node); };
                if (std::any_of(rest[i].second.begin(), rest[i].second.end(), meets)) continue;
                std::map<std::pair<bool, int>, int> met;
                for (SideOf s : rest[i].second) {
                    s.key = met[{node(s.node).axis, s.which}]++;
                    of_lane[lane].push_back(s);
                    taken.insert(s.node);
                }
                body[lane++] = rest[i].first;
                std::rotate(rest.begin() + static_cast<std::ptrdiff_t>(begin),
                            rest.begin() + static_cast<std::ptrdiff_t>(i),
                            rest.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                ++begin;
            }
            add_group(body, of_lane);
        }
    }

    void make_room() {
        Lockstep& l = *out_;
        l.body.resize(l.bodies.size());
        l.node.resize(l.nodes.size() + 1);
        l.diagonal.resize(l.units + l.slots.size());
        l.lower.resize(l.pattern.below.size());
        l.upper.resize(l.pattern.below.size());
        l.slot_change.resize(l.slots.size());
        for (std::size_t g = 0; g < l.nodes.size(); ++g)
            for (std::size_t lane = 0; lane < eight; ++lane)
                l.node[g].r[lockstep::counts].v[lane] = l.nodes[g].node[lane] >= 0 ? 1 : 0;
        for (std::size_t g = 0; g < l.bodies.size(); ++g)
            for (std::size_t lane = 0; lane < eight; ++lane) {
                const int b = l.bodies[g].body[lane];
                const bool there = b >= 0 && moves(b);
                l.body[g].r[lockstep::inv_mass].v[lane] = there ? plan_.bodies[idx(b)].inv_mass : 0;
                l.body[g].r[lockstep::most_turn2].v[lane] = there ? plan_.bodies[idx(b)].most_turn2 : 0;
                const bool turns = there && !plan_.bodies[idx(b)].particle;
                l.body[g].r[lockstep::turns].v[lane] = turns ? 1 : 0;
                const four::M J = turns ? plan_.bodies[idx(b)].inertia : four::zero();
                const double rows[6] = {J.c0[0], J.c1[1], J.c2[2], J.c1[0], J.c2[0], J.c2[1]};
                for (std::size_t k = 0; k < 6; ++k) l.bodies[g].inertia_B[k].v[lane] = rows[k];
            }
    }

    // Where blocks go ---------------------------------------------------------------------------------------------------------

    void find_targets() {
        std::set<const double*> reached;
        each_pair([&](lockstep::Bodies&, const lockstep::Side& row, const lockstep::Side& column) {
            for (const lockstep::Target::Lane& to : target(row, column).lane)
                if (to.at) reached.insert(to.at);
        });
        // What some lane does not reach begins at zero.
        std::set<const double*> met;
        Lockstep& l = *out_;
        std::vector<char> untouched(l.pattern.below.size(), 0);
        for (std::size_t at = 0; at < l.pattern.below.size(); ++at) {
            int found = 0;
            for (std::size_t lane = 0; lane < eight; ++lane)
                found += reached.contains(&l.lower[at].m[0].v[lane]) ? 1 : 0;
            untouched[at] = found == 0;
            if (found == eight) continue;
            if (found > 0 || at >= l.pattern.first[l.units]) l.filled.push_back(at);
            for (std::size_t lane = 0; lane < eight; ++lane)
                met.insert({&l.lower[at].m[0].v[lane], &l.upper[at].m[0].v[lane]});
        }
        find_first_updates(std::move(untouched));
        for (std::vector<four::M>* blocks : {&l.top.diagonal, &l.top.lower, &l.top.upper})
            for (four::M& b : *blocks)
                if (!reached.contains(reinterpret_cast<const double*>(&b))) l.filled_singles.push_back(&b);
        each_pair([&](lockstep::Bodies& group, const lockstep::Side& row, const lockstep::Side& column) {
            if (&row == &column && &row == &l.sides[group.first_side]) group.first_target = l.targets.size();
            lockstep::Target t = target(row, column);
            bool first = true, again = true;
            for (lockstep::Target::Lane& to : t.lane) {
                if (!to.at) continue;
                to.first = met.insert(to.at).second;
                first = first && to.first;
                again = again && !to.first;
            }
            t.first = first;
            if (!first && !again) t.block = nullptr;
            l.targets.push_back(t);
        });
        for (lockstep::Bodies& group : l.bodies) {
            group.between = group.moves && group.end_side == group.first_side + 2;
            for (std::size_t s = group.first_side; s < group.end_side; ++s)
                group.between = group.between && !l.sides[s].axis && l.sides[s].aligned;
            for (std::size_t t = 0; t < 4 && group.between; ++t)
                group.between = l.targets[group.first_target + t].block != nullptr;
        }
    }
    /// Blocks that nothing reaches are made by the first update that comes to them.
    void find_first_updates(std::vector<char> untouched) {
        Lockstep& l = *out_;
        for (const std::size_t at : l.filled) untouched[at] = 0;
        l.first_update.resize(l.pattern.updates.size());
        for (std::size_t u = 0; u < l.pattern.updates.size(); ++u) {
            l.first_update[u] = untouched[l.pattern.updates[u]];
            untouched[l.pattern.updates[u]] = 0;
        }
    }
    template <class Act>
    void each_pair(Act&& act) {
        for (lockstep::Bodies& group : out_->bodies) {
            if (!group.moves) continue;
            for (std::size_t column = group.first_side; column < group.end_side; ++column)
                for (std::size_t row = group.first_side; row < group.end_side; ++row)
                    act(group, out_->sides[row], out_->sides[column]);
        }
    }

    /// Without who is the first.
    lockstep::Target target(const lockstep::Side& row, const lockstep::Side& column) {
        lockstep::Target t;
        lockstep::Block* common = nullptr;
        bool all = true;
        for (std::size_t lane = 0; lane < eight; ++lane) {
            lockstep::Target::Lane& to = t.lane[lane];
            const int i = row.node[lane], j = column.node[lane];
            if (i < 0 || j < 0) {
                all = false;
            } else if (!in_part(i) && !in_part(j)) {
                to.single = true;
                to.at = reinterpret_cast<double*>(top_block(single_of_.at(i), single_of_.at(j)));
                all = false;
            } else {
                const int part = lane_of(in_part(i) ? i : j), units = static_cast<int>(out_->units);
                const auto place = [&](int k) { return in_part(k) ? unit_of(k) : units + slot_of(part, k); };
                lockstep::Block* block = part_block(place(i), place(j));
                to.at = &block->m[0].v[part];
                all = all && part == static_cast<int>(lane) && (lane == 0 || block == common);
                common = block;
            }
        }
        t.block = all ? common : nullptr;
        return t;
    }
    lockstep::Block* part_block(int i, int j) {
        if (i == j) return &out_->diagonal[idx(i)];
        const Elimination::Coupling c = out_->pattern.coupling(i, j);
        return c.row == i ? &out_->lower[c.at] : &out_->upper[c.at];
    }

    const BilateralPlan& plan_;
    int dynamic_count_;
    Period period_;
    int length_ = 0;  ///< periods of a part
    int cut_ = 0;     ///< nodes at the beginning of each part that are singles
    std::vector<std::vector<int>> neighbours_;
    std::vector<std::pair<std::size_t, int>> place_;  ///< of nodes: group and lane
    std::map<int, int> single_of_, slot_at_;
    std::unique_ptr<Lockstep> out_;
};

}  // namespace

std::unique_ptr<Lockstep> make_lockstep(const BilateralPlan& plan, int dynamic_count) {
    return Planner(plan, dynamic_count).make();
}

}  // namespace armature

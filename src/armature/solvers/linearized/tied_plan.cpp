#include "armature/solvers/linearized/tied_plan.h"

#include <algorithm>

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// The bodies with more than `most` sides are hubs.
///
/// In a tree the joint by which a hub hangs comes after it: beyond that joint nothing may give (a straight arm up to the ceiling,
/// a rod to another hub), and then only what the hub adds can be divided by. Where there are loops what regularises helps.
TiedLayout lay_out(const std::vector<TiedNode>& of, const TiedSides& sides, const std::vector<int>& inward,
                   std::size_t most) {
    TiedLayout layout;
    std::vector<std::pair<int, int>> couplings;
    const int nodes = static_cast<int>(of.size());
    std::vector<std::vector<int>> after(of.size());
    std::vector<char> own(of.size(), 0);    // has a diagonal from the beginning
    std::vector<char> hangs(of.size(), 0);  // a hub hangs by it
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const std::vector<int>& at = sides[i];
        if (at.size() <= most) {
            for (std::size_t a = 0; a < at.size(); ++a) {
                own[idx(at[a] / 2)] = 1;
                for (std::size_t b = 0; b < a; ++b) couplings.emplace_back(at[a] / 2, at[b] / 2);
            }
            layout.products += at.size() * at.size();
            continue;
        }
        const int move = nodes + 2 * static_cast<int>(layout.hub_bodies.size()), turn = move + 1;
        layout.hub_bodies.push_back(static_cast<int>(i));
        for (const int side : at) {
            const bool axis = of[idx(side / 2)].axis;
            if (!axis) couplings.emplace_back(side / 2, move);
            couplings.emplace_back(side / 2, turn);
            const bool its_own = !inward.empty() && of[idx(side / 2)].joint == inward[i];
            if (its_own) after[idx(side / 2)].clear();  // of another hub that hangs on this one
            if (its_own || !hangs[idx(side / 2)]) after[idx(side / 2)].push_back(axis ? turn : move);
            hangs[idx(side / 2)] |= its_own;
        }
        layout.products += 4 * at.size();
    }
    const int all = nodes + 2 * static_cast<int>(layout.hub_bodies.size());
    for (std::size_t n = 0; n < own.size(); ++n)
        if (own[n] && !hangs[n]) after[n].clear();
    after.resize(idx(all));
    layout.pattern.analyse(all, couplings, after);
    layout.products += layout.pattern.products();
    return layout;
}

}  // namespace

TiedSides sides_of(const std::vector<TiedNode>& nodes, int dynamic_count) {
    TiedSides sides(idx(dynamic_count));
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const int side = static_cast<int>(2 * n);
        if (nodes[n].body1 < dynamic_count) sides[idx(nodes[n].body1)].push_back(side);
        if (nodes[n].body2 < dynamic_count) sides[idx(nodes[n].body2)].push_back(side + 1);
    }
    return sides;
}

std::vector<int> joints_inward(const std::vector<TiedNode>& nodes, int dynamic_count) {
    // What does not move is one body, the last.
    const auto body = [&](int b) { return idx(std::min(b, dynamic_count)); };
    std::vector<std::vector<const TiedNode*>> at(idx(dynamic_count) + 1);
    for (const TiedNode& n : nodes)
        if (!n.axis)
            for (const int b : {n.body1, n.body2}) at[body(b)].push_back(&n);
    std::vector<int> inward(at.size(), -1);
    std::vector<char> met(at.size(), 0);
    std::vector<std::size_t> queue;
    for (std::size_t root = at.size(); root-- > 0;) {
        if (met[root]) continue;
        met[root] = 1;
        queue.assign(1, root);
        for (std::size_t next = 0; next < queue.size(); ++next)
            for (const TiedNode* n : at[queue[next]]) {
                if (n->joint == inward[queue[next]]) continue;
                const std::size_t to = body(n->body1) == queue[next] ? body(n->body2) : body(n->body1);
                if (met[to]) return {};
                met[to] = 1;
                inward[to] = n->joint;
                queue.push_back(to);
            }
    }
    inward.pop_back();
    return inward;
}

TiedLayout cheapest_layout(const std::vector<TiedNode>& nodes, const TiedSides& sides) {
    std::size_t widest = 0;
    for (const std::vector<int>& at : sides) widest = std::max(widest, at.size());
    // What is coupled through a body of more sides than that is too much to be worth looking at.
    const std::size_t first = std::min<std::size_t>(widest, 32);
    const std::vector<int> inward = joints_inward(nodes, static_cast<int>(sides.size()));
    TiedLayout best = lay_out(nodes, sides, inward, first);
    for (std::size_t most = 4; most < first; most *= 2)
        if (TiedLayout other = lay_out(nodes, sides, inward, most); other.products < best.products)
            best = std::move(other);
    return best;
}

bool is_forest(const Island& island) {
    std::vector<int> leads_to(idx(island.dynamic_count) + 1);
    for (std::size_t i = 0; i < leads_to.size(); ++i) leads_to[i] = static_cast<int>(i);
    const auto root = [&](int body) {
        int r = std::min(body, island.dynamic_count);
        while (leads_to[idx(r)] != r) r = leads_to[idx(r)] = leads_to[idx(leads_to[idx(r)])];
        return r;
    };
    for (const Island::LocalJoint& joint : island.joints) {
        const int a = root(joint.body1), b = root(joint.body2);
        if (a == b) return false;
        leads_to[idx(a)] = b;
    }
    return true;
}

}  // namespace armature

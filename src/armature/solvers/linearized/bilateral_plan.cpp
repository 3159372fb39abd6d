// What bilateral.h finds out once about an island: its nodes, its hubs, and where each contribution to the system goes.
#include <algorithm>
#include <set>

#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// The nodes of a joint; false when it has parts of another kind, or does not always hold.
bool add_nodes(BilateralPlan& plan, const Joint& joint, const Island::LocalJoint& local) {
    int points = 0, axes = 0;
    for (const Part& part : joint.parts) {
        const auto* point = std::get_if<PointPart>(&part);
        const auto* angle = std::get_if<AnglePart>(&part);
        BilateralPlan::Node node{local.body1, local.body2, static_cast<int>(plan.joints), false};
        BilateralPlan::Shape shape{};
        if (point && std::holds_alternative<PointDomain>(point->domain)) {
            shape.p1 = four::load(point->p1_G);
            shape.p2 = four::load(point->p2_G);
            ++points;
        } else if (angle && angle->min <= 0 && angle->max <= 0) {
            node.axis = true;
            const Vec3 across = any_perpendicular(angle->a2_B);
            shape.a = four::load(angle->a1_B);
            shape.t = four::load(across);
            shape.s = four::load(cross(angle->a2_B, across));
            ++axes;
        } else {
            return false;
        }
        plan.nodes.push_back(node);
        plan.shapes.push_back(shape);
    }
    return points == 1 && axes <= 1 && !joint.soft && joint.from == -infinity && joint.until == infinity;
}

/// The sides of nodes at each body that moves.
using Sides = std::vector<std::vector<int>>;

Sides sides_of(const BilateralPlan& plan, int dynamic_count) {
    Sides sides(idx(dynamic_count));
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
        const int side = static_cast<int>(2 * n);
        if (plan.nodes[n].body1 < dynamic_count) sides[idx(plan.nodes[n].body1)].push_back(side);
        if (plan.nodes[n].body2 < dynamic_count) sides[idx(plan.nodes[n].body2)].push_back(side + 1);
    }
    return sides;
}

/// A choice of hubs, and what it leads to.
struct Layout {
    std::vector<int> hub_bodies;
    Elimination pattern;
    std::size_t products = 0;
};

/// The bodies with more than `most` sides are hubs.
Layout lay_out(const BilateralPlan& plan, const Sides& sides, std::size_t most) {
    Layout layout;
    std::vector<std::pair<int, int>> couplings;
    const int nodes = static_cast<int>(plan.nodes.size());
    std::vector<std::vector<int>> after(plan.nodes.size());
    std::vector<char> own(plan.nodes.size(), 0);  // has a diagonal from the beginning
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
            const bool axis = plan.nodes[idx(side / 2)].axis;
            if (!axis) couplings.emplace_back(side / 2, move);
            couplings.emplace_back(side / 2, turn);
            after[idx(side / 2)].push_back(axis ? turn : move);
        }
        layout.products += 4 * at.size();
    }
    const int all = nodes + 2 * static_cast<int>(layout.hub_bodies.size());
    for (std::size_t n = 0; n < own.size(); ++n)
        if (own[n]) after[n].clear();
    after.resize(idx(all));
    layout.pattern.analyse(all, couplings, after);
    layout.products += layout.pattern.products();
    return layout;
}

/// Which bodies are hubs is a matter of what the factorisation then costs: a few choices are tried.
Layout cheapest_layout(const BilateralPlan& plan, const Sides& sides) {
    std::size_t widest = 0;
    for (const std::vector<int>& at : sides) widest = std::max(widest, at.size());
    // What is coupled through a body of more sides than that is too much to be worth looking at.
    const std::size_t first = std::min<std::size_t>(widest, 32);
    Layout best = lay_out(plan, sides, first);
    for (std::size_t most = 4; most < first; most *= 2)
        if (Layout other = lay_out(plan, sides, most); other.products < best.products) best = std::move(other);
    return best;
}

void find_blocks(BilateralPlan& plan, const Sides& sides, Layout layout) {
    TripleSystem& system = plan.system;
    system.pattern = std::move(layout.pattern);
    system.make_room();
    const auto block = [&](int i, int j) {
        if (i == j) return &system.diagonal[idx(i)];
        const Elimination::Coupling c = system.pattern.coupling(i, j);
        return c.row == i ? &system.lower[c.at] : &system.upper[c.at];
    };
    std::set<const four::M*> met;
    std::size_t next_hub = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        plan.first_pair.push_back(plan.pairs.size());
        if (next_hub < layout.hub_bodies.size() && layout.hub_bodies[next_hub] == static_cast<int>(i)) {
            const int move = static_cast<int>(plan.nodes.size() + 2 * next_hub++), turn = move + 1;
            BilateralPlan::Hub hub{static_cast<int>(i), move, turn, plan.hub_sides.size(), 0};
            for (const int side : sides[i]) {
                const int node = side / 2;
                const bool axis = plan.nodes[idx(node)].axis;
                plan.hub_sides.push_back({side, axis ? nullptr : block(move, node), block(turn, node),
                                          axis ? nullptr : block(node, move), block(node, turn)});
                const BilateralPlan::HubSide& added = plan.hub_sides.back();
                met.insert({added.moves, added.turns, added.reads_move, added.reads_turn});
            }
            met.insert({block(move, move), block(turn, turn)});
            hub.end_side = plan.hub_sides.size();
            plan.hubs.push_back(hub);
            continue;
        }
        for (const int column : sides[i])
            for (const int row : sides[i]) {
                four::M* at = block(row / 2, column / 2);
                plan.pairs.push_back({row, column, at, met.insert(at).second});
            }
    }
    plan.first_pair.push_back(plan.pairs.size());
    for (std::vector<four::M>* blocks : {&system.diagonal, &system.lower, &system.upper})
        for (four::M& b : *blocks)
            if (!met.contains(&b)) plan.filled.push_back(&b);
}

/// What does not move counts as one body.
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

}  // namespace

void make_plan(const CorrectionProblem& p, BilateralPlan& plan) {
    plan = {};
    plan.fingerprint = p.model.fingerprint;
    plan.fits = true;
    for (const BodyId id : p.island.bodies) {
        const Body& b = p.model.bodies[idx(id)];
        const double most_turn = trace(b.inv_inertia_G);
        plan.bodies.push_back({b.inv_mass, most_turn * most_turn, four::load(b.inertia_G), b.particle});
    }
    for (const Island::LocalJoint& local : p.island.joints) {
        plan.fits = plan.fits && add_nodes(plan, p.model.joints[idx(local.joint)], local);
        ++plan.joints;
    }
    plan.tree = is_forest(p.island);
    if (!plan.fits) return;
    const Sides sides = sides_of(plan, p.island.dynamic_count);
    Layout layout = cheapest_layout(plan, sides);
    plan.lockstep = make_lockstep(plan, p.island.dynamic_count);
    if (plan.lockstep)
        plan.system.pattern = std::move(layout.pattern);  // what it would cost; its numbers stand in the lockstep
    else
        find_blocks(plan, sides, std::move(layout));
}

}  // namespace armature

// The inner loops of planar.h. Signs of sides are in `reads` and `pushes`.
#include "armature/solvers/linearized/planar/planar.h"

namespace armature {

namespace {

using namespace two;
using BodyNow = PlanarNumbers::BodyNow;

constexpr double regularisation = 1e-10, regularisation_beside_hubs = 1e-7;  // see bilateral_iterations.cpp
constexpr double largest_turn = 0.8;                                         // rad, in one iteration

ARMATURE_INLINE std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// z e^{iθ}, or z cay(θ).
ARMATURE_INLINE V turned(const V& z, double theta, bool exact) {
    const double u = theta * theta;
    double c, s;
    if (exact) {
        const double share = 1 / (1 + 0.25 * u);
        c = (1 - 0.25 * u) * share;
        s = theta * share;
    } else if (u < 1e-2) {
        c = 1 - u * 0.5 * (1 - u * (1.0 / 12) * (1 - u * (1.0 / 30) * (1 - u * (1.0 / 56) * (1 - u * (1.0 / 90)))));
        s = theta * (1 - u * (1.0 / 6) * (1 - u * (1.0 / 20) * (1 - u * (1.0 / 42) * (1 - u * (1.0 / 72)))));
    } else {
        c = std::cos(theta);
        s = std::sin(theta);
    }
    return all(c) * z + all(s) * V{-z[1], z[0]};
}
/// Two arms, turned by two bodies: z1 p1 and z2 p2.
ARMATURE_INLINE Four turned(const V& z1, const V& z2, const Four& p) {
    return Four{z1[0], z1[0], z2[0], z2[0]} * p + Four{-z1[1], z1[1], -z2[1], z2[1]} * swapped(p);
}
/// i r1 and −i r2.
ARMATURE_INLINE Four across(const Four& r) {
    return Four{-1, 1, 1, -1} * swapped(r);
}
ARMATURE_INLINE void put(std::vector<Cell>& sides, std::size_t node, const Four& v) {
    sides[2 * node].v = first(v);
    sides[2 * node + 1].v = second(v);
}

/// Errors and arms of all pins, and what their impulses so far sum up to.
ARMATURE_INLINE void measure(const PlanarPlan& plan, PlanarNumbers& n) {
    for (std::size_t i = 0; i < n.bodies.size(); ++i) {
        BodyNow& b = n.bodies[i];
        const PlanarNumbers::BodyStart& s = n.starts[i];
        b.now = turned(s.reference, b.theta, n.exact);
        b.middle = n.half_way ? all(0.5) * (s.start + b.now) : b.now;
        b.P = V{};
        b.T = b.stretch = 0;
    }
    const double share = n.half_way ? 0.5 : 1;
    n.worst2 = 0;
    n.worst_node = -1;
    for (std::size_t k = 0; k < plan.joints; ++k) {
        BodyNow &b1 = n.bodies[idx(plan.nodes[k].body1)], &b2 = n.bodies[idx(plan.nodes[k].body2)];
        const Four r = turned(b1.now, b2.now, plan.shapes[k].v);
        const Four reads = across(r), pushes = across(turned(b1.middle, b2.middle, plan.shapes[k].v));
        n.arms[k].v = r;
        put(n.reads, k, reads);
        put(n.pushes, k, pushes);
        const V gap = (b1.x + first(r)) - (b2.x + second(r)), lambda = n.lambdas[k].v;
        n.errors[k].v = gap;
        b1.P += lambda;
        b2.P -= lambda;
        const Four torques = both(lambda) * pushes, stretches = both(lambda) * Four{share, share, -share, -share} * r;
        b1.T += torques[0] + torques[1];
        b2.T += torques[2] + torques[3];
        b1.stretch += stretches[0] + stretches[1];
        b2.stretch += stretches[2] + stretches[3];
        const double error2 = dot(gap, gap);
        if (!(error2 <= n.worst2)) {  // NaN too
            n.worst2 = error2;
            n.worst_node = static_cast<int>(k);
        }
    }
}

/// The same of what turns pins.
ARMATURE_INLINE void measure_laws(const PlanarPlan& plan, PlanarNumbers& n) {
    n.law_error = 0;
    for (std::size_t i = 0; i < n.laws.size(); ++i) {
        PlanarNumbers::Law& law = n.laws[i];
        const PlanarPlan::Node& node = plan.nodes[plan.joints + i];
        const double sign = plan.turned[i].sign, torque = sign * (law.lambda + law.given);
        n.bodies[idx(node.body1)].T += torque;
        n.bodies[idx(node.body2)].T -= torque;
        if (law.row < 0) continue;
        const double angle = law.value + sign * (turned_by(n, node.body1) - turned_by(n, node.body2));
        law.error = angle + law.compliance * law.lambda - law.target;
        const double missing = std::fabs(law.error) / (1 + law.compliance);
        if (!(missing <= n.law_error)) n.law_error = missing;  // NaN too
    }
}

/// What the impulses ask of the bodies beyond where they are, as ways and torques; the squares of the largest.
ARMATURE_INLINE NewtonProgress::Squares imbalance(const PlanarPlan& plan, PlanarNumbers& n) {
    NewtonProgress::Squares most{0, 0, std::max(n.moved_by2, n.turned_by2)};
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        const PlanarNumbers::BodyStart& s = n.starts[idx(i)];
        const PlanarPlan::BodyConstants& body = plan.bodies[idx(i)];
        b.move = all(body.inv_mass) * b.P - b.moved;
        b.turn = n.exact ? b.T + s.G - body.inertia * (b.theta - s.w) : b.T - body.inertia * b.theta;
        most.left_move = std::max(most.left_move, dot(b.move, b.move));
        if (body.balanced) most.left_turn = std::max(most.left_turn, b.turn * b.turn * body.most_turn2);
    }
    for (std::size_t k = 0; k < plan.unbalanced.size(); ++k) {
        BodyNow& b = n.bodies[idx(plan.unbalanced[k].body)];
        b.turn = b.T - n.wobbles[k].torque.z;
        most.left_turn =
            std::max(most.left_turn, b.turn * b.turn * plan.bodies[idx(plan.unbalanced[k].body)].most_turn2);
    }
    return most;
}

ARMATURE_INLINE void fill_hubs(PlanarPlan& plan, PlanarNumbers& n) {
    const V one{1, 0};  // the second row of a turn is idle
    for (Cell& kept : n.kept_back) kept.v = V{};
    for (const PlanarPlan::Hub& hub : plan.hubs) {
        BodyNow& b = n.bodies[idx(hub.body)];
        const double m = plan.bodies[idx(hub.body)].inv_mass;
        plan.system.diagonal[idx(hub.move_node)] = plan.system.diagonal[idx(hub.turn_node)] = scaled_one(1);
        plan.system.x[idx(hub.move_node)].v = b.move;
        plan.system.x[idx(hub.turn_node)].v = V{b.turn, 0};
        b.move = V{};  // unknown
        b.turn = 0;
        for (std::size_t at = hub.first_side; at < hub.end_side; ++at) {
            const PlanarPlan::HubSide& h = plan.hub_sides[at];
            const double sign = (h.side & 1) != 0 ? -1 : 1;
            const V read = n.reads[idx(h.side)].v, push = all(b.W) * n.pushes[idx(h.side)].v;
            *h.turns = outer(-one, push);
            *h.reads_turn = outer(read, one);
            // What regularises is a share of what the diagonal would be without hubs.
            n.kept_back[idx(h.side / 2)].v += read * push;
            if (!h.moves) continue;
            *h.moves = scaled_one(-sign * m);
            *h.reads_move = scaled_one(sign);
            n.kept_back[idx(h.side / 2)].v += all(m);
        }
    }
}

/// The system, with what was a torque so far become the turn that it makes.
ARMATURE_INLINE void fill(PlanarPlan& plan, PlanarNumbers& n) {
    for (M* block : plan.filled) *block = zero();
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        const double J = plan.bodies[idx(i)].inertia, m = plan.bodies[idx(i)].inv_mass;
        b.W = 1 / ((n.exact ? J * (1 + 0.25 * b.theta * b.theta) : J) + b.stretch);
        b.turn = b.W * b.turn;
        const M alike = scaled_one(m), opposite = scaled_one(-m);
        const int pins = 2 * static_cast<int>(plan.joints);  // sides; those of laws move nothing
        for (std::size_t at = plan.first_pair[idx(i)]; at < plan.first_pair[idx(i) + 1]; ++at) {
            const PlanarPlan::Pair& p = plan.pairs[at];
            M A = outer(n.reads[idx(p.row)].v, all(b.W) * n.pushes[idx(p.column)].v);
            if (p.row < pins && p.column < pins) A = A + (((p.row ^ p.column) & 1) != 0 ? opposite : alike);
            *p.block = p.first ? A : *p.block + A;
        }
    }
    const bool beside_hubs = !plan.hubs.empty();
    if (beside_hubs) fill_hubs(plan, n);
    // Nothing is held twice in a tree.
    const double share = plan.tree ? 0 : beside_hubs ? regularisation_beside_hubs : regularisation, least = 1e-300;
    const Four more{1 + share, 1, 1, 1 + share};
    for (std::size_t k = 0; k < plan.joints; ++k) {
        const BodyNow &b1 = n.bodies[idx(plan.nodes[k].body1)], &b2 = n.bodies[idx(plan.nodes[k].body2)];
        M& D = plan.system.diagonal[k];
        D.v = D.v * more + Four{least, 0, 0, least};
        if (beside_hubs) D.v += Four{share * n.kept_back[k].v[0], 0, 0, share * n.kept_back[k].v[1]};
        plan.system.x[k].v = -(n.errors[k].v + (b1.move - b2.move) + all(b1.turn) * n.reads[2 * k].v +
                               all(b2.turn) * n.reads[2 * k + 1].v);
    }
    for (std::size_t i = 0; i < n.laws.size(); ++i) {
        const std::size_t k = plan.joints + i;
        const BodyNow &b1 = n.bodies[idx(plan.nodes[k].body1)], &b2 = n.bodies[idx(plan.nodes[k].body2)];
        const bool acts = n.laws[i].row >= 0;
        const double kept = beside_hubs ? n.kept_back[k].v[0] : 0, own = plan.system.diagonal[k].v[0];
        // The second row is idle, and both where nothing acts.
        plan.system.diagonal[k] = {Four{acts ? own + share * (own + kept) + n.laws[i].compliance + least : 1, 0, 0, 1}};
        const double asked = n.laws[i].error + b1.turn * n.reads[2 * k].v[0] + b2.turn * n.reads[2 * k + 1].v[0];
        plan.system.x[k].v = V{acts ? -asked : 0, 0};
    }
}

/// Moves by what was solved for.
ARMATURE_INLINE void step(const PlanarPlan& plan, PlanarNumbers& n) {
    for (int i = 0; i < n.dynamic_count; ++i) {
        n.bodies[idx(i)].P = V{};
        n.bodies[idx(i)].T = 0;
    }
    for (std::size_t k = 0; k < plan.joints; ++k) {
        BodyNow &b1 = n.bodies[idx(plan.nodes[k].body1)], &b2 = n.bodies[idx(plan.nodes[k].body2)];
        const V delta = plan.system.x[k].v;
        n.lambdas[k].v += delta;
        b1.P += delta;
        b2.P -= delta;
        b1.T += dot(n.pushes[2 * k].v, delta);
        b2.T += dot(n.pushes[2 * k + 1].v, delta);
    }
    for (std::size_t i = 0; i < n.laws.size(); ++i) {
        const std::size_t k = plan.joints + i;
        const double delta = plan.system.x[k].v[0];
        n.laws[i].lambda += delta;
        n.bodies[idx(plan.nodes[k].body1)].T += n.pushes[2 * k].v[0] * delta;
        n.bodies[idx(plan.nodes[k].body2)].T += n.pushes[2 * k + 1].v[0] * delta;
    }
    for (const PlanarPlan::Hub& hub : plan.hubs) {
        BodyNow& b = n.bodies[idx(hub.body)];
        b.move = plan.system.x[idx(hub.move_node)].v;
        b.turn = plan.system.x[idx(hub.turn_node)].v[0];
        b.P = V{};  // is in these
        b.T = 0;
    }
    n.moved_by2 = n.turned_by2 = 0;
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        const V move = b.move + all(plan.bodies[idx(i)].inv_mass) * b.P;
        double turn = b.turn + b.W * b.T;
        n.moved_by2 = std::max(n.moved_by2, dot(move, move));
        n.turned_by2 = std::max(n.turned_by2, turn * turn);
        turn = std::clamp(turn, -largest_turn, largest_turn);
        b.moved += move;
        b.x = n.starts[idx(i)].x_free + b.moved;
        b.theta += n.exact ? turn * (1 + 0.25 * b.theta * b.theta) : turn;
    }
}

ARMATURE_INLINE TiedResult iterate(PlanarPlan& plan, PlanarNumbers& n, double goal, int most, TimeBudget& budget) {
    TiedResult result;
    NewtonProgress progress(goal, most, n.exact, budget);
    n.moved_by2 = n.turned_by2 = 0;
    for (;;) {
        measure(plan, n);
        measure_laws(plan, n);
        measure_wobbles(plan, n);
        const NewtonProgress::Squares squares = imbalance(plan, n);
        result.worst = std::sqrt(n.worst2);
        result.worst_joint = n.worst_node < 0 ? -1 : plan.nodes[idx(n.worst_node)].joint;
        result.unbalanced = n.law_error;
        if (const auto end = progress.judge(result.iterations, std::max(result.worst, n.law_error), squares)) {
            result.end = *end;
            return result;
        }
        fill(plan, n);
        solve(plan.system);
        step(plan, n);
        // Somebody in a hurry takes what there is.
        if (!(n.turned_by2 < largest_turn * largest_turn) && !budget.limited()) return result;
        ++result.iterations;
    }
}

}  // namespace

TiedResult iterate_plain(PlanarPlan& plan, PlanarNumbers& n, double goal, int most, TimeBudget& budget) {
    return iterate(plan, n, goal, most, budget);
}
ARMATURE_WIDE TiedResult iterate_wide(PlanarPlan& plan, PlanarNumbers& n, double goal, int most, TimeBudget& budget) {
    return iterate(plan, n, goal, most, budget);
}

}  // namespace armature

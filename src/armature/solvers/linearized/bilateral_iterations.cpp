// The inner loops of bilateral.h.
#include <algorithm>
#include <cmath>

#include "armature/solvers/linearized/bilateral.h"

namespace armature {

namespace {

using namespace four;
using BodyNow = BilateralNumbers::BodyNow;
using Arm = BilateralNumbers::Arm;
using ArmNow = BilateralNumbers::ArmNow;

constexpr double regularisation = 1e-10;
// A leg that is held twice makes its hub stiff by the inverse of that, and what the hub is free to do drowns in the round-off
// of it: the walker converges in 5.5 iterations with 1e-10, in 3.6 with 1e-7, as it does without hubs.
constexpr double regularisation_beside_hubs = 1e-7;
constexpr double largest_turn = 0.8;  // rad, in one iteration

ARMATURE_INLINE std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// c1 = sin θ/θ and c2 = (1 − cos θ)/θ², or those of cay(θ).
ARMATURE_INLINE void set_turn(BodyNow& b, bool exact) {
    const double u = dot(b.theta, b.theta);
    if (exact) {
        b.c1 = 1 / (1 + 0.25 * u);
        b.c2 = 0.5 * b.c1;
    } else if (u < 1e-2) {
        b.c1 = 1 - u * (1.0 / 6) * (1 - u * (1.0 / 20) * (1 - u * (1.0 / 42) * (1 - u * (1.0 / 72))));
        b.c2 = 0.5 * (1 - u * (1.0 / 12) * (1 - u * (1.0 / 30) * (1 - u * (1.0 / 56) * (1 - u * (1.0 / 90)))));
    } else {
        const double angle = std::sqrt(u), half = std::sin(0.5 * angle);
        b.c1 = std::sin(angle) / angle;
        b.c2 = 2 * half * half / u;
    }
}
ARMATURE_INLINE V turned(const BodyNow& b, const V& r) {
    const V once = cross(b.theta, r);
    return r + all(b.c1) * once + all(b.c2) * cross(b.theta, once);
}
ARMATURE_INLINE ArmNow turned(const Arm& arm, const BodyNow& b, bool half_way) {
    const V now = turned(b, arm.reference);
    return {now, half_way ? all(0.5) * (arm.start + now) : now};
}

ARMATURE_INLINE double measure_axis(BilateralNumbers& n, std::size_t k, const BodyNow& b1, const BodyNow& b2) {
    const BilateralNumbers::Axis& axis = n.axes[k];
    const ArmNow a = turned(axis.a, b1, n.half_way), t = turned(axis.t, b2, n.half_way),
                 s = turned(axis.s, b2, n.half_way);
    const ArmNow across_t{cross(a.now, t.now), cross(a.middle, t.middle)};
    const ArmNow across_s{cross(a.now, s.now), cross(a.middle, s.middle)};
    n.arms_now[2 * k] = across_t;
    n.arms_now[2 * k + 1] = across_s;
    const double error_t = dot(a.now, t.now), error_s = dot(a.now, s.now);
    n.errors[k].v = V{error_t, error_s, 0, 0};
    // Where the axes are far apart the rows say nothing of what is wanted.
    const bool apart = !(dot(across_t.now, across_t.now) + dot(across_s.now, across_s.now) > 1.2);
    return apart ? infinity : error_t * error_t + error_s * error_s;
}

/// The rows of all nodes, and what their impulses so far sum up to. Arms are stiff by what is `carried`.
ARMATURE_INLINE void measure(const BilateralPlan& plan, BilateralNumbers& n, const std::vector<Cell>& carried) {
    for (BodyNow& b : n.bodies) {
        set_turn(b, n.exact);
        b.P = b.T = V{};
        b.W = zero();
        b.stretch = 0;
    }
    const double share = n.half_way ? 0.5 : 1;
    n.worst2 = 0;
    n.worst_node = -1;
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan.nodes[k];
        BodyNow &b1 = n.bodies[idx(node.body1)], &b2 = n.bodies[idx(node.body2)];
        const V lambda = n.lambdas[k].v;
        double error2;
        if (node.axis) {
            error2 = measure_axis(n, k, b1, b2);
            const V torque = all(lambda[0]) * n.arms_now[2 * k].middle + all(lambda[1]) * n.arms_now[2 * k + 1].middle;
            b1.T += torque;
            b2.T -= torque;
        } else {
            const ArmNow arm1 = turned(n.arms[2 * k], b1, n.half_way), arm2 = turned(n.arms[2 * k + 1], b2, n.half_way);
            n.arms_now[2 * k] = arm1;
            n.arms_now[2 * k + 1] = arm2;
            const V gap = (b1.x + arm1.now) - (b2.x + arm2.now);
            n.errors[k].v = gap;
            error2 = dot(gap, gap);
            b1.P += lambda;
            b2.P -= lambda;
            b1.T += cross(arm1.middle, lambda);
            b2.T -= cross(arm2.middle, lambda);
            // −[f][r] = f·r − r fᵀ of the force f at the arm r.
            const V f = all(share) * carried[k].v;
            b1.stretch += dot(f, arm1.now);
            b2.stretch -= dot(f, arm2.now);
            const V fx = all(f[0]), fy = all(f[1]), fz = all(f[2]);
            b1.W = b1.W - M{fx * arm1.now, fy * arm1.now, fz * arm1.now};
            b2.W = b2.W + M{fx * arm2.now, fy * arm2.now, fz * arm2.now};
        }
        if (!(error2 <= n.worst2)) {  // NaN too
            n.worst2 = error2;
            n.worst_node = static_cast<int>(k);
        }
    }
}

/// The squares of how far at most the impulses would take and turn the bodies from where they are.
struct Imbalance {
    double move2 = 0, turn2 = 0;
};
ARMATURE_INLINE Imbalance imbalance(const BilateralPlan& plan, BilateralNumbers& n) {
    Imbalance most;
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        const BilateralNumbers::BodyStart& s = n.starts[idx(i)];
        const BilateralPlan::BodyConstants& body = plan.bodies[idx(i)];
        b.move = all(body.inv_mass) * b.P - b.moved;
        b.turn = n.exact ? b.T + s.G - turned(b, s.inertia * (b.theta - s.w)) : b.T - s.inertia * b.theta;
        most.move2 = std::max(most.move2, dot(b.move, b.move));
        most.turn2 = std::max(most.turn2, dot(b.turn, b.turn) * body.most_turn2);
    }
    return most;
}

/// W, and what was a torque so far becomes the turn that it makes.
ARMATURE_INLINE void answer(const BilateralPlan& plan, BilateralNumbers& n) {
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        if (plan.bodies[idx(i)].particle) {
            b.W = zero();
            b.turn = V{};
            continue;
        }
        const M& J = n.starts[idx(i)].inertia;
        const V t = b.theta;
        const M twisted = times_skew(J, all(0.5) * t);
        M K = J - twisted + b.W;
        if (n.exact) {
            // J D⁻¹ with D⁻¹ = 1 − ½[θ] + ¼θθᵀ
            const V along = all(0.25) * (J * t);
            const M before{J.c0 - twisted.c0 + all(t[0]) * along, J.c1 - twisted.c1 + all(t[1]) * along,
                           J.c2 - twisted.c2 + all(t[2]) * along};
            const V carried = turned(b, J * (t - n.starts[idx(i)].w));
            K = M{turned(b, before.c0), turned(b, before.c1), turned(b, before.c2)} - skew(carried) + b.W;
        }
        K.c0 += V{b.stretch, 0, 0, 0};
        K.c1 += V{0, b.stretch, 0, 0};
        K.c2 += V{0, 0, b.stretch, 0};
        b.W = inverse(K);
        b.turn = b.W * b.turn;
    }
}

/// How a turn dφ of the solid at this side reads along the rows of its node.
ARMATURE_INLINE V read(const BilateralPlan& plan, const BilateralNumbers& n, int side, const V& turn) {
    const std::size_t node = idx(side / 2);
    if (plan.nodes[node].axis)
        return V{dot(n.arms_now[2 * node].now, turn), dot(n.arms_now[2 * node + 1].now, turn), 0, 0};
    return cross(turn, n.arms_now[idx(side)].now);
}

/// The turns that a unit of each impulse at this side of a node makes, and how unit turns read along its rows.
ARMATURE_INLINE M turns_by(const BilateralPlan& plan, const BilateralNumbers& n, int side, const M& W) {
    const std::size_t node = idx(side / 2);
    if (plan.nodes[node].axis) return {W * n.arms_now[2 * node].middle, W * n.arms_now[2 * node + 1].middle, V{}};
    return times_skew(W, n.arms_now[idx(side)].middle);
}
ARMATURE_INLINE M read(const BilateralPlan& plan, const BilateralNumbers& n, int side, const M& turns) {
    return {read(plan, n, side, turns.c0), read(plan, n, side, turns.c1), read(plan, n, side, turns.c2)};
}
ARMATURE_INLINE M scaled_one(double s) {
    return {V{s, 0, 0, 0}, V{0, s, 0, 0}, V{0, 0, s, 0}};
}

ARMATURE_INLINE void fill_hubs(BilateralPlan& plan, BilateralNumbers& n) {
    for (const BilateralPlan::Hub& hub : plan.hubs) {
        BodyNow& b = n.bodies[idx(hub.body)];
        const double m = plan.bodies[idx(hub.body)].inv_mass;
        plan.system.diagonal[idx(hub.move_node)] = plan.system.diagonal[idx(hub.turn_node)] = scaled_one(1);
        plan.system.x[idx(hub.move_node)].v = b.move;
        plan.system.x[idx(hub.turn_node)].v = b.turn;
        b.move = b.turn = V{};  // unknown
        for (std::size_t at = hub.first_side; at < hub.end_side; ++at) {
            const BilateralPlan::HubSide& h = plan.hub_sides[at];
            const bool second = (h.side & 1) != 0;
            const M turns = turns_by(plan, n, h.side, b.W), reads = read(plan, n, h.side, scaled_one(1));
            set(h.turns, second ? turns : zero() - turns);
            set(h.reads_turn, second ? zero() - reads : reads);
            M whole = read(plan, n, h.side, turns);
            if (h.moves) {
                set(h.moves, scaled_one(second ? m : -m));
                set(h.reads_move, scaled_one(second ? -1 : 1));
                whole = whole + scaled_one(m);
            }
            // What regularises is a share of what the diagonal would be without hubs.
            n.kept_back[idx(h.side / 2)].v += V{whole.c0[0], whole.c1[1], whole.c2[2], 0};
        }
    }
}

ARMATURE_INLINE void fill(BilateralPlan& plan, BilateralNumbers& n) {
    for (const CoupledSystem::Place& place : plan.filled) set(place, zero());
    for (int i = 0; i < n.dynamic_count; ++i) {
        const BodyNow& b = n.bodies[idx(i)];
        const M W = b.W;
        const double m = plan.bodies[idx(i)].inv_mass;
        M turns = zero();  // by a unit of each impulse at the column
        int column = -1;
        for (std::size_t at = plan.first_pair[idx(i)]; at < plan.first_pair[idx(i) + 1]; ++at) {
            const BilateralPlan::Pair& p = plan.pairs[at];
            const bool axis = plan.nodes[idx(p.column / 2)].axis;
            if (p.column != column) {
                column = p.column;
                turns = turns_by(plan, n, column, W);
            }
            M A = read(plan, n, p.row, turns);
            if (!axis && !plan.nodes[idx(p.row / 2)].axis) {
                A.c0 += V{m, 0, 0, 0};
                A.c1 += V{0, m, 0, 0};
                A.c2 += V{0, 0, m, 0};
            }
            const bool opposite = ((p.row ^ p.column) & 1) != 0;
            if (opposite) A = zero() - A;
            set(p.block, p.first ? A : get(p.block) + A);
        }
    }
    for (Cell& kept : n.kept_back) kept.v = V{};
    fill_hubs(plan, n);
    // Nothing is held twice in a tree; in a long one that much more on the diagonal is a tenth of an impulse at its end.
    const bool beside_hubs = !plan.hubs.empty();
    const double share = plan.tree ? 0 : beside_hubs ? regularisation_beside_hubs : regularisation;
    const double more = 1 + share, least = 1e-300;
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan.nodes[k];
        const BodyNow &b1 = n.bodies[idx(node.body1)], &b2 = n.bodies[idx(node.body2)];
        M& D = plan.system.diagonal[k];
        D.c0 = D.c0 * V{more, 1, 1, 0} + V{least, 0, 0, 0};
        D.c1 = D.c1 * V{1, more, 1, 0} + V{0, least, 0, 0};
        D.c2 = D.c2 * V{1, 1, more, 0} + V{0, 0, node.axis ? 1 : least, 0};
        if (beside_hubs) {
            const V kept = all(share) * n.kept_back[k].v;
            D.c0 += V{kept[0], 0, 0, 0};
            D.c1 += V{0, kept[1], 0, 0};
            D.c2 += V{0, 0, kept[2], 0};
        }
        const int side = static_cast<int>(2 * k);
        const V moved = node.axis ? V{} : b1.move - b2.move;
        plan.system.x[k].v = -(n.errors[k].v + moved + read(plan, n, side, b1.turn) - read(plan, n, side + 1, b2.turn));
    }
}

/// θ of what turns further.
ARMATURE_INLINE V turned_further(const V& theta, const V& turn, bool exact) {
    const V across = cross(theta, turn);
    return theta + (exact ? turn - all(0.5) * across + all(0.25 * dot(theta, turn)) * theta
                          : turn - all(0.5) * across + all(1.0 / 12) * cross(theta, across));
}

/// A body that would turn too far (a needle about its axis) keeps all others back with it, so that forces and turns agree.
ARMATURE_INLINE void step_back(const BilateralPlan& plan, BilateralNumbers& n, double share) {
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) n.lambdas[k].v -= all(1 - share) * plan.system.x[k].v;
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        b.moved -= all(1 - share) * b.move;
        b.x = n.starts[idx(i)].x_free + b.moved;
        b.theta = turned_further(b.theta_before, all(share) * b.turn, n.exact);
    }
}

/// Moves by what was solved for.
ARMATURE_INLINE void step(const BilateralPlan& plan, BilateralNumbers& n) {
    for (int i = 0; i < n.dynamic_count; ++i) n.bodies[idx(i)].P = n.bodies[idx(i)].T = V{};
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan.nodes[k];
        BodyNow &b1 = n.bodies[idx(node.body1)], &b2 = n.bodies[idx(node.body2)];
        const V delta = plan.system.x[k].v;
        n.lambdas[k].v += delta;
        if (node.axis) {
            const V torque = all(delta[0]) * n.arms_now[2 * k].middle + all(delta[1]) * n.arms_now[2 * k + 1].middle;
            b1.T += torque;
            b2.T -= torque;
        } else {
            b1.P += delta;
            b2.P -= delta;
            b1.T += cross(n.arms_now[2 * k].middle, delta);
            b2.T -= cross(n.arms_now[2 * k + 1].middle, delta);
        }
    }
    for (const BilateralPlan::Hub& hub : plan.hubs) {
        BodyNow& b = n.bodies[idx(hub.body)];
        b.move = plan.system.x[idx(hub.move_node)].v;
        b.turn = plan.system.x[idx(hub.turn_node)].v;
        b.P = b.T = V{};  // are in these
    }
    n.moved_by2 = n.turned_by2 = 0;
    for (int i = 0; i < n.dynamic_count; ++i) {
        BodyNow& b = n.bodies[idx(i)];
        const V move = b.move + all(plan.bodies[idx(i)].inv_mass) * b.P, turn = b.turn + b.W * b.T;
        n.moved_by2 = std::max(n.moved_by2, dot(move, move));
        n.turned_by2 = std::max(n.turned_by2, dot(turn, turn));
        b.move = move;
        b.turn = turn;
        b.theta_before = b.theta;
        b.moved += move;
        b.x = n.starts[idx(i)].x_free + b.moved;
        b.theta = turned_further(b.theta, turn, n.exact);
    }
    if (n.turned_by2 > largest_turn * largest_turn) step_back(plan, n, largest_turn / std::sqrt(n.turned_by2));
}

ARMATURE_INLINE BilateralNewton::Result iterate(BilateralPlan& plan, BilateralNumbers& n, double goal, int most,
                                                TimeBudget& budget) {
    BilateralNewton::Result result;
    NewtonProgress progress(goal, most, n.exact, budget);
    for (;;) {
        // To begin with the impulses are zero where there are loops, but the forces will be about those of the last step.
        measure(plan, n, result.iterations == 0 ? n.expected : n.lambdas);
        const Imbalance left = imbalance(plan, n);
        result.worst = std::sqrt(n.worst2);
        result.worst_joint = n.worst_node < 0 ? -1 : plan.nodes[idx(n.worst_node)].joint;
        const double moved2 = std::max(n.moved_by2, n.turned_by2);
        if (const auto end = progress.judge(result.iterations, result.worst, {left.move2, left.turn2, moved2})) {
            result.end = *end;
            return result;
        }
        answer(plan, n);
        fill(plan, n);
        if (plan.system.pattern.updates.empty())
            solve_links(plan.system);
        else
            armature::solve(plan.system);
        step(plan, n);
        if (!(n.turned_by2 < infinity)) return result;
        ++result.iterations;
    }
}

}  // namespace

BilateralNewton::Result iterate_plain(BilateralPlan& plan, BilateralNumbers& n, double goal, int most,
                                      TimeBudget& budget) {
    return iterate(plan, n, goal, most, budget);
}

ARMATURE_WIDE BilateralNewton::Result iterate_wide(BilateralPlan& plan, BilateralNumbers& n, double goal, int most,
                                                   TimeBudget& budget) {
    return iterate(plan, n, goal, most, budget);
}

}  // namespace armature

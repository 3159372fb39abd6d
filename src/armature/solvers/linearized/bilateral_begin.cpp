// Where the iterations of bilateral.h begin: arms and inertias in world axes, at the start of the step and at the reference.
#include "armature/math/exact_turn.h"
#include "armature/solvers/linearized/bilateral.h"

namespace armature {

namespace {

using namespace four;

ARMATURE_INLINE std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// to_matrix of math/quat.h.
ARMATURE_INLINE M matrix_of(const Quat& q) {
    const V v{q.x, q.y, q.z, 0}, w = all(2 * q.w) * v;
    const V x = all(2 * q.x) * v, y = all(2 * q.y) * v, z = all(2 * q.z) * v;
    return {V{1 - (y[1] + z[2]), x[1] + w[2], x[2] - w[1], 0}, V{x[1] - w[2], 1 - (x[0] + z[2]), y[2] + w[0], 0},
            V{x[2] + w[1], y[2] - w[0], 1 - (x[0] + y[1]), 0}};
}

ARMATURE_INLINE void place_bodies(const CorrectionProblem& p, const BilateralPlan& plan, BilateralNumbers& n) {
    for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
        const bool moves = static_cast<int>(i) < n.dynamic_count;
        const M start = matrix_of((*p.start_q)[i]);
        const M reference = n.exact && moves ? start : matrix_of(p.q[i]);
        n.turns[i] = {start, reference};
        BilateralNumbers::BodyStart& s = n.starts[i];
        BilateralNumbers::BodyNow& b = n.bodies[i];
        s.x_free = b.x = load(p.x[i]);
        b.moved = b.theta = b.P = b.T = b.move = b.turn = V{};
        b.c1 = 1;
        b.c2 = 0.5;
        if (!moves) continue;
        s.inertia = reference * plan.bodies[i].inertia * transposed(reference);
        if (!n.exact) continue;
        const double h = p.exact->h;
        s.w = all(0.5 * h) * load(p.exact->start_w[i]);
        s.G = s.inertia * s.w + all(0.5 * h * h) * load(p.exact->torque[i]);
        b.theta = load(cayley_vector(p.q[i] * conjugate((*p.start_q)[i])));
    }
}

/// Newton's matrix has the stiffness of what pulls at turning arms: that of the last step is nearly that of this one.
ARMATURE_INLINE V expected_impulse(const BilateralNumbers& n, std::size_t k, bool axis, const JointLoad& load_last) {
    if (!axis) return load(load_last.force);
    const BilateralNumbers::Axis& at = n.axes[k];
    const V torque = load(load_last.torque), a = at.a.reference;
    return V{dot(cross(a, at.t.reference), torque), dot(cross(a, at.s.reference), torque), 0, 0};
}

ARMATURE_INLINE void begin(const CorrectionProblem& p, const BilateralPlan& plan, BilateralNumbers& n, bool warm) {
    place_bodies(p, plan, n);
    const auto arm = [&](int body, const V& r_G) ARMATURE_LAMBDA {
        const BilateralNumbers::Turns& turns = n.turns[idx(body)];
        return BilateralNumbers::Arm{turns.reference * r_G, turns.start * r_G};
    };
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan.nodes[k];
        const BilateralPlan::Shape& shape = plan.shapes[k];
        if (node.axis) {
            n.axes[k] = {arm(node.body1, shape.a), arm(node.body2, shape.t), arm(node.body2, shape.s)};
        } else {
            n.arms[2 * k] = arm(node.body1, shape.p1);
            n.arms[2 * k + 1] = arm(node.body2, shape.p2);
        }
        n.expected[k].v = warm ? expected_impulse(n, k, node.axis, (*p.expected)[idx(node.joint)]) : V{};
        // Where something is held twice, what it is expected to carry would keep whatever share of it that nothing asks for.
        n.lambdas[k].v = plan.tree ? n.expected[k].v : V{};
    }
}

}  // namespace

void begin_plain(const CorrectionProblem& p, const BilateralPlan& plan, BilateralNumbers& n, bool warm) {
    begin(p, plan, n, warm);
}
ARMATURE_WIDE void begin_wide(const CorrectionProblem& p, const BilateralPlan& plan, BilateralNumbers& n, bool warm) {
    begin(p, plan, n, warm);
}

}  // namespace armature

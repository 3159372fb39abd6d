// Where the iterations of lockstep.h begin, and what they hand back.
#include <algorithm>

#include "armature/solvers/linearized/lockstep/flat.h"
#include "armature/solvers/linearized/lockstep/strand_ends.h"

namespace armature {

namespace {

using namespace lockstep;

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

template <class V>
ARMATURE_INLINE void begin_group(const CorrectionProblem& p, Lockstep& l, std::size_t g, int part) {
    const Bodies& group = l.bodies[g];
    Octet* b = l.body[g].r;
    int at[width<V>];
    for (int lane = 0; lane < width<V>; ++lane) at[lane] = std::max(group.body[idx(part + lane)], 0);
    const bool exact = l.exact && group.role != Role::held;
    const Turn<V> q0 = lanes::gather<V>(p.start_q->data(), at), q = lanes::gather<V>(p.q.data(), at);
    const Mat<V> start = matrix_of(q0), reference = exact ? start : matrix_of(q);
    const Vec<V> place = lanes::gather<V>(p.x.data(), at), none{};
    set(b, x, part, place);
    set(b, x_free, part, place);
    for (const int at_row : {moved, theta, impulse, to_move, to_turn}) set(b, at_row, part, none);
    for (std::size_t s = group.first_side; s < group.end_side; ++s) {
        Side& side = l.sides[s];
        for (int k = 0; k < (side.axis && side.which == 1 ? 6 : 3); k += 3) {
            const Vec<V> r = vec<V>(side.shape, k, part);
            set(side.reference, k, part, reference * r);
            set(side.start, k, part, start * r);
        }
    }
    if (group.role == Role::held || group.role == Role::ghost) return;
    const Inertia<V> J(reference, group.inertia_B, part);
    for (int k = 0; k < 6; ++k) set(b, inertia + k, part, J.J[k]);
    if (!exact) return;
    const double h = p.exact->h;
    const Vec<V> w = all<V>(0.5 * h) * lanes::gather<V>(p.exact->start_w.data(), at);
    set(b, half_spin, part, w);
    set(b, momentum, part, J.matrix() * w + all<V>(0.5 * h * h) * lanes::gather<V>(p.exact->torque.data(), at));
    const Turn<V> made = q * conjugate(q0);
    set(b, theta, part, (2.0 / made.w) * made.vec());
}

template <class V>
ARMATURE_INLINE void begin(const CorrectionProblem& p, Lockstep& l, bool warm) {
    for (Strand& s : l.strands)
        if (!l.flat) begin_strand<V>(p, s, warm);
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        if (l.bodies[g].role == Role::strand) continue;
        each_part<V>(l.bodies[g], [&]<class U>(int part) ARMATURE_LAMBDA { begin_group<U>(p, l, g, part); });
    }
}

template <class V>
ARMATURE_INLINE void finish_group(const Lockstep& l, std::size_t g, int part, const CorrectionProblem& p,
                                  const LockstepResults& out) {
    const Octet* b = l.body[g].r;
    const int* body = l.bodies[g].body.data() + part;
    int at[width<V>];
    for (int lane = 0; lane < width<V>; ++lane) at[lane] = std::max(body[lane], 0);
    // Linear momentum wants places and impulses to agree to the last digit.
    const Vec<V> way = row<V>(b, inv_mass, part) * vec<V>(b, impulse, part);
    const Vec<V> turn = vec<V>(b, theta, part);
    const Vec<V> place = lanes::gather<V>(p.x.data(), at) + way;
    const Turn<V> q1 = turned_from(lanes::gather<V>(l.exact ? p.start_q->data() : p.q.data(), at), turn, l.exact);
    const auto far = far_turns(turn, l.exact);
    for (int lane = 0; lane < width<V>; ++lane) {
        if (body[lane] < 0) continue;
        const std::size_t i = idx(body[lane]);
        out.moved[i] = {way.x[lane], way.y[lane], way.z[lane]};
        out.x[i] = {place.x[lane], place.y[lane], place.z[lane]};
        out.q[i] = far[lane] ? turned_alone(p.q[i], {turn.x[lane], turn.y[lane], turn.z[lane]})
                             : Quat{q1.w[lane], q1.x[lane], q1.y[lane], q1.z[lane]};
    }
}

template <class V>
ARMATURE_INLINE void finish(const Lockstep& l, const CorrectionProblem& p, const LockstepResults& out) {
    for (const Strand& s : l.strands)
        if (!l.flat) finish_strand<V>(l, s, p, out);
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Role role = l.bodies[g].role;
        if (role != Role::body && role != Role::hub) continue;
        each_part<V>(l.bodies[g], [&]<class U>(int part) ARMATURE_LAMBDA { finish_group<U>(l, g, part, p, out); });
    }
}

}  // namespace

void begin_lockstep(const BilateralPlan& plan, const CorrectionProblem& p, Lockstep& l, bool warm) {
    l.half_way = p.half_way;
    l.exact = p.exact != nullptr;
    l.flat = find_flat(p, l.flat_plan, warm);
    for (Strand& s : l.strands)
        if (l.exact && !l.flat) s.exact.resize(s.link.size());
    for (Strand& s : l.strands)
        if (l.flat) begin_flat(p, *l.flat, s, warm);
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA { begin<V>(p, l, warm); });
    // Newton's matrix has the stiffness of what pulls at turning arms: that of the last step is nearly that of this one.
    for (std::size_t g = 0; g < l.nodes.size(); ++g)
        for (int lane = 0; lane < eight; ++lane) {
            const int k = l.nodes[g].node[idx(lane)];
            Vec3 expected;
            if (warm && k >= 0) {
                const JointLoad& load = (*p.expected)[idx(plan.nodes[idx(k)].joint)];
                expected = l.nodes[g].axis ? load.torque : load.force;
            }
            Octet* rows = l.node[g].r + lambda;
            rows[0].v[lane] = expected.x;
            rows[1].v[lane] = expected.y;
            rows[2].v[lane] = expected.z;
        }
}

void finish_lockstep(const BilateralPlan& plan, const Lockstep& l, const CorrectionProblem& p,
                     const LockstepResults& out) {
    out.moved.resize(plan.bodies.size());
    std::fill(out.moved.begin() + p.island.dynamic_count, out.moved.end(), Vec3{});  // all others are set
    out.impulses.resize(plan.joints);
    for (const Strand& s : l.strands)
        if (l.flat) finish_flat(l, s, p, out);
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA { finish<V>(l, p, out); });
    for (std::size_t g = 0; g < l.nodes.size(); ++g) {
        const Octet* n = l.node[g].r;
        for (int lane = 0; lane < eight; ++lane) {
            const int k = l.nodes[g].node[idx(lane)];
            if (k < 0) continue;
            const auto vec = [&](int row) { return Vec3{n[row].v[lane], n[row + 1].v[lane], n[row + 2].v[lane]}; };
            JointLoad& load = out.impulses[idx(plan.nodes[idx(k)].joint)];
            const Vec3 by = vec(lambda);
            if (l.nodes[g].axis)
                load.torque = by.x * vec(at_middle) + by.y * vec(as_middle);
            else
                load = {by, {}};
        }
    }
}

}  // namespace armature

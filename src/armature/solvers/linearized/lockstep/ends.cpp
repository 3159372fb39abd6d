// Where the iterations of lockstep.h begin, and what they hand back.
#include <algorithm>

#include "armature/math/exact_turn.h"
#include "armature/math/lanes.h"
#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature {

namespace {

using namespace lockstep;
using lanes::all;
using lanes::Mat;
using lanes::Turn;
using lanes::V2;
using lanes::V4;
using lanes::V8;
using lanes::Vec;
using lanes::width;

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

template <class V>
ARMATURE_INLINE void put(Octet* rows, int part, const Vec<V>& v) {
    lanes::store<V>(rows[0].v + part, v.x);
    lanes::store<V>(rows[1].v + part, v.y);
    lanes::store<V>(rows[2].v + part, v.z);
}
template <class V>
ARMATURE_INLINE Vec<V> take(const Octet* rows, int part) {
    return {lanes::load<V>(rows[0].v + part), lanes::load<V>(rows[1].v + part), lanes::load<V>(rows[2].v + part)};
}
/// to_matrix of math/quat.h.
template <class V>
ARMATURE_INLINE Mat<V> matrix_of(const Turn<V>& q) {
    const V xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
            wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
            {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
            {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
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
    put(b + x, part, place);
    put(b + x_free, part, place);
    for (const int row : {moved, theta, impulse, to_move, to_turn}) put(b + row, part, none);
    for (std::size_t s = group.first_side; s < group.end_side; ++s) {
        Side& side = l.sides[s];
        for (int k = 0; k < (side.axis && side.which == 1 ? 6 : 3); k += 3) {
            const Vec<V> r = take<V>(side.shape + k, part);
            put(side.reference + k, part, reference * r);
            put(side.start + k, part, start * r);
        }
    }
    if (group.role == Role::held || group.role == Role::ghost) return;
    const auto J_B = [&](int k) ARMATURE_LAMBDA { return lanes::load<V>(group.inertia_B[k].v + part); };
    const V xy = J_B(3), xz = J_B(4), yz = J_B(5);
    const Mat<V> A = reference * Mat<V>{{J_B(0), xy, xz}, {xy, J_B(1), yz}, {xz, yz, J_B(2)}};
    const Mat<V>& R = reference;
    const V J[6] = {dot(A.row0, R.row0), dot(A.row1, R.row1), dot(A.row2, R.row2),
                    dot(A.row0, R.row1), dot(A.row0, R.row2), dot(A.row1, R.row2)};
    for (int k = 0; k < 6; ++k) lanes::store<V>(b[inertia + k].v + part, J[k]);
    if (!exact) return;
    const double h = p.exact->h;
    const Vec<V> w = all<V>(0.5 * h) * lanes::gather<V>(p.exact->start_w.data(), at);
    const Mat<V> inertia_W{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    put(b + half_spin, part, w);
    put(b + momentum, part, inertia_W * w + all<V>(0.5 * h * h) * lanes::gather<V>(p.exact->torque.data(), at));
    const Turn<V> made = q * conjugate(q0);
    put(b + theta, part, (2.0 / made.w) * made.vec());
}

template <class V>
ARMATURE_INLINE void begin(const CorrectionProblem& p, Lockstep& l) {
    for (std::size_t g = 0; g < l.bodies.size(); ++g)
        for (int part = 0; part < eight; part += width<V>) begin_group<V>(p, l, g, part);
}
void begin_plain(const CorrectionProblem& p, Lockstep& l) {
    begin<V2>(p, l);
}
ARMATURE_WIDE void begin_wide(const CorrectionProblem& p, Lockstep& l) {
    begin<V4>(p, l);
}
ARMATURE_WIDEST void begin_widest(const CorrectionProblem& p, Lockstep& l) {
    begin<V8>(p, l);
}

template <class V>
ARMATURE_INLINE void finish_group(const Lockstep& l, std::size_t g, int part, CorrectionProblem& p) {
    const Octet* b = l.body[g].r;
    const int* body = l.bodies[g].body.data() + part;
    int at[width<V>];
    for (int lane = 0; lane < width<V>; ++lane) at[lane] = std::max(body[lane], 0);
    // Linear momentum wants places and impulses to agree to the last digit.
    const Vec<V> way = lanes::load<V>(b[inv_mass].v + part) * take<V>(b + impulse, part);
    const Vec<V> turn = take<V>(b + theta, part), half = all<V>(0.5) * turn;
    const Vec<V> place = lanes::gather<V>(p.x.data(), at) + way;
    const Turn<V> q = lanes::gather<V>(l.exact ? p.start_q->data() : p.q.data(), at);
    const Turn<V> made =
        l.exact ? lanes::normalized(Turn<V>{all<V>(1.0), half.x, half.y, half.z}) : lanes::exp_small_rotation(turn);
    const Turn<V> q1 = lanes::normalized(made * q);
    const auto far = 0.25 * dot(turn, turn) >= (l.exact ? infinity : lanes::small_turn2);
    for (int lane = 0; lane < width<V>; ++lane) {
        if (body[lane] < 0) continue;
        const std::size_t i = idx(body[lane]);
        p.moved[i] = {way.x[lane], way.y[lane], way.z[lane]};
        p.x[i] = {place.x[lane], place.y[lane], place.z[lane]};
        p.q[i] = far[lane] ? turned(p.q[i], {turn.x[lane], turn.y[lane], turn.z[lane]})
                           : Quat{q1.w[lane], q1.x[lane], q1.y[lane], q1.z[lane]};
    }
}

template <class V>
ARMATURE_INLINE void finish(const Lockstep& l, CorrectionProblem& p) {
    for (std::size_t g = 0; g < l.bodies.size(); ++g) {
        const Role role = l.bodies[g].role;
        if (role != Role::body && role != Role::hub) continue;
        for (int part = 0; part < eight; part += width<V>) finish_group<V>(l, g, part, p);
    }
}
void finish_plain(const Lockstep& l, CorrectionProblem& p) {
    finish<V2>(l, p);
}
ARMATURE_WIDE void finish_wide(const Lockstep& l, CorrectionProblem& p) {
    finish<V4>(l, p);
}
ARMATURE_WIDEST void finish_widest(const Lockstep& l, CorrectionProblem& p) {
    finish<V8>(l, p);
}

}  // namespace

void begin_lockstep(const BilateralPlan& plan, const CorrectionProblem& p, Lockstep& l, bool warm) {
    l.half_way = p.half_way;
    l.exact = p.exact != nullptr;
    switch (lanes::machine()) {
        case lanes::Machine::widest:
            begin_widest(p, l);
            break;
        case lanes::Machine::wide:
            begin_wide(p, l);
            break;
        default:
            begin_plain(p, l);
    }
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

void finish_lockstep(const BilateralPlan& plan, const Lockstep& l, CorrectionProblem& p) {
    p.moved.assign(plan.bodies.size(), Vec3{});
    switch (lanes::machine()) {
        case lanes::Machine::widest:
            finish_widest(l, p);
            break;
        case lanes::Machine::wide:
            finish_wide(l, p);
            break;
        default:
            finish_plain(l, p);
    }
    p.impulses.resize(plan.joints);
    for (std::size_t g = 0; g < l.nodes.size(); ++g) {
        const Octet* n = l.node[g].r;
        for (int lane = 0; lane < eight; ++lane) {
            const int k = l.nodes[g].node[idx(lane)];
            if (k < 0) continue;
            const auto vec = [&](int row) { return Vec3{n[row].v[lane], n[row + 1].v[lane], n[row + 2].v[lane]}; };
            JointLoad& load = p.impulses[idx(plan.nodes[idx(k)].joint)];
            const Vec3 by = vec(lambda);
            if (l.nodes[g].axis)
                load.torque = by.x * vec(at_middle) + by.y * vec(as_middle);
            else
                load = {by, {}};
        }
    }
}

}  // namespace armature

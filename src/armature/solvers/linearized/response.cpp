#include "armature/solvers/linearized/response.h"

#include <cmath>

#include "armature/math/exact_turn.h"

namespace armature {

namespace {

/// How a torque over the step turns the body at its end, body axes of the start: dφ = (A D⁻¹)⁻¹ dT with
///   (1 − ½[Θ]) A = ∂f/∂Θ = I + ½[Θ]I − ½[I(Θ − w) + m],     D = (1 + ½[Θ])/(1 + ¼Θ²),
/// m the momentum that belongs to Θ.
Mat3 turning_inertia(const Mat3& I, const Vec3& w, const Vec3& turn) {
    const Mat3 X = 0.5 * skew(turn), one = Mat3::identity();
    const Vec3 swept = I * (turn - w);
    const Mat3 slope = I + X * I - 0.5 * skew(swept + rotate(cayley(turn), swept));
    return (1 + 0.25 * norm2(turn)) * (inverse(one - X) * slope * inverse(one + X));
}

}  // namespace

void BodyResponse::begin(const CorrectionProblem& p) {
    const std::size_t n = p.island.bodies.size();
    whole_ = p.start_q != nullptr;
    exact_ = p.exact != nullptr;
    round_ = !p.start_q;
    refresh(p);
    inv_inertia_.resize(idx(p.island.dynamic_count));
    if (!p.start_q) return;
    R0_.resize(n);
    for (std::size_t i = 0; i < n; ++i) R0_[i] = to_matrix((*p.start_q)[i]);
    free_x_ = p.x;
    free_q_ = p.q;
    free_R_ = R_;
    set_turns(p);
    if (!exact_) return;
    w_.resize(idx(p.island.dynamic_count));
    G_.resize(w_.size());
    const double h = p.exact->h;
    for (int i = 0; i < p.island.dynamic_count; ++i) {
        const Body& b = p.body(i);
        w_[idx(i)] = (0.5 * h) * transposed_times(R0_[idx(i)], p.exact->start_w[idx(i)]);
        G_[idx(i)] = b.inertia_G * w_[idx(i)] + (0.5 * h * h) * transposed_times(R0_[idx(i)], p.exact->torque[idx(i)]);
    }
}

void BodyResponse::refresh(const CorrectionProblem& p) {
    R_.resize(p.q.size());
    for (std::size_t i = 0; i < R_.size(); ++i) R_[i] = to_matrix(p.q[i]);
}

void BodyResponse::start_over(CorrectionProblem& p) {
    p.x = free_x_;
    p.q = free_q_;
    p.moved.assign(p.x.size(), Vec3{});
    refresh(p);
    set_turns(p);
}

void BodyResponse::set_turns(const CorrectionProblem& p) {
    turn_.assign(idx(p.island.dynamic_count), Vec3{});
    if (!exact_) return;
    for (int i = 0; i < p.island.dynamic_count; ++i)
        turn_[idx(i)] = cayley_vector(conjugate((*p.start_q)[idx(i)]) * p.q[idx(i)]);
}

void BodyResponse::give_up_whole(CorrectionProblem& p) {
    whole_ = exact_ = false;
    round_ = true;
    start_over(p);
}

void BodyResponse::go_to_start(CorrectionProblem& p) {
    p.impulses.assign(p.impulses.size(), JointLoad{});
    for (int i = 0; i < p.island.dynamic_count; ++i) {
        p.x[idx(i)] = (*p.start_x)[idx(i)];
        p.q[idx(i)] = (*p.start_q)[idx(i)];
        p.moved[idx(i)] = p.x[idx(i)] - free_x_[idx(i)];
    }
    refresh(p);
}

void BodyResponse::linearize(const CorrectionProblem& p, const std::vector<Mat3>* stiffness) {
    for (int i = 0; i < p.island.dynamic_count; ++i) {
        const Body& b = p.body(i);
        if (round_) {
            inv_inertia_[idx(i)] = (b.particle ? 0 : 3 / trace(b.inertia_G)) * Mat3::identity();
            continue;
        }
        if (!stiffness) {
            inv_inertia_[idx(i)] = congruence(R_[idx(i)], b.inv_inertia_G);
            continue;
        }
        if (b.particle) {
            inv_inertia_[idx(i)] = {};
            continue;
        }
        // dφ = (1 + ½[θ]) J⁻¹ dT to second order, or by the exact rule.
        const Mat3 inertia =
            exact_ ? R0_[idx(i)] * turning_inertia(b.inertia_G, w_[idx(i)], turn_[idx(i)]) * transposed(R0_[idx(i)])
                   : congruence(free_R_[idx(i)], b.inertia_G) * (Mat3::identity() - 0.5 * skew(turn_[idx(i)]));
        inv_inertia_[idx(i)] = inverse(inertia + (*stiffness)[idx(i)]);
    }
}

void BodyResponse::move_by(CorrectionProblem& p, int i, const Vec3& move, const Vec3& turn) {
    p.moved[idx(i)] += move;
    p.x[idx(i)] += move;
    if (turn == Vec3{}) return;
    if (exact_) {
        // dΘ = D⁻¹ dφ in body axes; beyond first order any way to the root will do.
        Vec3& now = turn_[idx(i)];
        const Vec3 turn_B = transposed_times(R0_[idx(i)], turn);
        now += (1 + 0.25 * norm2(now)) * (inverse(Mat3::identity() + 0.5 * skew(now)) * turn_B);
        p.q[idx(i)] = (*p.start_q)[idx(i)] * cayley(now);
    } else {
        p.q[idx(i)] = normalized(exp_rotation(turn) * p.q[idx(i)]);
        if (whole_) turn_[idx(i)] = log_rotation(p.q[idx(i)] * conjugate(free_q_[idx(i)]));
    }
    R_[idx(i)] = to_matrix(p.q[idx(i)]);
}

BodyResponse::Imbalance BodyResponse::imbalance(const CorrectionProblem& p, int i, const Vec3& move,
                                                const Vec3& torque) const {
    const Body& b = p.body(i);
    const Mat3& R = exact_ ? R0_[idx(i)] : free_R_[idx(i)];
    const Vec3& turn = turn_[idx(i)];
    // f(Θ) = 0 solved for the momentum: m + t = cay(Θ) I(Θ − w).
    const Vec3 present_B = exact_ ? rotate(cayley(turn), b.inertia_G * (turn - w_[idx(i)])) - G_[idx(i)]
                                  : b.inertia_G * transposed_times(R, turn);
    return {move - p.moved[idx(i)], torque - R * present_B};
}

void BodyResponse::place(CorrectionProblem& p, int i, const Vec3& move) {
    p.moved[idx(i)] = move;
    p.x[idx(i)] = free_x_[idx(i)] + move;
}

}  // namespace armature

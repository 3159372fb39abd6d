// How the bodies of an island answer to displacement impulses P (kg m) and T (kg m² rad) about their centres.
//
//   assembly             increments on top of the present placement:  x ← x + P/m,   R ← exp(J⁻¹T) R
//
//   in a step            the whole of its impulses, from where free motion ended:  x1 = x_free + P/m  and
//     newton, euler …      R1 = exp(J⁻¹T) R_free,  J that of R_free: what free_motion.h makes angular momentum of.
//     exact                R1 = R0 cay(Θ),  Θ of the momentum m + R0ᵀT by the rule of math/exact_turn.h. For every point of the
//                          body P1 − P0 = Δx + Θ × ½(r0 + r1): a joint whose lever arms are the means of start and end does
//                          no work, whatever the length of the step.
//
// P and T depend on where they lead: lever arms move with the body. The torque of a force p at the arm ½(r0 + r1) changes by
// ½ (dφ × r1) × p with a turn dφ (all of it where arms are those of the end). Without this stiffness in Newton's matrix a
// heavy bob on a light chain never converges: it is added to the inertia.
#pragma once

#include <vector>

#include "armature/solvers/contract.h"

namespace armature {

class BodyResponse {
  public:
    void begin(const CorrectionProblem& p);

    /// Without a step bodies turn as if they were round: a needle that is pushed would rather spin than give way. Not so when
    /// momentum counts.
    void use_true_inertias() { round_ = false; }
    /// The placements were set from outside.
    void refresh(const CorrectionProblem& p);

    /// Back to where free motion ended.
    void start_over(CorrectionProblem& p);
    /// To where the step began, without a step.
    void go_to_start(CorrectionProblem& p);
    /// Back to where free motion ended; from here on the impulses are increments, and bodies turn as if they were round.
    void give_up_whole(CorrectionProblem& p);

    /// The impulses are those of the whole step, not increments.
    bool whole() const { return whole_; }
    Placement now(const CorrectionProblem& p, int i) const { return {p.x[idx(i)], R_[idx(i)]}; }
    Placement start(const CorrectionProblem& p, int i) const { return {(*p.start_x)[idx(i)], R0_[idx(i)]}; }
    /// Half-way from the start of the step, in numbers: ½(x0 + x1), ½(R0 + R1), which is not a rotation. Rows that are
    /// bilinear in the placements are exact differences over the step there.
    Placement half_way(const CorrectionProblem& p, int i) const {
        return {0.5 * ((*p.start_x)[idx(i)] + p.x[idx(i)]), 0.5 * (R0_[idx(i)] + R_[idx(i)])};
    }
    /// Of the dynamic bodies: how a torque turns them, in world axes, for Newton's matrix.
    const Mat3& inv_inertia(int i) const { return inv_inertia_[idx(i)]; }

    /// Makes inv_inertia anew for the present placements. `stiffness`, per dynamic body, is that of the lever arms; null
    /// for the plain inertias.
    void linearize(const CorrectionProblem& p, const std::vector<Mat3>* stiffness);
    /// Moves a dynamic body by `move` = P/m and turns it by `turn`.
    void move_by(CorrectionProblem& p, int i, const Vec3& move, const Vec3& turn);
    /// In a step: what P and T of the rows are beyond those that belong to the present placement, P as the way P/m.
    struct Imbalance {
        Vec3 move, torque;
    };
    Imbalance imbalance(const CorrectionProblem& p, int i, const Vec3& move, const Vec3& torque) const;
    /// In a step: puts its centre where P/m takes it.
    void place(CorrectionProblem& p, int i, const Vec3& move);

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }

    void set_turns(const CorrectionProblem& p);

    bool whole_ = false, exact_ = false, round_ = false;
    std::vector<Quat> free_q_;
    std::vector<Mat3> free_R_;
    std::vector<Mat3> R0_, R_, inv_inertia_;
    std::vector<Vec3> free_x_;
    std::vector<Vec3> w_, G_;  ///< body axes
    std::vector<Vec3> turn_;   ///< so far: θ from free_q_ in world axes, or Θ in body axes
};

}  // namespace armature

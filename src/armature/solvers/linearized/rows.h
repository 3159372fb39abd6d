// The rows of an island as the linear system sees them: what the joints' parts, the laws and the soft points say of the
// present placements, and how the bodies answer to them.
//
// J in Jᵀλ is taken half-way through the step (response.h), so that what a joint does is at right angles to the chord of the
// motion that it allows; the error C is that of the end. Where there is no step, both are of now, and so they are of a bound that
// was met within the step.
//
// The rim of a cone is bent: what pushes a1 towards a2 with the torque τ turns as they turn. With m and p, in the plane of both,
// along and across their bisector, the angle changes with a turn ψ of one against the other by
//   d²θ = ½ cot ½θ (p·ψ)² − ½ tan ½θ (m·ψ)².
// Without this in Newton's matrix a needle slides out along the tangent of a narrow cone and never comes back: a turn about its
// axis costs nothing, and only the rim holds it. The part of it that holds back has one direction, p where the cone closes and m
// where it opens, and is a row like that of a spring:  p·(φ1 − φ2) + μ/κ = 0,  κ = ½ |τ| cot ½θ.
#pragma once

#include <vector>

#include "armature/solvers/linearized/response.h"

namespace armature {

struct SystemRow {
    Vec3 linear, angular1, angular2;                 ///< J̄, how it pushes
    Vec3 read_linear, read_angular1, read_angular2;  ///< J of now, how it reads
    Vec3 turn1, turn2;      ///< inverse inertia times the angular part: how a unit of λ turns the solids
    double residual = 0;    ///< target − C − ε λ
    double compliance = 0;  ///< ε
    double low = -infinity, high = infinity;
    std::size_t slot = 0;  ///< of λ
    double delta = 0;      ///< Δλ
    bool active = true, passed = false;
    bool part = false;  ///< of a joint's part, rather than of a law
    bool bend = false;  ///< the stiffness of a rim: nothing that is carried, λ stays 0
};

class SystemRows {
  public:
    /// λ = 0 of a new problem, and what does not change in it.
    /// `plain`: the system will be symmetric, and has no room for rows that bend.
    void begin(const CorrectionProblem& p, const BodyResponse& response, bool plain);
    /// All rows at the present placements.
    void collect(const CorrectionProblem& p, const BodyResponse& response);
    /// λ = 0 again, and rows that push as they read: all of them, or those of bounds.
    void start_over(bool bounds_alone);
    /// A bound was leaned on when the step began.
    bool lean() const;
    /// How the bodies answer to them: the inverse inertias of `response`, and the turns of the rows.
    /// `plain`: with the inertias alone, which are symmetric.
    void linearize(const CorrectionProblem& p, BodyResponse& response, bool plain);

    std::vector<SystemRow> rows;
    std::vector<std::size_t> first;  ///< per joint of the island, and the end
    std::vector<double> lambda;      ///< three per part, then the laws, then three per soft point
    double worst = 0;                ///< m or rad, of the joints
    double merit = 0;                ///< Σ of the squared errors
    int worst_joint = -1;            ///< local
    double unbalanced = 0;           ///< m or rad: what keeps laws from having found their balance

    std::size_t law_slot(std::size_t i) const { return law_slots_ + i; }
    std::size_t soft_slot(std::size_t i, int j) const { return soft_slots_ + 3 * i + idx(j); }
    /// The row along which law i pushed over the step.
    CoordinateValue law_over_step(const CorrectionProblem& p, const CoordinateValue& now, std::size_t i) const;

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    void add(const Row& J, const Row& now, std::size_t slot, double target, double compliance);
    void add_parts(const CorrectionProblem& p, const BodyResponse& response, std::size_t k, const Joint& joint);
    /// The part that most structures are made of, without the detour over rows of any kind.
    void add_ball(const CorrectionProblem& p, const BodyResponse& response, std::size_t k, const PointPart& part,
                  std::size_t slot);
    /// How the row of a cone, of which the last `count` rows are, turns as the solids turn.
    void add_rim(const Vec3& a1, const Vec3& a2, int count);
    /// Which one-sided rows are at their bounds at the start of the step.
    void note_bounds(const CorrectionProblem& p, const BodyResponse& response);
    void add_law(const CorrectionProblem& p, const BodyResponse& response, std::size_t i);
    void add_soft(const CorrectionProblem& p, const BodyResponse& response, std::size_t i);
    void stiffen(const CorrectionProblem& p, const BodyResponse& response);

    bool half_way_ = false, bends_ = false;
    std::vector<char> leaned_;  ///< per part: bit j when its row j was at its bound
    std::size_t bend_slot_ = 0;
    std::vector<CoordinateValue> start_laws_;
    std::vector<std::size_t> first_part_;  ///< per joint
    std::size_t law_slots_ = 0, soft_slots_ = 0;
    std::vector<Mat3> stiffness_;  ///< of lever arms, per dynamic body
};

}  // namespace armature

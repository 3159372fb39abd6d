// Displacement constraints [Gascuel & Gascuel 1994, §3–4]: joints are made to hold by small rotations and translations
// of the solids they join, repeated until nothing is out of place.
//
// For a point part with gap d = P2' − P1, opposite impulses ±p (kg m) act at one point C, half-way between P1 and P2',
// with lever arms r_i = C − G_i:
//   variant 1:  Δx1 = p/m1,  ΔR1 = J1⁻¹ (r1 × p),  and the opposite for solid 2, both from the same positions
//   (default); variant 2:  the rotations first; then, from the points after rotation,
//               Δx1 = m2/(m1+m2) (P2'−P1),  Δx2 = −m1/(m1+m2) (P2'−P1): exact at once for a joint that is alone, but
//               rotation and translation no longer belong to one impulse, so angular momentum is not kept.
// (The paper takes r_i = P_i − G_i: the same when p is along d, as its own p = αd is. For any other p a couple d × p
// would be left over.) When the step's impulses act half-way through it (contract.h), C and G_i are the means of their
// places at the start of the step and now. J_i is always that of the present orientation: with that of the start, lever
// arms and inertia part company, and needles, whose turns about their own axis cost next to nothing, diverge.
// The impulse:
//   alpha paper:  p = α d with α = m1 m2/(m1+m2) [eq. 17], or the α of the constraint. Diverges when m r²/J > 1 at the
//                 anchors, e.g. at the end of a rod (3): the rotation alone overshoots.
//   alpha safe:   p = K⁻¹ d,  K = Σ (1/m_i − [r_i]× J_i⁻¹ [r_i]×), what one impulse really does at the joint.
//                 Domains that leave a direction free take the same along d only: p = d/(uᵀKu), u = d/|d|.
// A domain that bends (ring, sphere, curve, mesh) blocks other directions at the end of a step than at its start. Pushing
// along d, the normal at the end, brakes: a bead on a circle loses v h/r² of its energy per second, half of it in 5 s at 60 Hz.
// When impulses act half-way, p is therefore at right angles to the chord s from the nearest place of the start to that of
// now, both on solid 2 (turned half-way): p · s is the work of the joint in the step, and is zero.
//   u ∝ d − (d·ŝ) ŝ,   p = u |d|/(d̂ᵀKu).
// On a circle and on a sphere u is the mean of the two normals. As p is not along d, C must be where both solids can take its
// torque: a particle has none, so C is its centre. Where the chord runs more than 45° off what the domain leaves
// free, at a corner, u = d/|d| again.
// A gap wider than a body's smallest radius of gyration cannot be closed by turning it (a needle would be asked to spin by
// many radians). Where the step before left such a gap, the body's inertia is taken as J + m e², e = gap − half that radius,
// which bounds the turn by r/e. Only such steps, which were reported as not converged, give up the conservation of angular
// momentum for it. Without a step (assembly) all bodies whose gaps have not closed after 50 sweeps are treated so.
// Angle and twist parts turn the two solids by opposite angular impulses about the correction axis u:
//   τ = excess / (uᵀ(J1⁻¹ + J2⁻¹)u),  ΔR1 = J1⁻¹ u τ,  ΔR2 = −J2⁻¹ u τ.
// Every pair of corrections is opposite in impulse, so each (of variant 1) conserves linear and angular momentum to
// round-off.
//
// Order jacobi (default): all corrections are computed from the same placements, weighted by 1/max(n1, n2) and summed;
// the result does not depend on the order of the joints. Why it cannot diverge with `alpha safe`: in the metric of the
// masses each part's correction is an orthogonal projector P_c on its two bodies, and Σ w_c P_c ≤ Σ_i Σ_{c∋i} w_c ≤ 1
// when w_c ≤ 1/n_i for both. (GG eq. 21 should read λ_ij = m_j/(m_i+m_j)/max(n_i, n_j).)
// Acceleration [Nesterov 1983; restart: O'Donoghue & Candès 2015], on the impulses, not on the placements, so that each
// push is still an impulse and its opposite and keeps both momenta: with δ = what a joint's impulse grew by last time,
//   δ ← p + β_last δ,  push by p + β δ,  β = k/(k+3), started anew when Σ d·δ < 0. What took κ sweeps takes about √κ.
// (Starting from the impulses of the step before saves sweeps with the euler scheme, none with newton, whose joints
// push alternately harder and softer, and it cost energy there: left out.) A limit remembers how hard it has pushed in
// this step and takes it back when it has pushed too far, but never pulls: with push ≥ 0 against max, push ← max(0,
// push + w (θ − max)/k). Without this a limit that was only touched on the way to the solution would keep its push and
// kick. Without acceleration a sweep has three stages, each with its own counts n: angular parts, rotations of point
// parts, translations. Acceleration needs one function to descend: all parts in one stage, counted together. Order
// gauss_seidel: each correction is applied at once, with weight 1.
//
// Without physics [§3.1.4] the mobility μ12 takes the place of m2/(m1+m2) and the ability to rotate ρ that of m J⁻¹:
// the same formulas with 1/m1 = μ12, J1⁻¹ = μ12 ρ1, per constraint.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "armature/math/sym3.h"
#include "armature/solvers/contract.h"

namespace armature {

class DisplacementSolver {
  public:
    static constexpr const char* name = "displacement";
    static constexpr const char* summary =
        "displacement constraints (Gascuel & Gascuel 1994): iterated rotations and translations, any topology";
    static std::vector<std::string> refusals(const Model& model) {
        if (model.simulation.scheme != Scheme::exact) return {};
        return {"the scheme `exact`, which needs its joints to hold to round-off (solver linearized does)"};
    }

    explicit DisplacementSolver(const DisplacementSpec& parameters = {}) : parameters_(parameters) {}

    CorrectionReport correct(CorrectionProblem& problem);

  private:
    /// What a body gives way with. Without physics 1/m and m J⁻¹ are replaced, see above.
    struct Mobility {
        double inv_mass = 0;
        Sym3 inv_inertia_B;
        double gyration = 0;    ///< m, smallest radius of gyration
        bool strained = false;  ///< the step before left too wide a gap
    };
    /// Two local bodies and how each side takes part: 1 and 1 with physics, μ12 and μ21 without.
    struct Pair {
        int body1 = 0, body2 = 0;
        double side1 = 1, side2 = 1;
    };
    /// Lever arms: r = start + share · (P − G) ± share/2 · d. With impulses half-way through the step, start is half
    /// the arm at its beginning and share is ½; otherwise start is 0 and share 1.
    struct Arms {
        Vec3 start1, start2;
    };
    /// The common case, a point held on a point, with just what its inner loop reads, side by side.
    struct Ball {
        Pair pair;
        Vec3 p1, p2;  ///< anchors in body axes, from G
        Arms arms;
        Sym3 gain;      ///< d → p, with the weight
        Vec3 impulse;   ///< in all
        Vec3 momentum;  ///< δ of the acceleration
    };
    /// What else belongs to a point part, read now and then.
    struct PointInfo {
        int joint = 0;       ///< index into the island's joints
        double reduced = 0;  ///< 1/(1/m1 + 1/m2)
        double alpha = 0;    ///< kg; 0: safe
        double weight = 1;
    };
    /// Where a point was on a domain that bends, at the start of the step; see the top of this file.
    struct Bend {
        int freedoms = 0;  ///< 0: not on it, or the domain does not bend
        Vec3 start_2;      ///< nearest place, from G2 in body axes of solid 2
        double along = 0;  ///< of a curve: arc length, so that a crossing does not lead on to the other branch
        Mat3 R2;           ///< of solid 2
    };
    /// A point held in a domain that leaves it some freedom.
    struct Slider {
        Pair pair;
        PointInfo info;
        const PointPart* part = nullptr;
        Arms arms;
        Vec3 impulse, push;  ///< in all, of this sweep
        double slack = 0;    ///< m: how far from its domain the point may be
        Vec3 momentum;       ///< δ of the acceleration, in the directions that the domain blocks
        Bend bend;
    };
    struct Angular {
        Pair pair;
        int joint = 0;
        const Part* part = nullptr;
        double weight = 1;
        bool active = false;    ///< takes part in this sweep
        bool equality = false;  ///< its two bounds coincide
        Vec3 impulse, turn;     ///< in all, of this sweep
        Vec3 momentum;          ///< δ of the acceleration, equalities only
        // Limits only: accumulated impulse about the axis, > 0 against max, < 0 against min; the same before it was run
        // ahead by the acceleration; and what that last grew by.
        double push = 0, settled_push = 0, push_growth = 0;
        AngularError error;  ///< of this sweep
        double slack = 0;    ///< rad
    };
    /// See contract.h for the three; `push`, `impulse`: given so far, `settled`: before the acceleration ran ahead,
    /// `growth`: what that last grew by, `push_now`: of this sweep.
    struct Law {
        Pair pair;
        LawRow* row = nullptr;
        double weight = 1;
        bool active = false;
        CoordinateValue start, now;
        double mobility = 0;  ///< row M⁻¹ rowᵀ
        double residual = 0;
        double push = 0, settled = 0, growth = 0, push_now = 0;
    };
    struct Soft {
        Pair pair;
        SoftPoint* row = nullptr;
        Arms arms;
        double weight = 1;
        Vec3 impulse, settled, growth, push_now;
        Vec3 r1, r2, step;
    };
    struct Contact {
        Pair pair;
        ContactRow* row = nullptr;
        double weight = 1;
        bool active = false;
        double gain = 0;
        Vec3 impulse, settled, growth, push_now;
        Vec3 start_x;
        Vec3 carried;  ///< by which body 2 moved in the step at this place
        Quat start_q;
        Vec3 normal, r1, slid;
        double gap = 0;
    };

    void prepare(const CorrectionProblem& problem);
    void weigh_parts();
    void refresh_gains();
    void set_mobilities(const CorrectionProblem& problem);
    void bound_turns(const CorrectionProblem& problem);
    void stiffen_strained(const CorrectionProblem& problem);
    void relieve(const CorrectionProblem& problem);
    void widest_gaps(const std::vector<Vec3>& x, const std::vector<Quat>& q);
    void set_orientation(std::size_t body, const Quat& q) {
        (*q_)[body] = q;
        R_[body] = to_matrix(q);
    }
    Placement placement(int body) const { return {(*x_)[idx(body)], R_[idx(body)]}; }
    Vec3 ball_gap(const Ball& b) const {
        const std::size_t i = idx(b.pair.body1), j = idx(b.pair.body2);
        return ((*x_)[j] + R_[j] * b.p2) - ((*x_)[i] + R_[i] * b.p1);
    }
    AngularError measure_angular(const Angular& a) const;
    /// With `free` of a domain that bends as half-way through the step.
    PointError measure_slider(const Slider& s) const;
    Bend start_bend(const CorrectionProblem& problem, const Pair& pair, const PointPart& part) const;
    void take_half_way(const Slider& s, PointError& e) const;
    void meet_at_particle(const Pair& pair, PointError& e) const;
    /// Momentum lives in the directions that the domain blocks; where it blocks none the part has let go.
    static Vec3 blocked_part(const PointError& e, const Vec3& v);
    /// What the part asks for in this sweep, rad: its violation, or for a limit that has pushed, also its way back.
    static double wanted_turn(const Angular& a) {
        if (a.equality || a.push == 0) return a.error.excess;
        return a.push > 0 ? a.error.past_max : a.error.past_min;
    }
    /// Adds `change` to the push of a limit, as far as it may; returns what was really added.
    double limit_push(Angular& a, double change, double beta) const;
    double angular_stiffness(const Pair& pair, const Vec3& axis) const;
    Vec3 slider_impulse(const Slider& s, const PointError& e) const;  ///< weight not included
    Vec3 inv_inertia_times(int body, const Vec3& torque) const {      // R J⁻¹ Rᵀ τ without forming the product
        const Mat3& R = R_[idx(body)];
        return R * (mobility_[idx(body)].inv_inertia_B * transposed_times(R, torque));
    }

    Arms start_arms(const CorrectionProblem& problem, const Pair& pair, const PointPart& part) const;
    Vec3 arm1(const Arms& a, const Vec3& r, const Vec3& d) const { return a.start1 + share_ * (r + 0.5 * d); }
    Vec3 arm2(const Arms& a, const Vec3& r, const Vec3& d) const { return a.start2 + share_ * (r - 0.5 * d); }

    void note_error(double error2, int joint) {
        if (error2 > worst2_) {
            worst2_ = error2;
            worst_joint_ = joint;
        }
    }
    void note_unbalanced(double e) { unbalanced_ = std::max(unbalanced_, e); }
    /// Everything that must hold does, and what pushes has found its balance.
    bool settled() const { return worst2_ <= tolerance_ * tolerance_ && unbalanced_ <= 1; }
    /// One sweep; false when everything was within the tolerance and nothing was moved.
    bool sweep_jacobi();
    bool accelerated() const;
    void begin_momentum();
    void restart_momentum();
    void next_momentum();
    bool measure_angular_parts();
    void gather_angular_parts(bool with_momentum);
    void point_rotation_stage(bool with_translation);
    void translation_stage();
    void drop_corrections();
    void take_back(double share, bool points);
    void apply_rotations(bool points);
    void apply_translations();
    // laws.cpp
    void prepare_laws(const CorrectionProblem& problem);
    Mat3 point_mobility(const Pair& pair, const Vec3& r1, const Vec3& r2) const;
    void measure_law(Law& law) const;
    void measure_contact(Contact& c);
    bool measure_laws();
    void gather_laws();
    void push_along(const Law& law, double lambda);
    void push_at(const Pair& pair, const Vec3& r1, const Vec3& r2, const Vec3& p);
    static Vec3 within_cone(const Contact& c, const Vec3& impulse);
    void take_back_laws(double share);
    void restart_laws();
    void hand_out_laws();
    bool has_laws() const { return !laws_.empty() || !soft_.empty() || !contacts_.empty(); }
    bool sweep_gauss_seidel();
    void gauss_seidel_angular(Angular& a);
    template <class Measure, class Impulse>
    Vec3 gauss_seidel_point(const Pair& pair, const Arms& arms, double reduced, Measure measure_now,
                            Impulse impulse_of);
    void turn(int body, const Vec3& phi);
    void hand_out_impulses(CorrectionProblem& problem);

    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }

    DisplacementSpec parameters_;

    // Workspace of the island at hand; grows to the largest one and is then reused.
    std::vector<Vec3>* x_ = nullptr;
    std::vector<Quat>* q_ = nullptr;
    int dynamic_count_ = 0;
    double tolerance_ = 0;
    double share_ = 1;  ///< of the present arms in the lever arms, see Arms
    std::vector<Vec3>* moved_ = nullptr;
    std::vector<Mobility> mobility_;
    std::vector<Mat3> R_;
    std::vector<Vec3> torque_, force_;
    std::vector<int> count_;
    std::vector<double> gap_;  ///< m, widest at each body
    std::vector<Ball> balls_;
    std::vector<PointInfo> ball_info_;
    std::vector<Slider> sliders_;
    std::vector<Angular> angulars_;
    std::vector<Law> laws_;
    std::vector<Soft> soft_;
    std::vector<Contact> contacts_;
    // Of the sweep at hand.
    double worst2_ = 0;  ///< square of the largest error met
    int worst_joint_ = -1;
    double unbalanced_ = 0;    ///< of laws, soft points and contacts; 1: just good enough
    double largest_move_ = 0;  ///< m or rad
    double sweep_turn_ = 0;    ///< rad, largest single turn (gauss_seidel)
    // Acceleration, see the top of this file.
    double beta_last_ = 0, beta_ = 0;
    double beta_used_ = 0;  ///< in the pushes of this sweep
    bool plain_ = false;    ///< sweeps without acceleration for a while, see correct()
    int sweeps_since_restart_ = 0;
    double along_ = 0;              ///< Σ d·δ of this sweep
    double translation_scale_ = 1;  ///< what the rotations of the same impulses were shortened by
    double turned_ = 0;             ///< rad since the gains were computed
};

static_assert(Corrector<DisplacementSolver>);

}  // namespace armature

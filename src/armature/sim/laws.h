// What acts along the freedoms of joints and in soft constraints, as laws for the solver (solvers/contract.h).
//
// A force F that acts all through a step of length h moves by λ = F h²/ρ and gives the velocity ρ λ/h, with the ρ of the
// joints (free_motion.h): u1 = (1 − ρ) u0 + ρ (C1 − C0)/h for the rate u of a coordinate C. One ρ for all that pushes, for
// where large impulses cancel, as in a motor's light shaft that is welded to a heavy disc, two would leave their difference.
// Spring k and damper c along a coordinate of mobility K push with
//   F = −k (θ C1 + (1 − θ) C0 − rest) − c (φ u1 + (1 − φ) (C1 − C0)/h),
//   θ = 1 − (1/ρ)/(1 + (h² k K/f)²),   φ = 1 − 1/(1 + (½ h c K)²),   f = min(100, 0.07 · 4/(2/ρ − 1)²).
// What is slow keeps θ = 1 − 1/ρ: then the determinant of the step, (1 + h²kK (1 − 1/ρ)(1 − θ))/(1 + h²kK θ/ρ), is 1 and
// the spring neither gains nor loses (as long as h²kK < 4/(2/ρ − 1)², 1444 for ρ = 1.9). What is far too fast for the step
// takes θ = φ = 1, and is damped. Schemes of first order (velocity = displacement/h: ρ = 1) take θ = φ = 1 throughout, for
// the neutral rule of theirs is the explicit one, whose energy swings with every period. So
//   λ = −a C1 + b,   a = (h²/ρ)(θ k + g),   b = (h²/ρ)(k rest − (1 − θ) k C0 + g C0 + c φ (ρ − 1) u0),
//   g = (c/h)(1 + φ (ρ − 1)),
// stable at any stiffness and step, with F/k exactly as the rest under a load. Free motion moves by ½ h² a under an outer
// acceleration a where laws move by h² a/ρ, so what rests keeps a velocity of (1/ρ − ½) h a. It is taken out of the rates
// above: they are those of u' = u − (1/ρ − ½)(u_free − u0), which is zero at rest and obeys the same rule as u.
//
//   motor of given force F:   low = high = F h²/ρ
//   motor of given speed u:   u1 = u, |λ| ≤ F_max h²/ρ
//   limits:                   C1 ≥ min, λ ≥ 0;   C1 ≤ max, λ ≤ 0
//   thread of a screw:        C1 = 0
#pragma once

#include <vector>

#include "armature/sim/local_bodies.h"
#include "armature/solvers/contract.h"

namespace armature {

enum class LawKind { spring, motor, limit, thread };

/// Where a law came from.
struct LawSource {
    LawKind kind = LawKind::spring;
    FreedomId freedom = -1;  ///< −1: of a soft joint
    double start = 0;        ///< C0
    double restitution = 0;  ///< of a limit
    double stiffness = 0, rest = 0;
};

struct SoftSource {
    double stiffness = 0;
    Vec3 start;  ///< gap at the start
};

struct Laws {
    std::vector<LawRow> rows;
    std::vector<LawSource> sources;  ///< of the rows
    std::vector<SoftPoint> soft;
    std::vector<SoftSource> soft_sources;

    bool empty() const { return rows.empty() && soft.empty(); }
};

/// The laws of an island for the step from t0 to t1, `rate` being ρ. `freedoms` as they are at its start
/// (State::freedoms). With hands that give way (giving_hands.h) or without.
void collect_laws(const Model& model, const Island& island, double t0, double t1, double rate, const LocalBodies& start,
                  const LocalBodies& free, const std::vector<FreedomState>& freedoms, Laws& out,
                  bool hands_give_way = false);

/// Only what must hold at time t: limits and threads. For assembly.
void collect_hard_laws(const Model& model, const Island& island, double t, const LocalBodies& start,
                       const std::vector<FreedomState>& freedoms, Laws& out);

/// J in the step: what springs gave of what they had stored, and what motors did. Dampers only take.
struct LawWork {
    double springs = 0, motors = 0;
};
LawWork law_work(double h, double rate, const Laws& laws, const LocalBodies& start, const LocalBodies& now);

/// Force along each freedom in the step, into `freedoms`.
void measure_law_forces(const Model& model, const Island& island, double h, double rate, const Laws& laws,
                        std::vector<FreedomState>& freedoms);

/// How far the value is beyond the freedom's limits, or off its thread; m or rad.
double limit_violation(const Freedom& freedom, double value, double t);

/// Stored in the springs of freedoms and in soft constraints, J.
double law_energy(const Model& model, const Island& island, const State& state);

}  // namespace armature

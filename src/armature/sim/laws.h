// What acts along the freedoms of joints and in soft constraints, as laws for the solver (solvers/contract.h).
//
// A force F that acts all through a step of length h moves by λ = F h²/ρ and gives the velocity ρ λ/h. ρ = 2 is the
// trapezoidal rule: exact for a constant force, and a spring neither gains nor loses energy. ρ = 1 is the implicit Euler
// rule, which damps what is too fast for the step. For spring k and damper c along a coordinate of mobility K, with
//   z = max(¼ h² k K, ½ h c K):   ρ = 1 + 1/(1 + z²),   θ = 1 − ½/(1 + z²),
//   F = −k (θ C1 + (1 − θ) C0 − rest) − c (C1 − C0)/h
//   ⇒  λ = −a C1 + b,   a = (h²/ρ)(θ k + c/h),   b = (h²/ρ)(k rest − (1 − θ) k C0 + (c/h) C0)
// so the spring is stable at any stiffness and step, and its rest under a load is F/k exactly. Schemes of first order
// (velocity = displacement/h) have ρ = θ = 1.
//
//   motor of given force F:   low = high = F h²/ρ
//   motor of given speed u:   C1 = C0 + ½ h (C0' + u), |λ| ≤ F_max h²/ρ; first order: C1 = C0 + h u
//   limits:                   C1 ≥ min, λ ≥ 0;   C1 ≤ max, λ ≤ 0
//   thread of a screw:        C1 = 0
#pragma once

#include <vector>

#include "armature/sim/local_bodies.h"
#include "armature/solvers/contract.h"

namespace armature {

enum class LawKind { spring, motor, limit, thread };

/// Where a law came from. Springs and motors push with their own ρ; limits and threads with that of the joints.
struct LawSource {
    LawKind kind = LawKind::spring;
    FreedomId freedom = -1;  ///< −1: of a soft joint
    double rate = 2;         ///< ρ
    double start = 0;        ///< C0
    double restitution = 0;  ///< of a limit
    double stiffness = 0, rest = 0;
};

struct SoftSource {
    double rate = 2;
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

/// The laws of an island for the step from t0 to t1. `freedoms` as they are at its start (State::freedoms).
void collect_laws(const Model& model, const Island& island, double t0, double t1, const LocalBodies& start,
                  const std::vector<FreedomState>& freedoms, Laws& out);

/// Only what must hold at time t: limits and threads. For assembly.
void collect_hard_laws(const Model& model, const Island& island, double t, const LocalBodies& start,
                       const std::vector<FreedomState>& freedoms, Laws& out);

/// What springs and motors gave beyond the rate of the joints, added to the velocities.
void add_law_velocities(const Model& model, const Island& island, double h, double joint_rate, const Laws& laws,
                        LocalBodies& now);

/// J in the step: what springs gave of what they had stored, and what motors did. Dampers only take.
struct LawWork {
    double springs = 0, motors = 0;
};
LawWork law_work(double h, const Laws& laws, const LocalBodies& start, const LocalBodies& now);

/// Force along each freedom in the step, into `freedoms`.
void measure_law_forces(const Model& model, const Island& island, double h, double joint_rate, const Laws& laws,
                        std::vector<FreedomState>& freedoms);

/// How far the value is beyond the freedom's limits, or off its thread; m or rad.
double limit_violation(const Freedom& freedom, double value, double t);

/// Stored in the springs of freedoms and in soft constraints, J.
double law_energy(const Model& model, const Island& island, const State& state);

}  // namespace armature

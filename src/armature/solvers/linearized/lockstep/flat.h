// Strands of ball joints (strand.h) that stay in a coordinate plane.
//
// Bodies that stand in one plane across n = x, y or z, have their joints there, turn about n alone and have no products of inertia
// across it are pushed along the plane and turned about n by each other. Two numbers of each vector and of each column of a block
// are left then, and one of each turn: the others are exactly zero and stay so. They are not computed. Every correction looks
// anew; the formulas are those of strand.h and bilateral.h with the zeros left out, the motion the same but for round-off.
//
// With a, b, n in the order of x, y, z and f⊥ = (−f_b, f_a):
//   arms     r1 = cos θ r + sin θ r⊥                 turn by a force f at r      r_a f_b − r_b f_a
//   answer   W = 1 / (J + Σ ±½ λ·r1)                 exact: J (1 + ¼θ²) instead of J
//   block    m⁻¹ + r⊥ W r̄⊥ᵀ                          what a push at the arm r̄ does to the point at the arm r
#pragma once

#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature::lockstep {

struct Most;

/// What of an island does not change; none of the three where it has axes, or no strands.
FlatPlan make_flat_plan(const BilateralPlan& plan, const std::vector<Strand>& strands, int dynamic_count);
/// The normal of the plane it is in now; nothing: it is in none.
std::optional<Flat> find_flat(const CorrectionProblem& p, const FlatPlan& plan, bool warm);

/// What the functions of the same names do in space: strand_ends.h, follow.h, condense.h.
void begin_flat(const CorrectionProblem& p, const Flat& flat, Strand& s, bool warm);
void finish_flat(const Lockstep& l, const Strand& s, const CorrectionProblem& p, const LockstepResults& out);
void follow_flat(Lockstep& l, Strand& s, bool first, Most& most);
void condense_flat(Lockstep& l, Strand& s, bool ahead);

}  // namespace armature::lockstep

// Which joints are to blame: minimal sets of joints, found exactly.
//
//   dependent       S is dependent when the rows of its joints are: rank J_S < number of rows of S. It is minimal when no
//                   joint can be left out: every proper subset is independent. A joint whose own rows depend on each
//                   other is a set of one.
//   contradictory   S is contradictory when its joints cannot hold together (settle.h), and minimal when those of
//                   every proper subset can.
//   redundant       a minimal dependent set that is not contradictory: all of it holds, and part of it for nothing.
//
// For linear systems a dependent set that cannot hold is a minimal contradictory one, since an independent one always can;
// a contradictory set need not be a minimal dependent one, as its joints may have rows that are redundant besides.
//
// Dependent sets. Let the columns of N span the left null space, Nᵀ J = 0, and N_j be its rows of joint j. S is dependent
// when some y ≠ 0 has N_j y = 0 for all j outside S. So the minimal S are the complements of the maximal T that leave such a
// y: the search adds joints to T one by one and keeps the space Y of the y that are left; T is maximal when N_j is injective
// on Y for every other j. It splits first into parts that share no dependency.
// Contradictory sets. One by divide and conquer [Junker 2004, QuickXplain]; all of them by looking on without each of its
// joints in turn [Reiter 1987]: a second set lacks at least one joint of the first.
#pragma once

#include <vector>

#include "armature/doctor/mechanism.h"

namespace armature::doctor {

using JointSet = std::vector<JointId>;  ///< in rising order

struct Groups {
    std::vector<JointSet> sets;  ///< small ones first
    bool complete = true;        ///< false: there are more than the search was allowed to look for
};

/// Minimal dependent sets among these joints where the solids are. Singular values below `tolerance` times the largest count
/// as zero.
Groups dependent_sets(const Mechanism& mechanism, const Placing& at, const JointSet& joints,
                      double tolerance = rank_tolerance);

struct Contradictions {
    Groups groups;
    JointSet kept;  ///< a largest set that holds: every joint but as few as will do, those written last going first
};
/// Minimal contradictory sets, searched from where the solids are.
Contradictions contradictory_sets(const Mechanism& mechanism, const Placing& start);

/// What the rows of a dependent set can push against each other with: the forces and torques of its self-stresses at one
/// of its joints, as directions (unit, world) that span them. Empty for an independent set.
struct Stress {
    std::vector<Vec3> forces, torques;
    int count = 0;        ///< how many rows of the set are too many
    bool thread = false;  ///< the thread of the joint takes part
};
Stress stress_at(const Mechanism& mechanism, const Placing& at, const JointSet& set, JointId joint,
                 double tolerance = rank_tolerance);

}  // namespace armature::doctor

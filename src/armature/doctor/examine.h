// One island looked at: where its joints hold, what is left to move there, and what is the matter with it. No edits yet:
// this is what edits are tried with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "armature/doctor/dense.h"
#include "armature/doctor/freedoms.h"
#include "armature/doctor/groups.h"

namespace armature::doctor {

struct ExaminedGroup {
    JointSet joints;
    double open = 0;  ///< contradictory: what stays open, m or rad
    int rows_too_many = 0;
};

struct DeadCentre {
    JointId joint = 0;
    double motion = 0;  ///< how much of it is left, as a share of what it has nearby
};

struct AtLimit {
    JointId joint = 0;
    HeldRow row;
};

struct Examination {
    Placing placed;  ///< by the author
    Placing at;      ///< where the kept joints hold
    JointSet kept;
    std::vector<JointId> left_out;
    double residual = 0;  ///< m or rad
    double tolerance = rank_tolerance;
    IslandMobility mobility;
    std::vector<FoundFreedom> freedoms;
    std::vector<bool> infinitesimal;  ///< per freedom
    std::vector<ExaminedGroup> contradictory, redundant;
    bool all_groups = true;
    bool singular = false, near_singular = false;
    Placing away;  ///< a regular placing nearby, when singular
    std::vector<DeadCentre> dead_centres;
    std::vector<AtLimit> at_limit;
};

/// Gets the share that is done; what it throws ends the work.
using Told = std::function<void(double)>;
Examination examine(const Mechanism& mechanism, const Told& told = {});

// The steps of it, in their order.
void examine_assembly(const Mechanism& mechanism, Examination& e);
void examine_mobility(const Mechanism& mechanism, Examination& e);
void examine_groups(const Mechanism& mechanism, Examination& e);
void examine_neighbourhood(const Mechanism& mechanism, Examination& e);
void examine_limits(const Mechanism& mechanism, Examination& e);

}  // namespace armature::doctor

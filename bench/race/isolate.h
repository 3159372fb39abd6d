// A run in a process of its own: a peer that aborts, or that spends minutes in one step, ends that run and no other.
#pragma once

#include "run_one.h"

namespace armature::race {

/// As run_one(). A process that dies is a refusal, one that has to be ended after 1.5 limits.seconds + 10 s (which leaves
/// time to build the scene and to measure) is slow.
Run run_isolated(const RaceScene& scene, const Engine& engine, const Setting& setting, const Limits& limits);

}  // namespace armature::race

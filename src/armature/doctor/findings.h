// An examination in words: its findings, with the names and places of what they are about.
#pragma once

#include <vector>

#include "armature/doctor/examine.h"

namespace armature::doctor {

/// In the order: contradictory sets, singular or nearly so, redundant sets, dead centres, limits; each set in the order of
/// the examination.
std::vector<Finding> findings_of(const Mechanism& mechanism, const Examination& e);

}  // namespace armature::doctor

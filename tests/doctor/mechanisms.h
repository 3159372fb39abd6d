// Mechanisms whose mobility is known, with the reason.
#pragma once

#include <string>
#include <vector>

#include "armature/model/spec.h"

namespace armature::test {

struct KnownMechanism {
    std::string name;
    Spec spec;
    int mobility = 0;
    int by_count = 0;  ///< 6 n − rows
};

/// Bars and sliders that stay in a plane, or are moved by a thread.
std::vector<KnownMechanism> planar_mechanisms();
/// Loops in space, open chains, single joints.
std::vector<KnownMechanism> spatial_mechanisms();
/// All of them.
const std::vector<KnownMechanism>& known_mechanisms();

}  // namespace armature::test

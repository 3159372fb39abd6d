// A constraint recognised as a joint of the library, so that it can be made again as another one or elsewhere.
#pragma once

#include <optional>

#include "armature/model/joint_library.h"

namespace armature::doctor {

struct NamedJoint {
    JointType type = JointType::embedding;
    JointFrame L1, L2;
    double pitch = 0;
};

/// Nothing when it is no combination of the table.
std::optional<NamedJoint> recognise(const ConstraintSpec& c);

/// A limit, spring, damper or motor along one of its freedoms.
bool something_acts(const ConstraintSpec& c);

/// The joint again with another type or frames; names, times, softness and what acts along freedoms are kept. Nothing when
/// something acts along a freedom that the new type does not have.
std::optional<ConstraintSpec> remade(const ConstraintSpec& c, const NamedJoint& as);

}  // namespace armature::doctor

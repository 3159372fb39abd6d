// What constraints and joints share: the two objects, when and how firmly they are held.
#pragma once

#include "armature/scene/build/builder.h"

namespace armature::lang {

/// Sets what the statement says of the next constraint of the scene; false when it is none of those.
bool set_holding(Builder& builder, const BlockSite& site, ConstraintSpec& spec, const Arguments& a);

}  // namespace armature::lang

// The shapes of an object.
#pragma once

#include <optional>

#include "armature/scene/build/builder.h"

namespace armature::lang {

/// The shape that a statement of the object block describes; nothing after an error was reported.
std::optional<Shape> read_shape(Builder& builder, const BlockSite& site, const Arguments& arguments);

}  // namespace armature::lang

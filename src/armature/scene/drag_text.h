// A drag as text of the scene language, so that what was done by hand can be kept in a scene and replayed. Numbers are written
// with all their digits: the text comes back to the last bit.
#pragma once

#include <string>

#include "armature/model/spec.h"

namespace armature {

/// A `drag` block.
std::string to_text(const DraggedSpec& drag);

}  // namespace armature

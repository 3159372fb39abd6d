// The shapes of an object.
#pragma once

#include <memory>
#include <optional>

#include "armature/scene/build/builder.h"

namespace armature::lang {

/// The shape that a statement of the object block describes; nothing after an error was reported.
std::optional<Shape> read_shape(Builder& builder, const BlockSite& site, const Arguments& arguments);

/// The mesh that `mesh "file" [scale factor]` names; nullptr after an error was reported. The same file at the same scale is
/// read once and shared.
std::shared_ptr<const TriangleMesh> read_mesh(Builder& builder, const BlockSite& site, const Arguments& arguments);

}  // namespace armature::lang

// The shapes a solid is made of. Lengths in metres; each shape is centred on the origin of its own frame S, which is
// placed in the body frame B by X_BS. Cylinders and capsules lie along the local y axis.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "armature/math/pose.h"
#include "armature/model/mesh.h"

namespace armature {

struct Sphere {
    double radius = 0.5;
};
struct Box {
    Vec3 size{1, 1, 1};  ///< full edge lengths
};
struct Cylinder {
    double radius = 0.5;
    double length = 1;
};
/// A cylinder of `length` with two half balls at its ends: the whole is length + 2 radius long.
struct Capsule {
    double radius = 0.5;
    double length = 1;
};
struct Ellipsoid {
    Vec3 radii{0.5, 0.5, 0.5};
};
/// The half space below the local plane y = 0. It has no mass; it is for fixed solids.
struct Plane {};
struct MeshShape {
    std::string file;  ///< as the author wrote it; empty when made by code
    std::shared_ptr<const TriangleMesh> mesh;
};

using Geometry = std::variant<Sphere, Box, Cylinder, Capsule, Ellipsoid, Plane, MeshShape>;

struct Shape {
    std::string name;  ///< may be empty
    Geometry geometry;
    Pose X_BS;
    std::optional<double> density;  ///< kg/m³; that of the solid when not given
};

}  // namespace armature

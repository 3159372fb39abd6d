// Where a point joint holds its point: P1 of solid 1 stays in a domain that is fixed to solid 2, at P2 and in the axes of
// solid 2. Each is the set of the places that P1 may have; docs/joints.md shows them. Units: metres.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "armature/math/constants.h"
#include "armature/math/quat.h"
#include "armature/model/mesh.h"

namespace armature {

/// P1 meets P2.
struct PointDomain {};
/// P1 lies on P2 + λ axis_2, λ ∈ [min, max] (GG `axial`). axis in the frame of solid 2.
struct SegmentDomain {
    Vec3 axis_2{1, 0, 0};
    double min = -infinity;
    double max = infinity;
};
/// P1 lies in the plane through P2 with that normal, at a distance in [min, max] from P2 (GG `planar`).
struct RingDomain {
    Vec3 normal_2{0, 1, 0};
    double min = 0;
    double max = infinity;
};
/// |P1 − P2| ∈ [min, max]: a sphere when they are equal, a ball when min is 0, otherwise a shell.
struct SphereDomain {
    double min = 0;
    double max = infinity;
};
/// P1 lies in the box of these edges around P2, or on its six faces.
struct BoxDomain {
    Vec3 size{1, 1, 1};  ///< full lengths of the edges
    Quat q_2;            ///< axes of the box → axes of solid 2
    bool surface = false;
};
enum class CurveKind { polyline, spline };
/// P1 lies on the curve through P2 + points_2[0], P2 + points_2[1], … (domain/curve.h says which curve).
struct CurveDomain {
    CurveKind kind = CurveKind::polyline;
    std::vector<Vec3> points_2;
    bool closed = false;
};
/// P1 lies on the surface of the mesh, or within it, the origin of the mesh at P2.
struct MeshDomain {
    std::string file;  ///< as the author wrote it; empty when made by code
    std::shared_ptr<const TriangleMesh> mesh;
    Quat q_2;             ///< axes of the mesh → axes of solid 2
    bool inside = false;  ///< for closed meshes
};
using Domain = std::variant<PointDomain, SegmentDomain, RingDomain, SphereDomain, BoxDomain, CurveDomain, MeshDomain>;

}  // namespace armature

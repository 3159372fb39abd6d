// The domains that a point can be held in besides point, segment and ring: curve, sphere, box and mesh. Each says for
// any p where it is nearest to p, how p may move on from there, and the rows that keep it.
//
//   sphere   min ≤ |p| ≤ max;                    nearest  p·clamp(|p|, min, max)/|p|
//   box      |p_k| ≤ size_k/2 in its own axes;   nearest  clamp(p_k, ±size_k/2), or, on its surface, the nearest face
//   curve    p = c(s) for some s;                nearest  (c − p)·c' = 0 (curve.h)
//   mesh     on its surface, or within it;       nearest  surface.h
//
// Where several places are equally near, one is the answer, always the same: at the centre of a sphere the one along +x; in a
// box by surface the face first in the order +x −x +y −y +z −z; on a curve the first along it; on a mesh the triangle with
// the lowest number.
//
// Everything is in the frame of the domain: origin P2, axes of solid 2. A row is C with dC/dt = n·dp/dt; for curves that is
// exact on the curve only, for the others everywhere. Units: metres.
#pragma once

#include <array>
#include <memory>

#include "armature/math/mat3.h"
#include "armature/model/domain/curve.h"
#include "armature/model/domain/domain.h"
#include "armature/model/domain/surface.h"

namespace armature {

enum class RowKind {
    equality,  ///< C = 0
    at_least,  ///< C ≥ 0
    at_most,   ///< C ≤ 0
};

// What compile() makes of the domains of a Spec that need more than their numbers.
struct HeldInBox {
    Vec3 half;  ///< of the edges
    Mat3 R_2;   ///< axes of the box → axes of solid 2
    bool surface = false;
};
struct HeldOnCurve {
    std::shared_ptr<const Curve> curve;
};
struct HeldByMesh {
    std::shared_ptr<const Surface> surface;  ///< turned into the axes of solid 2
    bool inside = false;
};

/// What compile() makes of a Domain; directions are unit vectors.
using HeldDomain =
    std::variant<PointDomain, SegmentDomain, RingDomain, SphereDomain, HeldInBox, HeldOnCurve, HeldByMesh>;

struct NearestPlace {
    Vec3 point;
    Vec3 place;  ///< coordinates along the domain: arc length of a curve, distance from P2 of a sphere in x
    int freedoms =
        0;        ///< how p may move on without leaving: not at all (0), along `free` (1), across it (2), anyhow (3)
    Vec3 free{};  ///< unit
    bool holds = false;  ///< p itself is allowed
};
/// A point inside that is within `reach` of the boundary counts as on it, for freedoms and free.
NearestPlace nearest_place(const SphereDomain& domain, const Vec3& p, double reach = 0);
NearestPlace nearest_place(const HeldInBox& domain, const Vec3& p, double reach = 0);
/// With `from`, an arc length: on the branch of the curve that it lies on (Curve::nearest).
NearestPlace nearest_place(const HeldOnCurve& domain, const Vec3& p, double reach = 0, const double* from = nullptr);
NearestPlace nearest_place(const HeldByMesh& domain, const Vec3& p, double reach = 0);

struct DomainRow {
    Vec3 n;  ///< gradient of C by p, unit
    double error = 0;
    RowKind kind = RowKind::equality;
};
struct DomainRows {
    int count = 0;
    std::array<DomainRow, 3> row;
    void add(const DomainRow& r) { row[static_cast<std::size_t>(count++)] = r; }
};
DomainRows domain_rows(const SphereDomain& domain, const Vec3& p);
DomainRows domain_rows(const HeldInBox& domain, const Vec3& p);
DomainRows domain_rows(const HeldOnCurve& domain, const Vec3& p);
DomainRows domain_rows(const HeldByMesh& domain, const Vec3& p);

}  // namespace armature

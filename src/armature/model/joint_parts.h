// The elementary parts that joints are composed of. Each part says once, for every solver, how far it is from holding
// (error and the nearest allowed point or angle) and how that changes with motion (Jacobian rows).
//
// [Gascuel & Gascuel 1994, §4]
//   point:  P1 of solid 1 lies in a domain fixed to solid 2; P2' is the nearest allowed point, d = P2' − P1. Those of
//           sphere, box, curve and mesh are found in domain/nearest.h.
//   angle:  θ = angle(a1, a2) ∈ [min, max]; turning about u = a1×a2/|a1×a2|:  dθ = u · (ω2 − ω1).
//   twist:  φ = signed angle about a2 from S b1 to b2, S the smallest rotation with S a1 = a2;
//           dφ = (a1 + a2)/(1 + a1·a2) · (ω2 − ω1).   The paper's median plane has the normal a1 − a2, which vanishes
//           for aligned axes; a1 + a2 is the one that works, and it keeps θ unchanged to first order.
//
// A row is C with  dC/dt = linear·(v1 − v2) + angular1·ω1 + angular2·ω2 ;  solid 1 and 2 get opposite linear parts.
// Frames: p, a, b are constant in body axes with the origin at the centre of mass G; everything evaluated is in world
// axes. Units: metres and radians.
#pragma once

#include <array>
#include <variant>

#include "armature/math/mat3.h"
#include "armature/model/domain/nearest.h"
#include "armature/model/spec.h"

namespace armature {

/// Where a body is: its centre of mass and the matrix of its orientation.
struct Placement {
    Vec3 x;
    Mat3 R = Mat3::identity();
};

struct PointPart {
    Vec3 p1_G, p2_G;
    HeldDomain domain;  ///< in body axes of solid 2
};
struct AnglePart {
    Vec3 a1_B, a2_B;  ///< unit
    double min = 0, max = pi;
};
struct TwistPart {
    Vec3 a1_B, a2_B;  ///< unit
    Vec3 b1_B, b2_B;  ///< unit, at right angles to a1, a2
    double min = -pi, max = pi;
};
using Part = std::variant<PointPart, AnglePart, TwistPart>;

/// How far a point part is from holding.
struct PointError {
    Vec3 r1;     ///< P1 − G1
    Vec3 r2;     ///< P2' − G2
    Vec3 d;      ///< P2' − P1, zero when the part holds
    Vec3 place;  ///< coordinates along the domain, in x: λ of a segment, distance to P2 of a ring or sphere, arc length
    // How P1 may move on without leaving the domain: not at all (0), along `free` (1), across it (2), anyhow (3).
    int freedoms = 0;
    Vec3 free;  ///< unit, world
};
/// With a `reach`, a point inside that is not farther than that from the boundary counts as on it, for freedoms and free:
/// within the tolerance a point that leans on it from inside cannot be told from one that does not.
/// With `from`, a place.x of the same curve a moment ago: on the branch that it was on.
PointError measure(const PointPart& part, const Placement& b1, const Placement& b2, double reach = 0,
                   const double* from = nullptr);

/// The directions that the domain blocks change from place to place.
bool bends(const HeldDomain& domain);

/// How far an angular part is from holding: turning solid 1 by `excess` about `axis` relative to solid 2 (or solid 2
/// by −excess) makes it hold, to first order for twist. `value` is the angle itself.
struct AngularError {
    Vec3 axis;                          ///< unit, world
    double excess = 0;                  ///< rad, signed; zero when the part holds
    double value = 0;                   ///< rad
    double past_min = 0, past_max = 0;  ///< like excess, from either bound; past_min < 0 or past_max > 0 is a violation
};
AngularError measure(const AnglePart& part, const Placement& b1, const Placement& b2);
AngularError measure(const TwistPart& part, const Placement& b1, const Placement& b2);

/// The errors of a part that may still be out of place by `slack` (m or rad) on either side.
void loosen(PointError& e, double slack);
void loosen(AngularError& e, double slack);

struct Row {
    Vec3 linear;
    Vec3 angular1, angular2;
    double error = 0;  ///< C, measured from the bound
    RowKind kind = RowKind::equality;
};
struct PartRows {
    int count = 0;
    std::array<Row, 3> row;
    void add(const Row& r) { row[static_cast<std::size_t>(count++)] = r; }
};

/// The rows of a part at this placement. Bounds that can never bind (infinite, or the whole circle) give no row;
/// a bound whose two sides coincide gives equality rows.
PartRows rows(const Part& part, const Placement& b1, const Placement& b2);

/// It may have rows that push one way only.
bool one_sided(const Part& part);

/// The largest violation of a part in metres (points) or radians (angles).
double violation(const Part& part, const Placement& b1, const Placement& b2);

}  // namespace armature

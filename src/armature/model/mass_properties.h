// Mass, centre of mass and inertia tensor of shapes and solids.
//
//   m = ∫ρ dV,  c = (1/m) ∫ρ p dV,  I_c = ∫ρ ((p−c)² E − (p−c)(p−c)ᵀ) dV
// Closed forms for the primitive shapes; for closed meshes the exact polyhedral integrals, summed over the
// tetrahedra that each triangle spans with a reference point near the mesh (so that a mesh far from the
// origin loses no digits).
#pragma once

#include <string>

#include "armature/base/diagnostic.h"
#include "armature/model/spec.h"

namespace armature {

struct MassProperties {
    double mass = 0;  ///< kg
    Vec3 centre;      ///< m, in the frame the properties are given in
    Mat3 inertia;     ///< kg m², about `centre`, axes of that frame
};

/// Of the bare shape with density 1 in its own frame S; mass is then the volume. A plane has none.
MassProperties unit_density_properties(const Geometry& geometry);

/// The same body seen in another frame A, of which X_AS places the old one.
MassProperties transformed(const MassProperties& p, const Pose& X_AS);

/// Two bodies rigidly joined, by the parallel-axis theorem.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// The mass properties of a solid in its body frame B; every fault (no mass, a mass that is not positive, an
/// inertia that no body can have, a mesh with a hole, a shape without extent …) is reported at its place, and
/// then the result is a harmless stand-in. Calls check_shapes. Only for solids of Kernel::dynamic. The rules,
/// in this order:
///   1. the shapes together, each with its own density or that of the solid;
///   2. a given `mass` rescales them, a given `centre` moves the centre, a given `inertia` replaces theirs;
///   3. the point masses are added to that by the parallel-axis theorem;
///   4. a `particle` keeps mass and centre only: its inertia is zero.
MassProperties solid_mass_properties(const SolidSpec& solid, Diagnostics& diagnostics);

/// Checks that hold for a solid of any kernel: shape sizes positive and finite, meshes closed.
void check_shapes(const SolidSpec& solid, Diagnostics& diagnostics);

}  // namespace armature

// Spec: the editable description of a scene, as a person thinks of it. Everything the scene language can say is here
// first, so that C++ can say it too; compile() (model.h) checks it and turns it into a Model.
//
// Frames: W world (y up), B the body frame in which the author gives points. Points on a solid (p1_B, p2_B, …) are in
// the frame of that solid. Units: SI, radians.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "armature/base/diagnostic.h"
#include "armature/math/track.h"
#include "armature/model/domain/domain.h"
#include "armature/model/shape.h"

namespace armature {

/// Where a block and each of its properties were written, for messages. Empty for a Spec made by code.
struct Origin {
    SourcePlace block;
    std::vector<std::pair<std::string, SourcePlace>> properties;  ///< keyword → place of its statement
    std::vector<std::string> notes;                               ///< e.g. "placed as doll[3]"

    const SourcePlace& at(const std::string& keyword) const {
        for (const auto& [name, place] : properties)
            if (name == keyword) return place;
        return block;
    }
};

// ---- solids ----------------------------------------------------------------------------------------------------

enum class Kernel { dynamic, fixed, path };

struct PointMass {
    double mass = 0;  ///< kg
    Vec3 at_B;
};

/// How a surface meets others. Of a moving solid and what it stands on, both may have one.
struct ContactSpec {
    double friction = 0.5;                  ///< Coulomb's coefficient while sliding
    std::optional<double> static_friction;  ///< before sliding; that of sliding when not given
    double restitution = 0;                 ///< share of the approach speed given back, in [0, 1]
};

struct SolidSpec {
    std::string name;
    Kernel kernel = Kernel::dynamic;
    Pose pose_WB;    ///< initial placement of the body frame
    Vec3 velocity;   ///< of the centre of mass, world axes, m/s
    Vec3 spin;       ///< angular velocity, world axes, rad/s
    PoseTrack path;  ///< for Kernel::path: the placement of the body frame over time

    std::vector<Shape> shapes;
    double density = 1000;                ///< kg/m³, for shapes that give none
    std::vector<PointMass> point_masses;  ///< added to what the shapes (or `mass`) give
    bool particle = false;                ///< a point: it has a mass and no orientation of its own
    // When `mass` is given the shapes only give the distribution; `inertia` replaces that too.
    std::optional<double> mass;     ///< kg
    std::optional<Vec3> centre_B;   ///< centre of mass
    std::optional<Mat3> inertia_G;  ///< about the centre of mass, body axes, kg m²

    /// Fixed and path-driven solids with it can be stood on (their planes and boxes); dynamic ones without it take the
    /// values of what they touch.
    std::optional<ContactSpec> contact;
    bool untouchable = false;  ///< a dynamic solid that passes through everything

    double ability_to_rotate = 1;  ///< 1/m², only used when physics is off (GG §3.1.4)
    // Of the procedural solver.
    std::optional<double> h;    ///< m²: how little it turns when it is pulled; that of the simulation when not given
    bool root = false;          ///< where nothing is fixed, the pass begins with this solid
    Vec3 color{0.7, 0.7, 0.7};  ///< linear RGB, for pictures
    Origin origin;
};

// ---- constraints -----------------------------------------------------------------------------------------------

struct HingeSpec {
    Vec3 p1_B, p2_B;
    Domain domain;
};
/// angle(a1, a2) ∈ [min, max] ⊆ [0, π].
struct AngleSpec {
    Vec3 a1_B{1, 0, 0}, a2_B{1, 0, 0};
    double min = 0;
    double max = pi;
};
/// Signed angle from b1 to b2 about the common axis, after the smallest rotation that takes a1 to a2.
struct TwistSpec {
    Vec3 b1_B{0, 1, 0}, b2_B{0, 1, 0};
    double min = -pi;
    double max = pi;
};

/// Keeps the slide λ and the turn φ of two solids coupled: λ = pitch φ/2π + what it was at the start.
struct ScrewSpec {
    Vec3 p1_B, p2_B;
    Vec3 axis1_B{1, 0, 0}, axis2_B{1, 0, 0};
    double pitch = 0;  ///< m per turn
};

enum class FreedomKind {
    slide,  ///< λ = axis2 · (P1 − P2), m
    turn,   ///< how far solid 1 has turned about axis2 relative to solid 2, rad, counted over full turns
    swing,  ///< angle between axis1 and axis2, rad, in [0, π]
    dial1,  ///< how far solid 1 has turned about axis1: axis2 read on a dial of solid 1 whose zero is across1, rad
    dial2,  ///< how far solid 1 has turned about axis2: axis1 read on a dial of solid 2 whose zero is across2, rad
};

/// What acts along one degree of freedom of a joint [DUM table 2]. Everything may be keyed over time; an empty track
/// means that there is none of it.
struct FreedomSpec {
    std::string name;  ///< `slide`, `turn`, …: unique within its constraint
    FreedomKind kind = FreedomKind::turn;
    Vec3 p1_B, p2_B;                          ///< slide
    Vec3 axis1_B{1, 0, 0}, axis2_B{1, 0, 0};  ///< slide has the second only
    Vec3 across1_B, across2_B;                ///< turn, dials: where zero is; not given (0 0 0): as placed at the start
    ScalarTrack min, max;                     ///< limits ("thrusts"), m or rad
    double restitution = 0;                   ///< of the limits, in [0, 1]
    ScalarTrack stiffness, rest;              ///< spring: N/m or N m/rad, m or rad
    ScalarTrack damping;                      ///< N s/m or N m s/rad
    ScalarTrack force;                        ///< motor: N or N m, along the freedom
    ScalarTrack speed, max_force;             ///< motor: m/s or rad/s, with at most this force (without: any)
};

/// A constraint that gives way [GG §6]: it pulls towards its domain with these instead of holding.
struct SoftSpec {
    double stiffness = 0;          ///< N/m, of the hinge
    double damping = 0;            ///< N s/m
    double angular_stiffness = 0;  ///< N m/rad, of angle and twist
    double angular_damping = 0;    ///< N m s/rad
};

struct ConstraintSpec {
    std::string name;  ///< empty: compile() names it after its solids
    std::string solid1 = "world";
    std::string solid2 = "world";
    std::optional<HingeSpec> hinge;
    std::optional<AngleSpec> angle;
    std::optional<TwistSpec> twist;  ///< about the angle's a1, a2
    std::optional<ScrewSpec> screw;
    std::vector<FreedomSpec> freedoms;
    std::optional<SoftSpec> soft;
    double from = -infinity;  ///< s, valid for from ≤ t < until
    double until = infinity;
    double closing =
        0.5;  ///< s: what is out of place when the constraint begins to hold is drawn in over this; 0: at once
    std::optional<double> alpha;  ///< kg, GG's α for this constraint in place of the chosen rule
    double mobility = 0.5;        ///< GG's μ12 ∈ (0,1), only used when physics is off
    std::optional<double> h;      ///< m², procedural solver: in place of the h of the solid that is placed
    bool drag = false;            ///< the constraint of a drag: where not everything can hold, it gives way
    Origin origin;
};

/// A point of a solid that is pulled along a path as if by hand: an unseen solid without mass follows the path, and a
/// constraint holds the point to it. Both are named after the drag; its path has the place and its axes of the solid.
struct DraggedSpec {
    std::string name;
    std::string solid;
    Vec3 at_B;       ///< the point
    PoseTrack path;  ///< of the point, and of the axes of the solid when `orient`
    bool orient = false;
    double from = -infinity, until = infinity;  ///< s, as of a constraint
    double closing = 0.5;                       ///< s, as of a constraint
    Origin origin;
};

// ---- forces ----------------------------------------------------------------------------------------------------

enum class Frame { world, body };

struct PointForceSpec {
    std::string solid;
    Vec3 at_B;
    VectorTrack force;  ///< N
    Frame frame = Frame::world;
};
struct TorqueSpec {
    std::string solid;
    VectorTrack torque;  ///< N m
    Frame frame = Frame::world;
};
/// Pulls p1 towards p2 with k (|p2 − p1| − rest) and damps their approach.
struct SpringSpec {
    std::string solid1 = "world";
    std::string solid2 = "world";
    Vec3 p1_B, p2_B;
    double stiffness = 0;  ///< N/m
    double rest = 0;       ///< m
    double damping = 0;    ///< N s/m
};
/// F = −linear v, T = −angular ω, on one solid or, with an empty name, on all.
struct DragSpec {
    std::string solid;
    double linear = 0;   ///< N s/m
    double angular = 0;  ///< N m s/rad
};
struct ForceSpec {
    std::string name;
    std::variant<PointForceSpec, TorqueSpec, SpringSpec, DragSpec> law;
    Origin origin;
};

// ---- how to simulate -------------------------------------------------------------------------------------------

enum class Scheme { euler, newton, stormer, verlet, exact };
enum class OnFailure { keep_going, stop };
enum class AlphaRule { safe, paper };
enum class SweepOrder { jacobi, gauss_seidel };

/// Parameters of the displacement solver, METHODS of docs/solvers/displacement.md.
struct DisplacementSpec {
    int variant = 1;  ///< GG's scheme 1 or 2
    AlphaRule alpha = AlphaRule::safe;
    SweepOrder order = SweepOrder::jacobi;
    bool physics = true;     ///< off: GG §3.1.4, mobility and ability_to_rotate
    bool accelerate = true;  ///< momentum on the impulses of jacobi sweeps
    double relaxation = 1;   ///< factor on every correction, in (0, 2)
};

enum class LinearMethod { automatic, direct, gradients };

/// Parameters of the linearized solver (docs/solvers/linearized.md).
struct LinearizedSpec {
    LinearMethod method = LinearMethod::automatic;
    int inner = 50;     ///< conjugate gradients: at most so many per iteration
    double budget = 0;  ///< s of wall clock per frame, 0: none
};

/// Parameters of the procedural solver (docs/solvers/procedural.md).
struct ProceduralSpec {
    double h = -1;  ///< m²; negative: by the lengths involved
};

struct SimulationSpec {
    Vec3 gravity{0, -9.81, 0};       ///< m/s²
    double duration = 10;            ///< s
    double dt = 1.0 / 60;            ///< s between frames; the step is this or shorter
    Scheme scheme = Scheme::newton;  ///< with the procedural solver, unless written down, verlet
    double verlet_keep = 1;          ///< k of damped Verlet in [0, 1]
    double settle = 0.1;             ///< newton: share of a joint's leftover velocity taken out per step, in [0, 1]
    std::string solver = "displacement";
    double tolerance = 1e-4;  ///< m and rad: iterations stop when every joint is within it
    int iterations = 1000;    ///< at most, per step
    OnFailure on_failure = OnFailure::keep_going;
    double max_gap = 1e-3;  ///< m and rad: a run that ends a frame beyond it is reported NOT CONVERGED
    bool assemble = true;   ///< make the joints hold before the first step
    int assembly_iterations = 20000;
    double max_rotation = 0.5;    ///< rad per step before it is halved
    double max_correction = 0.5;  ///< largest correction of a step, as a fraction of the island's size
    int threads = 1;              ///< for islands; their bits do not depend on it
    double min_dt = 1e-4;         ///< s: a step is not halved below this (stiff springs may need shorter ones)
    DisplacementSpec displacement;
    LinearizedSpec linearized;
    ProceduralSpec procedural;
    Origin origin;
};

struct Spec {
    std::string title;
    SimulationSpec simulation;
    std::vector<SolidSpec> solids;
    std::vector<ConstraintSpec> constraints;
    std::vector<ForceSpec> forces;
    std::vector<DraggedSpec> drags;

    // Small helpers for scenes written in C++; each returns the new element to fill in.
    SolidSpec& add_solid(std::string name);
    ConstraintSpec& add_constraint(std::string solid1, std::string solid2);
    ForceSpec& add_force(std::string name);
    DraggedSpec& add_drag(std::string name, std::string solid);
    SolidSpec* find_solid(const std::string& name);
    ConstraintSpec* find_constraint(const std::string& name);
    ForceSpec* find_force(const std::string& name);
};

}  // namespace armature

// Model: the compiled, constant form of a Spec. Names are resolved to ids, mass properties computed, the solids sorted
// into islands. Everything that changes lives in State.
//
// Body 0 is the world: fixed, at the origin, of infinite mass. Fixed, path-driven (and later dragged) bodies have zero
// inverse mass and inertia: the formulas then take their limits by themselves.
//
// An island is a set of dynamic bodies connected by joints or springs. Islands do not feel each other, so each is
// stepped by itself, with its own step size and its own iterations: what happens in one cannot change a bit of another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armature/model/coordinates.h"
#include "armature/model/joint_parts.h"
#include "armature/model/spec.h"

namespace armature {

using BodyId = int;
using JointId = int;
using FreedomId = int;
inline constexpr BodyId world_id = 0;

struct Body {
    std::string name;
    Kernel kernel = Kernel::fixed;
    bool particle = false;
    double mass = infinity;  ///< kg
    double inv_mass = 0;
    Vec3 centre_B;   ///< G in the author's frame B
    Mat3 inertia_G;  ///< body axes, kg m²; zero for kinematic bodies and particles
    Mat3 inv_inertia_G;
    double ability_to_rotate = 1;  ///< 1/m², without physics
    double gyration = 0;           ///< m, smallest radius of gyration; 0 for bodies that do not turn
    double size = 0;               ///< radius about G that holds all shapes and anchors, m
    Pose pose_WB;                  ///< initial
    Vec3 velocity, spin;           ///< initial
    PoseTrack path;                ///< of B, for Kernel::path
    std::vector<Shape> shapes;
    std::optional<ContactSpec> contact;
    bool untouchable = false;
    std::optional<double> h;  ///< m², procedural solver
    bool root = false;        ///< procedural solver
    bool tracker = false;     ///< the unseen solid of a drag
    Vec3 color;
    int island = -1;  ///< −1 for bodies that are not dynamic
    Origin origin;

    bool dynamic() const { return kernel == Kernel::dynamic; }
};

/// Where a path-driven body is. What a live drag does must not depend on where the hand will go next, or it could not be
/// replayed: a tracker has no velocity of its own, and an instant that differs from that of a key by round-off is the key.
PoseAndVelocity path_at(const Body& body, double t);

/// The first instant after the frame that ended at t, for drags that begin or end now: sooner than the end of any step of the
/// next frame, however short, and later than that of the last by more than round-off. A drag that began at t itself would,
/// when it is replayed, hold in the step that ends at t too.
inline double just_after(double t, double dt) {
    return t + 0x1p-30 * dt;
}

/// One degree of freedom of a joint and what acts along it; the fields are those of FreedomSpec.
struct Freedom {
    std::string name;  ///< `joint.turn`
    JointId joint = 0;
    Coordinate coordinate;
    bool locked = false;  ///< the value stays 0: the thread of a screw
    ScalarTrack min, max;
    double restitution = 0;
    ScalarTrack stiffness, rest, damping;
    ScalarTrack force;
    ScalarTrack speed, max_force;

    /// Nothing acts along it: it is only measured.
    bool idle() const {
        if (locked) return false;
        for (const ScalarTrack* t : {&min, &max, &stiffness, &damping, &force, &speed})
            if (t->given()) return false;
        return true;
    }
};

struct Joint {
    std::string name;
    BodyId body1 = world_id, body2 = world_id;
    std::vector<Part> parts;
    std::vector<FreedomId> freedoms;  ///< into Model::freedoms
    std::optional<SoftSpec> soft;     ///< the parts pull instead of holding
    /// Of a soft joint and of a drag, for each part that is an angle or a twist, what it pulls along.
    std::vector<Coordinate> soft_coordinates;
    double closing = 0;                         ///< s
    double from = -infinity, until = infinity;  ///< s
    std::optional<double> alpha;                ///< kg
    double mobility = 0.5;                      ///< μ12, without physics
    std::optional<double> h;                    ///< m², procedural solver
    bool drag = false;                          ///< gives way where not everything can hold (procedural solver)
    int island = -1;                            ///< −1 when neither solid can move
    Origin origin;

    bool valid_at(double t) const { return from <= t && t < until; }
};

// Forces with their solids resolved; the fields are those of the specs.
struct PointForce {
    BodyId body = 0;
    Vec3 at_G;
    VectorTrack force;
    Frame frame = Frame::world;
};
struct Torque {
    BodyId body = 0;
    VectorTrack torque;
    Frame frame = Frame::world;
};
struct Spring {
    BodyId body1 = 0, body2 = 0;
    Vec3 p1_G, p2_G;
    double stiffness = 0, rest = 0, damping = 0;
};
struct Drag {
    BodyId body = 0;
    double linear = 0, angular = 0;
    double largest_inv_inertia = 0;  ///< largest eigenvalue of J⁻¹, 1/(kg m²); sets how fast angular drag can act
};

/// A shape of a dynamic body and a plane or box of a body that is not, which may touch.
struct ContactPair {
    int body1 = 0, body2 = 0;  ///< local
    int shape1 = 0, shape2 = 0;
    double friction = 0, static_friction = 0, restitution = 0;
};

/// Eight dynamic bodies of an island side by side (math/lanes.h); beyond the last one, that one again.
struct alignas(64) BodyLanes {
    double mass[8], inv_mass[8];
    double inertia_G[9][8], inv_inertia_G[9][8];  ///< by rows
    double turns[8];                              ///< 1, or 0 for a particle
    bool diagonal;                                ///< inertias of all eight, as those of most shapes
};

struct Model;

struct Island {
    /// Dynamic bodies first, then the kinematic bodies their joints and springs reach. Local index = place in here.
    std::vector<BodyId> bodies;
    int dynamic_count = 0;
    std::vector<BodyLanes> body_lanes;
    struct LocalJoint {
        JointId joint = 0;
        int body1 = 0, body2 = 0;  ///< local
    };
    std::vector<LocalJoint> joints;
    // Joints that a step has to look at one by one, as places in `joints`. The others hold at all times, by their parts alone.
    std::vector<int> acting;  ///< with freedoms, soft, or hands
    std::vector<int> timed;   ///< with a beginning or an end, or hands
    std::vector<int> hands;   ///< drags
    bool in_a_row = false;    ///< ids of its dynamic bodies follow one another, and so do those of its joints
    // Forces with local body indices.
    std::vector<PointForce> forces;
    std::vector<Torque> torques;
    std::vector<Spring> springs;
    std::vector<Drag> drags;
    std::vector<ContactPair> contacts;
    double size = 0;             ///< m: extent at the start, the scale of "too large" and "too small"
    double max_step = infinity;  ///< s: what its springs allow, 1/ω of the stiffest
    bool one_sided = false;      ///< some parts of its joints may push one way only

    /// Nothing but weight acts on its bodies.
    bool only_weight() const { return forces.empty() && torques.empty() && springs.empty() && drags.empty(); }
};

/// Which of the island's joints are acting, timed and hands, and whether things stand in a row; after `joints` has changed.
void sort_joints(const Model& model, Island& island);

struct Model {
    std::string title;
    SimulationSpec simulation;
    std::vector<Body> bodies;  ///< [0] is the world, then the solids in the order of the Spec
    std::vector<Joint> joints;
    std::vector<Freedom> freedoms;
    std::vector<Island> islands;
    std::vector<BodyId> led;         ///< bodies that follow paths
    std::vector<DraggedSpec> drags;  ///< those of the Spec; live ones grow (Simulator::pull)
    std::uint64_t fingerprint = 0;   ///< of everything that influences the motion; snapshots carry it

    BodyId find_body(const std::string& name) const;        ///< −1 when there is none
    JointId find_joint(const std::string& name) const;      ///< −1 when there is none
    FreedomId find_freedom(const std::string& name) const;  ///< `joint.freedom`; −1 when there is none
};

}  // namespace armature

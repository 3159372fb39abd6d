// The scenes of the race, described so that every engine can build them: boxes on ball joints and hinges under gravity.
// There are no collisions, no friction, no damping and no limits; what is compared is how well and how fast joints hold.
//
// Frames: W world (y up), B the body frame, whose origin is the centre of mass and whose axes are the principal axes of
// inertia. Units: SI, radians.
#pragma once

#include <string>
#include <vector>

#include "armature/math/pose.h"

namespace armature::race {

inline constexpr int world = -1;  ///< in place of a body's index: the immovable world

struct RaceBody {
    double mass = 1;  ///< kg
    Vec3 inertia;     ///< kg m², about the axes of B
    Vec3 half;        ///< m, half the edges of its box; for pictures, nothing collides
    Pose pose_WB;
    Vec3 velocity;  ///< m/s, at the start
    Vec3 spin;      ///< rad/s, world axes, at the start
};

enum class JointKind { ball, hinge };

/// The point pa of body a and the point pb of body b stay together; of a hinge the axes too.
struct RaceJoint {
    JointKind kind = JointKind::ball;
    int a = world, b = world;
    Vec3 pa_B, pb_B;  ///< m, each in the frame of its body (of the world: in W)
    Vec3 axis_a_B{0, 0, 1}, axis_b_B{0, 0, 1};
};

struct RaceScene {
    std::string name, title, about;
    Vec3 gravity{0, -9.81, 0};
    std::vector<RaceBody> bodies;
    std::vector<RaceJoint> joints;
    double energy_range = 0;  ///< J, that can turn from one form into another; a tenth of it too much is an explosion

    Pose pose(int body) const { return body == world ? Pose{} : bodies[static_cast<std::size_t>(body)].pose_WB; }
};

/// Names in the order of the page: chain-10, chain-100, chain-1000, heavy-20, net-20x20, scissor-25, ragdolls-100, jansen-12.
const std::vector<std::string>& scene_names();
/// Throws std::invalid_argument for a name that is not one of them.
RaceScene make_scene(const std::string& name);

// ---- for the builders ------------------------------------------------------------------------------------------

/// A solid box; returns its index.
int add_box(RaceScene& scene, double mass, const Vec3& size, const Pose& pose_WB);
/// A ball joint, or a hinge about the world direction `axis_W` as the bodies stand.
void add_ball(RaceScene& scene, int a, const Vec3& pa_B, int b, const Vec3& pb_B);
void add_hinge(RaceScene& scene, int a, const Vec3& pa_B, int b, const Vec3& pb_B, const Vec3& axis_W = {0, 0, 1});

RaceScene make_chain(int links, double last_factor);
RaceScene make_net(int meshes);
RaceScene make_scissor(int stages);
RaceScene make_ragdolls(int dolls);
RaceScene make_jansen(int pairs);

}  // namespace armature::race

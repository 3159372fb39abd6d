// State: all that changes, as plain data. Copying it and stepping again gives the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armature/model/model.h"

namespace armature {

/// What the step control of one island remembers.
struct IslandState {
    double h_last = 0;              ///< s, size of the last step; 0 before the first
    std::int64_t level = 0;         ///< the next step is dt/2^level
    std::int64_t clean_steps = 0;   ///< accepted in a row since the level last changed
    std::int64_t giving = 0;        ///< frames since hands began to give way, from 1; 0: they hold (sim/giving_hands.h)
    double debt = 0;                ///< J that the joints have made in all, see sim/energy_limit.h
    double liveliness = 0;          ///< J: kinetic energy of late, the scale of what is noise
    std::int64_t failed_body = -1;  ///< the body whose state stopped being finite; the island stands still since

    bool operator==(const IslandState&) const = default;
};

/// What a joint carried in the last step, on solid 1 (solid 2 feels the opposite), world axes.
struct JointLoad {
    Vec3 force;   ///< N
    Vec3 torque;  ///< N m, of the angle and twist parts

    bool operator==(const JointLoad&) const = default;
};

/// Of one degree of freedom, in m or rad.
struct FreedomState {
    double value = 0;  ///< turns are counted on: 2π is a full turn
    double turn = 0;   ///< rad: the turn behind the value, of turns and screws
    double rate = 0;   ///< per second
    double force = 0;  ///< N or N m along the freedom in the last step: limits, spring, damper and motor together

    bool operator==(const FreedomState&) const = default;
};

/// What a contact remembers from step to step.
struct ContactMemory {
    std::int64_t pair = 0;     ///< index into the island's contacts
    std::int64_t feature = 0;  ///< which corner, rim, … see contact/find_contacts.h
    Vec3 slip;                 ///< m: how far it has crept while sticking; drawn back
    std::int64_t slides = 0;   ///< 1: friction could not hold it in the last step
    Vec3 force;                ///< N on the moving body, of the last step

    bool operator==(const ContactMemory&) const = default;
};

struct State {
    double time = 0;         ///< s
    std::int64_t frame = 0;  ///< frames since the start; time = frame · dt
    // Per body, indexed by BodyId.
    std::vector<Vec3> x;  ///< centre of mass, m
    std::vector<Quat> q;  ///< orientation of the body axes
    std::vector<Vec3> v;  ///< m/s
    std::vector<Vec3> w;  ///< rad/s, world axes
    // Per joint and per island.
    std::vector<JointLoad> loads;
    std::vector<double> slack;  ///< m or rad: how far out of place a joint was when it began to hold; < 0: not begun
    std::vector<IslandState> islands;
    std::vector<FreedomState> freedoms;                ///< per FreedomId
    std::vector<std::vector<ContactMemory>> contacts;  ///< per island, those that touch

    bool operator==(const State&) const = default;

    /// Placement of the author's frame B of a body.
    Pose pose_WB(const Model& model, BodyId body) const {
        const auto i = static_cast<std::size_t>(body);
        return {x[i] - rotate(q[i], model.bodies[i].centre_B), q[i]};
    }
    /// Moves a body so that its frame B has this placement.
    void set_pose_WB(const Model& model, BodyId body, const Pose& X) {
        const auto i = static_cast<std::size_t>(body);
        q[i] = normalized(X.q);
        x[i] = X.x + rotate(q[i], model.bodies[i].centre_B);
    }
};

/// Everything as the scene was written. Joints that hold from the start have no slack: assembly sees to them.
State initial_state(const Model& model);

/// Measures value and rate of every freedom from the placements and velocities; turns near the values before.
void measure_freedoms(const Model& model, State& state);

/// The same for those of one joint, from how its two solids are placed and move.
struct Moving {
    Placement at;
    Vec3 v, w;
};
void measure_freedoms(const Model& model, const Joint& joint, const Moving& b1, const Moving& b2,
                      std::vector<FreedomState>& freedoms);

/// A fingerprint of every number in the state.
std::uint64_t hash(const State& state);

/// The state as bytes, with a header that names the model it belongs to and a checksum. The bytes are those of a
/// little-endian machine.
std::string to_snapshot(const Model& model, const State& state);

/// Throws InputError when the bytes are damaged or belong to another model.
State from_snapshot(const Model& model, const std::string& bytes, const std::string& name = "snapshot");

}  // namespace armature

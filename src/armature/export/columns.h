// Every number of a recorded frame, by name: what a table or a plot can show.
//
//   time                                        s
//   energy  kinetic  potential                  J
//   momentum.x|y|z                              kg m/s
//   angular_momentum.x|y|z                      kg m²/s about the world's origin
//   worst_gap  rms_gap                          m, over all joints
//   worst_angle                                 rad beyond the interval of an angle or twist
//   steps  rejected  iterations                 of this frame; iterations of its worst step
//   OBJECT.at.x|y|z                             m, of the object's frame
//   OBJECT.quaternion.w|x|y|z
//   OBJECT.velocity.x|y|z                       m/s, of the centre of mass
//   OBJECT.spin.x|y|z                           rad/s, world axes
//   CONSTRAINT.error                            m or rad, what is left open
//   CONSTRAINT.force.x|y|z                      N, on object 1, world axes
//   CONSTRAINT.torque.x|y|z                     N m
//   JOINT.FREEDOM.value|rate|force              m, m/s, N of a slide; rad, rad/s, N m of a turn: `elbow.turn.value`
//   island[i].energy|kinetic|potential|momentum.…|angular_momentum.…     i from 0
//
// Names are those of the scene language: `wheel.at.y` is the start value in a --set and the present one here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "armature/model/model.h"
#include "armature/sim/recording.h"

namespace armature {

struct Column {
    std::string name;
    double (*read)(const FrameRecord& frame, std::size_t index) = nullptr;
    std::size_t index = 0;  ///< which object, constraint or island

    double of(const FrameRecord& frame) const { return read(frame, index); }
};

/// All of them, in the order above; the objects and constraints in the order of the scene, the world left out.
std::vector<Column> all_columns(const Model& model);

/// What a table holds when nobody chose: everything about the whole, and the placement of every object that can move.
std::vector<Column> default_columns(const Model& model);

/// The columns that the patterns name, in that order, none twice. A pattern is a full name, the beginning of one up to
/// a dot (`wheel.at`, `wheel`), and may hold `*` for any characters (`link[*].at.y`, `*.error`, `*`). No patterns: the
/// default columns. Throws InputError that lists every pattern which names nothing.
std::vector<Column> choose_columns(const Model& model, const std::vector<std::string>& patterns);

}  // namespace armature

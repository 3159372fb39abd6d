// Hands that give way. A hand holds a point, and may be led to where the structure cannot follow. Then it is not the joints
// that open: the hand pulls instead of holding, as a damped spring between the point d away and where it is led,
//
//   F = k d + c ḋ,   k = m ω²/(1 + |d|/s),   c = 2 m ω
//
// m: mass of everything that hangs together with it; s: a tenth of its size, so that the pull never exceeds m ω² s, however
// far away the hand is. Turns of a hand that holds an orientation likewise, with the inertia of the solid held.
//
// Whether it can hold again is tried every few frames.
#pragma once

#include <cstdint>

#include "armature/sim/laws.h"

namespace armature {

constexpr double hand_frequency = 20;              // rad/s: ω              // rad/s: ω
constexpr std::int64_t frames_between_trials = 4;  // to hold again

/// A hand that can be led away: it must hold now, and not be soft from the start.
inline bool is_hand(const Joint& joint, double t) {
    return joint.drag && !joint.soft && joint.valid_at(t);
}

/// The spring that such a hand is in the step that begins with `start`.
SoftSpec hand_spring(const Model& model, const Island& island, const Island::LocalJoint& hand,
                     const LocalBodies& start);

/// J that such hands did in the step at the solids they hold, less what their springs gave, which counts already where both
/// ends of a spring are held (laws.h); `impulse_to_force` = rate/h².
double hand_work(const Model& model, const Island& island, const Laws& laws, double impulse_to_force,
                 const LocalBodies& start, const LocalBodies& now);

}  // namespace armature

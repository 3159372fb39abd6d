// Strands (strand.h) whose joints are pins: two rows of an axis besides the three of each point.
//
// The axis of joint i is a of body i − 1, and t and s across it are of body i:
//   C = (a·t, a·s)      reads (φ1 − φ2)·(a × t), (φ1 − φ2)·(a × s)      pushes T = ±(u μ_t + v μ_s),  u = ā × t̄,  v = ā × s̄
// u and v need both bodies: what is left to balance of body i is known when body i − 1 has moved, and of the first and the last
// when what they are tied to has.
#pragma once

#include "armature/solvers/linearized/lockstep/turn.h"

namespace armature::lockstep {

/// Rows besides those of LinkGroup, whose to_next and to_first are not used.
enum PinRow {
    mu = 0,
    expected_torque = 4,  // while nothing is eliminated
    pin_right_side = 2,
    pin_to_next = 4,
    pin_to_first = 29,
    axes_now = 54,  // t, s, a
    axes_reference = 63,
    axes_start = 72,
    pin_rows = 81
};
static_assert(sizeof(PinGroup) == pin_rows * sizeof(Octet));

void follow_pins(Lockstep& l, Strand& s, bool first, Most& most);
/// What is left to balance of the first body and the last, once the nodes at the ends have been measured.
void balance_pin_ends(Lockstep& l, Strand& s, Most& most);
void condense_pins(Lockstep& l, Strand& s, const Bodies& group);

}  // namespace armature::lockstep

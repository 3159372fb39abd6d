// What is left to move, told so that a person recognises it.
//
//   null J = whole motions ⊕ the rest
//
// Any basis of the null space would do for a machine. This one is chosen for reading: the rigid motions of what is not
// tied to the world come apart from the rest, and of the rest each vector moves as few solids as possible. For that the
// solids are held fast one after the other, the farthest first, as long as something can still move that the
// freedoms found before cannot do together. What is left moves the fewest solids, in the sense that none of them can be
// held in addition.
#pragma once

#include <vector>

#include "armature/doctor/dense.h"
#include "armature/doctor/report.h"

namespace armature::doctor {

struct FoundFreedom {
    FreedomClass kind = FreedomClass::internal;
    Vector dq;  ///< largest turn or way of a solid: 1
};

/// A basis of the columns of `null_space`.
std::vector<FoundFreedom> readable_freedoms(const Mechanism& mechanism, const Placing& at, const Matrix& null_space);

/// The same as part of a report: which solids, and how each of them moves.
RemainingFreedom describe(const Mechanism& mechanism, const Placing& at, const FoundFreedom& freedom);

}  // namespace armature::doctor

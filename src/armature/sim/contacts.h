// Contacts of an island with what it may stand on: found once per step, at the end of free motion, and handed to the solver
// as rows (solvers/contract.h).
//
// What sticks must not creep: the solver leaves a slip within its tolerance, and that is remembered (ContactMemory) and
// asked back in the next step, until friction gives way.
#pragma once

#include <vector>

#include "armature/contact/find_contacts.h"
#include "armature/sim/local_bodies.h"
#include "armature/solvers/contract.h"

namespace armature {

struct ContactSource {
    std::int64_t pair = 0, feature = 0;
    double restitution = 0;
    double approach = 0;  ///< m/s, normal velocity at the instant of touching; < 0
};

struct Contacts {
    std::vector<ContactRow> rows;
    std::vector<ContactSource> sources;
    // Room for finding them.
    std::vector<std::vector<ContactShape>> shapes;  ///< per body of the model, made once
    std::vector<ContactPoint> found;
};

/// `start`: at the start of the step; `free`: after free motion, kinematic bodies where they will be at its end.
void collect_contacts(const Model& model, const Island& island, double h, const LocalBodies& start,
                      const LocalBodies& free, const std::vector<ContactMemory>& memory, Contacts& out);

/// What is to be remembered of a step with this force per impulse, into `memory`.
void remember_contacts(const Contacts& contacts, double per_impulse, std::vector<ContactMemory>& memory);

}  // namespace armature

// What to change. Candidates are made for each finding and tried in their order: the Spec of the island with the change is
// compiled and examined again, and the first one is proposed that does what it should.
//
//   contradictory   the joint that would have to give least is made to fit where the others hold (a point, an axis, a
//                   length, a limit); else a joint goes
//   redundant       a joint of the group becomes a looser one of the library, or loses a part, by as many rows as are too
//                   many and not one more; else it goes, when all of it is held by others
//   singular, near it, dead centre   the solids start at a regular place nearby
//   at its limit    the limit moves out; else the solids start away from it
//
// An edit helps when its finding is gone, no contradiction and no singular position has come, and, for a redundant group,
// the mechanism can do exactly what it could. For redundant groups of a mechanism that is not singular all of that is known from
// the rows of the group alone (LooserGroups in edits.cpp), and every group gets its edit, however many there are.
#pragma once

#include <string>
#include <vector>

#include "armature/doctor/edit_text.h"
#include "armature/doctor/examine.h"

namespace armature::doctor {

/// Fills in Finding::edit where one helps; `findings` are those of `e` (findings.h).
/// False when there were too many to try them all.
bool propose_edits(const Spec& spec, const Mechanism& mechanism, const Examination& e, std::vector<Finding>& findings,
                   const Told& told = {});

/// N of groups.h for all kept joints: one decomposition of the whole, which is what most of the time goes into.
struct Stresses {
    std::vector<HeldRow> rows;
    Matrix N;
};
Stresses stresses_of(const Mechanism& m, const Examination& e);

// ---- candidates, the best first (loosen.cpp, refit.cpp, replace.cpp) ------------------------------------------------

/// `stresses`: see stresses_of; those of the whole island serve every group. `one_will_do`: joints are looked at until one fits.
std::vector<DoctorEdit> looser_joints(const Spec& spec, const Mechanism& m, const Examination& e,
                                      const ExaminedGroup& group, const Stresses& stresses, bool one_will_do);
std::vector<DoctorEdit> fitting_joints(const Spec& spec, const Mechanism& m, const Examination& e,
                                       const ExaminedGroup& group);
std::vector<DoctorEdit> wider_limits(const Spec& spec, const Mechanism& m, const Examination& e, const AtLimit& at);
/// The solids of the island where `to` has them.
DoctorEdit start_at(const Mechanism& m, const Placing& to);

// ---- what they share -------------------------------------------------------------------------------------------------

const ConstraintSpec& spec_of(const Spec& spec, JointId joint);
Placement placement_of(const Mechanism& m, const Placing& at, BodyId body);
DoctorEdit removal(const Spec& spec, const Mechanism& m, JointId joint);
/// Written as a `joint` of the language, or made in C++ by make_joint().
bool is_named(const ConstraintSpec& c);

}  // namespace armature::doctor

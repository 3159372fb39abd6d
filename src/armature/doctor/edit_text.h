// Edits as statements of the scene language.
#pragma once

#include <string>

#include "armature/doctor/report.h"

namespace armature::doctor {

/// Numbers that read back as the same, but for the round-off of a turned direction.
std::string number_text(double x);
std::string vector_text(const Vec3& v);

/// The statement `keyword` of a constraint becomes `write` (nothing: it goes). Where the text has none, or none that is
/// known, it is a new one.
StatementEdit statement(const ConstraintSpec& c, const std::string& keyword, const std::string& write);

/// "turn min 0 max 2 damping 4;". Values over time have a name in the text that is not known here: they are left open
/// as "…", for the author to keep.
std::string freedom_text(const FreedomSpec& freedom);

/// "constraint NAME object1 A; object2 B; hinge …; angle …; end", of points, lines and planes.
std::string constraint_text(const std::string& name, const ConstraintSpec& c);

}  // namespace armature::doctor

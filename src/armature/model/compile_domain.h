// Checks the domain of a hinge and turns it into what the parts of a joint read.
#pragma once

#include "armature/model/compile_internal.h"
#include "armature/model/domain/nearest.h"

namespace armature::detail {

/// PointDomain after an error was reported. `user` names the constraint for messages: "constraint `rail`".
HeldDomain compile_domain(Compilation& c, const Domain& domain, const Origin& origin, const std::string& user);

/// How far from P2 the domain reaches, m; 0 for domains without an end.
double reach_of(const HeldDomain& domain);

}  // namespace armature::detail

// Spec → Model: every name resolved, every number checked, all findings reported at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armature/base/diagnostic.h"
#include "armature/model/model.h"

namespace armature {

/// Nothing when there are errors; warnings alone do not stop it.
std::optional<Model> compile(const Spec& spec, Diagnostics& diagnostics);

/// The same for callers who want an exception: throws InputError with everything found.
Model compile(const Spec& spec);

/// The name of every constraint in order: its own, or "solid1~solid2", then "solid1~solid2#2" for the next between the
/// same two.
std::vector<std::string> constraint_names(const Spec& spec);

}  // namespace armature

// Every run as a line of CSV, from which the page can be drawn again.
#pragma once

#include "run_one.h"

namespace armature::race {

std::string to_csv(const std::vector<Run>& runs);

/// Throws std::invalid_argument for a line that to_csv() would not write.
std::vector<Run> from_csv(const std::string& text);

}  // namespace armature::race

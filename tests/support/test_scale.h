// How many cases a randomized test runs. ARMATURE_TEST_SCALE (default 1) is the fraction of them: ./test sets it below
// 1 for the sanitizers, which are some ten times slower; a soak run sets it above.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armature::test {

/// `count` scaled by the environment, never below `least`.
inline int scaled(int count, int least = 1) {
    const char* text = std::getenv("ARMATURE_TEST_SCALE");
    const double scale = text != nullptr ? std::strtod(text, nullptr) : 1;
    if (!(scale > 0)) return count;
    return std::max(least, static_cast<int>(std::lround(count * scale)));
}

}  // namespace armature::test

#include "armature/math/lanes.h"

#include <algorithm>

namespace armature::lanes {

namespace {

Machine find_out() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return Machine::widest;
    if (__builtin_cpu_supports("avx2")) return Machine::wide;
#endif
    return Machine::plain;
}

Machine most_allowed = Machine::widest;

}  // namespace

Machine machine() {
    static const Machine there = find_out();
    return std::min(there, most_allowed);
}

void limit_machine(Machine most) {
    most_allowed = most;
}

}  // namespace armature::lanes

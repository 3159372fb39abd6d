// Compiled once for every engine whose library was not found: it takes no part.
#include "engine.h"

std::vector<armature::race::Engine> armature::race::ARMATURE_RACE_ABSENT() {
    return {};
}

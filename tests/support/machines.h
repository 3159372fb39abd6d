// Tests of what is written once for machines of every width (math/lanes.h): each runs as on one that works on two, four and eight
// numbers at once, as far as this one can.
#pragma once

#include <gtest/gtest.h>

#include "armature/math/lanes.h"

namespace armature::test {

class Machines : public testing::TestWithParam<lanes::Machine> {
  protected:
    Machines() { lanes::limit_machine(GetParam()); }
    ~Machines() override { lanes::limit_machine(lanes::Machine::widest); }
};

inline auto all_machines() {
    return testing::Values(lanes::Machine::plain, lanes::Machine::wide, lanes::Machine::widest);
}

}  // namespace armature::test

// The loops of pins.h, for machines that work on two, four or eight numbers at once.
#include "armature/solvers/linearized/lockstep/pins.h"

#include "armature/solvers/linearized/lockstep/pin_condense.h"

namespace armature::lockstep {

void follow_pins(Lockstep& l, Strand& s, bool first, Most& most) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        if (l.exact)
            first ? follow_pin_links<V, true, true>(l, s, most) : follow_pin_links<V, true, false>(l, s, most);
        else
            first ? follow_pin_links<V, false, true>(l, s, most) : follow_pin_links<V, false, false>(l, s, most);
    });
}

void condense_pins(Lockstep& l, Strand& s, const Bodies& group) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        l.exact ? condense_pin_links<V, true>(l, s, group) : condense_pin_links<V, false>(l, s, group);
    });
}

void balance_pin_ends(Lockstep& l, Strand& s, Most& most) {
    balance_ends<lanes::V2>(l, s, most);
}

}  // namespace armature::lockstep

// The loops of balls.h, for machines that work on two, four or eight numbers at once.
#include "armature/solvers/linearized/lockstep/balls.h"

#include "armature/solvers/linearized/lockstep/condense.h"

namespace armature::lockstep {

void follow_balls(Lockstep& l, Strand& s, bool first, Most& most) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        if (l.exact)
            first ? follow_links<V, true, true>(l, s, most) : follow_links<V, true, false>(l, s, most);
        else
            first ? follow_links<V, false, true>(l, s, most) : follow_links<V, false, false>(l, s, most);
    });
}

void condense_balls(Lockstep& l, Strand& s, bool ahead) {
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        l.exact ? condense_links<V, true>(l, s, ahead) : condense_links<V, false>(l, s, ahead);
    });
}

}  // namespace armature::lockstep

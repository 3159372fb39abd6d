// The loops of balls.h, for machines that work on two, four or eight numbers at once.
#include "armature/solvers/linearized/lockstep/balls.h"

#include "armature/solvers/linearized/lockstep/condense.h"

namespace armature::lockstep {

namespace {

using lanes::Machine;
using lanes::V2;
using lanes::V4;
using lanes::V8;

template <class V>
ARMATURE_INLINE void follow_any(Lockstep& l, Strand& s, bool first, Most& most) {
    if (l.exact)
        first ? follow_links<V, true, true>(l, s, most) : follow_links<V, true, false>(l, s, most);
    else
        first ? follow_links<V, false, true>(l, s, most) : follow_links<V, false, false>(l, s, most);
}
void follow_plain(Lockstep& l, Strand& s, bool first, Most& most) {
    follow_any<V2>(l, s, first, most);
}
ARMATURE_WIDE void follow_wide(Lockstep& l, Strand& s, bool first, Most& most) {
    follow_any<V4>(l, s, first, most);
}
ARMATURE_WIDEST void follow_widest(Lockstep& l, Strand& s, bool first, Most& most) {
    follow_any<V8>(l, s, first, most);
}

template <class V>
ARMATURE_INLINE void condense_any(Lockstep& l, Strand& s, const Bodies& group) {
    l.exact ? condense_links<V, true>(l, s, group) : condense_links<V, false>(l, s, group);
}
void condense_plain(Lockstep& l, Strand& s, const Bodies& group) {
    condense_any<V2>(l, s, group);
}
ARMATURE_WIDE void condense_wide(Lockstep& l, Strand& s, const Bodies& group) {
    condense_any<V4>(l, s, group);
}
ARMATURE_WIDEST void condense_widest(Lockstep& l, Strand& s, const Bodies& group) {
    condense_any<V8>(l, s, group);
}

}  // namespace

void follow_balls(Lockstep& l, Strand& s, bool first, Most& most) {
    const Machine machine = lanes::machine();
    (machine == Machine::widest ? follow_widest
     : machine == Machine::wide ? follow_wide
                                : follow_plain)(l, s, first, most);
}

void condense_balls(Lockstep& l, Strand& s, const Bodies& group) {
    const Machine machine = lanes::machine();
    (machine == Machine::widest ? condense_widest
     : machine == Machine::wide ? condense_wide
                                : condense_plain)(l, s, group);
}

}  // namespace armature::lockstep

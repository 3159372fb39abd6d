// How the nodes within a strand are eliminated on the way along it (strand.h), in space or in a plane.
#pragma once

#include "armature/math/lanes.h"

namespace armature::lockstep {

/// What stands in the system for a link. M and U: matrices and vectors in lanes.
template <class M, class U>
struct LinkBlocks {
    M A0, A1, X, Y;
    U at_begin, at_end;  ///< of the right-hand side
};

/// What a link hands to the next.
template <class M, class U>
struct ToNext {
    U lambda, lambda_last;
    M D, t, s;
    U b;
    M D_first;
    U b_first;

    /// The first link: the node it begins with stays.
    ARMATURE_INLINE void begin(const LinkBlocks<M, U>& of, const U& b_next) {
        D_first = of.A0;
        b_first = of.at_begin;
        D = of.A1;
        b = b_next;
        t = of.X;
        s = of.Y;
    }
};

template <class M, class U>
struct Eliminated {
    M G, H;
    U c;
};
/// The node that a link begins with, given the inverse of its pivot.
template <class M, class U>
ARMATURE_INLINE Eliminated<M, U> eliminate(ToNext<M, U>& to, const LinkBlocks<M, U>& of, const U& b_next, const M& D) {
    const Eliminated<M, U> e{D * of.Y, D * to.t, D * (to.b + of.at_begin)};
    to.D_first = to.D_first - to.s * e.H;
    to.b_first = to.b_first + to.s * e.c;
    to.s = to.s * e.G;
    to.D = of.A1 - of.X * e.G;
    to.b = b_next + of.X * e.c;
    to.t = of.X * e.H;
    return e;
}

}  // namespace armature::lockstep

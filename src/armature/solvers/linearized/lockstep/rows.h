// Reading and writing the rows of lockstep.h, as many numbers at once as V has.
#pragma once

#include "armature/math/lanes.h"
#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature::lockstep {

using lanes::all;
using lanes::any;
using lanes::choose;
using lanes::Mat;
using lanes::Vec;
using lanes::width;

template <class V>
ARMATURE_INLINE V row(const Octet* r, int at, int part) {
    return lanes::load<V>(r[at].v + part);
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const V& v) {
    lanes::store<V>(r[at].v + part, v);
}
template <class V>
ARMATURE_INLINE Vec<V> vec(const Octet* r, int at, int part) {
    return {row<V>(r, at, part), row<V>(r, at + 1, part), row<V>(r, at + 2, part)};
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Vec<V>& v) {
    set(r, at, part, v.x);
    set(r, at + 1, part, v.y);
    set(r, at + 2, part, v.z);
}
template <class V>
ARMATURE_INLINE Mat<V> mat(const Octet* r, int at, int part) {
    return {vec<V>(r, at, part), vec<V>(r, at + 3, part), vec<V>(r, at + 6, part)};
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Mat<V>& m) {
    set(r, at, part, m.row0);
    set(r, at + 3, part, m.row1);
    set(r, at + 6, part, m.row2);
}
template <class V>
ARMATURE_INLINE Mat<V> symmetric(const Octet* r, int at, int part) {
    const V xy = row<V>(r, at + 3, part), xz = row<V>(r, at + 4, part), yz = row<V>(r, at + 5, part);
    return {{row<V>(r, at, part), xy, xz}, {xy, row<V>(r, at + 1, part), yz}, {xz, yz, row<V>(r, at + 2, part)}};
}

/// act.operator()<V>(part) for the lanes of a group; of a few bodies, which rarely stand in order, two at a time.
template <class V, class Act>
ARMATURE_INLINE void each_part(const Bodies& group, Act&& act) {
    if (width < V >> 2 && group.used <= 4)
        for (int part = 0; part < group.used; part += 2) act.template operator()<lanes::V2>(part);
    else
        for (int part = 0; part < eight; part += width<V>) act.template operator()<V>(part);
}

/// The rows of the nodes at a side.
template <class V, bool aligned>
struct At {
    double* nodes;
    const Side& side;
    int part;

    ARMATURE_INLINE V get(int r) const {
        if constexpr (aligned) {
            return lanes::load<V>(nodes + side.at[0] + r * eight + part);
        } else {
            return lanes::each_lane<V>(
                [&](int l) ARMATURE_LAMBDA { return nodes[side.at[static_cast<std::size_t>(part + l)] + r * eight]; });
        }
    }
    ARMATURE_INLINE void put(int r, const V& v) const {
        if constexpr (aligned) {
            lanes::store<V>(nodes + side.at[0] + r * eight + part, v);
        } else {
            for (int l = 0; l < width<V>; ++l) nodes[side.at[static_cast<std::size_t>(part + l)] + r * eight] = v[l];
        }
    }
    ARMATURE_INLINE Vec<V> vec(int r) const { return {get(r), get(r + 1), get(r + 2)}; }
    ARMATURE_INLINE void put(int r, const Vec<V>& v) const {
        put(r, v.x);
        put(r + 1, v.y);
        put(r + 2, v.z);
    }
};
/// act(At) for each side of a group.
template <class V, class Act>
ARMATURE_INLINE void each_side(Lockstep& l, const Bodies& group, int part, Act&& act) {
    double* nodes = l.node.front().r[0].v;
    for (std::size_t s = group.first_side; s < group.end_side; ++s) {
        Side& side = l.sides[s];
        if (side.aligned)
            act(At<V, true>{nodes, side, part}, side);
        else
            act(At<V, false>{nodes, side, part}, side);
    }
}

/// Rot(θ) r = r + c1 θ×r + c2 θ×(θ×r).
template <class V>
struct Turned {
    Vec<V> theta;
    V c1, c2;
    ARMATURE_INLINE Vec<V> operator()(const Vec<V>& r) const {
        const Vec<V> once = cross(theta, r);
        return r + c1 * once + c2 * cross(theta, once);
    }
    /// [θ] m
    ARMATURE_INLINE Mat<V> across(const Mat<V>& m) const {
        return {theta.y * m.row2 - theta.z * m.row1, theta.z * m.row0 - theta.x * m.row2,
                theta.x * m.row1 - theta.y * m.row0};
    }
    ARMATURE_INLINE Mat<V> operator()(const Mat<V>& m) const {
        const Mat<V> once = across(m), twice = across(once);
        return {m.row0 + c1 * once.row0 + c2 * twice.row0, m.row1 + c1 * once.row1 + c2 * twice.row1,
                m.row2 + c1 * once.row2 + c2 * twice.row2};
    }
};

/// Of a group of bodies, as it stands there.
template <class V>
ARMATURE_INLINE Turned<V> turned_by(const Octet* b, int part) {
    return {vec<V>(b, theta, part), row<V>(b, c1, part), row<V>(b, c2, part)};
}

}  // namespace armature::lockstep

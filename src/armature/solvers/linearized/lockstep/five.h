// The three rows of a point and the two of an axis together: five numbers, and 5 × 5 blocks.
#pragma once

#include "armature/solvers/linearized/lockstep/rows.h"

namespace armature::lockstep {

template <class V>
struct Five {
    V v[5];
    ARMATURE_INLINE Vec<V> point() const { return {v[0], v[1], v[2]}; }
};
template <class V>
ARMATURE_INLINE Five<V> five(const Vec<V>& point, const V& t, const V& s) {
    return {{point.x, point.y, point.z, t, s}};
}
template <class V>
ARMATURE_INLINE Five<V> operator+(const Five<V>& a, const Five<V>& b) {
    Five<V> r;
    for (int i = 0; i < 5; ++i) r.v[i] = a.v[i] + b.v[i];
    return r;
}
template <class V>
ARMATURE_INLINE Five<V> load_five(const Octet* r, int at, int part) {
    Five<V> a;
    for (int i = 0; i < 5; ++i) a.v[i] = row<V>(r, at + i, part);
    return a;
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Five<V>& a) {
    for (int i = 0; i < 5; ++i) set(r, at + i, part, a.v[i]);
}

/// By columns.
template <class V>
struct Mat5 {
    Five<V> c[5];
};
/// A = L U without a change of rows, as for pivots of three rows that are nearly singular (careful_inverse of triple_system.h).
template <class V>
struct Factored {
    Mat5<V> a;
    V inverse[5];  ///< of the diagonal

    ARMATURE_INLINE explicit Factored(const Mat5<V>& of) : a(of) {
        for (int k = 0; k < 5; ++k) {
            inverse[k] = 1.0 / a.c[k].v[k];
            for (int i = k + 1; i < 5; ++i) a.c[k].v[i] = a.c[k].v[i] * inverse[k];
            for (int j = k + 1; j < 5; ++j)
                for (int i = k + 1; i < 5; ++i) a.c[j].v[i] = a.c[j].v[i] - a.c[k].v[i] * a.c[j].v[k];
        }
    }
    /// Several right-hand sides at once: each number of the factors is loaded once for all of them.
    template <int n>
    ARMATURE_INLINE void solve(Five<V> (&b)[n]) const {
        for (int k = 0; k < 4; ++k)
            for (int i = k + 1; i < 5; ++i)
                for (int j = 0; j < n; ++j) b[j].v[i] = b[j].v[i] - a.c[k].v[i] * b[j].v[k];
        for (int k = 4; k >= 0; --k) {
            for (int j = 0; j < n; ++j) b[j].v[k] = b[j].v[k] * inverse[k];
            for (int i = 0; i < k; ++i)
                for (int j = 0; j < n; ++j) b[j].v[i] = b[j].v[i] - a.c[k].v[i] * b[j].v[k];
        }
    }
};
/// act(row, column, number) of a b, row by row, so that few of them are there at a time.
template <class V, int n, class Act>
ARMATURE_INLINE void product(const Mat5<V>& a, const Five<V> (&b)[n], Act&& act) {
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < n; ++j)
            act(i, j,
                a.c[0].v[i] * b[j].v[0] + a.c[1].v[i] * b[j].v[1] + a.c[2].v[i] * b[j].v[2] + a.c[3].v[i] * b[j].v[3] +
                    a.c[4].v[i] * b[j].v[4]);
}

}  // namespace armature::lockstep

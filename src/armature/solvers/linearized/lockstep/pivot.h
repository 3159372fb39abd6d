// Blocks of the system.
#pragma once

#include "armature/solvers/linearized/lockstep/rows.h"

namespace armature::lockstep {

constexpr double regularisation = 1e-10, regularisation_beside_hubs = 1e-7;  // of the diagonal

/// Nothing is held twice in a tree; in a long one that much more on the diagonal is a tenth of an impulse at its end.
inline double regularisation_of(const Lockstep& l) {
    return l.tree ? 0 : l.hub_at.empty() ? regularisation : regularisation_beside_hubs;
}

template <class V>
ARMATURE_INLINE void add_whole(const Target& target, int part, const Mat<V>& A) {
    Octet* m = target.block->m;
    if (target.first)
        set(m, 0, part, A);
    else
        set(m, 0, part, mat<V>(m, 0, part) + A);
}
template <class V>
ARMATURE_INLINE void add_to(const Target& target, int part, const Mat<V>& A) {
    if (target.block) return add_whole(target, part, A);
    alignas(64) double v[9][width<V>];
    const Vec<V> rows[3] = {A.row0, A.row1, A.row2};
    for (int r = 0; r < 3; ++r) {
        lanes::store<V>(v[3 * r], rows[r].x);
        lanes::store<V>(v[3 * r + 1], rows[r].y);
        lanes::store<V>(v[3 * r + 2], rows[r].z);
    }
    for (int l = 0; l < width<V>; ++l) {
        const Target::Lane& to = target.lane[static_cast<std::size_t>(part + l)];
        if (!to.at) continue;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                double& place = to.at[to.single ? 4 * c + r : (3 * r + c) * eight];
                place = to.first ? v[3 * r + c][l] : place + v[3 * r + c][l];
            }
    }
}

/// The inverse of a pivot; lane by lane where it is nearly singular (careful_inverse of triple_system.h).
template <class V>
ARMATURE_INLINE Mat<V> pivot_inverse(const Mat<V>& m) {
    const Vec<V> c0 = cross(m.row1, m.row2), c1 = cross(m.row2, m.row0), c2 = cross(m.row0, m.row1);
    const V determinant = dot(m.row0, c0);
    const V s = 1.0 / determinant;
    Mat<V> r = transposed(Mat<V>{s * c0, s * c1, s * c2});
    const auto regular = determinant > 1e-4 * (m.row0.x * m.row1.y * m.row2.z);
    if (!any(~regular)) [[likely]]
        return r;
    for (int l = 0; l < width<V>; ++l) {
        if (regular[l]) continue;
        const four::M careful = four::careful_inverse({four::V{m.row0.x[l], m.row1.x[l], m.row2.x[l], 0},
                                                       four::V{m.row0.y[l], m.row1.y[l], m.row2.y[l], 0},
                                                       four::V{m.row0.z[l], m.row1.z[l], m.row2.z[l], 0}});
        Vec<V>* rows[3] = {&r.row0, &r.row1, &r.row2};
        for (int k = 0; k < 3; ++k) {
            rows[k]->x[l] = careful.c0[k];
            rows[k]->y[l] = careful.c1[k];
            rows[k]->z[l] = careful.c2[k];
        }
    }
    return r;
}

}  // namespace armature::lockstep

// Vectors and matrices of a plane in lanes, and the rows of a flat strand (flat.h).
#pragma once

#include "armature/solvers/linearized/lockstep/flat.h"
#include "armature/solvers/linearized/lockstep/turn.h"

namespace armature::lockstep {

/// Rows of a FlatGroup.
enum FlatRow {
    flat_lambda = 0,
    flat_right_side = 2,  // minus the error, then c
    flat_to_next = 4,     // G
    flat_to_first = 8,    // H
    flat_theta = 12,
    flat_now = 13,  // arms at the node it begins with, and at the next
    flat_torque_left = 17,
    flat_answer = 18,
    flat_reference = 19,
    flat_start = 23,
    flat_x_free = 27,
    flat_half_spin = 29,  // of `exact`, and
    flat_momentum = 30,
    flat_inertia = 31,
    flat_inv_mass = 32,
    flat_most_turn2 = 33,
    flat_rows = 34
};
static_assert(sizeof(FlatGroup) == flat_rows * sizeof(Octet));

template <class V>
struct Vec2 {
    V x, y;
};
template <class V>
ARMATURE_INLINE Vec2<V> operator+(const Vec2<V>& a, const Vec2<V>& b) {
    return {a.x + b.x, a.y + b.y};
}
template <class V>
ARMATURE_INLINE Vec2<V> operator-(const Vec2<V>& a, const Vec2<V>& b) {
    return {a.x - b.x, a.y - b.y};
}
template <class V>
ARMATURE_INLINE Vec2<V> operator*(const V& s, const Vec2<V>& a) {
    return {s * a.x, s * a.y};
}
template <class V>
ARMATURE_INLINE V dot(const Vec2<V>& a, const Vec2<V>& b) {
    return a.x * b.x + a.y * b.y;
}
/// What of the cross product is across the plane.
template <class V>
ARMATURE_INLINE V cross(const Vec2<V>& a, const Vec2<V>& b) {
    return a.x * b.y - a.y * b.x;
}
/// n × a
template <class V>
ARMATURE_INLINE Vec2<V> across(const Vec2<V>& a) {
    return {-a.y, a.x};
}

template <class V>
struct Mat2 {
    Vec2<V> row0, row1;
};
template <class V>
ARMATURE_INLINE Vec2<V> operator*(const Mat2<V>& m, const Vec2<V>& v) {
    return {dot(m.row0, v), dot(m.row1, v)};
}
template <class V>
ARMATURE_INLINE Mat2<V> operator*(const Mat2<V>& a, const Mat2<V>& b) {
    return {{a.row0.x * b.row0.x + a.row0.y * b.row1.x, a.row0.x * b.row0.y + a.row0.y * b.row1.y},
            {a.row1.x * b.row0.x + a.row1.y * b.row1.x, a.row1.x * b.row0.y + a.row1.y * b.row1.y}};
}
template <class V>
ARMATURE_INLINE Mat2<V> operator+(const Mat2<V>& a, const Mat2<V>& b) {
    return {a.row0 + b.row0, a.row1 + b.row1};
}
template <class V>
ARMATURE_INLINE Mat2<V> operator-(const Mat2<V>& a, const Mat2<V>& b) {
    return {a.row0 - b.row0, a.row1 - b.row1};
}

template <class V>
ARMATURE_INLINE Vec2<V> vec2(const Octet* r, int at, int part) {
    return {row<V>(r, at, part), row<V>(r, at + 1, part)};
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Vec2<V>& v) {
    set(r, at, part, v.x);
    set(r, at + 1, part, v.y);
}
template <class V>
ARMATURE_INLINE Mat2<V> mat2(const Octet* r, int at, int part) {
    return {vec2<V>(r, at, part), vec2<V>(r, at + 2, part)};
}
template <class V>
ARMATURE_INLINE void set(Octet* r, int at, int part, const Mat2<V>& m) {
    set(r, at, part, m.row0);
    set(r, at + 2, part, m.row1);
}

/// Where each stands among x, y, z.
template <class V>
ARMATURE_INLINE Vec<V> in_space(const Flat& f, const Vec2<V>& v, const V& along_n) {
    V of[3];
    of[f.a] = v.x;
    of[f.b] = v.y;
    of[f.n] = along_n;
    return {of[0], of[1], of[2]};
}
template <class V>
ARMATURE_INLINE Mat<V> in_space(const Flat& f, const Mat2<V>& m, const V& along_n) {
    const V none{};
    Vec<V> rows[3];
    rows[f.a] = in_space(f, m.row0, none);
    rows[f.b] = in_space(f, m.row1, none);
    rows[f.n] = in_space(f, Vec2<V>{none, none}, along_n);
    return {rows[0], rows[1], rows[2]};
}

/// The rows of the nodes at the ends of a strand, with its sign of impulses.
template <class V>
struct FlatEnds {
    At<V, false> begin, end;
    Flat flat;
    V sign;
    ARMATURE_INLINE FlatEnds(Lockstep& l, const Strand& s, int part)
        : begin{l.node.front().r[0].v, l.sides[s.first_side], part},
          end{l.node.front().r[0].v, l.sides[s.first_side + 1], part},
          flat(*l.flat),
          sign(all<V>(s.sign())) {}
    ARMATURE_INLINE Vec2<V> of(const At<V, false>& at, int r) const {
        return sign * Vec2<V>{at.get(r + flat.a), at.get(r + flat.b)};
    }
    ARMATURE_INLINE void put_point(const At<V, false>& at, int r, const Vec2<V>& v) const {
        at.put(r + flat.a, v.x);
        at.put(r + flat.b, v.y);
        at.put(r + flat.n, all<V>(flat.height));
    }
};

/// The arms of a link.
template <class V>
struct FlatArms {
    Vec2<V> at_begin, at_end;
    ARMATURE_INLINE static FlatArms of(const Octet* link, int row, int part) {
        return {vec2<V>(link, row, part), vec2<V>(link, row + 2, part)};
    }
    ARMATURE_INLINE FlatArms half_way(const Octet* link, int part, bool is_half) const {
        if (!is_half) return *this;
        const V half = all<V>(0.5);
        return {half * (vec2<V>(link, flat_start, part) + at_begin),
                half * (vec2<V>(link, flat_start + 2, part) + at_end)};
    }
    ARMATURE_INLINE void put(Octet* link, int row, int part) const {
        set(link, row, part, at_begin);
        set(link, row + 2, part, at_end);
    }
    ARMATURE_INLINE V torque(const Vec2<V>& at_begin_of, const Vec2<V>& at_end_of) const {
        return cross(at_end, at_end_of) - cross(at_begin, at_begin_of);
    }
    ARMATURE_INLINE FlatArms turned(const V& cosine, const V& sine) const {
        return {cosine * at_begin + sine * across(at_begin), cosine * at_end + sine * across(at_end)};
    }
};

}  // namespace armature::lockstep

// Eight bodies at a time: numbers, vectors, matrices and quaternions of eight things side by side, for inner loops over many of
// the same kind.
//
// Loops work on eight lanes in 8/width(V) parts, so that the same source is code for machines that work on eight, four or two
// numbers at once. Every operation is that of vec3.h, mat3.h and quat.h in the same order: each lane has the bits that
// the plain code would give, whatever the machine and whoever its neighbours are.
//
// Everything here is inlined by force into what on_this_machine() starts, which is compiled for machines of each width.
#pragma once

#include <cstddef>

#include "armature/math/quat.h"

// Not under the sanitizers: with what they add, a stage inlined into one function takes a compiler ten minutes. The same loops
// over the same rows are compiled there for any machine, by calls.
#if defined(ARMATURE_SANITIZED)
#define ARMATURE_INLINE inline
#define ARMATURE_LAMBDA
#define ARMATURE_WIDE
#define ARMATURE_WIDEST
#else
#define ARMATURE_INLINE [[gnu::always_inline]] inline
#define ARMATURE_LAMBDA __attribute__((always_inline))
#if defined(__x86_64__)
#define ARMATURE_WIDE [[gnu::target("avx2")]]
#if defined(__clang__)
#define ARMATURE_WIDEST [[gnu::target("avx2,avx512f,avx512dq,avx512vl")]]
#else
#define ARMATURE_WIDEST [[gnu::target("avx2,avx512f,avx512dq,avx512vl,prefer-vector-width=512")]]
#define ARMATURE_LANES_BY_HAND  // where gcc 12 does lane by lane what is one instruction; clang does not, and takes no such asm
#endif
#else
#define ARMATURE_WIDE
#define ARMATURE_WIDEST
#endif
#endif

namespace armature::lanes {

inline constexpr int count = 8;

using V2 = double __attribute__((vector_size(16)));
using V4 = double __attribute__((vector_size(32)));
using V8 = double __attribute__((vector_size(64)));

template <class V>
inline constexpr int width = sizeof(V) / sizeof(double);

/// How many numbers at once this machine works on.
enum class Machine { plain, wide, widest };
Machine machine();
/// For tests: the bits are the same.
void limit_machine(Machine most);

template <class Act>
[[gnu::noinline]] void two_at_once(const Act& act) {
    act.template operator()<V2>();
}
template <class Act>
[[gnu::noinline]] ARMATURE_WIDE void four_at_once(const Act& act) {
    act.template operator()<V4>();
}
template <class Act>
[[gnu::noinline]] ARMATURE_WIDEST void eight_at_once(const Act& act) {
    act.template operator()<V8>();
}
/// act.operator()<V>(), an ARMATURE_LAMBDA, with V as wide as this machine is.
template <class Act>
void on_this_machine(const Act& act) {
    switch (machine()) {
        case Machine::widest:
            return eight_at_once(act);
        case Machine::wide:
            return four_at_once(act);
        default:
            return two_at_once(act);
    }
}

/// act(l) of each lane. Two by two: gcc 12 sets a V that is wider than what every machine has lane by lane.
template <class V, class Act>
ARMATURE_INLINE V each_lane(const Act& act) {
    const V2 a{act(0), act(1)};
    if constexpr (width<V> == 2) {
        return a;
    } else {
        const V2 b{act(2), act(3)};
        const V4 ab = __builtin_shufflevector(a, b, 0, 1, 2, 3);
        if constexpr (width<V> == 4) {
            return ab;
        } else {
            const V2 c{act(4), act(5)}, d{act(6), act(7)};
            const V4 cd = __builtin_shufflevector(c, d, 0, 1, 2, 3);
            return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7);
        }
    }
}
template <class V>
ARMATURE_INLINE V all(double s) {
#if defined(ARMATURE_LANES_BY_HAND)
    if constexpr (width < V >> 2)
        if (!__builtin_constant_p(s)) {
            V v;
            if constexpr (width<V> == 8)
                asm("vbroadcastsd %1, %0" : "=v"(v) : "vm"(s));
            else
                asm("vbroadcastsd %1, %0" : "=x"(v) : "xm"(s));
            return v;
        }
#endif
    return each_lane<V>([&](int) ARMATURE_LAMBDA { return s; });
}
/// Of eight numbers in a row, those from `p` on. They stand at multiples of the width.
template <class V>
ARMATURE_INLINE V load(const double* p) {
    return *reinterpret_cast<const V*>(__builtin_assume_aligned(p, sizeof(V)));
}
template <class V>
ARMATURE_INLINE void store(double* p, const V& v) {
    *reinterpret_cast<V*>(__builtin_assume_aligned(p, sizeof(V))) = v;
}
template <class V>
ARMATURE_INLINE V root(const V& a) {
    V r;
    for (int l = 0; l < width<V>; ++l) r[l] = __builtin_sqrt(a[l]);
    return r;
}
/// Whether the condition, a comparison of two V, holds in any lane: by the instruction for it, or half against half.
template <class C>
ARMATURE_INLINE bool any(const C& c) {
    constexpr std::size_t lanes = sizeof(C) / sizeof(long long);
#if defined(ARMATURE_LANES_BY_HAND)
    if constexpr (lanes == 8) {
        bool is;
        asm("vptestmq %1, %1, %%k1\n\tkortestb %%k1, %%k1" : "=@ccnz"(is) : "v"(c) : "k1");
        return is;
    } else if constexpr (lanes == 4) {
        bool is;
        asm("vptest %1, %1" : "=@ccnz"(is) : "x"(c));
        return is;
    }
#endif
    if constexpr (lanes == 8)
        return any(__builtin_shufflevector(c, c, 0, 1, 2, 3) | __builtin_shufflevector(c, c, 4, 5, 6, 7));
    else if constexpr (lanes == 4)
        return any(__builtin_shufflevector(c, c, 0, 1) | __builtin_shufflevector(c, c, 2, 3));
    else
        return (c[0] | c[1]) != 0;
}
// Conditions that are put together of several are numbers, 1 or 0, and asked for by `> 0`: comparisons combined by & and |
// are taken apart lane by lane (GCC 12, eight lanes), which costs more than what they decide on.
template <class V, class C>
ARMATURE_INLINE V one_where(const C& comparison) {
    return comparison ? all<V>(1.0) : all<V>(0.0);
}
template <class V, class C>
ARMATURE_INLINE V one_unless(const C& comparison) {
    return comparison ? all<V>(0.0) : all<V>(1.0);
}

template <class V>
struct Vec {
    V x, y, z;
};
template <class V>
ARMATURE_INLINE Vec<V> operator+(const Vec<V>& a, const Vec<V>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class V>
ARMATURE_INLINE Vec<V> operator-(const Vec<V>& a, const Vec<V>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class V>
ARMATURE_INLINE Vec<V> operator-(const Vec<V>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class V>
ARMATURE_INLINE Vec<V> operator*(const V& s, const Vec<V>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class V>
ARMATURE_INLINE V dot(const Vec<V>& a, const Vec<V>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class V>
ARMATURE_INLINE Vec<V> cross(const Vec<V>& a, const Vec<V>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// x, y or z.
template <int k, class V>
ARMATURE_INLINE const V& number(const Vec<V>& v) {
    if constexpr (k == 0)
        return v.x;
    else if constexpr (k == 1)
        return v.y;
    else
        return v.z;
}
/// With v as x, y or z, the others zero.
template <int k, class V>
ARMATURE_INLINE Vec<V> along(const V& v) {
    const V zero{};
    return {k == 0 ? v : zero, k == 1 ? v : zero, k == 2 ? v : zero};
}
template <class C, class V>
ARMATURE_INLINE Vec<V> choose(const C& condition, const Vec<V>& a, const Vec<V>& b) {
    return {condition ? a.x : b.x, condition ? a.y : b.y, condition ? a.z : b.z};
}

template <class V>
struct Mat {
    Vec<V> row0, row1, row2;
};
template <class V>
ARMATURE_INLINE Vec<V> operator*(const Mat<V>& m, const Vec<V>& v) {
    return {dot(m.row0, v), dot(m.row1, v), dot(m.row2, v)};
}
template <class V>
ARMATURE_INLINE Mat<V> operator+(const Mat<V>& a, const Mat<V>& b) {
    return {a.row0 + b.row0, a.row1 + b.row1, a.row2 + b.row2};
}
template <class V>
ARMATURE_INLINE Mat<V> operator-(const Mat<V>& a, const Mat<V>& b) {
    return {a.row0 - b.row0, a.row1 - b.row1, a.row2 - b.row2};
}
template <class V>
ARMATURE_INLINE Mat<V> operator-(const Mat<V>& a) {
    return {-a.row0, -a.row1, -a.row2};
}
template <class V>
ARMATURE_INLINE Mat<V> transposed(const Mat<V>& m) {
    return {{m.row0.x, m.row1.x, m.row2.x}, {m.row0.y, m.row1.y, m.row2.y}, {m.row0.z, m.row1.z, m.row2.z}};
}
/// a b, by the columns of b.
template <class V>
ARMATURE_INLINE Mat<V> operator*(const Mat<V>& a, const Mat<V>& b) {
    const Mat<V> t = transposed(b);
    return transposed(Mat<V>{a * t.row0, a * t.row1, a * t.row2});
}
/// The caller knows that m is regular.
template <class V>
ARMATURE_INLINE Mat<V> inverse(const Mat<V>& m) {
    const Vec<V> c0 = cross(m.row1, m.row2), c1 = cross(m.row2, m.row0), c2 = cross(m.row0, m.row1);
    const V s = 1.0 / dot(m.row0, c0);
    return transposed(Mat<V>{s * c0, s * c1, s * c2});
}
template <class V>
ARMATURE_INLINE Mat<V> skew(const Vec<V>& w) {
    const V zero{};
    return {{zero, -w.z, w.y}, {w.z, zero, -w.x}, {-w.y, w.x, zero}};
}

template <class V>
struct Turn {  // a quaternion
    V w, x, y, z;
    ARMATURE_INLINE Vec<V> vec() const { return {x, y, z}; }
};
template <class V>
ARMATURE_INLINE Turn<V> operator*(const Turn<V>& a, const Turn<V>& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class V>
ARMATURE_INLINE Turn<V> conjugate(const Turn<V>& q) {
    return {q.w, -q.x, -q.y, -q.z};
}
/// What makes a unit of a quaternion with this square.
template <class V>
ARMATURE_INLINE V to_unit(const V& n2) {
    const V e = n2 - 1, off = e < 0 ? -e : e;
    V s = off <= as_good_as_unit ? all<V>(1.0) : 1 - 0.5 * e;
    if (any(one_unless<V>(off < nearly_unit) > 0)) s = off < nearly_unit ? s : 1.0 / root(n2);
    return s;
}
template <class V>
ARMATURE_INLINE Turn<V> normalized(const Turn<V>& q) {
    const V s = to_unit(V(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z));
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}
template <class V>
ARMATURE_INLINE Vec<V> rotate(const Turn<V>& q, const Vec<V>& v) {
    const Vec<V> u = q.vec();
    const Vec<V> t = all<V>(2.0) * cross(u, v);
    return v + q.w * t + cross(u, t);
}
/// rotate(conjugate(q), v) without the changes of sign.
template <class V>
ARMATURE_INLINE Vec<V> rotate_back(const Turn<V>& q, const Vec<V>& v) {
    const Vec<V> u = q.vec();
    const Vec<V> t = all<V>(2.0) * cross(u, v);
    return v - q.w * t + cross(u, t);
}
/// Whether all numbers are zero, or less than zero by nothing.
template <class V>
ARMATURE_INLINE bool is_zero(const Vec<V>& v) {
    using Bits = decltype(v.x == v.x);
    const Bits bits = (Bits)v.x | (Bits)v.y | (Bits)v.z;
    return !any(bits + bits);
}
// The same for spins, which often are along the axis of the turn in every lane, and then are what they were: that is known long
// before it is computed.
template <class V>
ARMATURE_INLINE Vec<V> rotate_spin(const Turn<V>& q, const Vec<V>& v) {
    const Vec<V> u = q.vec();
    const Vec<V> t = all<V>(2.0) * cross(u, v);
    if (is_zero(t)) return v;
    return v + q.w * t + cross(u, t);
}
template <class V>
ARMATURE_INLINE Vec<V> rotate_spin_back(const Turn<V>& q, const Vec<V>& v) {
    const Vec<V> u = q.vec();
    const Vec<V> t = all<V>(2.0) * cross(u, v);
    if (is_zero(t)) return v;
    return v - q.w * t + cross(u, t);
}

/// Of exp_rotation(θ) where h2 = (θ/2)² is below moderate_turn2: w, and the factor that makes the vector of θ.
template <class V>
struct ModerateTurn {
    V w, factor;
};
template <class V>
ARMATURE_INLINE ModerateTurn<V> moderate_turn(const V& h2) {
    V s = 0.5 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 20) * (1 - h2 * (1.0 / 42) * (1 - h2 * (1.0 / 72))));
    V w = 1 - h2 * 0.5 * (1 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 30) * (1 - h2 * (1.0 / 56))));
    const auto small = h2 < small_turn2;
    if (any(one_unless<V>(small) > 0)) {
        const V r = 1 - h2 * (1.0 / 42) * (1 - h2 * (1.0 / 72) * (1 - h2 * (1.0 / 110) * (1 - h2 * (1.0 / 156))));
        const V c = 1 - h2 * (1.0 / 56) * (1 - h2 * (1.0 / 90) * (1 - h2 * (1.0 / 132) * (1 - h2 * (1.0 / 182))));
        s = small ? s : 0.5 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 20) * r);
        w = small ? w : 1 - h2 * 0.5 * (1 - h2 * (1.0 / 12) * (1 - h2 * (1.0 / 30) * c));
    }
    return {w, s};
}
/// exp_rotation of such turns.
template <class V>
ARMATURE_INLINE Turn<V> exp_moderate_rotation(const Vec<V>& phi) {
    const auto [w, s] = moderate_turn(V(0.25 * dot(phi, phi)));
    return {w, s * phi.x, s * phi.y, s * phi.z};
}

/// Wherever they stand. One V at a time: gcc 12 takes arrays of them through the stack, in pieces that the next load has to wait for.
template <class V>
ARMATURE_INLINE V load_anywhere(const double* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
template <class V>
ARMATURE_INLINE void store_anywhere(double* p, const V& v) {
    __builtin_memcpy(p, &v, sizeof v);
}

// Things that stand one after the other, each in a lane of its own, and back.
template <class V>
ARMATURE_INLINE Vec<V> side_by_side(const Vec3* from) {
    if constexpr (width<V> == 8) {
        const double* p = &from->x;
        const V a = load_anywhere<V>(p), b = load_anywhere<V>(p + 8), c = load_anywhere<V>(p + 16);
        const V x = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, -1, -1);
        const V y = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, -1, -1, -1);
        const V z = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, -1, -1, -1);
        return {__builtin_shufflevector(x, c, 0, 1, 2, 3, 4, 5, 10, 13),
                __builtin_shufflevector(y, c, 0, 1, 2, 3, 4, 8, 11, 14),
                __builtin_shufflevector(z, c, 0, 1, 2, 3, 4, 9, 12, 15)};
    } else if constexpr (width<V> == 4) {
        const double* p = &from->x;
        const V a = load_anywhere<V>(p), b = load_anywhere<V>(p + 4), c = load_anywhere<V>(p + 8);
        const V xy = __builtin_shufflevector(a, b, 0, 1, 6, 7), zx = __builtin_shufflevector(a, c, 2, 3, 4, 5),
                yz = __builtin_shufflevector(b, c, 0, 1, 6, 7);
        return {__builtin_shufflevector(xy, zx, 0, 5, 2, 7), __builtin_shufflevector(xy, yz, 1, 4, 3, 6),
                __builtin_shufflevector(zx, yz, 0, 5, 2, 7)};
    } else {
        return {V{from[0].x, from[1].x}, V{from[0].y, from[1].y}, V{from[0].z, from[1].z}};
    }
}
template <class V>
ARMATURE_INLINE Turn<V> side_by_side(const Quat* from) {
    if constexpr (width<V> == 8) {
        const double* p = &from->w;
        const V a = load_anywhere<V>(p), b = load_anywhere<V>(p + 8), c = load_anywhere<V>(p + 16),
                d = load_anywhere<V>(p + 24);
        const V wx0 = __builtin_shufflevector(a, b, 0, 4, 8, 12, 1, 5, 9, 13);
        const V yz0 = __builtin_shufflevector(a, b, 2, 6, 10, 14, 3, 7, 11, 15);
        const V wx1 = __builtin_shufflevector(c, d, 0, 4, 8, 12, 1, 5, 9, 13);
        const V yz1 = __builtin_shufflevector(c, d, 2, 6, 10, 14, 3, 7, 11, 15);
        return {__builtin_shufflevector(wx0, wx1, 0, 1, 2, 3, 8, 9, 10, 11),
                __builtin_shufflevector(wx0, wx1, 4, 5, 6, 7, 12, 13, 14, 15),
                __builtin_shufflevector(yz0, yz1, 0, 1, 2, 3, 8, 9, 10, 11),
                __builtin_shufflevector(yz0, yz1, 4, 5, 6, 7, 12, 13, 14, 15)};
    } else if constexpr (width<V> == 4) {
        const double* p = &from->w;
        const V a = load_anywhere<V>(p), b = load_anywhere<V>(p + 4), c = load_anywhere<V>(p + 8),
                d = load_anywhere<V>(p + 12);
        const V wy0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), xz0 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const V wy1 = __builtin_shufflevector(c, d, 0, 4, 2, 6), xz1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        return {__builtin_shufflevector(wy0, wy1, 0, 1, 4, 5), __builtin_shufflevector(xz0, xz1, 0, 1, 4, 5),
                __builtin_shufflevector(wy0, wy1, 2, 3, 6, 7), __builtin_shufflevector(xz0, xz1, 2, 3, 6, 7)};
    } else {
        return {V{from[0].w, from[1].w}, V{from[0].x, from[1].x}, V{from[0].y, from[1].y}, V{from[0].z, from[1].z}};
    }
}
template <class V>
ARMATURE_INLINE void one_by_one(const Vec<V>& v, Vec3* to) {
    if constexpr (width<V> == 8) {
        const V xy0 = __builtin_shufflevector(v.x, v.y, 0, 8, -1, 1, 9, -1, 2, 10);
        const V xy1 = __builtin_shufflevector(v.x, v.y, -1, 3, 11, -1, 4, 12, -1, 5);
        const V xy2 = __builtin_shufflevector(v.x, v.y, 13, -1, 6, 14, -1, 7, 15, -1);
        const V a = __builtin_shufflevector(xy0, v.z, 0, 1, 8, 3, 4, 9, 6, 7);
        const V b = __builtin_shufflevector(xy1, v.z, 10, 1, 2, 11, 4, 5, 12, 7);
        const V c = __builtin_shufflevector(xy2, v.z, 0, 13, 2, 3, 14, 5, 6, 15);
        double* p = &to->x;
        store_anywhere(p, a);
        store_anywhere(p + 8, b);
        store_anywhere(p + 16, c);
    } else if constexpr (width<V> == 4) {
        const V xy = __builtin_shufflevector(v.x, v.y, 0, 4, 2, 6), zx = __builtin_shufflevector(v.z, v.x, 0, 5, 2, 7),
                yz = __builtin_shufflevector(v.y, v.z, 1, 5, 3, 7);
        double* p = &to->x;
        store_anywhere<V>(p + 0 * width<V>, __builtin_shufflevector(xy, zx, 0, 1, 4, 5));
        store_anywhere<V>(p + 1 * width<V>, __builtin_shufflevector(yz, xy, 0, 1, 6, 7));
        store_anywhere<V>(p + 2 * width<V>, __builtin_shufflevector(zx, yz, 2, 3, 6, 7));
    } else {
        for (int l = 0; l < width<V>; ++l) to[l] = {v.x[l], v.y[l], v.z[l]};
    }
}
template <class V>
ARMATURE_INLINE void one_by_one(const Turn<V>& q, Quat* to) {
    if constexpr (width<V> == 8) {
        const V wx0 = __builtin_shufflevector(q.w, q.x, 0, 8, 1, 9, 2, 10, 3, 11);
        const V wx1 = __builtin_shufflevector(q.w, q.x, 4, 12, 5, 13, 6, 14, 7, 15);
        const V yz0 = __builtin_shufflevector(q.y, q.z, 0, 8, 1, 9, 2, 10, 3, 11);
        const V yz1 = __builtin_shufflevector(q.y, q.z, 4, 12, 5, 13, 6, 14, 7, 15);
        double* p = &to->w;
        store_anywhere<V>(p + 0 * width<V>, __builtin_shufflevector(wx0, yz0, 0, 1, 8, 9, 2, 3, 10, 11));
        store_anywhere<V>(p + 1 * width<V>, __builtin_shufflevector(wx0, yz0, 4, 5, 12, 13, 6, 7, 14, 15));
        store_anywhere<V>(p + 2 * width<V>, __builtin_shufflevector(wx1, yz1, 0, 1, 8, 9, 2, 3, 10, 11));
        store_anywhere<V>(p + 3 * width<V>, __builtin_shufflevector(wx1, yz1, 4, 5, 12, 13, 6, 7, 14, 15));
    } else if constexpr (width<V> == 4) {
        const V wx0 = __builtin_shufflevector(q.w, q.x, 0, 4, 2, 6),
                wx1 = __builtin_shufflevector(q.w, q.x, 1, 5, 3, 7);
        const V yz0 = __builtin_shufflevector(q.y, q.z, 0, 4, 2, 6),
                yz1 = __builtin_shufflevector(q.y, q.z, 1, 5, 3, 7);
        double* p = &to->w;
        store_anywhere<V>(p + 0 * width<V>, __builtin_shufflevector(wx0, yz0, 0, 1, 4, 5));
        store_anywhere<V>(p + 1 * width<V>, __builtin_shufflevector(wx1, yz1, 0, 1, 4, 5));
        store_anywhere<V>(p + 2 * width<V>, __builtin_shufflevector(wx0, yz0, 2, 3, 6, 7));
        store_anywhere<V>(p + 3 * width<V>, __builtin_shufflevector(wx1, yz1, 2, 3, 6, 7));
    } else {
        for (int l = 0; l < width<V>; ++l) to[l] = {q.w[l], q.x[l], q.y[l], q.z[l]};
    }
}

/// Those that `at` points to.
template <class V>
ARMATURE_INLINE Vec<V> gather(const Vec3* from, const int* at) {
    return {each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].x; }),
            each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].y; }),
            each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].z; })};
}
template <class V>
ARMATURE_INLINE Turn<V> gather(const Quat* from, const int* at) {
    return {each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].w; }),
            each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].x; }),
            each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].y; }),
            each_lane<V>([&](int l) ARMATURE_LAMBDA { return from[at[l]].z; })};
}

/// Bodies begin … begin + width − 1 of `bodies` in all: beyond the last one that one again, which is not written to.
template <class V>
struct Places {
    int first, lanes;

    ARMATURE_INLINE Places(int begin, int bodies) : first(begin), lanes(bodies - begin) {
        lanes = lanes < 0 ? 0 : lanes > width<V> ? width<V> : lanes;
    }
    template <class T>
    ARMATURE_INLINE auto of(const T* from) const {
        if (lanes == width<V>) return side_by_side<V>(from + first);
        T all[width<V>];
        for (int l = 0; l < width<V>; ++l) all[l] = from[first + (l < lanes ? l : lanes - 1)];
        return side_by_side<V>(all);
    }
    template <class T, class L>
    ARMATURE_INLINE void set(T* to, const L& value) const {
        if (lanes == width<V>) return one_by_one(value, to + first);
        T all[width<V>];
        one_by_one(value, all);
        for (int l = 0; l < lanes; ++l) to[first + l] = all[l];
    }
    template <class C>
    ARMATURE_INLINE unsigned bits(const C& condition) const {
        unsigned set = 0;
        for (int l = 0; l < lanes; ++l) set |= condition[l] ? 1u << l : 0u;
        return set;
    }
};

}  // namespace armature::lanes

// Side by side (lanes.h) what stands at equal distances in memory: links of eight parts of a chain, say.
#pragma once

#include "armature/math/lanes.h"

namespace armature::lanes {

/// Things that are `apart` numbers from each other, the first at `first`. Where another number stands behind the last of them
/// four are read at a time.
template <class V>
struct Spaced {
    std::ptrdiff_t apart;
    bool another;

    /// One number of each.
    ARMATURE_INLINE V column(const double* first) const {
        return each_lane<V>([&](int l) ARMATURE_LAMBDA { return first[l * apart]; });
    }
    ARMATURE_INLINE Vec<V> vec(const double* first) const {
        if (width < V >> 2 && another) {
            const Turn<V> four = turn(first);
            return {four.w, four.x, four.y};
        }
        return {column(first), column(first + 1), column(first + 2)};
    }
    ARMATURE_INLINE Turn<V> turn(const double* first) const {
        if constexpr (width<V> == 8) {
            const V a = two(first, 0), b = two(first, 1), c = two(first, 2), d = two(first, 3);
            const V ab0 = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
            const V ab1 = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
            const V cd0 = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
            const V cd1 = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
            return {__builtin_shufflevector(ab0, cd0, 0, 1, 8, 9, 4, 5, 12, 13),
                    __builtin_shufflevector(ab1, cd1, 0, 1, 8, 9, 4, 5, 12, 13),
                    __builtin_shufflevector(ab0, cd0, 2, 3, 10, 11, 6, 7, 14, 15),
                    __builtin_shufflevector(ab1, cd1, 2, 3, 10, 11, 6, 7, 14, 15)};
        } else if constexpr (width<V> == 4) {
            const V a = four(first), b = four(first + apart), c = four(first + 2 * apart), d = four(first + 3 * apart);
            const V ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
            const V cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
            return {__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
                    __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7), __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)};
        } else {
            return {column(first), column(first + 1), column(first + 2), column(first + 3)};
        }
    }
    ARMATURE_INLINE void put(double* first, const Turn<V>& q) const {
        if constexpr (width<V> == 2) {
            for (int l = 0; l < 2; ++l) {
                const double each[4] = {q.w[l], q.x[l], q.y[l], q.z[l]};
                __builtin_memcpy(first + l * apart, each, sizeof each);
            }
        } else if constexpr (width<V> == 4) {
            const V wx0 = __builtin_shufflevector(q.w, q.x, 0, 4, 2, 6);
            const V wx1 = __builtin_shufflevector(q.w, q.x, 1, 5, 3, 7);
            const V yz0 = __builtin_shufflevector(q.y, q.z, 0, 4, 2, 6);
            const V yz1 = __builtin_shufflevector(q.y, q.z, 1, 5, 3, 7);
            store_anywhere<V4>(first, __builtin_shufflevector(wx0, yz0, 0, 1, 4, 5));
            store_anywhere<V4>(first + apart, __builtin_shufflevector(wx1, yz1, 0, 1, 4, 5));
            store_anywhere<V4>(first + 2 * apart, __builtin_shufflevector(wx0, yz0, 2, 3, 6, 7));
            store_anywhere<V4>(first + 3 * apart, __builtin_shufflevector(wx1, yz1, 2, 3, 6, 7));
        } else {
            const Spaced<V4> four{apart, another};
            four.put(first, {half(q.w, 0), half(q.x, 0), half(q.y, 0), half(q.z, 0)});
            four.put(first + 4 * apart, {half(q.w, 4), half(q.x, 4), half(q.y, 4), half(q.z, 4)});
        }
    }
    /// `over`: the number behind each of them may become zero.
    ARMATURE_INLINE void put(double* first, const Vec<V>& v, bool over) const {
        if (width < V >> 2 && over) return put(first, Turn<V>{v.x, v.y, v.z, V{}});
        for (int l = 0; l < width<V>; ++l) {
            first[l * apart] = v.x[l];
            first[l * apart + 1] = v.y[l];
            first[l * apart + 2] = v.z[l];
        }
    }

  private:
    ARMATURE_INLINE static V4 half(const V8& v, int from) {
        return from == 0 ? __builtin_shufflevector(v, v, 0, 1, 2, 3) : __builtin_shufflevector(v, v, 4, 5, 6, 7);
    }
    ARMATURE_INLINE static V4 four(const double* p) { return load_anywhere<V4>(p); }
    /// Number k and number k + 4 of eight.
    ARMATURE_INLINE V8 two(const double* first, int k) const {
        return __builtin_shufflevector(four(first + k * apart), four(first + (k + 4) * apart), 0, 1, 2, 3, 4, 5, 6, 7);
    }
};

}  // namespace armature::lanes

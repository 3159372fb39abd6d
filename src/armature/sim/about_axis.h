// Bodies that turn about one of the axes x, y and z alone, as the links of a chain do that swings in a coordinate plane: two numbers
// of a quaternion and one of a spin are not zero, and the loops of free_motion_lanes.h take a third less time without the others.
//
// The bits are those of the formulas in space, so that a body moves the same whoever is beside it: with +0 for the numbers left
// out, every sum there has the same terms in the same order, and +0 comes out again. (−0 is not taken for zero here.)
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "armature/math/axis_turn.h"

namespace armature {

/// The only axis about which a body is and was turned, −1 when there is none; `last` when it might be any.
inline int only_axis(const Quat& q, const Vec3& w, int last) {
    const auto any = [](double a, double b) {
        return (std::bit_cast<std::uint64_t>(a) | std::bit_cast<std::uint64_t>(b)) != 0;
    };
    const bool x = any(q.x, w.x), y = any(q.y, w.y), z = any(q.z, w.z);
    if (x + y + z > 1) return -1;
    return x ? 0 : y ? 1 : z ? 2 : last;
}

namespace lanes {

template <int n, class V>
ARMATURE_INLINE auto off_axis(const Vec<V>& v) {
    using Bits = decltype(v.x == v.x);
    return (Bits)number<(n + 1) % 3>(v) | (Bits)number<(n + 2) % 3>(v);
}

/// act(axis as a type) where all lanes turn about `axis`, −1 for none, alone; whether that was so.
template <class V, class Act, class... Spins>
ARMATURE_INLINE bool about_axis(int axis, Act&& act, const Spins&... spins) {
    const auto try_axis = [&]<int n>(std::integral_constant<int, n> is) ARMATURE_LAMBDA {
        if (any((off_axis<n>(spins) | ...))) return false;
        act(is);
        return true;
    };
    switch (axis) {
        case 0:
            return try_axis(std::integral_constant<int, 0>{});
        case 1:
            return try_axis(std::integral_constant<int, 1>{});
        case 2:
            return try_axis(std::integral_constant<int, 2>{});
        default:
            return false;
    }
}

}  // namespace lanes

}  // namespace armature

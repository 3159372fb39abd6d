// Things side by side have the bits that they would have alone.
#include "armature/math/lanes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "armature/math/random.h"

namespace armature::lanes_of_bodies {
namespace {

using namespace lanes;

template <class V>
class Lanes : public testing::Test {};
using Widths = testing::Types<V2, V4, V8>;
TYPED_TEST_SUITE(Lanes, Widths);

Quat near_unit(Random& random, double off) {
    Quat q = normalized(Quat{random.in_box(1).x, random.in_box(1).x, random.in_box(1).y, 0.1 + random.in_box(1).z});
    const double s = 1 + off * random.in_box(1).x;
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

TYPED_TEST(Lanes, UnitsAreThoseOfThePlainCode) {
    using V = TypeParam;
    Random random(1);
    for (int k = 0; k < 1000; ++k) {
        Quat from[8], to[8];
        // Lanes of one group may be off by round-off, by little, or by a lot.
        for (int l = 0; l < 8; ++l) from[l] = near_unit(random, std::pow(10.0, -17.0 + (k + 5 * l) % 18));
        one_by_one(normalized(side_by_side<V>(from)), to);
        for (int l = 0; l < width<V>; ++l) EXPECT_EQ(to[l], normalized(from[l])) << "case " << k << " lane " << l;
    }
}

TYPED_TEST(Lanes, TheLastOnesArePutBackAndNothingBeyond) {
    using V = TypeParam;
    std::vector<Vec3> things(13), out(13, Vec3{-1, -1, -1});
    for (std::size_t i = 0; i < things.size(); ++i) things[i] = {1.0 * static_cast<double>(i), 2, 3};
    constexpr int bodies = 11;  // the others are not its own
    for (int first = 0; first < bodies; first += width<V>) {
        const Places<V> p(first, bodies);
        const Vec<V> v = p.of(things.data());
        for (int l = 0; l < width<V>; ++l) EXPECT_EQ(v.x[l], std::min(first + l, bodies - 1));
        p.set(out.data(), v);
    }
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i < bodies ? things[i] : (Vec3{-1, -1, -1}));
}

TYPED_TEST(Lanes, AnyIsToldFromNone) {
    using V = TypeParam;
    for (int lane = 0; lane < width<V>; ++lane) {
        V v{};
        EXPECT_FALSE(any(v > 0));
        v[lane] = 1;
        EXPECT_TRUE(any(v > 0));
        EXPECT_TRUE(any(one_unless<V>(v < 1) > 0));
        EXPECT_EQ(one_where<V>(v > 0)[lane], 1);
    }
}

}  // namespace
}  // namespace armature::lanes_of_bodies

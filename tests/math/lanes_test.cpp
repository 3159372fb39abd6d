// Things side by side have the bits that they would have alone.
#include "armature/math/lanes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "armature/math/constants.h"
#include "armature/math/random.h"
#include "support/machines.h"

namespace armature::lanes_of_bodies {
namespace {

using namespace lanes;

using Lanes = test::Machines;
INSTANTIATE_TEST_SUITE_P(All, Lanes, test::all_machines());

Quat near_unit(Random& random, double off) {
    Quat q = normalized(Quat{random.in_box(1).x, random.in_box(1).x, random.in_box(1).y, 0.1 + random.in_box(1).z});
    const double s = 1 + off * random.in_box(1).x;
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

TEST_P(Lanes, UnitsAreThoseOfThePlainCode) {
    Random random(1);
    for (int k = 0; k < 1000; ++k) {
        Quat from[8], to[8];
        // Lanes of one group may be off by round-off, by little, or by a lot.
        for (int l = 0; l < 8; ++l) from[l] = near_unit(random, std::pow(10.0, -17.0 + (k + 5 * l) % 18));
        on_this_machine([&]<class V>() ARMATURE_LAMBDA {
            for (int part = 0; part < 8; part += width<V>)
                one_by_one(normalized(side_by_side<V>(from + part)), to + part);
        });
        for (int l = 0; l < 8; ++l) EXPECT_EQ(to[l], normalized(from[l])) << "case " << k << " lane " << l;
    }
}

TEST_P(Lanes, TheLastOnesArePutBackAndNothingBeyond) {
    std::vector<Vec3> things(13), out(13, Vec3{-1, -1, -1});
    for (std::size_t i = 0; i < things.size(); ++i) things[i] = {1.0 * static_cast<double>(i), 2, 3};
    constexpr int bodies = 11;  // the others are not its own
    on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        for (int first = 0; first < bodies; first += width<V>) {
            const Places<V> p(first, bodies);
            const Vec<V> v = p.of(things.data());
            for (int l = 0; l < width<V>; ++l) EXPECT_EQ(v.x[l], std::min(first + l, bodies - 1));
            p.set(out.data(), v);
        }
    });
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i < bodies ? things[i] : (Vec3{-1, -1, -1}));
}

TEST_P(Lanes, AnyIsToldFromNone) {
    on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        for (int lane = 0; lane < width<V>; ++lane) {
            V v{};
            EXPECT_FALSE(any(v > 0));
            v[lane] = 1;
            EXPECT_TRUE(any(v > 0));
            EXPECT_TRUE(any(one_unless<V>(v < 1) > 0));
            EXPECT_EQ(one_where<V>(v > 0)[lane], 1);
        }
    });
}

TEST_P(Lanes, AllLanesHaveTheNumber) {
    for (const double s : {0.0, -0.0, 1.5, -1e300, infinity}) {
        double seen[8] = {}, constant[8] = {};
        on_this_machine([&]<class V>() ARMATURE_LAMBDA {
            for (int part = 0; part < 8; part += width<V>) {
                store_anywhere(seen + part, all<V>(s));
                store_anywhere(constant + part, all<V>(-0.0));
            }
        });
        for (int l = 0; l < 8; ++l) {
            EXPECT_EQ(std::bit_cast<std::uint64_t>(seen[l]), std::bit_cast<std::uint64_t>(s));
            EXPECT_TRUE(constant[l] == 0 && std::signbit(constant[l]));
        }
    }
}

TEST_P(Lanes, WhatIsGatheredIsThatOfEachLane) {
    std::vector<Vec3> v(20);
    std::vector<Quat> q(20);
    for (std::size_t i = 0; i < 20; ++i) {
        const double k = static_cast<double>(i);
        v[i] = {k, 100 + k, 200 + k};
        q[i] = {k, 300 + k, 400 + k, 500 + k};
    }
    const int at[8] = {3, 17, 0, 3, 19, 8, 5, 11};
    Vec3 to_v[8];
    Quat to_q[8];
    on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        for (int part = 0; part < 8; part += width<V>) {
            one_by_one(gather<V>(v.data(), at + part), to_v + part);
            one_by_one(gather<V>(q.data(), at + part), to_q + part);
        }
    });
    for (int l = 0; l < 8; ++l) {
        EXPECT_EQ(to_v[l], v[static_cast<std::size_t>(at[l])]);
        EXPECT_EQ(to_q[l], q[static_cast<std::size_t>(at[l])]);
    }
}

}  // namespace
}  // namespace armature::lanes_of_bodies

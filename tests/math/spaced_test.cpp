// Numbers side by side are those that stood one after the other, however many are worked on at once.
#include "armature/math/spaced.h"

#include <gtest/gtest.h>

#include <array>

#include "support/machines.h"

namespace armature::spaced {
namespace {

using Spaced = test::Machines;
INSTANTIATE_TEST_SUITE_P(All, Spaced, test::all_machines());

/// Things of five numbers, of which three or four are meant.
constexpr int apart = 5, things = 8;
std::array<double, things * apart> counted() {
    std::array<double, things * apart> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    return numbers;
}

TEST_P(Spaced, ThingsThatStandApartAreReadLaneByLane) {
    const auto numbers = counted();
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        for (const bool another : {false, true}) {
            const lanes::Spaced<V> spaced{apart, another};
            const lanes::Vec<V> v = spaced.vec(numbers.data() + 1);
            const lanes::Turn<V> q = spaced.turn(numbers.data());
            for (int l = 0; l < lanes::width<V>; ++l) {
                EXPECT_EQ(v.x[l], apart * l + 1);
                EXPECT_EQ(v.y[l], apart * l + 2);
                EXPECT_EQ(v.z[l], apart * l + 3);
                EXPECT_EQ(q.w[l], apart * l);
                EXPECT_EQ(q.x[l], apart * l + 1);
                EXPECT_EQ(q.y[l], apart * l + 2);
                EXPECT_EQ(q.z[l], apart * l + 3);
            }
        }
    });
}

TEST_P(Spaced, ThingsThatStandApartAreWrittenAndNothingBesides) {
    const auto before = counted();
    lanes::on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        const lanes::Spaced<V> spaced{apart, true};
        lanes::Vec<V> v{};
        for (int l = 0; l < lanes::width<V>; ++l) {
            v.x[l] = -10 * l - 1;
            v.y[l] = -10 * l - 2;
            v.z[l] = -10 * l - 3;
        }
        for (const bool over : {false, true}) {
            auto numbers = before;
            spaced.put(numbers.data(), v, over);
            for (int l = 0; l < things; ++l)
                for (int k = 0; k < apart; ++k) {
                    const auto at = static_cast<std::size_t>(apart * l + k);
                    const bool written = l < lanes::width<V> && k < 3, may_be = over && l < lanes::width<V> && k == 3;
                    if (may_be) continue;
                    EXPECT_EQ(numbers[at], written ? -10 * l - k - 1 : before[at]);
                }
        }
        auto numbers = before;
        spaced.put(numbers.data(), lanes::Turn<V>{v.x, v.y, v.z, v.x});
        for (int l = 0; l < lanes::width<V>; ++l) {
            EXPECT_EQ(numbers[static_cast<std::size_t>(apart * l + 2)], -10 * l - 3);
            EXPECT_EQ(numbers[static_cast<std::size_t>(apart * l + 3)], -10 * l - 1);
            EXPECT_EQ(numbers[static_cast<std::size_t>(apart * l + 4)],
                      before[static_cast<std::size_t>(apart * l + 4)]);
        }
    });
}

}  // namespace
}  // namespace armature::spaced

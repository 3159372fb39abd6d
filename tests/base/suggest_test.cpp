#include "armature/base/suggest.h"

#include <gtest/gtest.h>

namespace armature {
namespace {

TEST(Suggest, CountsInsertionsDeletionsReplacementsAndSwaps) {
    EXPECT_EQ(edit_distance("mass", "mass", 3), 0u);
    EXPECT_EQ(edit_distance("mass", "mas", 3), 1u);
    EXPECT_EQ(edit_distance("hinge", "hnige", 3), 1u);
    EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3u);
    EXPECT_EQ(edit_distance("Mass", "mASS", 3), 0u);
    EXPECT_EQ(edit_distance("abc", "xyz", 1), 2u) << "more than the limit is limit + 1";
    EXPECT_EQ(edit_distance("", "abc", 3), 3u);
}

TEST(Suggest, NamesTheClosestWord) {
    EXPECT_EQ(closest_word("angel", {"axial", "angle", "planar"}), "angle");
    EXPECT_EQ(did_you_mean("shpere", {"box", "sphere"}), "did you mean 'sphere'?");
}

TEST(Suggest, SaysNothingWhenNothingIsClose) {
    EXPECT_EQ(closest_word("widget", {"box", "sphere"}), "");
    EXPECT_EQ(closest_word("x", {"y"}), "") << "replacing every letter is no likeness";
    EXPECT_EQ(did_you_mean("q", {}), "");
    EXPECT_EQ(closest_word(std::string(1000, 'a'), {"a"}), "");
}

}  // namespace
}  // namespace armature

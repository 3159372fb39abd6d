// Twenty dolls from one group: names of their own, lives of their own.
#include <set>

#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

TEST(Ragdolls, AreTwentyWithNamesOfTheirOwn) {
    const Model model = test::load_scene_model("ragdolls");
    std::set<std::string> names;
    for (const Body& b : model.bodies) EXPECT_TRUE(names.insert(b.name).second) << b.name;
    for (const Joint& j : model.joints) EXPECT_TRUE(names.insert(j.name).second) << j.name;
    EXPECT_EQ(model.islands.size(), 20u);
    for (int i = 1; i <= 20; ++i)
        for (const char* part : {"head", "hand[1]", "hand[2]", "foot[1]", "foot[2]"})
            EXPECT_GE(model.find_body("doll[" + std::to_string(i) + "]." + part), 0) << i << part;
    EXPECT_EQ(model.find_body("doll[21].head"), -1);
}

TEST(Ragdolls, ASettingOfOneLeavesTheOthersAsTheyWere) {
    const auto run = [](const test::Overrides& overrides) {
        test::Overrides all{{"dolls", "3"}};
        all.insert(all.end(), overrides.begin(), overrides.end());
        Simulator s(test::load_scene_model("ragdolls", all));
        s.advance_to(0.5);
        return s.capture().pose_WB;
    };
    const std::vector<Pose> plain = run({}), changed = run({{"doll[2].limber", "0.3"}});
    ASSERT_EQ(plain.size(), 46u) << "the world and 15 solids a doll";
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (i > 15 && i <= 30) continue;  // of the second doll
        EXPECT_EQ(plain[i], changed[i]) << i;
    }
    EXPECT_NE(plain[18], changed[18]) << "the head of the second doll";
}

}  // namespace
}  // namespace armature

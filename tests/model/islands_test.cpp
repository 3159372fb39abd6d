// How solids, joints and forces are sorted into islands.
#include <gtest/gtest.h>

#include "armature/model/compile.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

using test::add_ball;
using test::add_brick;

std::vector<std::string> names_in(const Model& model, std::size_t island) {
    std::vector<std::string> names;
    for (const BodyId b : model.islands.at(island).bodies)
        names.push_back(model.bodies[static_cast<std::size_t>(b)].name);
    return names;
}
using Names = std::vector<std::string>;

TEST(Islands, AnEmptySceneHasNone) {
    const Model model = compile(Spec{});
    EXPECT_TRUE(model.islands.empty());
    ASSERT_EQ(model.bodies.size(), 1u);
    EXPECT_EQ(model.bodies[0].name, "world");
    EXPECT_EQ(model.bodies[0].inv_mass, 0);
    EXPECT_EQ(model.bodies[0].island, -1);
}

TEST(Islands, JointsAndSpringsConnectAndTheOrderIsThatOfTheFirstSolid) {
    Spec spec;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) add_brick(spec, name, {});
    add_ball(spec, "f", {}, "b", {});
    spec.add_force("s").law = SpringSpec{"a", "d", {}, {}, 1, 0, 0};
    add_ball(spec, "d", {}, "e", {});
    const Model model = compile(spec);
    ASSERT_EQ(model.islands.size(), 3u);
    EXPECT_EQ(names_in(model, 0), (Names{"a", "d", "e"}));
    EXPECT_EQ(names_in(model, 1), (Names{"b", "f"}));
    EXPECT_EQ(names_in(model, 2), Names{"c"});
    EXPECT_EQ(model.islands[0].springs.size(), 1u);
    EXPECT_EQ(model.islands[0].joints.size(), 1u);
    EXPECT_EQ(model.islands[1].joints.size(), 1u);
    EXPECT_TRUE(model.islands[2].joints.empty());
}

TEST(Islands, SolidsThatCannotMoveDoNotConnectAndStandLast) {
    Spec spec;
    SolidSpec& post = spec.add_solid("post");
    post.kernel = Kernel::fixed;
    add_brick(spec, "left", {});
    add_brick(spec, "right", {});
    add_ball(spec, "post", {}, "left", {});
    add_ball(spec, "right", {}, "post", {});
    add_ball(spec, "right", {0, 0.1, 0}, "world", {});
    const Model model = compile(spec);
    ASSERT_EQ(model.islands.size(), 2u);
    EXPECT_EQ(names_in(model, 0), (Names{"left", "post"}));
    EXPECT_EQ(names_in(model, 1), (Names{"right", "post", "world"}));
    for (const Island& island : model.islands) EXPECT_EQ(island.dynamic_count, 1);
    EXPECT_EQ(model.bodies[static_cast<std::size_t>(model.find_body("post"))].island, -1);
    const Island& right = model.islands[1];
    EXPECT_EQ(right.joints[0].body1, 0);
    EXPECT_EQ(right.joints[0].body2, 1);
    EXPECT_EQ(right.joints[1].body2, 2);
    EXPECT_EQ(model.joints[0].island, 0);
    EXPECT_EQ(model.joints[1].island, 1);
}

TEST(Islands, AJointBetweenTwoThatCannotMoveBelongsToNone) {
    Spec spec;
    spec.add_solid("post").kernel = Kernel::fixed;
    add_ball(spec, "post", {}, "world", {});
    add_brick(spec, "brick", {});
    const Model model = compile(spec);
    EXPECT_EQ(model.joints[0].island, -1);
    EXPECT_TRUE(model.islands.at(0).joints.empty());
}

TEST(Islands, ForcesGoWithTheirSolidAndADragOnAllReachesAll) {
    Spec spec;
    add_brick(spec, "a", {});
    add_brick(spec, "b", {});
    spec.add_solid("post").kernel = Kernel::fixed;
    spec.add_force("push").law = PointForceSpec{"b", {}, VectorTrack::constant({1, 0, 0}), Frame::world};
    spec.add_force("turn").law = TorqueSpec{"a", VectorTrack::constant({1, 0, 0}), Frame::body};
    spec.add_force("air").law = DragSpec{"", 1, 1};
    const Model model = compile(spec);
    ASSERT_EQ(model.islands.size(), 2u);
    EXPECT_EQ(model.islands[0].forces.size(), 0u);
    EXPECT_EQ(model.islands[1].forces.size(), 1u);
    EXPECT_EQ(model.islands[0].torques.size(), 1u);
    for (const Island& island : model.islands) EXPECT_EQ(island.drags.size(), 1u);
}

TEST(Islands, AStiffSpringShortensTheStep) {
    Spec spec;
    add_brick(spec, "a", {}, 2);
    EXPECT_EQ(compile(spec).islands[0].max_step, infinity);
    spec.add_force("s").law = SpringSpec{"world", "a", {}, {}, 1e4, 0, 0};
    const double stiff = compile(spec).islands[0].max_step;
    // stable up to 2/ω, ω = √(k/m)
    EXPECT_LE(stiff, 2 / std::sqrt(1e4 / 2));
    EXPECT_GT(stiff, 0.1 / std::sqrt(1e4 / 2)) << "needlessly short";
}

TEST(Islands, TheSizeHoldsTheShapesAndTheAnchors) {
    Spec spec;
    add_brick(spec, "a", {3, 0, 0});
    add_brick(spec, "b", {-3, 0, 0});
    add_ball(spec, "a", {}, "b", {});
    EXPECT_GE(compile(spec).islands[0].size, 6);
    EXPECT_LT(compile(spec).islands[0].size, 8);
    spec.constraints[0].hinge->p1_B = {50, 0, 0};
    EXPECT_GE(compile(spec).islands[0].size, 50) << "an anchor far outside";
}

TEST(Islands, ListTheJointsThatAStepHasToLookAt) {
    Spec spec;
    test::add_chain(spec, "link", 6);
    spec.constraints[1].from = 1;
    spec.constraints[2].until = 2;
    spec.constraints[3].soft = SoftSpec{1, 1, 1, 1};
    spec.constraints[4].freedoms.emplace_back().name = "turn";
    DraggedSpec& drag = spec.drags.emplace_back();
    drag.name = "hand";
    drag.solid = "link5";
    drag.path.keys.push_back({0, {}});
    const Model model = compile(spec);
    ASSERT_EQ(model.islands.size(), 1u);
    const Island& island = model.islands[0];
    EXPECT_EQ(island.acting, (std::vector{3, 4, 6}));
    EXPECT_EQ(island.timed, (std::vector{1, 2, 6}));
    EXPECT_EQ(island.hands, std::vector{6});
    EXPECT_EQ(model.led, std::vector{model.find_body("hand")});
}

TEST(Islands, KnowWhetherTheirIdsFollowOneAnother) {
    Spec row;
    test::add_chain(row, "a", 3);
    test::add_chain(row, "b", 3, {0, 1, 0});
    const Model in_a_row = compile(row);
    ASSERT_EQ(in_a_row.islands.size(), 2u);
    EXPECT_TRUE(in_a_row.islands[0].in_a_row);
    EXPECT_TRUE(in_a_row.islands[1].in_a_row);

    Spec mixed;
    for (const char* name : {"a", "b", "c"}) add_brick(mixed, name, {});
    add_ball(mixed, "a", {}, "c", {});
    EXPECT_FALSE(compile(mixed).islands[0].in_a_row) << "bodies";

    Spec crossed;
    test::add_chain(crossed, "a", 2);
    add_brick(crossed, "b", {});
    add_ball(crossed, "b", {}, "world", {});
    add_ball(crossed, "a1", {}, "world", {});
    EXPECT_FALSE(compile(crossed).islands[0].in_a_row) << "joints";
}

}  // namespace
}  // namespace armature

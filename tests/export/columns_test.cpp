#include "armature/export/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"

namespace armature {
namespace {

/// Two links on a nail, a free ball and a fixed block.
Spec scene() {
    Spec spec;
    for (const char* name : {"link[1]", "link[2]", "ball", "block"}) {
        SolidSpec& solid = spec.add_solid(name);
        solid.shapes.push_back({{}, Sphere{0.1}, {}, {}});
    }
    spec.find_solid("link[1]")->pose_WB.x = {1, 0, 0};
    spec.find_solid("link[2]")->pose_WB.x = {2, 0, 0};
    spec.find_solid("ball")->pose_WB.x = {0, 5, 0};
    spec.find_solid("ball")->velocity = {3, 4, 0};
    spec.find_solid("block")->kernel = Kernel::fixed;
    ConstraintSpec& nail = spec.add_constraint("link[1]", "world");
    nail.name = "nail";
    nail.hinge = HingeSpec{{-1, 0, 0}, {0, 0, 0}, PointDomain{}};
    ConstraintSpec& middle = spec.add_constraint("link[2]", "link[1]");
    middle.hinge = HingeSpec{{-0.5, 0, 0}, {0.5, 0, 0}, PointDomain{}};
    return spec;
}

std::vector<std::string> names(const std::vector<Column>& columns) {
    std::vector<std::string> list;
    for (const Column& column : columns) list.push_back(column.name);
    return list;
}

using Names = std::vector<std::string>;

TEST(Columns, EveryNameIsThereOnce) {
    const Model model = compile(scene());
    const Names all = names(all_columns(model));
    EXPECT_EQ(all.size(), std::set<std::string>(all.begin(), all.end()).size());
    for (const char* name : {"time", "energy", "worst_gap", "link[1].at.x", "block.quaternion.w", "nail.error",
                             "link[2]~link[1].force.z", "island[1].momentum.y"})
        EXPECT_EQ(std::count(all.begin(), all.end(), name), 1) << name;
    EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& n) { return n.starts_with("world"); }), 0);
}

TEST(Columns, TheDefaultLeavesOutWhatCannotMove) {
    const Model model = compile(scene());
    const Names some = names(default_columns(model));
    EXPECT_EQ(some.front(), "time");
    EXPECT_EQ(std::count(some.begin(), some.end(), "ball.at.y"), 1);
    EXPECT_EQ(std::count(some.begin(), some.end(), "block.at.y"), 0);
    EXPECT_EQ(some, names(choose_columns(model, {})));
}

TEST(Columns, ValuesAreThoseOfTheFrame) {
    Simulator simulator(scene());
    for (int i = 0; i < 5; ++i) simulator.advance();
    const FrameRecord frame = simulator.capture();
    const auto value = [&](const char* name) { return choose_columns(simulator.model(), {name}).at(0).of(frame); };
    EXPECT_EQ(value("time"), frame.time);
    EXPECT_EQ(value("ball.at.y"), simulator.pose("ball").x.y);
    EXPECT_EQ(value("ball.velocity.x"), 3);
    EXPECT_EQ(value("link[2].quaternion.w"), simulator.pose("link[2]").q.w);
    EXPECT_EQ(value("nail.force.y"), simulator.joint_load("nail").force.y);
    EXPECT_EQ(value("energy"), frame.mechanics.energy());
    EXPECT_EQ(value("kinetic") + value("potential"), value("energy"));
    const int ball_island = simulator.model().bodies.at(3).island;
    EXPECT_EQ(value(("island[" + std::to_string(ball_island) + "].energy").c_str()),
              frame.islands[static_cast<std::size_t>(ball_island)].energy());
}

TEST(Columns, FreedomsByTheirJoint) {
    Spec spec = scene();
    ConstraintSpec elbow = make_joint(JointType::cylindrical, "link[1]", {}, "ball", {});
    elbow.name = "elbow";
    spec.constraints.push_back(elbow);
    const Model model = compile(spec);
    EXPECT_EQ(names(choose_columns(model, {"elbow.turn", "elbow.slide.rate"})),
              (Names{"elbow.turn.value", "elbow.turn.rate", "elbow.turn.force", "elbow.slide.rate"}));
    FrameRecord frame;
    frame.freedoms = {{1, 1, 2, 3}, {4, 0, 5, 6}};
    const auto value = [&](const char* name) { return choose_columns(model, {name}).at(0).of(frame); };
    EXPECT_EQ(value("elbow.turn.value"), 1);
    EXPECT_EQ(value("elbow.turn.rate"), 2);
    EXPECT_EQ(value("elbow.turn.force"), 3);
    EXPECT_EQ(value("elbow.slide.value"), 4);
    EXPECT_EQ(value("elbow.slide.force"), 6);
}

TEST(Columns, ABeginningUpToADotStandsForAllBehindIt) {
    const Model model = compile(scene());
    EXPECT_EQ(names(choose_columns(model, {"time", "ball.at"})),
              (Names{"time", "ball.at.x", "ball.at.y", "ball.at.z"}));
    EXPECT_EQ(choose_columns(model, {"ball"}).size(), 13u);
    EXPECT_THROW(choose_columns(model, {"bal"}), InputError);
    EXPECT_THROW(choose_columns(model, {"ball."}), InputError);
    EXPECT_THROW(choose_columns(model, {""}), InputError);
}

TEST(Columns, StarsStandForAnything) {
    const Model model = compile(scene());
    EXPECT_EQ(names(choose_columns(model, {"link[*].at.y"})), (Names{"link[1].at.y", "link[2].at.y"}));
    EXPECT_EQ(names(choose_columns(model, {"*.error"})), (Names{"nail.error", "link[2]~link[1].error"}));
    EXPECT_EQ(names(choose_columns(model, {"*"})), names(all_columns(model)));
    EXPECT_EQ(names(choose_columns(model, {"l*1*.a*y*"})), (Names{"link[1].at.y"}));
}

TEST(Columns, TheOrderIsThatOfThePatternsAndNothingComesTwice) {
    const Model model = compile(scene());
    EXPECT_EQ(names(choose_columns(model, {"ball.at.z", "time", "ball.at", "time"})),
              (Names{"ball.at.z", "time", "ball.at.x", "ball.at.y"}));
}

TEST(Columns, EveryUnknownNameIsToldWithTheNearestKnownOne) {
    const Model model = compile(scene());
    try {
        choose_columns(model, {"time", "bal.at", "enrgy", "nothing like it"});
        FAIL() << "no error";
    } catch (const InputError& error) {
        const auto& all = error.diagnostics().all();
        ASSERT_EQ(all.size(), 3u);
        EXPECT_EQ(all[0].message, "there is no column 'bal.at'");
        EXPECT_EQ(all[0].hint, "did you mean 'ball.at'?");
        EXPECT_EQ(all[1].hint, "did you mean 'energy'?");
        EXPECT_EQ(all[2].hint, "");
    }
}

}  // namespace
}  // namespace armature

// Hands that pull while time stands still, undo of what they did, and the report of the time line as it then stands.
#include <gtest/gtest.h>

#include "armature/scene/load.h"
#include "command_bench.h"
#include "support/small_scenes.h"

namespace armature::pose_test {

using studio::Branch;
using studio::Session;
using test::Bench;

Spec small_chain(const std::string& solver = "displacement") {
    Spec spec;
    test::add_chain(spec, "link", 5);
    spec.simulation.solver = solver;
    if (solver == "procedural") spec.simulation.scheme = Scheme::verlet;
    return spec;
}

Vec3 point_of(const Session& s, const std::string& solid, const Vec3& at_B) {
    const Model& model = s.run().model();
    return s.run().state_at(s.run().frame()).pose_WB(model, model.find_body(solid)) * at_B;
}

/// As the studio does it: until nothing moves any more. Gives back what stood before.
std::optional<Branch> settle(Session& s, int most = 400) {
    std::optional<Branch> before;
    for (int k = 0; k < most && s.pose_due(); ++k) {
        Session::Posed posed = s.pose();
        if (posed.before) before = std::move(posed.before);
    }
    EXPECT_FALSE(s.pose_due()) << "it comes to an end";
    return before;
}

class StudioPose : public testing::TestWithParam<const char*> {};

TEST_P(StudioPose, ToPauseWithAHandOnItMovesNothing) {
    Session s(small_chain(GetParam()));
    for (int k = 0; k < 10; ++k) s.advance();
    const std::string hand = s.grab("link4", {0.2, 0, 0}, false);
    for (int k = 1; k <= 10; ++k) {
        ASSERT_TRUE(s.pull(hand, {1.2, 0.02 * k, 0}, {}, static_cast<std::uint32_t>(k)));
        s.advance();
    }
    const std::uint64_t before = hash(s.run().moment().state);
    EXPECT_FALSE(s.pose_due()) << "the frame has that pull already";
    EXPECT_FALSE(s.pose().moved);
    EXPECT_EQ(hash(s.run().moment().state), before);
    EXPECT_GT(norm(s.run().moment().state.v[1]), 0) << "its motion is still in it";
    // The next pull is one of a scene that stands still.
    ASSERT_TRUE(s.pull(hand, {1.2, 0.3, 0}, {}, 11));
    EXPECT_TRUE(s.pose_due());
}

TEST_P(StudioPose, ThePulledPointFollowsAndNoTimePasses) {
    Session s(small_chain(GetParam()));
    for (int k = 0; k < 30; ++k) s.advance();
    const double time = s.run().moment().state.time;
    const std::string hand = s.grab("link4", {0.2, 0, 0}, false);
    EXPECT_FALSE(s.pose_due()) << "taking hold moves nothing";
    for (int k = 1; k <= 20; ++k) {
        ASSERT_TRUE(s.pull(hand, {1.2, 0.05 * k, 0.02 * k}, {}, static_cast<std::uint32_t>(k)));
        settle(s);
        EXPECT_EQ(s.input(), static_cast<std::uint32_t>(k)) << "the frame says what it contains";
    }
    EXPECT_LE(norm(point_of(s, "link4", {0.2, 0, 0}) - Vec3{1.2, 1.0, 0.4}), 2e-3);
    EXPECT_LE(s.run().moment().joints.worst_gap, 1e-3);
    EXPECT_EQ(s.run().frame(), 30);
    EXPECT_EQ(s.run().timeline().last(), 30);
    EXPECT_EQ(s.run().moment().state.time, time);
    for (const Vec3& v : s.run().moment().state.v) EXPECT_EQ(v, Vec3{}) << "what was posed is at rest";
    // Time runs on from there, the hand still holding, and then let go.
    const Vec3 there = point_of(s, "link4", {0.2, 0, 0});
    s.advance();
    EXPECT_EQ(s.run().frame(), 31);
    EXPECT_LE(norm(point_of(s, "link4", {0.2, 0, 0}) - there), 5e-3) << "no jump";
    EXPECT_TRUE(s.release(hand));
    for (int k = 0; k < 30; ++k) s.advance();
    EXPECT_LT(point_of(s, "link4", {0.2, 0, 0}).y, 0.5) << "it falls";
}

TEST_P(StudioPose, ATargetOutOfReachIsFollowedAsFarAsTheJointsLetIt) {
    Session s(small_chain(GetParam()));  // two metres long, hung at the origin
    const std::string hand = s.grab("link4", {0.2, 0, 0}, false);
    for (const Vec3 target : {Vec3{3, 1, 0}, Vec3{2, 3, 0}, Vec3{-1, 4, 1}}) {
        s.pull(hand, target, {}, 0);
        settle(s);
        const SimulationSpec& set = s.run().model().simulation;
        const double most = set.solver == std::string("procedural") ? set.max_gap : 3 * set.tolerance;
        EXPECT_LE(s.run().moment().joints.worst_gap, most) << "nothing is torn";
    }
    const Vec3 at = point_of(s, "link4", {0.2, 0, 0});
    EXPECT_GT(norm(at), 1.8) << "stretched";
    EXPECT_GT(dot(at, normalized(Vec3{-1, 4, 1})) / norm(at), 0.9) << "towards the hand";
    s.pull(hand, {0.5, -1, 0}, {}, 0);
    settle(s);
    EXPECT_LE(norm(point_of(s, "link4", {0.2, 0, 0}) - Vec3{0.5, -1, 0}), 2e-3) << "and comes along again";
}

TEST_P(StudioPose, TheSameCommandsGiveTheSameBitsAndGoOnWithTheSame) {
    std::vector<std::uint64_t> hashes[2];
    for (auto& list : hashes) {
        Session s(small_chain(GetParam()));
        for (int k = 0; k < 10; ++k) s.advance();
        const std::string hand = s.grab("link3", {}, true);
        for (int k = 0; k < 5; ++k) {
            s.pull(hand, {1.1, 0.1 * k, 0}, exp_rotation({0, 0, 0.05 * k}), 0);
            settle(s);
        }
        for (int k = 0; k < 5; ++k) s.advance();
        s.release(hand);
        for (int k = 0; k < 10; ++k) s.advance();
        s.seek(12);
        s.advance();
        for (std::int64_t f = s.run().timeline().first(); f <= s.run().timeline().last(); ++f)
            list.push_back(hash(s.run().state_at(f)));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

INSTANTIATE_TEST_SUITE_P(Solvers, StudioPose, testing::Values("displacement", "linearized", "procedural"),
                         [](const auto& p) { return std::string(p.param); });

std::vector<std::uint64_t> hashes(const Session& s) {
    std::vector<std::uint64_t> list;
    for (std::int64_t f = s.run().timeline().first(); f <= s.run().timeline().last(); ++f)
        list.push_back(hash(s.run().timeline().at(f).state));
    return list;
}

TEST(StudioPoseTime, LookingBackAClickDropsNothingAPullDoesAndBothComeBack) {
    Session s(small_chain());
    for (int k = 0; k < 40; ++k) s.advance();
    const auto all = hashes(s);
    s.seek(13);
    const std::string click = s.grab("link4", {}, false);
    EXPECT_EQ(s.held_drags().size(), 1u);
    s.release(click);
    EXPECT_EQ(s.run().timeline().last(), 40) << "a click drops nothing";
    const std::string hand = s.grab("link4", {}, false);
    s.pull(hand, {1.0, 0.5, 0}, {}, 0);
    std::optional<Branch> before = settle(s);
    EXPECT_EQ(s.run().timeline().last(), 13);
    s.release(hand);
    ASSERT_TRUE(before);
    for (int k = 0; k < 5; ++k) s.advance();
    const auto posed = hashes(s);
    std::optional<Branch> after = s.exchange(std::move(*before));
    ASSERT_TRUE(after);
    EXPECT_EQ(hashes(s), all) << "frames that were dropped are there again";
    EXPECT_EQ(s.run().frame(), 13);
    ASSERT_TRUE(s.exchange(std::move(*after)));
    EXPECT_EQ(hashes(s), posed);
    s.seek(40);
    s.advance();
    EXPECT_EQ(s.run().frame(), 19);
}

TEST(StudioPoseTime, WhatAHandDidBeforeItPausedStaysAsItWas) {
    // Held while time runs, then pulled while it stands still: the frames before replay to the bit.
    Session s(small_chain());
    for (int k = 0; k < 5; ++k) s.advance();
    const std::string hand = s.grab("link4", {0.2, 0, 0}, false);
    for (int k = 0; k < 10; ++k) {
        s.pull(hand, {1.9, 0.02 * k, 0}, {}, 0);
        s.advance();
    }
    const auto before = hashes(s);
    s.pull(hand, {1.2, 0.6, 0}, {}, 0);
    settle(s);
    EXPECT_EQ(s.held_drags().size(), 1u);
    EXPECT_EQ(s.held_drags()[0].name, hand) << "the page's name for it";
    ASSERT_EQ(s.run().live_drags().size(), 2u);
    s.advance();
    EXPECT_EQ(s.run().changed_at(), std::vector<std::int64_t>{15});
    Spec written = small_chain();
    for (const DraggedSpec& d : s.run().live_drags()) written.drags.push_back(d);
    Session replay(written);
    for (std::size_t k = 0; k + 1 < before.size(); ++k) {
        EXPECT_EQ(hash(replay.run().state_at(static_cast<std::int64_t>(k))),
                  hash(s.run().state_at(static_cast<std::int64_t>(k))))
            << k;
        replay.advance();
    }
}

TEST(StudioPoseTime, PinsHoldAndOtherStructuresAreNotTouched) {
    Spec spec = small_chain();
    test::add_chain(spec, "other", 2);
    Session s(spec);
    for (int k = 0; k < 20; ++k) s.advance();
    const State before = s.run().moment().state;
    const std::string pin = s.grab("link2", {}, false, {}, "pin");
    const Vec3 pinned = point_of(s, "link2", {});
    const std::string hand = s.grab("link4", {}, false);
    s.pull(hand, pinned + Vec3{0.3, 0.4, 0}, {}, 0);
    settle(s);
    EXPECT_LE(norm(point_of(s, "link2", {}) - pinned), 1e-3);
    EXPECT_LE(norm(point_of(s, "link4", {}) - pinned - Vec3{0.3, 0.4, 0}), 2e-3);
    const auto other = static_cast<std::size_t>(s.run().model().find_body("other1"));
    EXPECT_EQ(s.run().moment().state.x[other], before.x[other]);
    EXPECT_EQ(s.run().moment().state.v[other], before.v[other]);
    EXPECT_NE(before.v[other], Vec3{});
}

TEST(StudioPoseTime, TheSmallestPullIsFollowed) {
    Session s(small_chain());
    for (int k = 0; k < 20; ++k) s.advance();
    const Vec3 at = point_of(s, "link4", {});
    const std::string hand = s.grab("link4", {}, false);
    for (int k = 1; k <= 100; ++k) {
        s.pull(hand, at + Vec3{-5e-5 * k, 0, 0}, {}, 0);
        settle(s);
    }
    EXPECT_LE(norm(point_of(s, "link4", {}) - at - Vec3{-5e-3, 0, 0}), 5e-4) << "tolerances, not strides";
}

TEST(StudioPoseTime, WhatIsPulledIntoAFloorStaysOnIt) {
    Diagnostics d;
    const Spec spec = load_text(
                          "object floor plane axis 0 1 0; kernel fixed; contact friction 0.5; end\n"
                          "object a box size 0.4 0.2 0.2; at 0 0.6 0; contact friction 0.5; end\n"
                          "object b box size 0.4 0.2 0.2; at 0.4 0.6 0; contact friction 0.5; end\n"
                          "constraint j object1 a; object2 b; hinge 0.2 0 0 -0.2 0 0; end\n",
                          "floor", {}, d)
                          .spec;
    ASSERT_FALSE(d.has_errors()) << test::rendered(d);
    Session s(spec);
    const std::string hand = s.grab("b", {}, false);
    for (int k = 1; k <= 20; ++k) {
        s.pull(hand, {0.4, 0.6 - 0.05 * k, 0}, {}, 0);
        settle(s);
    }
    EXPECT_GT(point_of(s, "b", {}).y, 0.09) << "half its height, and the tolerance";
    EXPECT_LT(point_of(s, "b", {}).y, 0.25);
}

TEST(StudioPoseCommands, AGestureIsOneStepOfUndoInOrderWithTheText) {
    Bench bench;
    bench({{"do", "step"}, {"frames", 10}});
    const std::string hash = bench({{"do", "pause"}})["hash"];
    const int frames = bench.frames[0];
    const Json grabbed = bench({{"do", "grab"}, {"solid", "b"}, {"point", {0.2, 0, 0}}});
    for (int k = 1; k <= 4; ++k)
        bench({{"do", "pull"}, {"drag", grabbed["drag"]}, {"target", {0.5, 0.1 * k, 0}}, {"input", k}});
    EXPECT_GT(bench.frames[0], frames) << "frames go out although time stands still";
    bench({{"do", "release"}, {"drag", grabbed["drag"]}});
    EXPECT_EQ(bench({{"do", "pause"}})["frame"], 10);
    const std::string posed = bench.last_reply["hash"];
    EXPECT_NE(posed, hash);
    EXPECT_TRUE(bench.scene["canUndo"].get<bool>());
    EXPECT_FALSE(bench.scene["dirty"].get<bool>()) << "the text is as it was";
    EXPECT_EQ(bench({{"do", "drags"}})["exact"], false);
    bench({{"do", "edit"}, {"path", "a.color"}, {"value", "1 0 0"}});
    bench({{"do", "place"}, {"placements", {{"b", {1, 1, 0, 0, 0, 0, 1}}}}});
    EXPECT_EQ(bench({{"do", "undo"}})["what"], "pose");
    EXPECT_EQ(bench({{"do", "pause"}})["hash"], posed);
    EXPECT_EQ(bench({{"do", "undo"}})["what"], "text");
    EXPECT_EQ(bench.text(), test::scene_text);
    const Json undone = bench({{"do", "undo"}});
    EXPECT_EQ(undone["what"], "pose");
    EXPECT_EQ(undone["frame"], 10);
    EXPECT_EQ(bench({{"do", "pause"}})["hash"], hash);
    EXPECT_EQ(bench({{"do", "drags"}})["exact"], true);
    EXPECT_FALSE(bench.scene["canUndo"].get<bool>());
    EXPECT_EQ(bench({{"do", "undo"}})["ok"], false);
    for (const char* what : {"pose", "text", "pose"}) EXPECT_EQ(bench({{"do", "redo"}})["what"], what);
    EXPECT_EQ(bench({{"do", "redo"}})["ok"], false);
    bench({{"do", "undo"}});
    EXPECT_EQ(bench({{"do", "pause"}})["hash"], posed);
    bench({{"do", "edit"}, {"path", "a.density"}, {"value", "50"}});
    EXPECT_EQ(bench({{"do", "redo"}})["ok"], false) << "another change came";
    EXPECT_EQ(bench({{"do", "undo"}})["what"], "text");
    EXPECT_EQ(bench({{"do", "undo"}})["what"], "text") << "the run of the poses is gone with its text";
}

TEST(StudioPoseCommands, TheReportIsOfTheTimeLineAsItStands) {
    Bench straight, wandering;
    const auto report = [](Bench& b) { return b({{"do", "report"}})["json"]; };
    straight({{"do", "step"}, {"frames", 40}});
    wandering({{"do", "step"}, {"frames", 60}});
    wandering({{"do", "seek"}, {"frame", 25}});
    EXPECT_EQ(report(wandering)["frames"], 60) << "looking back changes nothing";
    wandering({{"do", "step"}, {"frames", 35}});
    wandering({{"do", "seek"}, {"frame", 15}});
    wandering.get().session().advance();
    EXPECT_EQ(report(wandering)["frames"], 16) << "what came after is not of this run any more";
    wandering({{"do", "step"}, {"frames", 24}});
    Json a = report(straight), b = report(wandering);
    EXPECT_EQ(b["frames"], 40);
    for (const char* wall : {"wall_seconds", "seconds", "real_time_factor", "stages"}) {
        a.erase(wall);
        b.erase(wall);
    }
    EXPECT_EQ(a, b) << "as if it had run straight there";
}

TEST(StudioHands, OutOfReachAreToldApartFromJointsThatDoNotHold) {
    Bench bench;  // 0.8 m long
    const auto grabbed = bench({{"do", "grab"}, {"solid", "b"}, {"point", {0.2, 0, 0}}});
    bench({{"do", "step"}, {"frames", 1}});
    bench({{"do", "pull"}, {"drag", grabbed["drag"]}, {"target", {3, 2, 0}}, {"input", 1}});
    bench({{"do", "step"}, {"frames", 5}});
    bench.events.clear();
    bench({{"do", "hello"}});
    std::string state;
    for (const Json& e : bench.events)
        if (e["event"] == "status") state = e["state"];
    EXPECT_EQ(state, "hand out of reach");
}

}  // namespace armature::pose_test

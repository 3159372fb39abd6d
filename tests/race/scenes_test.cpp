// The scenes of the race and its yardstick, without any engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "jansen.h"
#include "measure.h"
#include "runs_csv.h"
#include "scene.h"
#include "tree.h"

namespace armature::race {
namespace {

std::vector<Pose> start_poses(const RaceScene& scene) {
    std::vector<Pose> poses;
    for (const RaceBody& body : scene.bodies) poses.push_back(body.pose_WB);
    return poses;
}

struct Counts {
    std::size_t bodies, joints, hinges, loops;
};

TEST(RaceScenes, HaveTheirBodiesJointsAndLoops) {
    // net: 2·20·21 rods; a knot where n rods meet takes n − 1 joints, Σ n = 2 rods, 21² knots, and 4 corners are pinned.
    // scissor: 2 bars a stage and a rod; 25 crossings, 24 · 2 ends, 3 at the rod and the bolts.
    // jansen: 6 bodies and 9 hinges a leg, and the crank.
    const std::map<std::string, Counts> expected{
        {"chain-10", {10, 10, 0, 0}},           {"chain-100", {100, 100, 0, 0}},    {"chain-1000", {1000, 1000, 0, 0}},
        {"heavy-20", {20, 20, 0, 0}},           {"net-20x20", {840, 1243, 0, 403}}, {"scissor-25", {51, 76, 76, 25}},
        {"ragdolls-100", {1500, 1500, 400, 0}}, {"jansen-12", {73, 109, 109, 36}}};
    ASSERT_EQ(scene_names().size(), expected.size());
    for (const std::string& name : scene_names()) {
        const RaceScene scene = make_scene(name);
        const Counts& counts = expected.at(name);
        EXPECT_EQ(scene.name, name);
        EXPECT_EQ(scene.bodies.size(), counts.bodies) << name;
        EXPECT_EQ(scene.joints.size(), counts.joints) << name;
        EXPECT_EQ(
            static_cast<std::size_t>(std::count_if(scene.joints.begin(), scene.joints.end(),
                                                   [](const RaceJoint& j) { return j.kind == JointKind::hinge; })),
            counts.hinges)
            << name;
        EXPECT_EQ(make_tree(scene).loops.size(), counts.loops) << name;
    }
    EXPECT_THROW(make_scene("chain-11"), std::invalid_argument);
}

TEST(RaceScenes, StartAssembled) {
    for (const std::string& name : scene_names()) {
        const RaceScene scene = make_scene(name);
        const JointGap gap = worst_gap(scene, start_poses(scene));
        EXPECT_LT(gap.point, 1e-12) << name;
        EXPECT_LT(gap.axis, 1e-12) << name;
        EXPECT_GT(scene.energy_range, 0) << name;
    }
}

TEST(RaceScenes, AreMadeOfSolids) {
    for (const std::string& name : scene_names())
        for (const RaceBody& body : make_scene(name).bodies) {
            const Vec3& J = body.inertia;
            EXPECT_GT(body.mass, 0) << name;
            EXPECT_GT(std::min({J.x, J.y, J.z}), 0) << name;
            // No body has more inertia about an axis than about the two others together.
            EXPECT_LE(std::max({J.x, J.y, J.z}), 0.5 * (J.x + J.y + J.z) * (1 + 1e-12)) << name;
        }
}

TEST(RaceScenes, StartWithVelocitiesThatKeepTheJointsClosed) {
    for (const std::string& name : scene_names()) {
        const RaceScene scene = make_scene(name);
        const auto velocity = [&](int body, const Vec3& p_B) {
            if (body == world) return Vec3{};
            const RaceBody& b = scene.bodies[static_cast<std::size_t>(body)];
            return b.velocity + cross(b.spin, rotate(b.pose_WB.q, p_B));
        };
        for (const RaceJoint& joint : scene.joints)  // m/s; differences of fourth order over 1e-3 rad, measured 9e-11
            EXPECT_LT(norm(velocity(joint.a, joint.pa_B) - velocity(joint.b, joint.pb_B)), 9e-10) << name;
    }
}

TEST(RaceTree, HasEveryBodyOnceAndParentsFirst) {
    for (const std::string& name : scene_names()) {
        const RaceScene scene = make_scene(name);
        const Tree tree = make_tree(scene);
        EXPECT_EQ(tree.nodes.size(), scene.bodies.size()) << name;
        EXPECT_EQ(tree.nodes.size() + tree.loops.size(), scene.joints.size()) << name;
        std::set<int> placed{world};
        for (const TreeNode& node : tree.nodes) {
            EXPECT_TRUE(placed.contains(node.parent)) << name;
            EXPECT_TRUE(placed.insert(node.body).second) << name;
            // The anchors, each in its own frame, are one point.
            EXPECT_LT(norm(node.X_PB * node.point_B - node.parent_point_P), 1e-12) << name;
        }
    }
}

TEST(RaceTree, RefusesWhatTheEnginesCannotBuild) {
    RaceScene scene;
    add_box(scene, 1, {1, 1, 1}, {});
    EXPECT_THROW(make_tree(scene), std::runtime_error);  // hangs on nothing
    add_ball(scene, world, {}, 0, {});
    EXPECT_EQ(make_tree(scene).nodes.size(), 1u);
    add_hinge(scene, world, {}, 0, {});
    EXPECT_THROW(make_tree(scene), std::runtime_error);  // a ball leaves the plane of the hinge that closes the loop
}

TEST(RaceYardstick, SeesAGapAnAngleAndTheEnergy) {
    RaceScene scene;
    const int box = add_box(scene, 2, {1, 1, 1}, {{0, 1, 0}, {}});
    add_hinge(scene, world, {0, 1, 0}, box, {}, {0, 0, 1});
    std::vector<Pose> poses = start_poses(scene);
    poses[0].x = {0, 1.25, 0};
    poses[0].q = from_axis_angle({1, 0, 0}, 0.5);
    const JointGap gap = worst_gap(scene, poses);
    EXPECT_DOUBLE_EQ(gap.point, 0.25);
    EXPECT_NEAR(gap.axis, 0.5, 1e-15);
    EXPECT_EQ(gap.worst(), gap.axis);
    EXPECT_DOUBLE_EQ(start_energy(scene), 2 * 9.81 * 1);
    // Over 0.5 s: v = 0.5 m/s, ω = 1 rad/s, J = 2/6 kg m², mean height 1.125 m.
    EXPECT_NEAR(mean_energy(scene, start_poses(scene), poses, 0.5), 0.25 + 0.5 / 3 + 2 * 9.81 * 1.125, 1e-12);
}

TEST(RaceRuns, SurviveTheirTable) {
    race::Run run;
    run.scene = "net";
    run.engine = "ODE";
    run.setting = "20 iterations, 3 sub-steps";
    run.outcome = Outcome::diverged;
    run.reason = "said \"no\",\nthen stopped";
    run.time = 0.25;
    run.step_ms = 1.5;
    run.gap = {1e-7, 0.125};
    run.energy_end = -0.5;
    run.energy_max = 0.0625;
    const std::vector<race::Run> again = from_csv(to_csv({run, run}));
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(again[1].setting, run.setting);
    EXPECT_EQ(again[1].outcome, run.outcome);
    EXPECT_EQ(again[1].reason, "said 'no', then stopped");
    EXPECT_EQ(again[1].time, run.time);
    EXPECT_EQ(again[1].step_ms, run.step_ms);
    EXPECT_EQ(again[1].gap.point, run.gap.point);
    EXPECT_EQ(again[1].gap.axis, run.gap.axis);
    EXPECT_EQ(again[1].energy_end, run.energy_end);
    EXPECT_EQ(again[1].energy_max, run.energy_max);
    EXPECT_THROW(from_csv("scene\nnet,ODE\n"), std::invalid_argument);
}

TEST(Jansen, KeepsThePublishedLengthsAllRound) {
    using namespace jansen;
    for (const bool mirrored : {false, true})
        for (int n = 0; n < 360; ++n) {
            const Leg p = leg(n * std::numbers::pi / 180, mirrored);
            const auto expect = [&](const Vec3& a, const Vec3& b, double centimetres) {
                EXPECT_NEAR(norm(a - b), 0.01 * centimetres, 1e-14);  // ten roundings of numbers below 1
            };
            expect({}, p.P, m);
            expect(p.P, p.C, j);
            expect(p.P, p.E, k);
            expect(p.B, p.C, b);
            expect(p.C, p.D, e);
            expect(p.B, p.D, d);
            expect(p.B, p.E, c);
            expect(p.D, p.F, f);
            expect(p.E, p.F, g);
            expect(p.F, p.G, h);
            expect(p.E, p.G, i);
            EXPECT_DOUBLE_EQ(p.B.x, (mirrored ? 0.01 : -0.01) * jansen::a);
            EXPECT_DOUBLE_EQ(p.B.y, -0.01 * l);
        }
}

/// The right branches of all circles: the foot is on the ground, level within a centimetre, for more than a third of the
/// turn, and the stride is over half a metre. That is what the numbers were searched for.
TEST(Jansen, FootWalks) {
    double lowest = 0, left = 1, right = -1;
    std::vector<Vec3> path;
    for (int n = 0; n < 360; ++n) path.push_back(jansen::leg(n * std::numbers::pi / 180, false).G);
    for (const Vec3& foot : path) lowest = std::min(lowest, foot.y);
    int on_ground = 0;
    for (const Vec3& foot : path) {
        if (foot.y > lowest + 0.01) continue;
        ++on_ground;
        left = std::min(left, foot.x);
        right = std::max(right, foot.x);
    }
    EXPECT_GT(on_ground, 120);
    EXPECT_GT(right - left, 0.4);
    EXPECT_LT(lowest, -0.8);
}

}  // namespace
}  // namespace armature::race

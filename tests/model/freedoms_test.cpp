// Freedoms and screws on their way through compile(): zero as placed, what is refused, what the model then holds.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/model/state.h"

namespace armature {
namespace {

/// Two bricks anyhow, and a constraint between them without parts.
Spec bricks(std::uint64_t seed = 1) {
    Random random(seed);
    Spec spec;
    for (const char* name : {"one", "two"}) {
        SolidSpec& s = spec.add_solid(name);
        s.shapes.push_back({"", Box{{0.4, 0.2, 0.1}}, {}, {}});
        s.point_masses.push_back({1, random.in_box(0.3)});
        s.pose_WB = {random.in_box(1), random.orientation()};
    }
    spec.add_constraint("one", "two").name = "j";
    return spec;
}
FreedomSpec& add(Spec& spec, FreedomKind kind, std::string name = "f") {
    FreedomSpec& f = spec.constraints[0].freedoms.emplace_back();
    f.name = std::move(name);
    f.kind = kind;
    return f;
}

TEST(Freedoms, BeginAtZeroWhereNothingElseIsSaid) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Spec spec = bricks(seed);
        add(spec, FreedomKind::turn, "turn");
        add(spec, FreedomKind::dial1, "dial1");
        add(spec, FreedomKind::dial2, "dial2");
        spec.constraints[0].screw = ScrewSpec{{0.1, 0, 0}, {0, 0.2, 0}, {0, 1, 0}, {1, 0, 0}, 0.3};
        const Model model = compile(spec);
        for (const FreedomState& f : initial_state(model).freedoms) EXPECT_NEAR(f.value, 0, 1e-12) << "seed " << seed;
    }
}

TEST(Freedoms, AreCalledAfterTheirJoint) {
    Spec spec = bricks();
    add(spec, FreedomKind::turn, "turn");
    spec.constraints[0].screw = ScrewSpec{{}, {}, {1, 0, 0}, {1, 0, 0}, 0.3};
    const Model model = compile(spec);
    ASSERT_GE(model.find_freedom("j.turn"), 0);
    ASSERT_GE(model.find_freedom("j.thread"), 0);
    EXPECT_EQ(model.find_freedom("turn"), -1);
    const Freedom& turn = model.freedoms[static_cast<std::size_t>(model.find_freedom("j.turn"))];
    const Freedom& thread = model.freedoms[static_cast<std::size_t>(model.find_freedom("j.thread"))];
    EXPECT_TRUE(turn.idle());
    EXPECT_FALSE(thread.idle());
    EXPECT_TRUE(thread.locked);
    EXPECT_EQ(turn.joint, 0);
    EXPECT_EQ(model.joints[0].freedoms.size(), 2u);
}

TEST(Freedoms, WhatActsAlongThemReachesTheModelAndItsFingerprint) {
    Spec spec = bricks();
    FreedomSpec& f = add(spec, FreedomKind::slide);
    const auto track = [](double x) { return ScalarTrack::constant(x); };
    std::vector<std::function<void()>> changes = {[&] { f.min = track(-1); },
                                                  [&] { f.max = track(1); },
                                                  [&] { f.restitution = 0.5; },
                                                  [&] { f.stiffness = track(2); },
                                                  [&] { f.rest = track(0.1); },
                                                  [&] { f.damping = track(3); },
                                                  [&] { f.force = track(4); },
                                                  [&] { f.speed = track(5); },
                                                  [&] { f.max_force = track(6); },
                                                  [&] {
                                                      f.axis2_B = {0, 1, 0};
                                                  },
                                                  [&] {
                                                      f.p1_B = {0, 1, 0};
                                                  },
                                                  [&] {
                                                      f.p2_B = {0, 0, 1};
                                                  },
                                                  [&] {
                                                      f.speed.keys.push_back({1, 7});
                                                  }};
    std::uint64_t last = compile(spec).fingerprint;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        changes[i]();
        const Model model = compile(spec);
        EXPECT_NE(model.fingerprint, last) << "change " << i;
        EXPECT_FALSE(model.freedoms[0].idle());
        last = model.fingerprint;
    }
    const Freedom out = compile(spec).freedoms[0];
    EXPECT_EQ(evaluate(out.min, 0).value, -1);
    EXPECT_EQ(evaluate(out.max, 0).value, 1);
    EXPECT_EQ(out.restitution, 0.5);
    EXPECT_EQ(evaluate(out.stiffness, 0).value, 2);
    EXPECT_EQ(evaluate(out.rest, 0).value, 0.1);
    EXPECT_EQ(evaluate(out.damping, 0).value, 3);
    EXPECT_EQ(evaluate(out.force, 0).value, 4);
    EXPECT_EQ(evaluate(out.speed, 1).value, 7);
    EXPECT_EQ(evaluate(out.max_force, 0).value, 6);
}

TEST(Freedoms, FaultyOnesAreRefusedByName) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    struct Fault {
        std::function<void(Spec&)> spoil;
        const char* says;
    };
    const Fault faults[] = {
        {[](Spec& s) { add(s, FreedomKind::turn), add(s, FreedomKind::slide); }, "two freedoms named `j.f`"},
        {[](Spec& s) { add(s, FreedomKind::turn).axis1_B = {}; }, "the first axis of `f` of constraint `j`"},
        {[](Spec& s) { add(s, FreedomKind::turn).axis2_B = {}; }, "the second axis of `f`"},
        {[](Spec& s) { add(s, FreedomKind::slide).axis2_B = {}; }, "the axis of `f`"},
        {[nan](Spec& s) { add(s, FreedomKind::slide).p1_B.x = nan; }, "the first point of `f`"},
        {[](Spec& s) {
             add(s, FreedomKind::turn).across1_B = {2, 0, 0};
         },
         "the direction across `f`"},
        {[](Spec& s) {
             add(s, FreedomKind::dial2).across2_B = {2, 0, 0};
         },
         "the direction across `f`"},
        {[](Spec& s) { add(s, FreedomKind::dial1).axis1_B = {}; }, "the first axis of `f`"},
        {[nan](Spec& s) { add(s, FreedomKind::turn).speed = ScalarTrack::constant(nan); }, "the speed of `f`"},
        {[](Spec& s) { add(s, FreedomKind::turn).max = ScalarTrack::constant(infinity); }, "max of `f`"},
        {[](Spec& s) { add(s, FreedomKind::turn).damping = ScalarTrack::constant(-1); }, "the damping of `f`"},
        {[](Spec& s) { add(s, FreedomKind::turn).max_force = ScalarTrack::constant(-1); }, "the largest force of `f`"},
        {[](Spec& s) {
             add(s, FreedomKind::turn).force.keys = {{1, 0}, {0, 1}};
         },
         "the keys of the force of `f`"},
        {[](Spec& s) {
             FreedomSpec& f = add(s, FreedomKind::turn);
             f.min = ScalarTrack::constant(1);
             f.max = ScalarTrack::constant(0);
         },
         "min 1 is above max 0"},
        {[](Spec& s) { add(s, FreedomKind::turn).restitution = 1.5; }, "the restitution is 1.5"},
        {[nan](Spec& s) {
             s.constraints[0].screw = ScrewSpec{{}, {}, {1, 0, 0}, {1, 0, 0}, nan};
         },
         "the pitch"},
        {[](Spec& s) {
             s.constraints[0].screw = ScrewSpec{{}, {}, {}, {1, 0, 0}, 1};
         },
         "the first axis of the screw"},
    };
    for (const Fault& fault : faults) {
        Spec spec = bricks();
        fault.spoil(spec);
        Diagnostics found;
        compile(spec, found);
        bool said = false;
        for (const Diagnostic& d : found.all()) said |= d.message.find(fault.says) != std::string::npos;
        EXPECT_TRUE(said) << fault.says;
    }
}

TEST(Freedoms, ADialWhosePointerStandsOnItIsRefused) {
    Spec spec = bricks();
    spec.solids[0].pose_WB = spec.solids[1].pose_WB = {};
    add(spec, FreedomKind::dial2);  // both axes along x
    Diagnostics found;
    compile(spec, found);
    EXPECT_TRUE(found.has_errors());
}

TEST(Freedoms, OfParticlesCanSlideButNotTurn) {
    Spec spec = bricks();
    SolidSpec& p = spec.add_solid("bead");
    p.particle = true;
    p.mass = 1;
    spec.constraints = {make_joint(JointType::ball_in_cylinder, "bead", {}, "one", {})};
    find_freedom(spec.constraints[0], "slide")->damping = ScalarTrack::constant(1);
    Diagnostics fine;
    EXPECT_TRUE(compile(spec, fine).has_value()) << "idle swing and twist are no fault";
    find_freedom(spec.constraints[0], "twist")->damping = ScalarTrack::constant(1);
    Diagnostics found;
    compile(spec, found);
    EXPECT_TRUE(found.has_errors());
}

}  // namespace
}  // namespace armature

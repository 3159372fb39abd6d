// Joints by name, tracks, contact, soft and closing: where the values go, every mistake, groups, paths and edits.

#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/model/state.h"
#include "armature/scene/edit.h"
#include "expected_error.h"

namespace armature {
namespace {

using namespace testing_scene;

const std::string two =
    "object a box size 1 1 1; at 0 1 0; end object b box size 1 1 1; at 2 1 0; turn 0 1 0 30 deg; end ";

ConstraintSpec& joint(Scene& scene, const std::string& name) {
    ConstraintSpec* c = scene.spec.find_constraint(name);
    if (c == nullptr) {
        ADD_FAILURE() << "no joint " << name;
        c = &scene.spec.add_constraint("world", "world");
    }
    return *c;
}
FreedomSpec& freedom(Scene& scene, const std::string& name, const std::string& which) {
    FreedomSpec* f = find_freedom(joint(scene, name), which);
    if (f != nullptr) return *f;
    ADD_FAILURE() << "no freedom " << name << "." << which;
    static FreedomSpec none;
    return none;
}
double constant(const ScalarTrack& t) {
    EXPECT_EQ(t.keys.size(), 1u);
    return t.keys.empty() ? 0 : t.keys[0].value;
}

/// The scene as it is placed: how far its joints are from holding, and what its freedoms are.
struct Placed {
    Model model;
    State state;
    explicit Placed(const Scene& scene) : model(compile(scene.spec)), state(initial_state(model)) {}
    double worst() const {
        double v = 0;
        for (const Joint& j : model.joints)
            for (const Part& part : j.parts) v = std::fmax(v, violation(part, at(j.body1), at(j.body2)));
        return v;
    }
    Placement at(BodyId b) const {
        const auto i = static_cast<std::size_t>(b);
        return {state.x[i], to_matrix(state.q[i])};
    }
    double value(const std::string& name) const {
        return state.freedoms.at(static_cast<std::size_t>(model.find_freedom(name))).value;
    }
};

// ---- where values go ------------------------------------------------------------------------------------------------------

TEST(Joints, EveryTypeAndSynonymIsTheOneOfTheLibrary) {
    for (const JointTypeInfo& info : joint_types()) {
        std::vector<std::string_view> names = {info.name};
        names.insert(names.end(), info.synonyms.begin(), info.synonyms.end());
        for (const std::string_view name : names) {
            Scene scene =
                load_good(two + "joint j type " + std::string(name) +
                          "; object1 b; object2 a; at 1 2 3  4 5 6; axis 0 0 2  0 3 0; across 1 0 0  0 0 1; " +
                          (info.type == JointType::screw ? "pitch 0.5;" : "") + " end");
            const JointFrame L1{{1, 2, 3}, {0, 0, 2}, {1, 0, 0}}, L2{{4, 5, 6}, {0, 3, 0}, {0, 0, 1}};
            Spec expected;
            expected.constraints = {make_joint(info.type, "b", L1, "a", L2, info.type == JointType::screw ? 0.5 : 0)};
            expected.constraints[0].name = "j";
            Spec found;
            found.constraints = scene.spec.constraints;
            EXPECT_EQ(describe(found), describe(expected)) << name;
        }
    }
}

TEST(Joints, WhatActsAlongAFreedom) {
    Scene scene = load_good(two +
                            "parameter k 20; joint j type pin; object1 b; object2 a; turn min -90 deg max 45 deg "
                            "restitution 0.3 stiffness k rest 0.1 damping 0.5 force 3 speed 2 max_force 10; end");
    const FreedomSpec& f = freedom(scene, "j", "turn");
    EXPECT_DOUBLE_EQ(constant(f.min), -pi / 2);
    EXPECT_DOUBLE_EQ(constant(f.max), pi / 4);
    EXPECT_EQ(f.restitution, 0.3);
    EXPECT_EQ(constant(f.stiffness), 20);
    EXPECT_EQ(constant(f.rest), 0.1);
    EXPECT_EQ(constant(f.damping), 0.5);
    EXPECT_EQ(constant(f.force), 3);
    EXPECT_EQ(constant(f.speed), 2);
    EXPECT_EQ(constant(f.max_force), 10);
}

TEST(Joints, EveryFreedomOfEveryTypeCanBeNamed) {
    for (const JointTypeInfo& info : joint_types())
        for (const JointFreedomInfo& f : info.freedoms) {
            Scene scene =
                load_good(two + "joint j type " + std::string(info.name) + "; object1 b; " +
                          (info.type == JointType::screw ? "pitch 1; " : "") + std::string(f.name) + " damping 7; end");
            EXPECT_EQ(constant(freedom(scene, "j", std::string(f.name)).damping), 7) << info.name << "." << f.name;
        }
}

TEST(Joints, InfiniteLimitsAndForcesMeanNone) {
    Scene scene = load_good(two + "joint j type pin; object1 b; turn min -inf max inf speed 1 max_force inf; end");
    const FreedomSpec& f = freedom(scene, "j", "turn");
    EXPECT_FALSE(f.min.given());
    EXPECT_FALSE(f.max.given());
    EXPECT_FALSE(f.max_force.given());
    EXPECT_TRUE(f.speed.given());
}

TEST(Joints, HowTheyHoldIsSaidAsOfConstraints) {
    const std::string how =
        "soft stiffness 1 damping 2 angular_stiffness 3 angular_damping 4; closing 0; valid from 1 until 2; alpha 5; "
        "mobility 0.25; end";
    Scene scene =
        load_good(two + "joint j type pin; object1 b; " + how + " constraint c object1 b; hinge 0 0 0 0 0 0; " + how);
    for (const char* name : {"j", "c"}) {
        const ConstraintSpec& c = joint(scene, name);
        ASSERT_TRUE(c.soft);
        EXPECT_EQ(c.soft->stiffness, 1);
        EXPECT_EQ(c.soft->damping, 2);
        EXPECT_EQ(c.soft->angular_stiffness, 3);
        EXPECT_EQ(c.soft->angular_damping, 4);
        EXPECT_EQ(c.closing, 0);
        EXPECT_EQ(c.from, 1);
        EXPECT_EQ(c.until, 2);
        EXPECT_EQ(c.alpha, 5.0);
        EXPECT_EQ(c.mobility, 0.25);
    }
    Scene plain = load_good(two + "joint j type pin; object1 b; end");
    EXPECT_FALSE(joint(plain, "j").soft);
    EXPECT_EQ(joint(plain, "j").closing, ConstraintSpec{}.closing);
}

TEST(Joints, ContactOfObjects) {
    const Scene scene = load_good(
        "object a fixed; plane; contact friction 0.3 static 0.4 restitution 0.5; end "
        "object b box size 1 1 1; contact; untouchable yes; end object c box size 1 1 1; untouchable no; end");
    EXPECT_EQ(solid(scene, "a").contact->friction, 0.3);
    EXPECT_EQ(solid(scene, "a").contact->static_friction, 0.4);
    EXPECT_EQ(solid(scene, "a").contact->restitution, 0.5);
    EXPECT_FALSE(solid(scene, "a").untouchable);
    ASSERT_TRUE(solid(scene, "b").contact);
    EXPECT_EQ(solid(scene, "b").contact->friction, ContactSpec{}.friction);
    EXPECT_FALSE(solid(scene, "b").contact->static_friction);
    EXPECT_TRUE(solid(scene, "b").untouchable);
    EXPECT_FALSE(solid(scene, "c").contact);
    EXPECT_FALSE(solid(scene, "c").untouchable);
}

// ---- as placed --------------------------------------------------------------------------------------------------------------

TEST(JointsAsPlaced, WhatIsLeftOutIsWhereTheObjectsAre) {
    for (const JointTypeInfo& info : joint_types()) {
        const std::string type = "joint j type " + std::string(info.name) + "; object1 b; object2 a; " +
                                 (info.type == JointType::screw ? "pitch 1; " : "");
        for (const char* rest : {"end", "at 1 2 3; end", "at 1 2 3; axis 0 1 1; end", "axis 0 1 0; across 1 1 0; end",
                                 "across 0 2 1; end"}) {
            const Scene scene = load_good(two + type + rest);
            const Placed placed(scene);
            EXPECT_LT(placed.worst(), 1e-7) << type << rest;
            for (const JointFreedomInfo& f : info.freedoms)
                EXPECT_NEAR(placed.value("j." + std::string(f.name)), 0, 1e-7) << type << rest << " " << f.name;
        }
    }
}

TEST(JointsAsPlaced, PoseStatementsAndPathsCount) {
    const std::string text =
        "object a box size 1 1 1; end path p key 0 1 2 3 turn 1 0 0 0.5; key 1 4 4 4; end "
        "object b follow p; end joint j type weld; object1 a; object2 b; end pose a at 3 2 1 turn 0 1 0 1;";
    EXPECT_LT(Placed(load_good(text)).worst(), 1e-7);
}

TEST(JointsAsPlaced, TheSecondAxisIsYOrZOfObject2) {
    Scene x = load_good(two + "joint j type plane_on_plane; object1 a; end");
    expect_near(freedom(x, "j", "slide1").axis2_B, {0, 1, 0});
    expect_near(freedom(x, "j", "slide2").axis2_B, {0, 0, 1});
    Scene y = load_good(two + "joint j type plane_on_plane; object1 a; axis 0 2 0  0 2 0; end");
    expect_near(normalized(freedom(y, "j", "slide1").axis2_B), {0, 0, 1});
    expect_near(normalized(freedom(y, "j", "slide2").axis2_B), {1, 0, 0});
}

TEST(JointsAsPlaced, AxesMayStillBeApart) {
    // The assembly brings them together; turning counts from what the smallest rotation between them leaves.
    const Scene scene =
        load_good(two + "joint j type pin; object1 b; object2 a; at 0 0 0  3 0 0; axis 0 1 0  1 0 0; end");
    const Placed placed(scene);
    EXPECT_GT(placed.worst(), 0.5);
    EXPECT_NEAR(placed.value("j.turn"), 0, 1e-12);
}

TEST(JointsInGroups, WhatIsFixedToTheWorldMovesAlong) {
    const std::string group =
        "group g object o box size 1 1 1; at 1 2 3; turn 1 0 0 20 deg; end\n"
        "joint left type pin; object1 world; object2 o; at 1 2 3  0 0 0; axis 0 1 0; across 1 0 0; end\n"
        "joint right type plane_on_plane; object1 o; at 0 0 0  1 2 3; axis 0 0 1; turn max 1; end\n"
        "joint both type cylindrical; object1 o; at 0.1 0 0  1.1 2 3; axis 1 0 0  1 0 0; across 0 1 0  0 1 0; end\n"
        "joint bare type flying; object2 o; end end ";
    const Scene still = load_good(group + "place g as p end");
    const Scene moved = load_good(group + "place g as p at 5 -1 2; turn 1 2 3 100 deg; turn 0 1 0 1; end");
    const Placed before(still), after(moved);
    EXPECT_NEAR(before.worst(), after.worst(), 1e-9);
    ASSERT_EQ(before.state.freedoms.size(), after.state.freedoms.size());
    for (std::size_t i = 0; i < before.state.freedoms.size(); ++i)
        EXPECT_NEAR(before.state.freedoms[i].value, after.state.freedoms[i].value, 1e-9)
            << before.model.freedoms[i].name;
    EXPECT_GT(norm(before.state.x[1] - after.state.x[1]), 1) << "it did move";
}

// ---- tracks -----------------------------------------------------------------------------------------------------------------

TEST(Tracks, StandForNumbers) {
    Scene scene = load_good(two +
                            "joint j type sliding; object1 b; slide speed ramp max_force lid min low[1 + 1]; end "
                            "track ramp key 0 1; key 2 3; interpolation spline; end track lid key 0 9; end "
                            "repeat i from 1 to 2 track low[i] key 0 -i; end end");
    const FreedomSpec& f = freedom(scene, "j", "slide");
    ASSERT_EQ(f.speed.keys.size(), 2u);
    EXPECT_EQ(f.speed.interpolation, Interpolation::spline);
    EXPECT_EQ(f.speed.keys[1].t, 2);
    EXPECT_EQ(f.speed.keys[1].value, 3);
    EXPECT_EQ(constant(f.max_force), 9);
    EXPECT_EQ(constant(f.min), -2);
    EXPECT_FALSE(f.max.given());
}

TEST(Tracks, AreFoundFromInsideOutLikeOtherNames) {
    Scene scene = load_good(
        "track t key 0 1; end track outer key 0 2; end "
        "group g track t key 0 3; end object o box size 1 1 1; end "
        "joint j type pin; object1 o; turn speed t force outer stiffness p.t; end end "
        "place g as p end place g as q end");
    for (const char* name : {"p.j", "q.j"}) {
        EXPECT_EQ(constant(freedom(scene, name, "turn").speed), 3);
        EXPECT_EQ(constant(freedom(scene, name, "turn").force), 2);
        EXPECT_EQ(constant(freedom(scene, name, "turn").stiffness), 3);
    }
}

TEST(Tracks, AParameterOfThatNameGoesFirst) {
    Scene scene = load_good(two + "parameter v 5; track v key 0 7; end joint j type pin; object1 b; turn speed v; end");
    EXPECT_EQ(constant(freedom(scene, "j", "turn").speed), 5);
}

TEST(Tracks, OfTheModelAreChecked) {
    const Scene scene =
        load_good(two + "joint j type pin; object1 b;\n turn damping t; end track t key 0 1; key 1 -1; end");
    Diagnostics found;
    compile(scene.spec, found);
    ASSERT_TRUE(found.has_errors());
    EXPECT_EQ(found.all()[0].place.line, 2) << "at the statement that uses it";
}

// ---- paths --------------------------------------------------------------------------------------------------------------------

const char* const paths_text = R"(object a box size 1 1 1; end
object b box size 1 1 1; at 1 0 0; contact friction 0.3; end
joint elbow type pin; object1 a; object2 b; at 0.5 0 0  -0.5 0 0; turn max 1 speed ramp; end
track ramp key 0 0; key 1 4; end
repeat i from 1 to 2
  joint side[i] type sliding; object1 a; axis 0 1 0; slide stiffness 10*i; end
end
)";

TEST(JointPaths, FindEveryValue) {
    const Scene scene = load_good(paths_text);
    const auto found = [&](const char* path) {
        const auto value = scene.find_value(path);
        return value ? value->text : std::string("(none)");
    };
    EXPECT_EQ(found("elbow.type"), "pin");
    EXPECT_EQ(found("elbow.at.P1"), "0.5 0 0");
    EXPECT_EQ(found("elbow.at.P2.x"), "-0.5");
    EXPECT_EQ(found("elbow.turn.max"), "1");
    EXPECT_EQ(found("elbow.turn.speed"), "ramp");
    EXPECT_EQ(found("elbow.turn"), "max 1 speed ramp");
    EXPECT_EQ(found("ramp.key#2.v"), "4");
    EXPECT_EQ(found("side[2].slide.stiffness"), "10*i");
    EXPECT_EQ(found("b.contact.friction"), "0.3");
    EXPECT_EQ(found("elbow.turn.min"), "(none)");
}

TEST(JointPaths, SetWhatIsWrittenAndWhatIsNot) {
    Scene scene = load_good(paths_text, {{"elbow.type", "cylindrical"},
                                         {"elbow.turn.max", "30 deg"},
                                         {"elbow.turn.min", "-1"},
                                         {"elbow.slide.damping", "3"},
                                         {"elbow.soft.stiffness", "100"},
                                         {"elbow.closing", "0"},
                                         {"elbow.at.P2.x", "-0.6"},
                                         {"ramp.key#2.v", "6"},
                                         {"side[2].slide.speed", "ramp"},
                                         {"a.contact", "friction 1 restitution 0.5"},
                                         {"b.contact.static", "0.9"},
                                         {"a.untouchable", "yes"}});
    EXPECT_DOUBLE_EQ(constant(freedom(scene, "elbow", "turn").max), pi / 6);
    EXPECT_EQ(constant(freedom(scene, "elbow", "turn").min), -1);
    EXPECT_EQ(constant(freedom(scene, "elbow", "slide").damping), 3);
    EXPECT_EQ(freedom(scene, "elbow", "turn").speed.keys[1].value, 6);
    EXPECT_EQ(joint(scene, "elbow").soft->stiffness, 100);
    EXPECT_EQ(joint(scene, "elbow").closing, 0);
    EXPECT_EQ(joint(scene, "elbow").hinge->p2_B, (Vec3{-0.6, 0, 0}));
    EXPECT_FALSE(freedom(scene, "side[1]", "slide").speed.given());
    EXPECT_EQ(freedom(scene, "side[2]", "slide").speed.keys.size(), 2u);
    EXPECT_EQ(solid(scene, "a").contact->friction, 1);
    EXPECT_EQ(solid(scene, "b").contact->static_friction, 0.9);
    EXPECT_TRUE(solid(scene, "a").untouchable);
    EXPECT_EQ(findings(paths_text, {{"elbow.slide.damping", "3"}}),
              std::vector<std::string>{"1:1 a joint of type 'pin' has no freedom 'slide'"});
}

TEST(JointPaths, ConstraintsWithoutANameKeepTheirsBesideJoints) {
    Scene scene =
        load_good(two +
                      "constraint object1 a; object2 b; hinge 0 0 0 0 0 0; end joint j type pin; object1 b; end "
                      "constraint object1 a; object2 b; hinge 0 0 0 1 0 0; end",
                  {{"a~b#2.hinge.P1", "7 0 0"}, {"j.closing", "2"}});
    EXPECT_EQ(scene.spec.constraints[2].hinge->p1_B, (Vec3{7, 0, 0}));
    EXPECT_EQ(scene.spec.constraints[0].hinge->p1_B, (Vec3{}));
    EXPECT_EQ(scene.find_value("a~b#2.hinge.P2.x")->text, "1");
}

TEST(JointPaths, EditInPlace) {
    Scene scene = load_good(paths_text);
    Diagnostics diagnostics;
    ASSERT_TRUE(edit_value(scene, "elbow.turn.speed", "2", diagnostics)) << all_messages(diagnostics);
    ASSERT_TRUE(edit_value(scene, "elbow.turn.damping", "ramp", diagnostics)) << all_messages(diagnostics);
    ASSERT_TRUE(edit_value(scene, "elbow.closing", "1", diagnostics)) << all_messages(diagnostics);
    EXPECT_NE(scene.documents[0]->text.find("turn max 1 speed 2 damping ramp; closing 1; end"), std::string::npos)
        << scene.documents[0]->text;
    EXPECT_EQ(constant(freedom(scene, "elbow", "turn").speed), 2);
    EXPECT_EQ(freedom(scene, "elbow", "turn").damping.keys.size(), 2u);
    EXPECT_FALSE(diagnostics.has_errors()) << all_messages(diagnostics);
}

// ---- mistakes -----------------------------------------------------------------------------------------------------------------

TEST(JointErrors, SayWhereAndWhat) {
    const Case cases[] = {
        {"joint j object1 a; end", "2:1 this 'joint' needs 'type'", "write: type embedding|weld|pin"},
        {"joint j type pinn; object1 a; end",
         "2:14 'pinn' is not one of embedding, weld, pin, revolute, sliding, prismatic, screw, helical, cylindrical, "
         "plane_on_plane, ball, spherical, universal, cylinder_on_plane, ball_in_cylinder, ball_on_plane, flying",
         "did you mean 'pin'?"},
        {"joint type pin; object1 a; end", "2:1 'joint' needs a name", "joint NAME type"},
        {"joint j type pin; object1 a;\n  slide max 1; end", "3:3 a joint of type 'pin' has no freedom 'slide'",
         "it has turn"},
        {"joint j type cylinder_on_plane; object1 a; swing max 1; end",
         "2:44 a joint of type 'cylinder_on_plane' has no freedom 'swing'", "it has turn, roll, slide1, slide2"},
        {"joint j type weld; object1 a; turn max 1; end", "2:31 a joint of type 'embedding' has no freedom 'turn'",
         "leaves nothing free"},
        {"joint j type screw; object1 a; end", "2:1 a screw needs 'pitch'", "pitch p;"},
        {"joint j type pin; object1 a; pitch 1; end", "2:30 a joint of type 'pin' has no pitch", "only a screw"},
        {"joint j type pin; object1 a; axis 0 0 0; end", "2:30 this direction is 0 0 0", "for example"},
        {"joint j type pin; object1 a; axis 1 0 0 0 0 0; end", "2:30 this direction is 0 0 0", ""},
        {"joint j type pin; object1 a; across 0 0 0; end", "2:30 this direction is 0 0 0", ""},
        {"joint j type pin; object1 a; across 2 0 0; end", "2:1 'across' runs along the axis", "at an angle"},
        {"joint j type pin; object1 a; axis 1 0 0 0 1 0; across 0 1 0 0 -1 0; end", "2:1 'across' runs along the axis",
         ""},
        {"joint j type pin; object1 a; axis 1 0; end",
         "2:38 'axis' expects three numbers (u1) and optionally three numbers (u2), found only 2 numbers", ""},
        {"joint j type pin; object1 b; end", "2:27 there is no object 'b'", ""},
        {"joint j type pin; object1 a; turn mx 1; end", "2:35 'turn' has no option 'mx'", "did you mean 'max'?"},
        {"joint j type pin; object1 a; turn max 1 max 2; end", "2:41 'max' is given twice for 'turn'", ""},
        {"joint j type pin; object1 a; turn max 1; turn min 0; end", "2:42 'turn' is given twice", ""},
        {"joint j type pin; object1 a; turn max; end", "2:38 'max' expects a number or the name of a track (x)", ""},
        {"joint j type pin; object1 a; turn stiffness inf; end", "2:45 this number must be finite", ""},
        {"joint j type pin; object1 a; turn max -inf; end", "2:39 this number must be finite", ""},
        {"joint j type pin; object1 a; turn min inf; end", "2:39 this number must be finite", ""},
        {"joint j type pin; object1 a; turn rest 1; end", "2:30 'rest' does nothing without 'stiffness'", ""},
        {"joint j type pin; object1 a; turn max_force 1; end", "2:30 'max_force' does nothing without 'speed'", ""},
        {"joint j type pin; object1 a; turn restitution 1; end",
         "2:30 'restitution' does nothing without 'min' or 'max'", ""},
        {"joint j type pin; object1 a; turn speed rampp; end track ramp key 0 0; end",
         "2:41 there is no parameter or track 'rampp'", "did you mean 'ramp'?"},
        {"parameter fast 3; joint j type pin; object1 a; turn speed fist force fast; end",
         "2:59 there is no parameter or track 'fist'", "did you mean 'fast'?"},
        {"joint j type pin; object1 a; turn speed a; end", "2:41 'a' is an object, not a track", ""},
        {"joint j type pin; object1 a; turn speed 2*ramp; end track ramp key 0 0; end",
         "2:43 there is no parameter 'ramp'", ""},
        {"joint j type pin; object1 a; turn speed world; end", "2:41 there is no parameter or track 'world'", ""},
        {"joint j type pin; object1 a; turn restitution ramp max 1; end track ramp key 0 0; end",
         "2:47 there is no parameter 'ramp'", ""},
        {"track t end", "2:1 this 'track' needs 'key'", "key t v"},
        {"track t key 0 1; key 0 2; end", "2:18 the times of the keys must rise", "not later"},
        {"track t key 1; end", "2:14 'key' expects a number (t) and a number (v), found only 1 number", ""},
        {"track a key 0 1; end", "2:7 the name 'a' is used twice", ""},
        {"joint a type pin; end", "2:7 the name 'a' is used twice", ""},
        {"object b follow t; end track t key 0 1; end", "2:17 't' is a track, not a path", ""},
        {"constraint object1 a; hinge 0 0 0 0 0 0; soft stifness 3; end", "2:47 'soft' has no option 'stifness'",
         "did you mean 'stiffness'?"},
        {"constraint object1 a; hinge 0 0 0 0 0 0; closing; end", "2:49 'closing' expects a number (time)", ""},
        {"object b contact frction 1; end", "2:18 'contact' has no option 'frction'", "did you mean 'friction'?"},
        {"object b untouchable maybe; end", "2:22 'maybe' is not one of no, yes", ""},
    };
    for (const Case& c : cases) expect_only(c, "object a box size 1 1 1; end\n");
}

TEST(JointErrors, BeyondHalfATurnASwingLimitsNothing) {
    EXPECT_EQ(findings(two + "\njoint j type ball; object1 a; swing max 90; end", {}, Severity::warning),
              std::vector<std::string>{"2:41 a swing of 90 is beyond half a turn: this limits nothing"});
}

TEST(JointErrors, OfTheModelStandAtTheStatement) {
    struct ModelCase {
        std::string text, message;
        int line;
    };
    const ModelCase cases[] = {
        {"joint j type pin; object1 a;\nturn min 1 max 0; end", "min 1 is above max 0", 3},
        {"joint j type pin; object1 a;\nturn stiffness -1; end", "the stiffness of `turn` of constraint `j` is -1", 3},
        {"joint j type pin; object1 a;\nturn max 1 restitution 2; end", "the restitution is 2", 3},
        {"joint j type pin; object1 a;\nclosing -1; end", "closing of constraint `j` is -1 s", 3},
        {"joint j type pin; object1 a;\nsoft damping -1; end", "damping of constraint `j` is -1", 3},
        {"particle p mass 1; at 5 5 5; end joint j type ball; object1 p;\nswing max 1; end",
         "`p` is a particle and has no orientation to act on", 3},
        {"particle p mass 1; at 5 5 5; end\njoint j type pin; object1 p; end", "`p` is a particle", 3},
        {"object b box size 1 1 1; fixed;\ncontact friction -1; end", "friction of `b` is -1", 3},
        {"track t key 0 0; key 1 2; end joint j type pin; object1 a;\nturn min t max 1; end", "min 2 is above max 1",
         3},
        {"track t key 0 2; key 1 0; end joint j type pin; object1 a;\nturn min 1 max t; end", "min 1 is above max 0",
         3},
    };
    for (const ModelCase& c : cases) {
        const Scene scene = load_good("object a box size 1 1 1; end\n" + c.text);
        Diagnostics found;
        compile(scene.spec, found);
        ASSERT_TRUE(found.has_errors()) << c.text;
        EXPECT_NE(found.all()[0].message.find(c.message), std::string::npos) << found.all()[0].message;
        EXPECT_EQ(found.all()[0].place.line, c.line) << c.text;
    }
}

}  // namespace
}  // namespace armature

// What compile() makes of a scene, and how it reports.
#include "armature/model/compile.h"

#include <gtest/gtest.h>

#include "sound_spec.h"

namespace armature {
namespace {

using namespace test_model;

TEST(Compile, ReportsAllFaultsAtOnceWithTheirPlaces) {
    Spec spec = sound();
    link(spec).mass = -1;
    link(spec).origin.block = {"scene.arm", 10, 1, 6};
    link(spec).origin.properties = {{"mass", {"scene.arm", 12, 5, 4}}};
    shoulder(spec).solid2 = "nobody";
    shoulder(spec).origin.block = {"scene.arm", 30, 1, 10};
    shoulder(spec).origin.notes = {"placed as doll[3]"};
    law<DragSpec>(spec, 2).linear = nan;
    spec.simulation.dt = 0;
    const std::vector<Diagnostic> errors = errors_of(spec);
    ASSERT_EQ(errors.size(), 4u);
    const auto at = [&](int line) {
        for (const Diagnostic& d : errors)
            if (d.place.line == line) return d;
        ADD_FAILURE() << "nothing at line " << line;
        return Diagnostic{};
    };
    EXPECT_EQ(at(12).place.column, 5) << "the property, not the block";
    EXPECT_EQ(at(30).notes, std::vector<std::string>{"placed as doll[3]"})
        << "the block, where the keyword is not known";
    try {
        compile(spec);
    } catch (const InputError& e) {
        EXPECT_EQ(e.diagnostics().all().size(), 4u);
    }
}

TEST(Compile, TellsWhereTheFirstOfTwoNamesakesIs) {
    Spec spec = sound();
    link(spec).origin.block = {"scene.arm", 7, 1, 6};
    test::add_brick(spec, "link1", {});
    ASSERT_EQ(errors_of(spec).size(), 1u);
    EXPECT_NE(errors_of(spec)[0].hint.find("scene.arm:7"), std::string::npos);
}

TEST(Compile, DoesNotCountTheErrorsOfAnEarlierStage) {
    Diagnostics diagnostics;
    diagnostics.error({}, "from the parser");
    EXPECT_TRUE(compile(sound(), diagnostics).has_value());
}

TEST(Compile, WarnsOfWhatHasNoEffect) {
    Spec spec = sound();
    SolidSpec& post = spec.add_solid("post");
    post.kernel = Kernel::fixed;
    post.velocity = {1, 0, 0};
    test::add_ball(spec, "post", {}, "world", {}).name = "idle";
    spec.add_force("wind").law = PointForceSpec{"post", {}, VectorTrack::constant({1, 0, 0}), Frame::world};
    Diagnostics diagnostics;
    ASSERT_TRUE(compile(spec, diagnostics).has_value());
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) {
        EXPECT_EQ(d.severity, Severity::warning);
        text += d.message + '\n';
    }
    EXPECT_EQ(diagnostics.all().size(), 3u) << text;
    EXPECT_NE(text.find("`post` is fixed"), std::string::npos) << text;
    EXPECT_NE(text.find("`idle` joins two objects that cannot give way"), std::string::npos) << text;
    EXPECT_NE(text.find("force `wind` acts on `post`"), std::string::npos) << text;
}

TEST(Compile, NamesConstraintsAfterTheirSolidsAndNumbersTheRest) {
    Spec spec;
    test::add_chain(spec, "a", 2);
    test::add_ball(spec, "a1", {0.2, 0.1, 0}, "a0", {});
    test::add_ball(spec, "a1", {0.2, 0, 0}, "a0", {});
    EXPECT_EQ(constraint_names(spec), (std::vector<std::string>{"a0~world", "a1~a0", "a1~a0#2", "a1~a0#3"}));
    const Model model = compile(spec);
    EXPECT_EQ(model.find_joint("a1~a0#2"), 2);
    EXPECT_EQ(model.find_joint("a1~a0#9"), -1);
    EXPECT_EQ(model.find_body("a1"), 2);
    EXPECT_EQ(model.find_body("nobody"), -1);
}

TEST(Compile, TakesAnchorsFromTheCentreOfMassAndUnitAxes) {
    Spec spec;
    SolidSpec& s = spec.add_solid("lopsided");
    s.shapes.push_back({"", Box{{1, 1, 1}}, {{2, 0, 0}, {}}, {}});
    ConstraintSpec& c = spec.add_constraint("lopsided", "world");
    c.hinge = HingeSpec{{3, 0, 0}, {0, 1, 0}, SegmentDomain{{0, 0, 5}, 0, 1}};
    c.angle = AngleSpec{{0, 3, 0}, {0, 0.1, 0}, 0, 1};
    const Model model = compile(spec);
    ASSERT_EQ(model.joints[0].parts.size(), 2u);
    const auto& point = std::get<PointPart>(model.joints[0].parts[0]);
    EXPECT_LT(norm(point.p1_G - Vec3{1, 0, 0}), 1e-15);
    EXPECT_EQ(point.p2_G, (Vec3{0, 1, 0}));
    EXPECT_EQ(std::get<SegmentDomain>(point.domain).axis_2, (Vec3{0, 0, 1}));
    const auto& angle = std::get<AnglePart>(model.joints[0].parts[1]);
    EXPECT_EQ(angle.a1_B, (Vec3{0, 1, 0}));
    EXPECT_EQ(angle.a2_B, (Vec3{0, 1, 0}));
}

TEST(Compile, LeavesOutIntervalsThatBlockNothing) {
    Spec spec;
    test::add_chain(spec, "a", 1);
    spec.constraints[0].angle = AngleSpec{};
    spec.constraints[0].twist = TwistSpec{};
    EXPECT_EQ(compile(spec).joints[0].parts.size(), 1u);
    spec.constraints[0].twist->max = 3;
    EXPECT_EQ(compile(spec).joints[0].parts.size(), 2u);
}

}  // namespace
}  // namespace armature

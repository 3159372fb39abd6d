// The description file of the monocycle, [Gascuel, Gascuel 1994, Appendix A], as printed.
#include "scene_test.h"

#include "armature/model/compile.h"

namespace armature {
namespace {

using namespace testing_scene;

TEST(Appendix, LoadsAsPrinted) {
    const Scene scene = load_good(std::string(appendix_objects) + appendix_a);
    // §5.3.3: six point-to-point and angle constraints (the paper counts the hip joints and the wheel among them), two
    // point-to-point only, three angle only; the file itself has seven, two and three.
    int both = 0, hinge_only = 0, angle_only = 0;
    for (const ConstraintSpec& c : scene.spec.constraints) {
        both += c.hinge && c.angle;
        hinge_only += c.hinge && !c.angle;
        angle_only += !c.hinge && c.angle;
        EXPECT_TRUE(c.name.empty());
    }
    EXPECT_EQ(scene.spec.constraints.size(), 12u);
    EXPECT_EQ(both, 7);
    EXPECT_EQ(hinge_only, 2);
    EXPECT_EQ(angle_only, 3);
}

TEST(Appendix, ValuesAndDefaultsAreThePapers) {
    const Scene scene = load_good(std::string(appendix_objects) + appendix_a);
    const auto& c = scene.spec.constraints;
    EXPECT_EQ(c[0].solid1, "body");
    EXPECT_EQ(c[0].solid2, "wheel");
    EXPECT_EQ(c[0].hinge->p1_B, (Vec3{0, -2, 0}));
    EXPECT_EQ(c[0].hinge->p2_B, (Vec3{0, 0, 0}));
    EXPECT_TRUE(std::holds_alternative<PointDomain>(c[0].hinge->domain));
    EXPECT_EQ(c[0].angle->min, 0);
    EXPECT_EQ(c[0].angle->max, 0);
    EXPECT_EQ(c[1].solid1, "world") << "object1 is the world when it is not given";
    EXPECT_EQ(c[1].angle->max, 0.066);
    EXPECT_EQ(c[4].hinge->p2_B, (Vec3{0, 0, -0.1}));
    EXPECT_EQ(c[7].hinge->p1_B, (Vec3{-0.4, -0.6, 0}));
    EXPECT_EQ(c[7].angle->max, 0.04);
    EXPECT_EQ(c[9].angle->max, pi) << "max 9 is beyond half a turn";
}

TEST(Appendix, AngleBeyondHalfATurnIsWarnedAbout) {
    const auto warnings = findings(std::string(appendix_objects) + appendix_a, {}, Severity::warning);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0], "54:23 'max' 9 is beyond half a turn and counts as no limit");
}

TEST(Appendix, UnnamedConstraintsAreAddressedByTheirSolids) {
    Scene scene = load_good(std::string(appendix_objects) + appendix_a, {{"body~right-thigh.angle.max", "0.5"}});
    EXPECT_EQ(scene.spec.constraints[7].angle->max, 0.5);
    EXPECT_EQ(scene.find_value("body~right-thigh.angle.max")->text, "0.04");
    EXPECT_EQ(scene.find_value("world~body.angle")->text, "0 1 0 0 1 0");
}

}  // namespace
}  // namespace armature

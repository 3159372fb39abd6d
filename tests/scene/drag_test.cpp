// The `drag` block: a hand with keys, or, without them, what slows.
#include <gtest/gtest.h>

#include "armature/scene/drag_text.h"
#include "scene/expected_error.h"
#include "scene/scene_test.h"

namespace armature {
namespace {

const std::string palm = "object palm box size 1 1 1; end\n";

Scene load(const std::string& text, Diagnostics& diagnostics) {
    return load_text(palm + text, "scene.arm", {}, diagnostics);
}
std::string first_error(const std::string& text) {
    Diagnostics diagnostics;
    load(text, diagnostics);
    return diagnostics.empty() ? std::string() : diagnostics.all()[0].message;
}

TEST(DragBlock, WithKeysPullsAPoint) {
    Diagnostics diagnostics;
    const Scene s =
        load("drag hand object palm; at 0 0 0.05; key 0 0.4 1 0; key 2 0.8 1.5 0; valid until 3; end\n", diagnostics);
    ASSERT_TRUE(diagnostics.empty());
    ASSERT_EQ(s.spec.drags.size(), 1u);
    const DraggedSpec& d = s.spec.drags[0];
    EXPECT_EQ(d.name, "hand");
    EXPECT_EQ(d.solid, "palm");
    EXPECT_EQ(d.at_B, (Vec3{0, 0, 0.05}));
    ASSERT_EQ(d.path.keys.size(), 2u);
    EXPECT_EQ(d.path.keys[1].pose.x, (Vec3{0.8, 1.5, 0}));
    EXPECT_FALSE(d.orient);
    EXPECT_EQ(d.until, 3);
    EXPECT_TRUE(s.spec.forces.empty());
}

TEST(DragBlock, WithoutKeysSlows) {
    Diagnostics diagnostics;
    const Scene s = load("drag air linear 0.1; end\ndrag one object palm; angular 2; end\n", diagnostics);
    ASSERT_TRUE(diagnostics.empty());
    EXPECT_TRUE(s.spec.drags.empty());
    ASSERT_EQ(s.spec.forces.size(), 2u);
    EXPECT_EQ(std::get<DragSpec>(s.spec.forces[1].law).solid, "palm");
}

TEST(DragBlock, MovesAlongWithItsGroup) {
    Diagnostics diagnostics;
    const Scene s = load_text(
        "group g object palm box size 1 1 1; end drag hand object palm; key 0 1 0 0 turn 0 1 0 0; end end\n"
        "place g as a at 0 2 0; turn 0 0 1 90 deg; end\n",
        "scene.arm", {}, diagnostics);
    ASSERT_TRUE(diagnostics.empty());
    EXPECT_EQ(s.spec.drags.at(0).solid, "a.palm");
    EXPECT_LE(norm(s.spec.drags[0].path.keys[0].pose.x - Vec3{0, 3, 0}), 1e-15);
    EXPECT_TRUE(s.spec.drags[0].orient);
}

TEST(DragBlock, SaysWhatIsWrong) {
    EXPECT_NE(first_error("drag hand key 0 0 0 0; end").find("no object"), std::string::npos);
    EXPECT_NE(first_error("drag hand object palm; at 1 0 0; end").find("no key"), std::string::npos);
    EXPECT_NE(first_error("drag hand object palm; key 0 0 0 0; linear 1; end").find("exclude"), std::string::npos);
    EXPECT_NE(first_error("drag hand object palm; key 1 0 0 0; key 1 0 0 0; end").find("rise"), std::string::npos);
    EXPECT_NE(first_error("drag hand object palm; key 0 0 0 0; key 1 0 0 0 turn 1 0 0 1; end").find("orientation"),
              std::string::npos);
    EXPECT_NE(first_error("drag hand object plam; key 0 0 0 0; end").find("'plam'"), std::string::npos);
}

TEST(DragBlock, WrittenAsTextComesBackToTheLastBit) {
    DraggedSpec d;
    d.name = "hand";
    d.solid = "palm";
    d.at_B = {0.1, 1.0 / 3, -1e-17};
    d.orient = true;
    d.closing = 0.2;
    d.from = 0.1;
    d.until = 7.0 / 3;
    d.path.interpolation = Interpolation::linear;
    for (int k = 0; k < 5; ++k)
        d.path.keys.push_back({k / 60.0, {{k / 7.0, 1.0 / 3, 1e9 / 7}, exp_rotation({0.1 * k, 1, 0})}});
    Diagnostics diagnostics;
    const Scene s = load(to_text(d), diagnostics);
    ASSERT_TRUE(diagnostics.empty());
    const DraggedSpec& e = s.spec.drags.at(0);
    EXPECT_EQ(e.at_B, d.at_B);
    EXPECT_EQ(e.from, d.from);
    EXPECT_EQ(e.until, d.until);
    EXPECT_EQ(e.closing, d.closing);
    ASSERT_EQ(e.path.keys.size(), d.path.keys.size());
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(e.path.keys[k].t, d.path.keys[k].t);
        EXPECT_EQ(e.path.keys[k].pose, d.path.keys[k].pose);
    }
}

}  // namespace
}  // namespace armature

// Paths: finding a value in the text, overriding it, editing it in place.
#include "scene_test.h"

#include "armature/scene/edit.h"

namespace armature {
namespace {

using namespace testing_scene;

const char* const text = R"(parameter size 1.2;  // metres
object wheel
  mass 3*size; at 0 -2 size;
  sphere radius 0.1; sphere radius 0.2 at 1 0 0;
end
repeat i from 1 to 3
  object link[i] mass 1; at i 0 0; end
end
constraint knee object1 wheel; object2 link[1]; hinge 1 2 3  4 5 6; angle 1 0 0 1 0 0 max 0.5; end
constraint object1 wheel; object2 link[2]; hinge 0 0 0 0 0 0; end
constraint object1 wheel; object2 link[2]; hinge 9 0 0 0 0 0; end
group doll parameter height 2; object head density 900; at 0 height 0; end end
place doll as d[1] at 1 2 3; end
place doll as d[2] set height 2.5; end
)";

std::string found(const std::string& path) {
    static const Scene scene = load_good(text);
    const auto value = scene.find_value(path);
    if (!value) return "(none)";
    EXPECT_EQ(scene.documents[value->document]->slice(value->span), value->text);
    return value->text;
}

TEST(FindValue, ByBlockKeywordOptionAndComponent) {
    EXPECT_EQ(found("size"), "1.2");
    EXPECT_EQ(found("wheel.mass"), "3*size");
    EXPECT_EQ(found("wheel.at"), "0 -2 size");
    EXPECT_EQ(found("wheel.at.y"), "-2");
    EXPECT_EQ(found("wheel.sphere.radius"), "0.1");
    EXPECT_EQ(found("wheel.sphere#2.radius"), "0.2");
    EXPECT_EQ(found("wheel.sphere#2"), "radius 0.2 at 1 0 0");
    EXPECT_EQ(found("wheel.sphere#2.at.x"), "1");
    EXPECT_EQ(found("knee.hinge"), "1 2 3  4 5 6");
    EXPECT_EQ(found("knee.hinge.P2"), "4 5 6");
    EXPECT_EQ(found("knee.hinge.P2.z"), "6");
    EXPECT_EQ(found("knee.angle.max"), "0.5");
    EXPECT_EQ(found("link[3].at"), "i 0 0");
    EXPECT_EQ(found("link[ 3 ].at"), "i 0 0");
    EXPECT_EQ(found("d[1].head.density"), "900");
    EXPECT_EQ(found("d[1].at"), "1 2 3");
}

TEST(FindValue, ParametersOfPlacedGroupsWhereTheyAreGiven) {
    EXPECT_EQ(found("d[1].height"), "2");
    EXPECT_EQ(found("d[2].height"), "2.5");
}

TEST(FindValue, UnnamedConstraintsByTheirSolids) {
    EXPECT_EQ(found("wheel~link[2].hinge"), "0 0 0 0 0 0");
    EXPECT_EQ(found("wheel~link[2]#2.hinge.P1.x"), "9");
}

TEST(FindValue, NothingForWhatTheTextDoesNotSay) {
    for (const char* path :
         {"", ".", "wheel", "wheel.", "wheel.spin", "ghost.mass", "knee.angle.min", "wheel.mass.x",
          "wheel.sphere#3.radius", "wheel.sphere#x", "simulation.dt", "link[4].mass", "wheel.nonsense"})
        EXPECT_EQ(found(path), "(none)") << path;
}

TEST(Overrides, ReplaceValuesEverywhere) {
    const Scene scene = load_good(text, {{"size", "2"},
                                         {"wheel.at.y", "size*2"},
                                         {"link[2].mass", "2*3"},
                                         {"knee.angle.max", "30 deg"},
                                         {"knee.angle.min", "0.1"},
                                         {"d[1].height", "7"},
                                         {"d[2].height", "8"},
                                         {"d[1].head.density", "1"},
                                         {"d[2].at", "0 1 0"},
                                         {"wheel~link[2]#2.hinge.P1", "1 1 1"},
                                         {"wheel.sphere#2.radius", "0.4"}});
    EXPECT_EQ(solid(scene, "wheel").mass, 6.0);
    EXPECT_EQ(solid(scene, "wheel").pose_WB.x, (Vec3{0, 4, 2}));
    EXPECT_EQ(solid(scene, "link[2]").mass, 6.0);
    EXPECT_EQ(solid(scene, "link[1]").mass, 1.0);
    EXPECT_DOUBLE_EQ(scene.spec.constraints[0].angle->max, pi / 6);
    EXPECT_EQ(scene.spec.constraints[0].angle->min, 0.1);
    EXPECT_EQ(solid(scene, "d[1].head").pose_WB.x, (Vec3{1, 9, 3}));
    EXPECT_EQ(solid(scene, "d[2].head").pose_WB.x, (Vec3{0, 9, 0}));
    EXPECT_EQ(solid(scene, "d[1].head").density, 1);
    EXPECT_EQ(solid(scene, "d[2].head").density, 900);
    EXPECT_EQ(scene.spec.constraints[1].hinge->p1_B, (Vec3{0, 0, 0}));
    EXPECT_EQ(scene.spec.constraints[2].hinge->p1_B, (Vec3{1, 1, 1}));
    EXPECT_EQ(std::get<Sphere>(solid(scene, "wheel").shapes[1].geometry).radius, 0.4);
}

TEST(Overrides, AddWhatTheTextDoesNotSay) {
    const Scene scene = load_good(text, {{"simulation.dt", "1/100"},
                                         {"wheel.spin", "0 0 1"},
                                         {"wheel.kernel", "fixed"},
                                         {"wheel.sphere#3", "radius 3"}});
    EXPECT_EQ(scene.spec.simulation.dt, 0.01);
    EXPECT_EQ(solid(scene, "wheel").spin, (Vec3{0, 0, 1}));
    EXPECT_EQ(solid(scene, "wheel").kernel, Kernel::fixed);
    EXPECT_EQ(solid(scene, "wheel").shapes.size(), 3u);
    EXPECT_EQ(load_good("simulation duration 3; end", {{"simulation.dt", "1"}}).spec.simulation.dt, 1);
    EXPECT_EQ(load_good("title \"a\";", {{"title", "\"b\""}}).spec.title, "b");
}

TEST(Overrides, MistakesAreErrors) {
    const auto error = [](const std::string& path, const std::string& value) {
        Diagnostics diagnostics;
        load_text(text, "test.arm", {{{path, value}}}, diagnostics);
        for (const Diagnostic& d : diagnostics.all())
            if (d.severity == Severity::error) return d.place.file + ": " + d.message + " / " + d.hint;
        return std::string{};
    };
    EXPECT_EQ(error("wheeel.mass", "1"),
              "--set wheeel.mass: there is nothing called 'wheeel.mass' to set / did you mean 'wheel.mass'?");
    EXPECT_EQ(error("wheel.mas", "1"),
              "--set wheel.mas: there is nothing called 'wheel.mas' to set / did you mean 'wheel.mass'?");
    EXPECT_EQ(error("siz", "1"), "--set siz: there is nothing called 'siz' to set / did you mean 'size'?");
    EXPECT_EQ(error("wheel~link[9].hinge", "1").substr(0, 19), "--set wheel~link[9]");
    EXPECT_EQ(error("wheel.mass", "1; mass 2").find("--set wheel.mass: "), 0u);
    EXPECT_EQ(error("wheel.mass", "").find("--set wheel.mass: 'mass' expects a number"), 0u);
    EXPECT_EQ(error("wheel.mass", "1/0"), "--set wheel.mass: division by zero / ");
    EXPECT_EQ(error("size", "1 2").find("--set size: "), 0u);
    EXPECT_EQ(error("wheel.mass", "3 //").find("--set wheel.mass: "), 0u);
    EXPECT_EQ(error("simulation.dtt", "3"),
              "--set simulation.dtt: there is nothing called 'simulation.dtt' to set / did you mean 'simulation.dt'?");
}

// The text before and after must agree outside of the edited characters.
void expect_only_change(const std::string& before, const std::string& after, const Edit& edit) {
    EXPECT_EQ(after.substr(0, edit.span.begin), before.substr(0, edit.span.begin));
    EXPECT_EQ(after.substr(edit.span.begin, edit.replacement.size()), edit.replacement);
    EXPECT_EQ(after.substr(edit.span.begin + edit.replacement.size()), before.substr(edit.span.end));
}

TEST(EditValue, ChangesOnlyItsCharacters) {
    for (const auto& [path, value] : Sets{{"size", "1.25"},
                                          {"wheel.at.y", "-3"},
                                          {"knee.angle.max", "40 deg"},
                                          {"wheel.mass", "size ^ 2"},
                                          {"wheel~link[2]#2.hinge.P1", "1 2 3"}}) {
        Scene scene = load_good(text);
        Diagnostics diagnostics;
        const auto edit = edit_value(scene, path, value, diagnostics);
        ASSERT_TRUE(edit) << path << all_messages(diagnostics);
        EXPECT_TRUE(diagnostics.empty()) << all_messages(diagnostics);
        expect_only_change(text, scene.documents[0]->text, *edit);
        EXPECT_EQ(scene.find_value(path)->text, value);
        EXPECT_TRUE(edit->also_affects.empty()) << path;
    }
}

TEST(EditValue, InRepeatsAndGroupsSaysWhatElseChanges) {
    Scene scene = load_good(text);
    Diagnostics diagnostics;
    const auto edit = edit_value(scene, "link[2].mass", "5", diagnostics);
    ASSERT_TRUE(edit);
    expect_only_change(text, scene.documents[0]->text, *edit);
    EXPECT_EQ(edit->also_affects, (std::vector<std::string>{"link[1].mass", "link[3].mass"}));
    EXPECT_EQ(solid(scene, "link[3]").mass, 5.0) << "built again";
    const auto inside = edit_value(scene, "d[1].head.density", "800", diagnostics);
    EXPECT_EQ(inside->also_affects, std::vector<std::string>{"d[2].head.density"});
    EXPECT_EQ(solid(scene, "d[2].head").density, 800);
    const auto given = edit_value(scene, "d[2].height", "3", diagnostics);
    EXPECT_TRUE(given->also_affects.empty());
    EXPECT_EQ(solid(scene, "d[2].head").pose_WB.x.y, 3);
    EXPECT_EQ(solid(scene, "d[1].head").pose_WB.x.y, 4);
}

TEST(EditValue, InIncludedFilesAndWithoutTouchingTheDisk) {
    Folder folder;
    folder.write("main.arm", "include \"part.arm\";\n");
    folder.write("part.arm", "/* keep me */ object a  mass  1 ; end\n");
    Diagnostics diagnostics;
    Scene scene = load_file(folder.path("main.arm"), {}, diagnostics);
    const auto edit = edit_value(scene, "a.mass", "2", diagnostics);
    ASSERT_TRUE(edit);
    EXPECT_EQ(edit->file, folder.path("part.arm"));
    EXPECT_EQ(scene.documents[edit->document]->text, "/* keep me */ object a  mass  2 ; end\n");
    EXPECT_EQ(scene.documents[0]->text, "include \"part.arm\";\n");
    EXPECT_EQ(solid(scene, "a").mass, 2.0);
    const Scene fresh = load_file(folder.path("main.arm"), {}, diagnostics);
    EXPECT_EQ(solid(fresh, "a").mass, 1.0) << "saving is the caller's";
}

TEST(EditValue, AddsAKeywordOrAnOption) {
    Scene scene = load_good("object a\n  mass 1;\nend\nconstraint k object1 a; angle 1 0 0 1 0 0; end\n");
    Diagnostics diagnostics;
    ASSERT_TRUE(edit_value(scene, "a.spin", "0 1 0", diagnostics));
    ASSERT_TRUE(edit_value(scene, "k.angle.max", "1", diagnostics));
    ASSERT_TRUE(edit_value(scene, "k.mobility", "0.25", diagnostics));
    EXPECT_TRUE(diagnostics.empty()) << all_messages(diagnostics);
    EXPECT_EQ(scene.documents[0]->text,
              "object a\n  mass 1;\n  spin 0 1 0;\nend\n"
              "constraint k object1 a; angle 1 0 0 1 0 0 max 1; mobility 0.25; end\n");
    EXPECT_EQ(scene.spec.constraints[0].mobility, 0.25);
}

TEST(EditValue, RefusesATextThatWouldBreakOut) {
    for (const char* value : {"1; at 0 0 0", "1 2", "", "/*", "1; end object b mass 1", "1 //", "\"x\"", "(1"}) {
        Scene scene = load_good(text);
        Diagnostics diagnostics;
        EXPECT_FALSE(edit_value(scene, "wheel.mass", value, diagnostics)) << value;
        EXPECT_TRUE(diagnostics.has_errors()) << value;
        EXPECT_EQ(scene.documents[0]->text, text) << value;
    }
    Scene scene = load_good(text);
    Diagnostics diagnostics;
    EXPECT_FALSE(edit_value(scene, "ghost.mass", "1", diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
}

TEST(WithPlacements, ComeBackToTheLastBit) {
    Scene scene = load_good(text);
    const Pose pose{{0.1, -1.0 / 3, 1e-17}, normalized(Quat{0.3, -0.7, 0.11, 0.9})};
    const std::map<std::string, Pose> wanted = {{"wheel", pose}, {"link[2]", pose}, {"d[2].head", pose}};
    Diagnostics diagnostics;
    const std::string placed = with_placements(scene, wanted, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_EQ(placed.substr(0, std::string(text).size()), text) << "the rest is untouched";
    const Scene again = load_good(placed);
    for (const auto& [name, p] : wanted) EXPECT_EQ(solid(again, name).pose_WB, p) << name;
    EXPECT_EQ(solid(again, "link[1]").pose_WB, solid(scene, "link[1]").pose_WB);
}

TEST(WithPlacements, RewritesEarlierPosesInPlace) {
    const Scene scene = load_good("object a end pose a at 1 1 1; object b end // end\n");
    Diagnostics diagnostics;
    const Pose pose{{1, 2, 3}, {}};
    EXPECT_EQ(with_placements(scene, {{"a", pose}}, diagnostics),
              "object a end pose a at 1 2 3 quaternion 1 0 0 0; object b end // end\n");
    const std::string both = with_placements(scene, {{"a", pose}, {"b", pose}}, diagnostics);
    const Scene again = load_good(both);
    EXPECT_EQ(with_placements(again, {{"a", pose}, {"b", pose}}, diagnostics), both) << "writing twice adds nothing";
    with_placements(scene, {{"c", pose}}, diagnostics);
    EXPECT_TRUE(diagnostics.has_errors()) << "no such object";
}

}  // namespace
}  // namespace armature

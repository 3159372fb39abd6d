// Repeats, groups, placements and included files.
#include "scene_test.h"

#include <filesystem>

namespace armature {
namespace {

using namespace testing_scene;

std::vector<std::string> solid_names(const Scene& scene) {
    std::vector<std::string> names;
    for (const SolidSpec& s : scene.spec.solids) names.push_back(s.name);
    return names;
}
using Names = std::vector<std::string>;

TEST(Repeat, CountsBothEnds) {
    EXPECT_EQ(solid_names(load_good("repeat i from 1 to 3 object a[i] end end")), (Names{"a[1]", "a[2]", "a[3]"}));
    EXPECT_EQ(solid_names(load_good("repeat i from 2 to 1 object a[i] end end")), Names{});
    EXPECT_EQ(solid_names(load_good("repeat i from 4 to 0 step -2 object a[i] end end")),
              (Names{"a[4]", "a[2]", "a[0]"}));
    EXPECT_EQ(solid_names(load_good("repeat x from 0 to 0.3 step 0.1 object a[10*x] end end")),
              (Names{"a[0]", "a[1]", "a[2]", "a[3]"}));
}

TEST(Repeat, NestsAndKeepsItsParametersToItself) {
    const Scene scene = load_good(
        "parameter n 2;\n"
        "repeat i from 1 to n repeat j from 1 to n\n"
        "  parameter x 10*i + j;\n"
        "  object node[i][j] at x 0 0; end\n"
        "end end");
    EXPECT_EQ(solid_names(scene), (Names{"node[1][1]", "node[1][2]", "node[2][1]", "node[2][2]"}));
    EXPECT_EQ(solid(scene, "node[2][1]").pose_WB.x.x, 21);
}

TEST(Repeat, MayBeUsedBeforeWhatItNames) {
    const Scene scene = load_good(
        "repeat i from 1 to 2 constraint object1 l[i]; object2 l[i + 1]; hinge 0 0 0 0 0 0; end "
        "end repeat i from 1 to 3 object l[i] end end");
    EXPECT_EQ(scene.spec.constraints[1].solid2, "l[3]");
}

TEST(Group, NamesMeanItsOwnThingsFirst) {
    const Scene scene = load_good(
        "object post end object bob end\n"
        "group g object bob end\n"
        "  constraint object1 post; object2 bob; hinge 0 0 0 0 0 0; end end\n"
        "group h place g as inner end constraint object1 inner.bob; object2 bob; "
        "hinge 0 0 0 0 0 0; end end\n"
        "place g as a end place h as b[1] end\n");
    EXPECT_EQ(solid_names(scene), (Names{"post", "bob", "a.bob", "b[1].inner.bob"}));
    EXPECT_EQ(scene.spec.constraints[0].solid1, "post");
    EXPECT_EQ(scene.spec.constraints[0].solid2, "a.bob");
    EXPECT_EQ(scene.spec.constraints[1].solid2, "b[1].inner.bob");
    EXPECT_EQ(scene.spec.constraints[2].solid1, "b[1].inner.bob");
    EXPECT_EQ(scene.spec.constraints[2].solid2, "bob") << "outward when the group has none";
}

TEST(Group, ParametersAreSetPerPlacement) {
    const Scene scene = load_good(
        "parameter unit 2;\n"
        "group g parameter size unit; parameter double 2*size; object o mass double; end end\n"
        "repeat i from 1 to 2 place g as p[i] set size i*10; end end place g as q end");
    EXPECT_EQ(solid(scene, "p[1].o").mass, 20.0);
    EXPECT_EQ(solid(scene, "p[2].o").mass, 40.0);
    EXPECT_EQ(solid(scene, "q.o").mass, 4.0);
}

TEST(Group, SeesWhatIsRoundItsDefinitionNotItsPlacement) {
    EXPECT_EQ(findings("group g object o mass i; end end repeat i from 1 to 2 place g as p[i] end end")[0],
              "1:23 there is no parameter 'i'");
}

TEST(Group, PlacementMovesEverythingThatIsInTheWorld) {
    const Scene scene = load_good(R"(
group g
  path p key 0 1 0 0; key 1 2 0 0; end
  object o at 1 0 0; velocity 1 0 0; spin 0 0 1; end
  object f follow p; end
  constraint object1 world; object2 o; hinge 1 0 0 5 5 5; angle 1 0 0 1 0 0; twist 0 0 1 0 0 1; end
  constraint object1 o; object2 world; hinge 5 5 5 1 0 0; axial 1 0 0; end
  constraint wire object1 o; hinge 0 0 0 1 0 0; curve polyline 0 0 0 1 0 0 1 0 1; end
  constraint cage object1 o; hinge 0 0 0 1 0 0; box size 1 2 3; end
  constraint reach object1 o; hinge 0 0 0 1 0 0; sphere max 2; end
  force w object o; vector 1 0 0; end
  force b object o; vector 1 0 0; frame body; end
  spring s object2 o; between 1 0 0 7 7 7; stiffness 1; end
end
place g as x at 0 10 0; turn 0 1 0 90 deg; end
)");
    // A quarter turn about y takes x to -z.
    const SolidSpec& o = solid(scene, "x.o");
    expect_near(o.pose_WB.x, {0, 10, -1});
    expect_near(rotate(o.pose_WB.q, {1, 0, 0}), {0, 0, -1});
    expect_near(o.velocity, {0, 0, -1});
    expect_near(o.spin, {1, 0, 0});
    expect_near(solid(scene, "x.f").path.keys[1].pose.x, {0, 10, -2});
    const ConstraintSpec& c = scene.spec.constraints[0];
    expect_near(c.hinge->p1_B, {0, 10, -1});
    EXPECT_EQ(c.hinge->p2_B, (Vec3{5, 5, 5})) << "points of objects stay";
    expect_near(c.angle->a1_B, {0, 0, -1});
    EXPECT_EQ(c.angle->a2_B, (Vec3{1, 0, 0}));
    expect_near(c.twist->b1_B, {1, 0, 0});
    const ConstraintSpec& d = scene.spec.constraints[1];
    EXPECT_EQ(d.hinge->p1_B, (Vec3{5, 5, 5}));
    expect_near(d.hinge->p2_B, {0, 10, -1});
    expect_near(std::get<SegmentDomain>(d.hinge->domain).axis_2, {0, 0, -1});
    const auto& wire = std::get<CurveDomain>(scene.spec.constraints[2].hinge->domain);
    expect_near(wire.points_2[1], {0, 0, -1});
    expect_near(wire.points_2[2], {1, 0, -1});
    const auto& cage = std::get<BoxDomain>(scene.spec.constraints[3].hinge->domain);
    EXPECT_EQ(cage.size, (Vec3{1, 2, 3}));
    expect_near(rotate(cage.q_2, {1, 0, 0}), {0, 0, -1});
    expect_near(scene.spec.constraints[4].hinge->p2_B, {0, 10, -1});
    expect_near(std::get<PointForceSpec>(scene.spec.forces[0].law).force.keys[0].value, {0, 0, -1});
    EXPECT_EQ(std::get<PointForceSpec>(scene.spec.forces[1].law).force.keys[0].value, (Vec3{1, 0, 0}));
    expect_near(std::get<SpringSpec>(scene.spec.forces[2].law).p1_B, {0, 10, -1});
    EXPECT_EQ(std::get<SpringSpec>(scene.spec.forces[2].law).p2_B, (Vec3{7, 7, 7}));
}

TEST(Group, NestedPlacementsCompose) {
    const Scene scene = load_good(
        "group a object o at 1 0 0; end end "
        "group b place a as i at 0 0 1; turn 0 1 0 90 deg; end end "
        "place b as x at 0 5 0; turn 0 1 0 90 deg; end");
    // (1,0,0) → (0,0,-1) + (0,0,1) = 0 → (0,5,0)
    expect_near(solid(scene, "x.i.o").pose_WB.x, {0, 5, 0});
    expect_near(rotate(solid(scene, "x.i.o").pose_WB.q, {1, 0, 0}), {-1, 0, 0});
}

TEST(Group, OriginsTellThePlacement) {
    const Scene scene = load_good("group g repeat k from 1 to 1 object o[k] end end end place g as d[3] end");
    EXPECT_EQ(scene.spec.solids[0].origin.notes, (Names{"placed as d[3]", "with k = 1"}));
}

TEST(Pose, MovesAnObjectThatIsAlreadyThere) {
    const Scene scene = load_good(
        "group g object o at 1 0 0; turn 0 0 1 1; end end place g as a at 5 5 5; end\n"
        "pose a.o at 1 2 3;\nobject b at 1 1 1; end pose b turn 0 1 0 90 deg;");
    EXPECT_EQ(solid(scene, "a.o").pose_WB.x, (Vec3{1, 2, 3}));
    expect_near(rotate(solid(scene, "a.o").pose_WB.q, {1, 0, 0}), {std::cos(1.0), std::sin(1.0), 0});
    EXPECT_EQ(solid(scene, "b").pose_WB.x, (Vec3{1, 1, 1}));
    expect_near(rotate(solid(scene, "b").pose_WB.q, {1, 0, 0}), {0, 0, -1});
}

TEST(Include, ReadsBesideTheIncludingFile) {
    Folder folder;
    folder.write("main.arm", "parameter size 3;\ninclude \"parts/leg.arm\";\nplace leg as l end\n");
    folder.write("parts/leg.arm",
                 "include \"foot.arm\"; group leg object thigh mass size; end place foot as f end end\n");
    folder.write("parts/foot.arm", "group foot object toe mass 1; end end\n");
    Diagnostics diagnostics;
    const Scene scene = load_file(folder.path("main.arm"), {}, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << all_messages(diagnostics);
    EXPECT_EQ(solid_names(scene), (Names{"l.thigh", "l.f.toe"}));
    EXPECT_EQ(solid(scene, "l.thigh").mass, 3.0);
    ASSERT_EQ(scene.documents.size(), 3u);
    EXPECT_EQ(scene.documents[1]->name, folder.path("parts/leg.arm"));
}

TEST(Include, ErrorsAreReportedInTheirOwnFile) {
    Folder folder;
    folder.write("main.arm", "\ninclude \"part.arm\";\n");
    folder.write("part.arm", "object a\n  mas 3;\nend\n");
    Diagnostics diagnostics;
    const Scene scene = load_file(folder.path("main.arm"), {}, diagnostics);
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].place.file, folder.path("part.arm"));
    EXPECT_EQ(diagnostics.all()[0].place.line, 2);
    EXPECT_EQ(source_line(scene, diagnostics.all()[0].place), "  mas 3;");
}

std::string include_error(const Folder& folder, const std::string& main) {
    folder.write("in/main.arm", main);
    Diagnostics diagnostics;
    load_file(folder.path("in/main.arm"), {}, diagnostics);
    return diagnostics.all().empty() ? "" : diagnostics.all()[0].message;
}

TEST(Include, StaysInTheFolderOfTheScene) {
    Folder folder;
    folder.write("secret.arm", "object secret end");
    const std::string outside = "the file lies outside of the folder of the scene";
    EXPECT_EQ(include_error(folder, "include \"../secret.arm\";"), outside);
    EXPECT_EQ(include_error(folder, "include \"../nothing.arm\";"), outside) << "does not tell whether it exists";
    EXPECT_EQ(include_error(folder, "include \"sub/../../secret.arm\";"), outside);
    EXPECT_EQ(include_error(folder, "include \"" + folder.path("secret.arm") + "\";"),
              "the file must be given relative to this one, not from the root");
    std::filesystem::create_symlink(folder.path("secret.arm"), folder.path("in/link.arm"));
    EXPECT_EQ(include_error(folder, "include \"link.arm\";"), outside);
    std::filesystem::create_directory_symlink(folder.root(), folder.path("in/up"));
    EXPECT_EQ(include_error(folder, "include \"up/secret.arm\";"), outside);
    EXPECT_EQ(include_error(folder, "include \"\";"), "the file name is empty");
    EXPECT_EQ(include_error(folder, "include \".\";"), outside);
}

TEST(Include, CyclesAreErrors) {
    Folder folder;
    folder.write("in/b.arm", "include \"c.arm\";");
    folder.write("in/c.arm", "include \"b.arm\";");
    EXPECT_EQ(include_error(folder, "include \"b.arm\";"), "this file includes itself, directly or through others");
    EXPECT_EQ(include_error(folder, "include \"main.arm\";"), "this file includes itself, directly or through others");
}

TEST(Include, OnlyOrdinaryFilesOfSaneSizeAreRead) {
    Folder folder;
    std::filesystem::create_directories(folder.path("in/sub"));
    EXPECT_EQ(include_error(folder, "include \"sub\";"), "sub: this is a folder, not a file");
    EXPECT_EQ(include_error(folder, "include \"missing.arm\";"), "cannot find the file missing.arm");
    folder.write("in/big.arm", std::string((16u << 20) + 1, ' '));
    EXPECT_EQ(include_error(folder, "include \"big.arm\";"), "big.arm: this file is larger than 16 MiB");
}

TEST(Include, DepthIsLimited) {
    Folder folder;
    for (int i = 0; i < 20; ++i)
        folder.write("in/f" + std::to_string(i) + ".arm", "include \"f" + std::to_string(i + 1) + ".arm\";");
    folder.write("in/f20.arm", "");
    EXPECT_EQ(include_error(folder, "include \"f0.arm\";"), "more than 16 files include one another");
}

TEST(Include, InsideAGroupOnlyWhatAGroupMayHold) {
    Folder folder;
    folder.write("in/parts.arm", "parameter m 1; object o mass m; end");
    folder.write("in/bad.arm", "simulation end");
    EXPECT_EQ(include_error(folder, "group g include \"parts.arm\"; end place g as a set m 2; end"), "");
    EXPECT_EQ(include_error(folder, "group g include \"bad.arm\"; end place g as a end"),
              "the file holds 'simulation', which cannot stand inside 'group'");
}

}  // namespace
}  // namespace armature

// Every block puts its values where spec.h says.
#include "scene_test.h"

namespace armature {
namespace {

using namespace testing_scene;

TEST(Blocks, Simulation) {
    const Scene scene = load_good(sample_texts()[3]);
    const SimulationSpec& s = scene.spec.simulation;
    EXPECT_EQ(scene.spec.title, "All \"settings\"");
    EXPECT_EQ(s.gravity, (Vec3{0, -1.62, 0}));
    EXPECT_EQ(s.duration, 5);
    EXPECT_EQ(s.dt, 1.0 / 120);
    EXPECT_EQ(s.scheme, Scheme::verlet);
    EXPECT_EQ(s.verlet_keep, 0.99);
    EXPECT_EQ(s.solver, "displacement");
    EXPECT_EQ(s.tolerance, 1e-5);
    EXPECT_EQ(s.iterations, 200);
    EXPECT_EQ(s.on_failure, OnFailure::stop);
    EXPECT_EQ(s.max_gap, 0.01);
    EXPECT_FALSE(s.assemble);
    EXPECT_EQ(s.assembly_iterations, 10);
    EXPECT_DOUBLE_EQ(s.max_rotation, pi / 18);
    EXPECT_EQ(s.max_correction, 0.25);
    EXPECT_EQ(s.min_dt, 1e-5);
    EXPECT_EQ(s.displacement.variant, 1);
    EXPECT_EQ(s.displacement.alpha, AlphaRule::paper);
    EXPECT_EQ(s.displacement.order, SweepOrder::gauss_seidel);
    EXPECT_FALSE(s.displacement.physics);
    EXPECT_EQ(s.displacement.relaxation, 1.5);
    EXPECT_FALSE(s.displacement.accelerate);
    EXPECT_EQ(s.settle, 0.5);
}

TEST(Blocks, ObjectsShapesAndPaths) {
    const Scene scene = load_good(sample_texts()[6]);
    const SolidSpec& carrier = solid(scene, "carrier");
    EXPECT_EQ(carrier.kernel, Kernel::path);
    ASSERT_EQ(carrier.path.keys.size(), 3u);
    EXPECT_EQ(carrier.path.interpolation, Interpolation::linear);
    expect_near(rotate(carrier.path.keys[1].pose.q, {1, 0, 0}), {0, 0, 1});
    ASSERT_EQ(carrier.shapes.size(), 2u);
    expect_near(rotate(carrier.shapes[0].X_BS.q, {0, 1, 0}), normalized(Vec3{1, 1, 0}));
    EXPECT_EQ(carrier.shapes[1].name, "egg");
    EXPECT_EQ(std::get<Ellipsoid>(carrier.shapes[1].geometry).radii, (Vec3{1, 2, 3}));
    EXPECT_EQ(solid(scene, "floor").kernel, Kernel::fixed);
    expect_near(rotate(solid(scene, "wall").shapes[0].X_BS.q, {0, 1, 0}), {1, 0, 0});
    const SolidSpec& lump = solid(scene, "lump");
    EXPECT_EQ(lump.mass, 3.0);
    EXPECT_EQ(lump.centre_B, (Vec3{0, 0.1, 0}));
    EXPECT_EQ(*lump.inertia_G, (Mat3{{1, 0.1, 0}, {0.1, 2, 0}, {0, 0, 2.5}}));
    ASSERT_EQ(lump.point_masses.size(), 1u);
    EXPECT_EQ(lump.point_masses[0].at_B, (Vec3{0, 1, 0}));
    EXPECT_EQ(lump.ability_to_rotate, 2);
    EXPECT_TRUE(solid(scene, "drop").particle);
    EXPECT_EQ(solid(scene, "drop").velocity, (Vec3{1, 0, 0}));
}

TEST(Blocks, LaterTurnsAreAboutWorldAxes) {
    const Scene scene = load_good("object a turn 0 0 1 90 deg; turn 1 0 0 90 deg; end");
    // x → y by the first turn, y → z by the second.
    expect_near(rotate(scene.spec.solids[0].pose_WB.q, {1, 0, 0}), {0, 0, 1});
}

TEST(Blocks, Constraints) {
    const Scene scene = load_good(sample_texts()[4]);
    const ConstraintSpec& c = scene.spec.constraints.back();
    EXPECT_EQ(c.solid1, "world");
    EXPECT_EQ(c.solid2, "link[1]");
    EXPECT_EQ(c.from, 0);
    EXPECT_EQ(c.until, 2.5);
    EXPECT_EQ(c.alpha, 3.0);
    EXPECT_EQ(c.mobility, 0.25);
    EXPECT_EQ(scene.spec.constraints[0].name, "joint[1]");
    const Scene rail = load_good("object a end constraint object1 a; hinge 1 0 0 0 1 0; axial 0 0 2 max 4; end");
    const auto& segment = std::get<SegmentDomain>(rail.spec.constraints[0].hinge->domain);
    EXPECT_EQ(segment.axis_2, (Vec3{0, 0, 2}));
    EXPECT_EQ(segment.min, -infinity);
    EXPECT_EQ(segment.max, 4);
    const Scene tray = load_good("object a end constraint object1 a; planar 0 1 0; hinge 1 0 0 0 1 0; end");
    const auto& ring = std::get<RingDomain>(tray.spec.constraints[0].hinge->domain);
    EXPECT_EQ(ring.min, 0);
    EXPECT_EQ(ring.max, infinity);
}

TEST(Blocks, DomainsOfAConstraint) {
    const auto domain = [](const std::string& text) {
        const Scene scene =
            load_good("parameter r 2; object a end constraint c object1 a; hinge 0 0 0 0 1 0; " + text + " end");
        return scene.spec.constraints[0].hinge->domain;
    };
    const auto ball = std::get<SphereDomain>(domain("sphere max r;"));
    EXPECT_EQ(ball.min, 0);
    EXPECT_EQ(ball.max, 2);
    const auto sphere = std::get<SphereDomain>(domain("sphere radius r/2;"));
    EXPECT_EQ(sphere.min, 1);
    EXPECT_EQ(sphere.max, 1);
    const auto box = std::get<BoxDomain>(domain("box size 1 2 r + 1 turn 0 1 0 90 deg surface;"));
    EXPECT_EQ(box.size, (Vec3{1, 2, 3}));
    EXPECT_NEAR(rotate(box.q_2, {1, 0, 0}).z, -1, 1e-15);
    EXPECT_TRUE(box.surface);
    EXPECT_FALSE(std::get<BoxDomain>(domain("box size 1 2 3;")).surface);
    const auto open = std::get<CurveDomain>(domain("curve polyline 0 0 0 r 0 -1  r*2 1 1;"));
    EXPECT_EQ(open.kind, CurveKind::polyline);
    EXPECT_FALSE(open.closed);
    EXPECT_EQ(open.points_2, (std::vector<Vec3>{{0, 0, 0}, {2, 0, -1}, {4, 1, 1}}));
    const auto closed = std::get<CurveDomain>(domain("curve spline 0 0 0 1 0 0 0 1 0 closed;"));
    EXPECT_EQ(closed.kind, CurveKind::spline);
    EXPECT_TRUE(closed.closed);
    EXPECT_EQ(closed.points_2.size(), 3u);
}

TEST(Blocks, AMeshToSlideOnIsTheOneOfAShape) {
    Folder folder;
    folder.write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    folder.write("scene.arm",
                 "object a mesh \"tetra.obj\"; fixed; end object b mass 1; end\n"
                 "constraint on object1 b; object2 a; hinge 0 0 0 0 0 0; mesh \"tetra.obj\"; end\n"
                 "constraint in object1 b; object2 a; hinge 0 0 0 0 0 0; mesh \"tetra.obj\" scale 2 inside; end\n");
    Diagnostics diagnostics;
    const Scene scene = load_file(folder.path("scene.arm"), {}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << all_messages(diagnostics);
    const auto& on = std::get<MeshDomain>(scene.spec.constraints[0].hinge->domain);
    const auto& in = std::get<MeshDomain>(scene.spec.constraints[1].hinge->domain);
    EXPECT_EQ(on.mesh, std::get<MeshShape>(scene.spec.solids[0].shapes[0].geometry).mesh);
    EXPECT_FALSE(on.inside);
    EXPECT_EQ(in.mesh->vertices[1], (Vec3{2, 0, 0}));
    EXPECT_TRUE(in.inside);
}

TEST(Blocks, Forces) {
    const Scene scene = load_good(sample_texts()[6]);
    ASSERT_EQ(scene.spec.forces.size(), 4u);
    const auto& torque = std::get<TorqueSpec>(scene.spec.forces[0].law);
    EXPECT_EQ(torque.solid, "lump");
    EXPECT_EQ(torque.frame, Frame::body);
    EXPECT_EQ(torque.torque.interpolation, Interpolation::spline);
    const auto& force = std::get<PointForceSpec>(scene.spec.forces[1].law);
    EXPECT_EQ(force.at_B, (Vec3{0, 0, 1}));
    EXPECT_EQ(force.force.keys[1].value, (Vec3{9, -3, 4}));
    EXPECT_EQ(std::get<DragSpec>(scene.spec.forces[2].law).solid, "");
    EXPECT_EQ(std::get<DragSpec>(scene.spec.forces[3].law).solid, "lump");
}

TEST(Blocks, ABlockMayBeNamedLikeAKeyword) {
    const Scene scene = load_good(
        "object box box size 1 1 1; end object hinge mass 1; end "
        "constraint object1 hinge; object2 box; hinge 0 0 0 0 0 0; end "
        "constraint pin object1 box; hinge 0 0 0 0 0 0; end");
    EXPECT_EQ(scene.spec.solids[0].name, "box");
    EXPECT_EQ(scene.spec.constraints[0].solid1, "hinge");
    EXPECT_EQ(scene.spec.constraints[0].name, "");
    EXPECT_EQ(scene.spec.constraints[1].name, "pin");
}

TEST(Blocks, OriginsSayWhereThingsStand) {
    const Scene scene = load_good("object a\n  mass 1;\n  at 0 1 0;\nend");
    const Origin& origin = scene.spec.solids[0].origin;
    EXPECT_EQ(origin.block.line, 1);
    EXPECT_EQ(origin.block.column, 1);
    EXPECT_EQ(origin.block.length, 8) << "'object a'";
    EXPECT_EQ(origin.at("mass").line, 2);
    EXPECT_EQ(origin.at("at").line, 3);
    EXPECT_EQ(origin.at("spin").line, 1) << "what is not said stands where the block does";
}

TEST(Blocks, MeshesAreReadFromTheFolderOfTheScene) {
    Folder folder;
    folder.write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    folder.write("scene.arm", "object a mesh \"tetra.obj\" scale 2; end object b mesh \"tetra.obj\" scale 2; end\n");
    Diagnostics diagnostics;
    const Scene scene = load_file(folder.path("scene.arm"), {}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << all_messages(diagnostics);
    const auto& a = std::get<MeshShape>(scene.spec.solids[0].shapes[0].geometry);
    const auto& b = std::get<MeshShape>(scene.spec.solids[1].shapes[0].geometry);
    EXPECT_EQ(a.mesh->vertices[1], (Vec3{2, 0, 0}));
    EXPECT_EQ(a.mesh, b.mesh) << "one file, one mesh";
    EXPECT_EQ(findings("object a mesh \"../x.obj\"; end")[0], "1:10 the file lies outside of the folder of the scene");
}

}  // namespace
}  // namespace armature

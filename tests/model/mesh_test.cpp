#include "armature/model/mesh.h"

#include <gtest/gtest.h>

#include "support/test_meshes.h"

namespace armature {
namespace {

using test::unit_cube;

/// Empty when all words stand in the text, otherwise the first that does not, with the text.
std::string missing(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words)
        if (text.find(word) == std::string::npos) return std::string("no '") + word + "' in: " + text;
    return {};
}

TEST(MeshDefect, ClosedMeshesHaveNone) {
    EXPECT_EQ(find_mesh_defect(unit_cube()), "");
    EXPECT_EQ(find_mesh_defect(test::unit_ball(3)), "");
    EXPECT_EQ(find_mesh_defect(test::cylinder_mesh(0.5, 2, 12)), "");
    EXPECT_EQ(find_mesh_defect(test::capsule_mesh(0.5, 2, 12)), "");
}

TEST(MeshDefect, AMissingTriangleIsReportedByItsEdgeWithCoordinates) {
    TriangleMesh mesh = unit_cube();
    mesh.triangles.erase(mesh.triangles.begin() + 10);  // {4, 5, 7}
    EXPECT_EQ(missing(find_mesh_defect(mesh),
                      {"open", "from vertex 4 at (0, 0, 1) to vertex 5 at (1, 0, 1)", "triangle 5 only"}),
              "");
}

TEST(MeshDefect, OneFlippedTriangleIsReportedWithItsNeighbour) {
    TriangleMesh mesh = unit_cube();
    std::swap(mesh.triangles[10][0], mesh.triangles[10][1]);
    EXPECT_EQ(missing(find_mesh_defect(mesh), {"triangles 5 and 10", "same direction", "vertex 4", "vertex 5"}), "");
}

TEST(MeshDefect, AMeshTurnedInsideOutIsReportedAsSuch) {
    EXPECT_EQ(missing(find_mesh_defect(test::inside_out(unit_cube())), {"inside-out", "-1 m³"}), "");
}

TEST(MeshDefect, AnEdgeWithMoreThanTwoTrianglesIsReported) {
    // Two cubes that share an edge, vertices 1–5 of the first, as the same vertices.
    TriangleMesh mesh = unit_cube();
    const TriangleMesh second = test::moved_mesh(unit_cube(), {{1, -1, 0}, {}});
    for (auto t : second.triangles) {
        for (int& i : t) i = i == 2 ? 1 : (i == 6 ? 5 : i + 8);
        mesh.triangles.push_back(t);
    }
    mesh.vertices.insert(mesh.vertices.end(), second.vertices.begin(), second.vertices.end());
    EXPECT_EQ(missing(find_mesh_defect(mesh), {"vertex 1 at (1, 0, 0)", "vertex 5 at (1, 0, 1)", "4 triangles"}), "");
}

TEST(MeshDefect, IndicesOutsideTheListAndRepeatedOnesAreReported) {
    for (const int bad : {-1, 8, 1 << 30}) {
        TriangleMesh mesh = unit_cube();
        mesh.triangles[3][1] = bad;
        EXPECT_EQ(missing(find_mesh_defect(mesh), {"triangle 3", std::to_string(bad).c_str(), "8 vertices"}), "");
    }
    TriangleMesh mesh = unit_cube();
    mesh.triangles[7] = {2, 2, 3};
    EXPECT_EQ(missing(find_mesh_defect(mesh), {"triangle 7", "twice"}), "");
}

TEST(MeshDefect, VerticesThatAreNotFiniteAreReported) {
    for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
        TriangleMesh mesh = unit_cube();
        mesh.vertices[6].y = bad;
        EXPECT_EQ(missing(find_mesh_defect(mesh), {"vertex 6", "finite"}), "");
    }
}

TEST(MeshDefect, AMeshWithoutVolumeIsReportedAlsoWhenItIsTiltedAndFarAway) {
    const TriangleMesh flat = test::scaled_mesh(unit_cube(), {1, 1, 0});
    EXPECT_EQ(missing(find_mesh_defect(flat), {"flat"}), "");
    const Pose tilt{{1000, -2000, 500}, exp_rotation({0.3, 0.4, 0.5})};
    EXPECT_EQ(missing(find_mesh_defect(test::moved_mesh(flat, tilt)), {"flat"}), "");
    EXPECT_EQ(find_mesh_defect(test::moved_mesh(test::scaled_mesh(unit_cube(), {1, 1, 1e-6}), tilt)), "")
        << "a foil of a micrometre is thin, not flat";
    EXPECT_EQ(missing(find_mesh_defect({}), {"no triangles"}), "");
}

TEST(MeshDefect, SizeAloneIsNoDefectUntilTheVolumeOverflows) {
    for (const double size : {1e-60, 1e-6, 1e6, 1e60})
        EXPECT_EQ(find_mesh_defect(test::scaled_mesh(unit_cube(), {size, size, size})), "") << size;
    EXPECT_EQ(missing(find_mesh_defect(test::scaled_mesh(unit_cube(), {1e200, 1e200, 1e200})), {"too far"}), "");
}

TEST(MeshDefect, ACavityTwoPartsAndAnUnusedVertexAreAllowed) {
    const TriangleMesh inner = test::moved_mesh(test::scaled_mesh(unit_cube(), {0.5, 0.5, 0.5}), {{0.2, 0.2, 0.2}, {}});
    EXPECT_EQ(find_mesh_defect(test::joined_meshes(unit_cube(), test::inside_out(inner))), "");
    EXPECT_EQ(find_mesh_defect(test::joined_meshes(unit_cube(), test::moved_mesh(inner, {{5, 0, 0}, {}}))), "");
    TriangleMesh unused = unit_cube();
    unused.vertices.push_back({1e300, 0, 0});
    EXPECT_EQ(find_mesh_defect(unused), "");
}

}  // namespace
}  // namespace armature

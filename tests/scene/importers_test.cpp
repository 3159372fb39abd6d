#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <locale>

#include "armature/math/random.h"
#include "armature/model/mass_properties.h"
#include "armature/scene/importers/mesh_file.h"
#include "armature/scene/importers/obj.h"
#include "armature/scene/importers/stl.h"
#include "support/test_meshes.h"
#include "support/test_scale.h"

namespace armature {
namespace {

const char* const cube_obj =
    "# a cube of two units\n"
    "o Cube\n"
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
    "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

double volume(const TriangleMesh& mesh) {
    return unit_density_properties(MeshShape{"", std::make_shared<const TriangleMesh>(mesh)}).mass;
}

void expect_cube_of_two(const ParsedMesh& parsed) {
    ASSERT_EQ(parsed.error, "") << "line " << parsed.line;
    EXPECT_EQ(find_mesh_defect(parsed.mesh), "");
    EXPECT_EQ(parsed.mesh.vertices.size(), 8u);
    EXPECT_EQ(parsed.mesh.triangles.size(), 12u);
    EXPECT_DOUBLE_EQ(volume(parsed.mesh), 8);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string stl_text(const TriangleMesh& mesh) {
    std::string text = "solid a name of several words\n";
    for (const auto& triangle : mesh.triangles) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const int i : triangle) {
            const Vec3& p = mesh.vertices[static_cast<std::size_t>(i)];
            text +=
                "      vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
        }
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid a name of several words\n";
}

std::string stl_bytes(const TriangleMesh& mesh, std::string header = "made by a test") {
    header.resize(80, ' ');
    const auto add = [&](std::uint32_t word, int count) {
        for (int k = 0; k < count; ++k) header += static_cast<char>(word >> 8 * k & 0xff);
    };
    add(static_cast<std::uint32_t>(mesh.triangles.size()), 4);
    for (const auto& triangle : mesh.triangles) {
        for (int k = 0; k < 3; ++k) add(0, 4);
        for (const int i : triangle)
            for (int k = 0; k < 3; ++k)
                add(std::bit_cast<std::uint32_t>(static_cast<float>(mesh.vertices[static_cast<std::size_t>(i)][k])), 4);
        add(0, 2);
    }
    return header;
}

TriangleMesh cube_of_two() {
    return test::scaled_mesh(test::moved_mesh(test::unit_cube(), {{-0.5, -0.5, -0.5}, {}}), {2, 2, 2});
}

void expect_fault(const ParsedMesh& parsed, int line, const std::string& words) {
    EXPECT_EQ(parsed.line, line) << parsed.error;
    EXPECT_NE(parsed.error.find(words), std::string::npos) << parsed.error;
}

// ---- OBJ
// -------------------------------------------------------------------------------------------------------

TEST(Obj, ReadsPolygonsAsFans) {
    expect_cube_of_two(parse_obj(cube_obj));
}

TEST(Obj, ReadsEveryFormOfCornerAndPassesOverEverythingElse) {
    std::string text =
        replaced(cube_obj, "f 4 3 2 1", "vt 0 0\nvn 0 0 1\ng side\nusemtl red\ns off\nf 4/1 3/1 2/1 1/1");
    text = replaced(text, "f 5 6 7 8", "f 5//1 6//1 7//1 8//1");
    text = replaced(text, "f 1 2 6 5", "f 1/1/1 2/1/1 6/1/1 5/1/1 # below");
    expect_cube_of_two(parse_obj(text + "l 1 2\np 3\nunheard_of 1 2 3\n"));
}

TEST(Obj, CountsNegativeIndicesBackFromTheLastVertexSoFar) {
    const std::string text = replaced(cube_obj, "f 5 6 7 8", "f -4 -3 -2 -1");
    expect_cube_of_two(parse_obj(text));
    // The same statement means other vertices further down: here those of a ninth vertex and its two
    // forerunners.
    const ParsedMesh later = parse_obj(text + "v 9 9 9\nf -1 -2 -3\n");
    ASSERT_EQ(later.error, "");
    EXPECT_EQ(later.mesh.triangles.back(), (std::array{8, 7, 6}));
}

TEST(Obj, ReadsWindowsLineEndsTabsContinuationLinesAndAByteOrderMark) {
    expect_cube_of_two(parse_obj(replaced(cube_obj, "\n", "\r\n")));
    expect_cube_of_two(parse_obj(replaced(cube_obj, " ", "\t ")));
    expect_cube_of_two(parse_obj(replaced(cube_obj, "f 4 3 2 1", "f 4 3 \\\n 2 \\\r\n 1")));
    expect_cube_of_two(parse_obj("\xEF\xBB\xBF" + std::string(cube_obj)));
    expect_cube_of_two(parse_obj(replaced(cube_obj, "units\n", "units, from C:\\models\\\n")));
    const std::string text = cube_obj;
    expect_cube_of_two(parse_obj(text.substr(0, text.size() - 1)));  // no line end at the end
}

TEST(Obj, ReadsFacesThatComeBeforeTheirVertices) {
    const std::string text = cube_obj;
    const std::size_t faces = text.find("f 4");
    expect_cube_of_two(parse_obj(text.substr(faces) + text.substr(0, faces)));
}

TEST(Obj, ReadsNumbersInEveryNotationWhateverTheLocale) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const ParsedMesh parsed = parse_obj("v 1.5 -.25 +2e-3\nv 0 0 0 1.0\nv 0 1 0 0.5 0.5 0.5\nf 1 2 3\n");
    std::locale::global(before);
    ASSERT_EQ(parsed.error, "");
    EXPECT_EQ(parsed.mesh.vertices[0], (Vec3{1.5, -0.25, 2e-3}));
}

TEST(Obj, GivesTheRightVolumeForAPolygonThatIsNotConvex) {
    // An L of three unit squares, one unit high; the fan of each cap starts at a corner that does not see all
    // others.
    std::string text = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n";
    text += "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n";
    text += "f 2 1 6 5 4 3\nf 8 9 10 11 12 7\n";
    for (int i = 1; i <= 6; ++i) {
        const int j = i % 6 + 1;
        text += "f " + std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(j + 6) + " " +
                std::to_string(i + 6) + "\n";
    }
    const ParsedMesh parsed = parse_obj(text);
    ASSERT_EQ(parsed.error, "");
    EXPECT_EQ(find_mesh_defect(parsed.mesh), "");
    EXPECT_NEAR(volume(parsed.mesh), 3, 1e-14);
}

TEST(Obj, DropsCollapsedTrianglesOfAPolygonThatRepeatsACorner) {
    expect_cube_of_two(parse_obj(replaced(cube_obj, "f 4 3 2 1", "f 4 3 3 2 1 1\nf 1 1 2")));
}

TEST(Obj, ReportsEachFaultWithItsLine) {
    expect_fault(parse_obj("v 0 0 0\nv 1 0\n"), 2, "3 coordinates and has 2");
    expect_fault(parse_obj("v 0 0 0\nv 1 0 1,5\n"), 2, "'1,5' is not a finite number");
    expect_fault(parse_obj("v 0 0 nan\n"), 1, "'nan'");
    expect_fault(parse_obj("v 0 0 1e999\n"), 1, "'1e999'");
    expect_fault(parse_obj("\n\nv 0 0 +-1\n"), 3, "'+-1'");
    expect_fault(parse_obj("v 0 0 0\n\nf 1 1\n"), 3, "at least 3 corners and has 2");
    expect_fault(parse_obj("v 0 0 0\nf 1 0 1\n"), 2, "counted from 1");
    expect_fault(parse_obj("v 0 0 0\nf 1 -2 1\n"), 2, "vertex -2, but there are 1");
    expect_fault(parse_obj("v 0 0 0\nf 1 1 1\nf 1 7 1\nf 1 1 1\n"), 3, "vertex 7, but there are 1");
    expect_fault(parse_obj("v 0 0 0\nf 1 1 99999999999999999999\n"), 2, "not a corner");
    expect_fault(parse_obj("v 0 0 0\nf 1 1 9999999999\n"), 2, "9999999999");
    expect_fault(parse_obj("f 1 b 3\n"), 1, "'b' is not a corner");
    expect_fault(parse_obj("f 1 2x 3\n"), 1, "'2x' is not a corner");
    expect_fault(parse_obj("f 1 2/x 3\n"), 1, "'2/x' is not a corner");
    expect_fault(parse_obj("f 1 \\\n 2.5 3\n"), 2, "'2.5'");
    expect_fault(parse_obj("just a letter\n"), 0, "no faces");
    expect_fault(parse_obj(""), 0, "no faces");
}

// ---- STL
// -------------------------------------------------------------------------------------------------------

TEST(Stl, TextAndBinaryOfACubeCloseIntoTheSameMesh) {
    expect_cube_of_two(parse_stl(stl_text(cube_of_two())));
    expect_cube_of_two(parse_stl(stl_bytes(cube_of_two())));
    EXPECT_EQ(parse_stl(stl_text(cube_of_two())).mesh.triangles, parse_stl(stl_bytes(cube_of_two())).mesh.triangles);
}

TEST(Stl, TellsABinaryFileThatStartsWithSolidFromText) {
    expect_cube_of_two(parse_stl(stl_bytes(cube_of_two(), "solid facet normal 0 0 1")));
}

TEST(Stl, ReadsWindowsLineEndsCapitalsOneLineAndSeveralSolids) {
    const std::string text = stl_text(cube_of_two());
    expect_cube_of_two(parse_stl(replaced(text, "\n", "\r\n")));
    expect_cube_of_two(parse_stl(replaced(replaced(text, "facet normal", "FACET NORMAL"), "vertex", "Vertex")));
    std::string one_line = replaced(text, "\n", " ");
    one_line.replace(one_line.find("words"), 6, "words\n");
    expect_cube_of_two(parse_stl(one_line));
    expect_cube_of_two(parse_stl(replaced(text, "normal 0 0 0", "normal nan -nan 1e400")));
    const std::size_t middle = text.find("  facet", text.size() / 2);
    expect_cube_of_two(parse_stl(text.substr(0, middle) + "endsolid\nsolid second\n" + text.substr(middle)));
}

TEST(Stl, MinusZeroAndZeroAreTheSamePlace) {
    std::string text = stl_text(test::unit_cube());
    text.replace(text.find("vertex 0.000000"), 15, "vertex -0.00000");
    const ParsedMesh parsed = parse_stl(text);
    EXPECT_EQ(parsed.mesh.vertices.size(), 8u);
    EXPECT_EQ(find_mesh_defect(parsed.mesh), "");
}

TEST(Stl, VerticesThatDifferInTheLastBitStayApart) {
    TriangleMesh mesh = cube_of_two();
    mesh.vertices.push_back(mesh.vertices[7]);
    mesh.vertices.back().x = static_cast<double>(std::nextafter(static_cast<float>(mesh.vertices[7].x), 2.0f));
    mesh.triangles[2][2] = 8;
    const ParsedMesh parsed = parse_stl(stl_bytes(mesh));
    EXPECT_EQ(parsed.mesh.vertices.size(), 9u);
    EXPECT_NE(find_mesh_defect(parsed.mesh), "") << "a real gap is not closed in silence";
}

TEST(Stl, ReportsEachFaultOfATextWithItsLine) {
    const std::string text = stl_text(cube_of_two());  // line 4 is the first vertex
    expect_fault(parse_stl(replaced(text, "vertex", "vertes")), 4, "expected 'vertex', found 'vertes'");
    expect_fault(parse_stl(replaced(text, "-1.000000", "-1,0")), 4, "expected a finite number, found '-1,0'");
    expect_fault(parse_stl(replaced(text, "-1.000000", "inf")), 4, "found 'inf'");
    expect_fault(parse_stl(replaced(text, "    endloop\n", "")), 7, "expected 'endloop', found 'endfacet'");
    expect_fault(parse_stl(replaced(text, "outer", "inner")), 3, "expected 'outer'");
    expect_fault(parse_stl(text.substr(0, text.find("endsolid"))), 86, "found the end of the file");
    expect_fault(parse_stl("solid a\nendsolid a\nfacet\n"), 3, "expected 'solid', found 'facet'");
    expect_fault(parse_stl("solid empty\nendsolid empty\n"), 0, "no triangles");
}

TEST(Stl, ReportsDamagedBinaryFiles) {
    const std::string bytes = stl_bytes(cube_of_two());
    expect_fault(parse_stl(bytes.substr(0, bytes.size() - 1)), 0,
                 "12 triangles, that is 684 bytes where there are 683");
    expect_fault(parse_stl(bytes + "x"), 0, "684 bytes where there are 685");
    expect_fault(parse_stl(stl_bytes(cube_of_two(), "solid").substr(0, 300)), 0, "12 triangles");
    expect_fault(parse_stl(bytes.substr(0, 50)), 0, "too short");
    expect_fault(parse_stl(""), 0, "too short");
    expect_fault(parse_stl(stl_bytes({})), 0, "no triangles");
    std::string bad = bytes;
    bad.replace(84 + 50 * 3 + 12 + 4, 4, std::string("\x00\x00\xc0\x7f", 4));  // a NaN in triangle 3
    expect_fault(parse_stl(bad), 0, "triangle 3");
}

// ---- both
// ------------------------------------------------------------------------------------------------------

TEST(MeshParsers, NeverCrashOnDamagedInputAndNeverReturnAnIndexOutOfRange) {
    const std::string originals[] = {cube_obj, stl_text(cube_of_two()), stl_bytes(cube_of_two())};
    const char* const spices[] = {"f ", "v ", "-", "/", "\\\n", "\n", "#", "1e309", "0", "99", "vertex", "solid", "\t"};
    Random random(1);
    int accepted = 0, refused = 0;
    for (int i = 0; i < test::scaled(6000); ++i) {
        std::string text = originals[i % 3];
        for (int k = random.integer(1, 6); k > 0; --k) {
            const auto at = static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size())));
            switch (random.integer(0, 3)) {
                case 0:
                    text.resize(at);
                    break;
                case 1:
                    text.insert(at, spices[random.integer(0, 12)]);
                    break;
                case 2:
                    text.erase(at, static_cast<std::size_t>(random.integer(1, 20)));
                    break;
                default:
                    if (at < text.size()) text[at] = static_cast<char>(random.integer(0, 255));
            }
        }
        for (const ParsedMesh& parsed : {parse_obj(text), parse_stl(text)}) {
            (parsed.error.empty() ? accepted : refused) += 1;
            if (!parsed.error.empty()) continue;
            EXPECT_FALSE(parsed.mesh.triangles.empty());
            for (const Vec3& p : parsed.mesh.vertices) EXPECT_TRUE(is_finite(p));
            for (const auto& triangle : parsed.mesh.triangles)
                for (const int v : triangle) {
                    EXPECT_GE(v, 0);
                    EXPECT_LT(static_cast<std::size_t>(v), parsed.mesh.vertices.size());
                }
        }
    }
    EXPECT_GT(accepted, 0) << "some damage is harmless";
    EXPECT_GT(refused, 0);
}

// ---- files
// -----------------------------------------------------------------------------------------------------

class MeshFile : public testing::Test {
  protected:
    MeshFile() : directory_(testing::TempDir() + "mesh_file_test_" + unique_name()) {
        std::filesystem::create_directories(directory_);
    }
    ~MeshFile() override { std::filesystem::remove_all(directory_); }

    static std::string unique_name() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }

    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }
    std::string path(const std::string& name) const { return directory_ + "/" + name; }

    void expect_refused(const std::string& file, const std::string& words) const {
        Diagnostics diagnostics;
        EXPECT_EQ(read_mesh_file(file, {"scene.arm", 7, 3, 4}, diagnostics), nullptr);
        ASSERT_EQ(diagnostics.all().size(), 1u);
        EXPECT_EQ(diagnostics.all()[0].place.line, 7);
        EXPECT_EQ(diagnostics.all()[0].severity, Severity::error);
        EXPECT_NE(diagnostics.all()[0].message.find(words), std::string::npos) << diagnostics.all()[0].message;
    }
    std::shared_ptr<const TriangleMesh> expect_read(const std::string& file) const {
        Diagnostics diagnostics;
        auto mesh = read_mesh_file(file, {"scene.arm", 7, 3, 4}, diagnostics);
        for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << render(d);
        if (!mesh) mesh = std::make_shared<const TriangleMesh>();
        return mesh;
    }

    std::string directory_;
};

TEST_F(MeshFile, TheEndingInAnyCaseChoosesTheFormat) {
    EXPECT_EQ(volume(*expect_read(write("a.obj", cube_obj))), 8);
    EXPECT_EQ(volume(*expect_read(write("b.OBJ", cube_obj))), 8);
    EXPECT_EQ(volume(*expect_read(write("c.Stl", stl_bytes(cube_of_two())))), 8);
    EXPECT_EQ(volume(*expect_read(write("d.stl", stl_text(cube_of_two())))), 8);
    expect_refused(write("e.ply", cube_obj), "e.ply");
    expect_refused(write("noending", cube_obj), "format");
}

TEST_F(MeshFile, FaultsNameTheFileAndTheLine) {
    const std::string file = write("bad.obj", "v 0 0 0\nv 1 0 zero\n");
    expect_refused(file, "bad.obj:2: 'zero' is not a finite number");
    expect_refused(write("short.stl", "nonsense"), "short.stl: this is no STL file");
}

TEST_F(MeshFile, MissingFilesDirectoriesAndHugeFilesAreRefused) {
    expect_refused(path("absent.obj"), "absent.obj");
    std::filesystem::create_directory(path("folder.obj"));
    expect_refused(path("folder.obj"), "not a file");
    const std::string huge = write("huge.stl", "solid\n");
    std::filesystem::resize_file(huge, mesh_file_limit + 1);  // a hole: takes no room on the disk
    expect_refused(huge, "256 MiB");
}

TEST_F(MeshFile, AnObjWhoseTrianglesShareNoVerticesIsClosed) {
    std::string text;
    const TriangleMesh cube = cube_of_two();
    for (const auto& triangle : cube.triangles) {
        for (const int i : triangle) {
            const Vec3& p = cube.vertices[static_cast<std::size_t>(i)];
            text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
        }
        text += "f -3 -2 -1\n";
    }
    const auto mesh = expect_read(write("soup.obj", text));
    EXPECT_EQ(find_mesh_defect(*mesh), "");
    EXPECT_EQ(mesh->vertices.size(), 8u);
}

TEST_F(MeshFile, TwoBodiesOfAnObjThatTouchAlongAnEdgeStayTwo) {
    std::string second;  // the first, moved by 2 along x and y
    for (const double z : {-1.0, 1.0})
        for (const auto& [x, y] : {std::pair{1, 1}, {3, 1}, {3, 3}, {1, 3}})
            second += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
    second += "f 12 11 10 9\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\nf 12 9 13 16\n";
    const auto mesh = expect_read(write("two.obj", cube_obj + second));
    EXPECT_EQ(find_mesh_defect(*mesh), "");
    EXPECT_EQ(mesh->vertices.size(), 16u);
    EXPECT_DOUBLE_EQ(volume(*mesh), 16);
}

TEST_F(MeshFile, AnOpenMeshIsReadAsItIsAndLeftToTheCheckOfTheSolid) {
    const auto mesh = expect_read(write("open.obj", replaced(cube_obj, "f 4 1 5 8\n", "")));
    EXPECT_EQ(mesh->triangles.size(), 10u);
    EXPECT_NE(find_mesh_defect(*mesh).find("open"), std::string::npos);
}

}  // namespace
}  // namespace armature

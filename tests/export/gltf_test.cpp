// Files are parsed back from their bytes. The Khronos validator and Blender see them in tests/command/.
#include "armature/export/gltf.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "armature/export/glb.h"
#include "armature/sim/simulator.h"
#include "support/glb_reader.h"
#include "support/test_meshes.h"

namespace armature {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Glb;
using testing::ElementsAre;
using testing::HasSubstr;

class Gltf : public testing::Test {
  protected:
    void TearDown() override { fs::remove(file); }

    std::string bytes() const {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    Glb written(const Model& model, const Recording& recording, const Json& report = nullptr) const {
        write_gltf(file, model, recording, report);
        return test::read_glb(bytes());
    }

    fs::path file = fs::temp_directory_path() / ("armature-gltf-test-" + std::to_string(::getpid()) + ".glb");
};

void add_shape(SolidSpec& solid, Geometry geometry, const Pose& X_BS = {}, std::string name = {}) {
    solid.shapes.push_back({std::move(name), std::move(geometry), X_BS, {}});
}

/// Something of everything: every shape, two levels of groups, all kernels, a particle.
Spec menagerie() {
    Spec spec;
    spec.title = "Menagerie";
    spec.simulation.dt = 1.0 / 60;
    for (int i = 1; i <= 2; ++i) {
        for (const char* part : {"arm", "arm.hand"}) {
            SolidSpec& s = spec.add_solid(fmt::format("zoo.doll[{}].{}", i, part));
            add_shape(s, Capsule{0.1, 0.5}, {{0.1, 0.2, 0.3}, from_axis_angle({0, 0, 1}, 1)});
            add_shape(s, Box{{0.1, 0.2, 0.3}});
            s.pose_WB.x = {i + 0.25, 3, part[3] == '.' ? 1.0 : 0.0};
            s.spin = {5, 40.0 * i, 3};
            s.velocity = {1, 2, 0.3};
            s.color = {0.8, 0.1, 0.1};
        }
    }
    SolidSpec& wheel = spec.add_solid("wheel");
    add_shape(wheel, Sphere{0.2});
    add_shape(wheel, Sphere{0.2}, {{1, 0, 0}, {}});
    add_shape(wheel, Sphere{0.2}, {{2, 0, 0}, {}}, "hub");
    add_shape(wheel, Cylinder{0.2, 1});
    add_shape(wheel, Ellipsoid{{0.1, 0.2, 0.3}});
    SolidSpec& floor = spec.add_solid("floor");
    floor.kernel = Kernel::fixed;
    add_shape(floor, Plane{});
    add_shape(floor, MeshShape{"ball.obj", std::make_shared<TriangleMesh>(test::unit_ball(2))});
    floor.pose_WB = {{0, -1, 0}, from_axis_angle({0, 1, 0}, 0.5)};
    SolidSpec& dot = spec.add_solid("dot");
    dot.particle = true;
    dot.mass = 1;
    dot.velocity = {0, 0, 1};
    SolidSpec& lift = spec.add_solid("lift");
    lift.kernel = Kernel::path;
    add_shape(lift, Box{{1, 0.1, 1}});
    lift.path.keys = {{0, {{5, 0, 0}, {}}}, {1, {{5, 2, 0}, {}}}};
    return spec;
}

struct Recorded {
    explicit Recorded(const Spec& spec, int frames = 40) : simulator(spec) {
        simulator.start_recording();
        for (int i = 0; i < frames; ++i) simulator.advance();
    }
    const Model& model() const { return simulator.model(); }
    const Recording& recording() const { return simulator.recording(); }

    Simulator simulator;
};

int node_named(const Glb& glb, const std::string& name) {
    int found = -1;
    for (std::size_t i = 0; i < glb.json["nodes"].size(); ++i) {
        if (glb.json["nodes"][i]["name"] != name) continue;
        EXPECT_EQ(found, -1) << "twice " << name;
        found = static_cast<int>(i);
    }
    EXPECT_GE(found, 0) << name;
    return found;
}

/// −1 for a root.
int parent_of(const Glb& glb, int node) {
    for (std::size_t i = 0; i < glb.json["nodes"].size(); ++i)
        for (const auto& child : glb.json["nodes"][i].value("children", json::array()))
            if (child == node) return static_cast<int>(i);
    return -1;
}

/// Samples of a node's channel, empty when it has none.
std::vector<double> samples(const Glb& glb, int node, const std::string& path) {
    if (!glb.json.contains("animations")) return {};
    const auto& animation = glb.json["animations"][0];
    for (const auto& channel : animation["channels"])
        if (channel["target"]["node"] == node && channel["target"]["path"] == path)
            return test::numbers_of(glb, animation["samplers"][channel["sampler"].get<std::size_t>()]["output"]);
    return {};
}

/// Of a node in its parent, at a key of the animation.
Pose local_pose(const Glb& glb, int node, std::size_t key) {
    const auto& n = glb.json["nodes"][static_cast<std::size_t>(node)];
    std::vector<double> x = n.value("translation", std::vector<double>{0, 0, 0});
    std::vector<double> q = n.value("rotation", std::vector<double>{0, 0, 0, 1});
    if (const auto moved = samples(glb, node, "translation"); !moved.empty())
        x.assign(moved.begin() + 3 * static_cast<std::ptrdiff_t>(key), moved.end());
    if (const auto turned = samples(glb, node, "rotation"); !turned.empty())
        q.assign(turned.begin() + 4 * static_cast<std::ptrdiff_t>(key), turned.end());
    return {{x[0], x[1], x[2]}, {q[3], q[0], q[1], q[2]}};
}

Pose world_pose(const Glb& glb, int node, std::size_t key) {
    const int parent = parent_of(glb, node);
    const Pose local = local_pose(glb, node, key);
    return parent < 0 ? local : world_pose(glb, parent, key) * local;
}

/// q and −q are one orientation.
double difference(const Pose& a, const Pose& b) {
    return std::max(norm(a.x - b.x), norm(log_rotation(conjugate(a.q) * b.q)));
}

TEST_F(Gltf, SaysWhatItIs) {
    const Recorded run(menagerie());
    const Glb glb = written(run.model(), run.recording());
    EXPECT_EQ(glb.json["asset"], (json{{"version", "2.0"}, {"generator", "Armature"}}));
    EXPECT_EQ(glb.json["scene"], 0);
    const auto& scene = glb.json["scenes"][0];
    EXPECT_EQ(scene["name"], "Menagerie");
    EXPECT_EQ(scene["extras"]["title"], "Menagerie");
    EXPECT_EQ(scene["extras"]["dt"], 1.0 / 60);
    EXPECT_EQ(scene["extras"]["units"]["length"], "m");
    EXPECT_FALSE(scene["extras"].contains("report"));
}

TEST_F(Gltf, CarriesTheReport) {
    const Recorded run(menagerie(), 10);
    const RunReport& report = run.simulator.report();
    const Json all = report_json(run.model(), report, {}, "menagerie.arm", true);
    const Glb glb = written(run.model(), run.recording(), all);
    const auto& carried = glb.json["scenes"][0]["extras"]["report"];
    EXPECT_EQ(carried["frames"], 10);
    EXPECT_EQ(carried["scene"], "menagerie.arm");
    EXPECT_EQ(carried["worst_gap"]["value"], report.gap.value);
    EXPECT_EQ(carried.dump(), json::parse(all.dump()).dump());
}

TEST_F(Gltf, NamesAndHierarchyAreThoseOfTheScene) {
    const Recorded run(menagerie());
    const Glb glb = written(run.model(), run.recording());
    const auto parent_name = [&](const std::string& name) {
        const int parent = parent_of(glb, node_named(glb, name));
        return parent < 0 ? "" : glb.json["nodes"][static_cast<std::size_t>(parent)]["name"].get<std::string>();
    };
    EXPECT_EQ(parent_name("wheel"), "");
    EXPECT_EQ(parent_name("zoo"), "");
    EXPECT_EQ(parent_name("zoo.doll[2]"), "zoo");
    EXPECT_EQ(parent_name("zoo.doll[2].arm"), "zoo.doll[2]");
    // Its arm moves by itself, so it cannot be a child of the arm.
    EXPECT_EQ(parent_name("zoo.doll[2].arm.hand"), "zoo.doll[2]");
    EXPECT_EQ(parent_name("zoo.doll[2].arm.capsule"), "zoo.doll[2].arm");
    EXPECT_EQ(parent_name("zoo.doll[2].arm.hand.box"), "zoo.doll[2].arm.hand");
    EXPECT_EQ(parent_name("wheel.sphere"), "wheel");
    EXPECT_EQ(parent_name("wheel.sphere#2"), "wheel");
    EXPECT_EQ(parent_name("wheel.hub"), "wheel");
    EXPECT_EQ(parent_name("floor.mesh"), "floor");

    std::set<int> roots = glb.json["scenes"][0]["nodes"];
    std::set<int> orphans;
    for (std::size_t i = 0; i < glb.json["nodes"].size(); ++i)
        if (parent_of(glb, static_cast<int>(i)) < 0) orphans.insert(static_cast<int>(i));
    EXPECT_EQ(roots, orphans);
}

TEST_F(Gltf, EverySolidIsWhereTheRecordingHasIt) {
    const Recorded run(menagerie());
    const Glb glb = written(run.model(), run.recording());
    for (std::size_t body = 1; body < run.model().bodies.size(); ++body) {
        const int node = node_named(glb, run.model().bodies[body].name);
        for (const std::size_t key : {0u, 1u, 17u, 40u}) {
            const Pose recorded = run.recording().frames[key].pose_WB[body];
            // Places are within 10 m, so float32 rounds them by less than 2⁻²⁴ · 10 · √3; rotations likewise by 2⁻²³.
            EXPECT_LT(difference(world_pose(glb, node, key), recorded), 1.1e-6)
                << run.model().bodies[body].name << " at " << key;
        }
    }
    // And a shape in its solid.
    const Pose shape{{0.1, 0.2, 0.3}, from_axis_angle({0, 0, 1}, 1)};
    const BodyId arm = run.model().find_body("zoo.doll[1].arm");
    EXPECT_LT(difference(world_pose(glb, node_named(glb, "zoo.doll[1].arm.capsule"), 40),
                         run.recording().frames[40].pose_WB[static_cast<std::size_t>(arm)] * shape),
              2e-6);
}

TEST_F(Gltf, EveryShapeHasAMeshAndEqualOnesShareIt) {
    const Recorded run(menagerie(), 1);
    const Glb glb = written(run.model(), run.recording());
    const auto mesh_of = [&](const std::string& name) -> int {
        return glb.json["nodes"][static_cast<std::size_t>(node_named(glb, name))].value("mesh", -1);
    };
    for (const auto& node : glb.json["nodes"]) {  // shapes are the leaves, except for the particle, which has none
        const bool leaf = !node.contains("children") && node["name"] != "dot";
        EXPECT_EQ(node.contains("mesh"), leaf) << node["name"];
    }
    EXPECT_EQ(mesh_of("wheel.sphere"), mesh_of("wheel.sphere#2"));
    EXPECT_EQ(mesh_of("wheel.sphere"), mesh_of("wheel.hub"));
    EXPECT_EQ(mesh_of("zoo.doll[1].arm.capsule"), mesh_of("zoo.doll[2].arm.hand.capsule"));
    // Capsule, box, sphere, cylinder, ellipsoid, plane, mesh, the lift's box.
    EXPECT_EQ(glb.json["meshes"].size(), 8u);
    EXPECT_EQ(glb.json["materials"].size(), 2u);
    EXPECT_EQ(glb.json["meshes"][0]["name"], "capsule radius 0.1 length 0.5");
    const auto& red = glb.json["materials"][0]["pbrMetallicRoughness"];
    EXPECT_EQ(red["baseColorFactor"], (json{0.8, 0.1, 0.1, 1}));
    EXPECT_EQ(red["metallicFactor"], 0);
}

TEST_F(Gltf, OneShapeInTwoColoursSharesItsNumbers) {
    Spec spec;
    add_shape(spec.add_solid("a"), Sphere{0.2});
    add_shape(spec.add_solid("b"), Sphere{0.2});
    spec.find_solid("b")->color = {0, 5, -1};  // brought into [0, 1]
    const Recorded run(spec, 0);
    const Glb glb = written(run.model(), run.recording());
    ASSERT_EQ(glb.json["meshes"].size(), 2u);
    const auto &a = glb.json["meshes"][0]["primitives"][0], &b = glb.json["meshes"][1]["primitives"][0];
    EXPECT_EQ(a["attributes"], b["attributes"]);
    EXPECT_EQ(a["indices"], b["indices"]);
    EXPECT_NE(a["material"], b["material"]);
    EXPECT_EQ(glb.json["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"], (json{0, 1, 0, 1}));
}

TEST_F(Gltf, MeshesAreTrianglesWithBounds) {
    const Recorded run(menagerie(), 1);
    const Glb glb = written(run.model(), run.recording());
    for (const auto& mesh : glb.json["meshes"]) {
        const auto& primitive = mesh["primitives"][0];
        const auto positions = test::numbers_of(glb, primitive["attributes"]["POSITION"]);
        const auto normals = test::numbers_of(glb, primitive["attributes"]["NORMAL"]);
        const auto indices = test::numbers_of(glb, primitive["indices"]);
        ASSERT_EQ(positions.size(), normals.size());
        ASSERT_EQ(indices.size() % 3, 0u);
        for (const double i : indices) ASSERT_LT(i, static_cast<double>(positions.size() / 3));
        std::vector<double> low(3, infinity), high(3, -infinity);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            low[i % 3] = std::min(low[i % 3], positions[i]);
            high[i % 3] = std::max(high[i % 3], positions[i]);
        }
        const auto& accessor = glb.json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
        EXPECT_EQ(accessor["min"].get<std::vector<double>>(), low);
        EXPECT_EQ(accessor["max"].get<std::vector<double>>(), high);
        for (std::size_t i = 0; i < normals.size(); i += 3)
            EXPECT_NEAR(std::hypot(normals[i], normals[i + 1], normals[i + 2]), 1, 1e-6);
    }
    for (const auto& view : glb.json["bufferViews"]) EXPECT_EQ(view["byteOffset"].get<int>() % 4, 0);
}

TEST_F(Gltf, OneListOfTimesForAllChannels) {
    const Recorded run(menagerie());
    const Glb glb = written(run.model(), run.recording());
    const auto& animation = glb.json["animations"][0];
    EXPECT_EQ(animation["name"], "Menagerie");
    std::set<int> inputs;
    for (const auto& sampler : animation["samplers"]) {
        inputs.insert(sampler["input"].get<int>());
        EXPECT_EQ(sampler["interpolation"], "LINEAR");
    }
    ASSERT_EQ(inputs.size(), 1u);
    const auto& accessor = glb.json["accessors"][static_cast<std::size_t>(*inputs.begin())];
    const auto times = test::numbers_of(glb, *inputs.begin());
    ASSERT_EQ(times.size(), 41u);
    EXPECT_EQ(accessor["min"], json::array({0.0}));
    EXPECT_EQ(accessor["max"], json::array({times.back()}));
    for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_EQ(times[i], static_cast<float>(run.recording().frames[i].time));
    EXPECT_EQ(test::frames_of(glb), 41u);
}

TEST_F(Gltf, WhatDoesNotChangeHasNoChannel) {
    const Recorded run(menagerie());
    const Glb glb = written(run.model(), run.recording());
    const auto channels = [&](const std::string& name) {
        const int node = node_named(glb, name);
        return std::pair{!samples(glb, node, "translation").empty(), !samples(glb, node, "rotation").empty()};
    };
    EXPECT_EQ(channels("wheel"), std::pair(true, false));  // falls without a spin
    EXPECT_EQ(channels("zoo.doll[1].arm"), std::pair(true, true));
    EXPECT_EQ(channels("floor"), std::pair(false, false));
    EXPECT_EQ(channels("dot"), std::pair(true, false));
    EXPECT_EQ(channels("lift"), std::pair(true, false));
    EXPECT_EQ(channels("zoo"), std::pair(false, false));
    EXPECT_EQ(glb.json["animations"][0]["channels"].size(), 4u * 2 + 3);
}

TEST_F(Gltf, AChannelThatBeginsToChangeLateHasAllItsSamples) {
    Spec spec;
    add_shape(spec.add_solid("a"), Sphere{});
    const Model model = compile(spec);
    Recording recording;
    for (int i = 0; i < 5; ++i) {
        FrameRecord frame;
        frame.time = i;
        frame.pose_WB = {{}, {{1, i == 3 ? 2.0 : 0.0, 0}, {}}};
        recording.frames.push_back(frame);
    }
    const Glb glb = written(model, recording);
    EXPECT_THAT(samples(glb, 0, "translation"), ElementsAre(1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0, 0));
    EXPECT_THAT(samples(glb, 0, "rotation"), ElementsAre());
}

TEST_F(Gltf, NeighbouringQuaternionsAreOnOneSide) {
    const Recorded run(menagerie());
    const Glb glb = written(run.model(), run.recording());
    const auto q = samples(glb, node_named(glb, "zoo.doll[2].arm"), "rotation");  // turns by 80 rad/s
    ASSERT_EQ(q.size(), 41u * 4);
    for (std::size_t i = 0; i + 4 < q.size(); i += 4) {
        EXPECT_GE(q[i] * q[i + 4] + q[i + 1] * q[i + 5] + q[i + 2] * q[i + 6] + q[i + 3] * q[i + 7], 0);
        EXPECT_NEAR(q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3], 1, 1e-6);
    }
}

TEST_F(Gltf, CommittedEarlyItIsAShorterFile) {
    const Recorded run(menagerie());
    GltfFile shorter(file, run.model(), 41);
    for (std::size_t i = 0; i < 7; ++i) shorter.add(run.recording().frames[i]);
    EXPECT_FALSE(fs::exists(file));
    shorter.commit(nullptr);
    EXPECT_EQ(test::frames_of(test::read_glb(bytes())), 7u);
}

TEST_F(Gltf, OneFrameOrNoneIsAStill) {
    const Recorded run(menagerie(), 0);
    for (const Recording& recording : {run.recording(), Recording{}}) {
        const Glb glb = written(run.model(), recording);
        EXPECT_FALSE(glb.json.contains("animations"));
        const Pose floor = local_pose(glb, node_named(glb, "floor"), 0);
        EXPECT_LT(difference(floor, {{0, -1, 0}, from_axis_angle({0, 1, 0}, 0.5)}), 1e-6);
    }
}

TEST_F(Gltf, AnEmptySceneIsAFileWithoutLists) {
    const Model model = compile(Spec{});
    const Glb glb = written(model, {});
    for (const char* key : {"nodes", "meshes", "materials", "animations", "accessors", "bufferViews", "buffers"})
        EXPECT_FALSE(glb.json.contains(key)) << key;
    EXPECT_EQ(glb.json["scenes"].size(), 1u);
    EXPECT_TRUE(glb.binary.empty());
}

TEST_F(Gltf, WhatFloatsCannotHoldStaysWhereItWas) {
    Spec spec;
    add_shape(spec.add_solid("a"), Sphere{});
    const Model model = compile(spec);
    const double nan = std::nan("");
    Recording recording;
    const auto add = [&](double time, const Pose& pose) {
        FrameRecord frame;
        frame.time = time;
        frame.pose_WB = {{}, pose};
        recording.frames.push_back(frame);
    };
    add(1000, {{nan, 0, 0}, {}});
    add(1001, {{1, 2, 3}, {}});
    add(1001.00001, {{9, 9, 9}, {}});  // the same instant in float32
    add(1002, {{1e300, 2, 3}, {}});
    add(1003, {{4, 5, 6}, {nan, 0, 0, 0}});
    add(1004, {{7, 8, 9}, {}});
    const Glb glb = written(model, recording);
    EXPECT_THAT(test::numbers_of(glb, glb.json["animations"][0]["samplers"][0]["input"]),
                ElementsAre(1000, 1001, 1002, 1003, 1004));
    EXPECT_THAT(samples(glb, 0, "translation"), ElementsAre(0, 0, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 7, 8, 9));
}

TEST_F(Gltf, AnyTextIsValidJson) {
    Spec spec;
    spec.title = "\xff \"quoted\" \x01 Zürich";
    add_shape(spec.add_solid("a"), Sphere{});
    const Recorded run(spec, 0);
    const Glb glb = written(run.model(), run.recording());
    EXPECT_THAT(glb.json["scenes"][0]["name"].get<std::string>(), HasSubstr(" \"quoted\" \x01 Zürich"));
}

TEST_F(Gltf, ManyVerticesTakeWideIndices) {
    Spec spec;
    SolidSpec& floor = spec.add_solid("floor");
    floor.kernel = Kernel::fixed;
    add_shape(floor, MeshShape{"", std::make_shared<TriangleMesh>(test::unit_ball(7))});
    const Recorded run(spec, 0);
    const Glb glb = written(run.model(), run.recording());
    const auto& primitive = glb.json["meshes"][0]["primitives"][0];
    EXPECT_EQ(glb.json["accessors"][primitive["indices"].get<std::size_t>()]["componentType"], 5125);
    const auto indices = test::numbers_of(glb, primitive["indices"]);
    EXPECT_EQ(*std::max_element(indices.begin(), indices.end()), 65537);
}

TEST_F(Gltf, AFileOfMoreThanFourGigabytesIsRefused) {
    const Recorded run(menagerie(), 1);
    const auto message = [](const auto& act) -> std::string {
        try {
            act();
        } catch (const FileError& error) {
            EXPECT_EQ(error.error_number(), EFBIG);
            return error.what();
        }
        return "no error";
    };
    // Seven solids can move, one of them a particle: 4 + 6·28 + 12 bytes per frame.
    EXPECT_THAT(message([&] { GltfFile(file, run.model(), 100'000'000); }),
                testing::AllOf(HasSubstr(file.string()), HasSubstr("ends at 4.29 GB"), HasSubstr("fewer frames")));
    EXPECT_EQ(message([&] { GltfFile(file, run.model(), 10'000'000); }), "no error");

    GlbNumbers numbers;
    numbers.add(std::vector<float>(300), 3, GlbNumbers::Use::samples);
    EXPECT_THAT(message([&] {
                    AtomicFile atomic(file);
                    write_glb(atomic, Json::object(), numbers, 1000);
                }),
                HasSubstr("cannot write"));
    EXPECT_FALSE(fs::exists(file));
}

}  // namespace
}  // namespace armature

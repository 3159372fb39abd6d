// What others say of our .glb files: the Khronos validator, and Blender where it is installed. The programs that ask
// them are in tests/gltf/.
#include <gmock/gmock.h>

#include "command/command.h"
#include "support/scene_files.h"

namespace armature::test {
namespace {

using testing::HasSubstr;

const std::string helpers = ARMATURE_SOURCE_DIR "/tests/gltf/";

class GlbReaders : public CommandTest {
  protected:
    /// One run per scene file, as NAME.glb.
    void run(const std::string& scene, const std::string& name, const std::string& options) const {
        const Outcome outcome = shell("armature run '" + scene + "' --quiet --out " + name + ".glb " + options, folder);
        ASSERT_NE(outcome.code, 2) << outcome.out;
    }
};

TEST_F(GlbReaders, TheKhronosValidatorFindsNoErrorAndNoWarning) {
    for (const std::string& scene : scene_names()) run(scene_path(scene), one_word(scene), "--time 0.25");
    put("tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    put("shapes.arm",
        "object ball sphere radius 0.1; end\n"
        "object all\n"
        "  box size 1 2 3; cylinder radius 1 length 2; capsule radius 1 length 2; ellipsoid radii 1 2 3;\n"
        "  mesh \"tetrahedron.obj\"; capsule radius 1 length 1e-3; color 1 0 0.5; spin 1 2 3;\n"
        "end\n"
        "object floor fixed; plane axis 0 1 1; end\n");
    put("nothing.arm", "object floor fixed; plane; end\n");
    for (const std::string scene : {"shapes", "nothing", "chain", "pendulum"}) run(scene + ".arm", scene + "-", "");
    run("chain.arm", "still", "--time 0");

    const Outcome outcome = shell("node '" + helpers + "validate.js' *.glb", folder);
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    for (const std::string& name : names()) {
        if (!name.ends_with(".glb")) continue;
        EXPECT_THAT(outcome.out, HasSubstr(name + ": 0 errors, 0 warnings"));
    }
}

TEST_F(GlbReaders, TheValidatorWouldTell) {
    run("pendulum.arm", "a", "");
    std::string bytes = get("a.glb");
    const std::size_t bounds = bytes.find("\"max\":[");
    ASSERT_NE(bounds, std::string::npos);
    bytes[bounds + 7] = '9';  // a box of 9 m or so
    put("a.glb", bytes);
    const Outcome outcome = shell("node '" + helpers + "validate.js' a.glb", folder);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("error ACCESSOR_MAX_MISMATCH"));
}

class GlbBlenderSlow : public GlbReaders {};

TEST_F(GlbBlenderSlow, ShowsTheSameNamesFramesAndPlacements) {
    if (shell("command -v blender", folder).code != 0) GTEST_SKIP() << "blender is not installed";
    const std::string columns = " --columns 'time,*.at,*.quaternion'";
    for (const std::string scene : {"monocycle", "ragdolls", "peaucellier"}) {
        run(scene_path(scene), scene, "--time 0.5 --out " + scene + ".csv" + columns);
        const Outcome outcome = shell("blender --background --factory-startup --python-exit-code 1 --python '" +
                                          helpers + "blender_check.py' -- " + scene + ".glb " + scene + ".csv",
                                      folder);
        if (outcome.code == 77) GTEST_SKIP() << outcome.out;
        EXPECT_EQ(outcome.code, 0) << outcome.out;
        EXPECT_THAT(outcome.out, HasSubstr("SAME: "));
    }
}

}  // namespace
}  // namespace armature::test

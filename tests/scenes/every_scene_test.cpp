// What must be true of every scene in scenes/, whoever adds one.
#include <cmath>
#include <fstream>
#include <iterator>

#include "armature/scene/format.h"
#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, LoadsWithoutAWordAndHasATitle) {
    EXPECT_FALSE(test::load_scene_model(GetParam()).title.empty());
}

TEST_P(EveryScene, OpensWithACommentThatSaysWhatToSee) {
    const std::string text = text_of(test::scene_path(GetParam()));
    EXPECT_EQ(text.substr(0, 2), "/*");
    EXPECT_LT(text.find("What to see:"), text.find("*/"));
}

TEST_P(EveryScene, Assembles) {
    Simulator simulator(test::load_scene_model(GetParam()));
    const AssemblyReport report = simulator.assemble();
    EXPECT_EQ(report.result, AssemblyResult::satisfied) << to_text(simulator.model(), report);
}

TEST_P(EveryScene, RunsForTwoSeconds) {
    Simulator simulator(test::load_scene_model(GetParam()));
    const Model& model = simulator.model();
    simulator.assemble();
    simulator.advance_to(2);
    EXPECT_TRUE(simulator.report().converged(model.simulation.max_gap))
        << to_text(model, simulator.report(), model.simulation.max_gap);
    EXPECT_EQ(simulator.report().unconverged, 0);
    const State& s = simulator.state();
    for (std::size_t i = 0; i < s.x.size(); ++i)
        EXPECT_TRUE(is_finite(s.x[i]) && is_finite(s.q[i]) && is_finite(s.v[i]) && is_finite(s.w[i]))
            << model.bodies[i].name;
}

TEST_P(EveryScene, FormattedIsTheSameScene) {
    const std::string path = test::scene_path(GetParam());
    Diagnostics diagnostics;
    const auto once = format_text(text_of(path), path, diagnostics);
    ASSERT_TRUE(once) << test::rendered(diagnostics);
    const auto twice = format_text(*once, path, diagnostics);
    ASSERT_TRUE(twice) << test::rendered(diagnostics);
    EXPECT_EQ(*twice, *once);
    const Scene formatted = load_text(*once, path, {}, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << test::rendered(diagnostics);
    EXPECT_EQ(compile(formatted.spec).fingerprint, test::load_scene_model(GetParam()).fingerprint);
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(test::scene_names()),
                         [](const auto& scene) { return test::one_word(scene.param); });

}  // namespace
}  // namespace armature

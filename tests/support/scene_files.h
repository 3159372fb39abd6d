// The scenes that come with Armature, loaded for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "armature/model/compile.h"
#include "armature/scene/load.h"

namespace armature::test {

using Overrides = std::vector<std::pair<std::string, std::string>>;

inline std::filesystem::path scene_folder() {
    return std::filesystem::path(ARMATURE_SOURCE_DIR) / "scenes";
}
inline std::string scene_path(const std::string& name) {
    return (scene_folder() / (name + ".arm")).string();
}

/// Names of all scenes without the ending, sorted: "chain", "joints/pin". scenes/parts/ holds what scenes include.
inline std::vector<std::string> scene_names() {
    std::vector<std::string> names;
    for (const std::string folder : {"", "joints/", "domains/"})
        for (const auto& entry : std::filesystem::directory_iterator(scene_folder() / folder))
            if (entry.path().extension() == ".arm") names.push_back(folder + entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}
/// The same as one word, for names of tests and of files.
inline std::string one_word(std::string scene_name) {
    std::replace(scene_name.begin(), scene_name.end(), '/', '_');
    return scene_name;
}

inline std::string rendered(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) text += render(d) + "\n";
    return text;
}

/// scenes/NAME.arm. Anything that the reader or the compiler has to say about it fails the test.
inline Model load_scene_model(const std::string& name, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    const Scene scene = load_file(scene_path(name), {overrides}, diagnostics);
    std::optional<Model> model;
    if (!diagnostics.has_errors()) model = compile(scene.spec, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << rendered(diagnostics);
    return model ? *std::move(model) : compile(Spec{});
}

}  // namespace armature::test

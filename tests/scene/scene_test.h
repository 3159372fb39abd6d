// Helpers of the tests of the scene language.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "armature/scene/document.h"
#include "armature/scene/load.h"

namespace armature::testing_scene {

using Sets = std::vector<std::pair<std::string, std::string>>;

inline std::string all_messages(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& d : diagnostics.all()) text += render(d) + "\n";
    return text;
}

/// Loads a text that must be free of errors.
inline Scene load_good(const std::string& text, const Sets& sets = {}) {
    Diagnostics diagnostics;
    Scene scene = load_text(text, "test.arm", {sets}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << all_messages(diagnostics) << "in:\n" << text;
    return scene;
}

/// "line:column message" of every error, or of findings of another severity.
inline std::vector<std::string> findings(const std::string& text, const Sets& sets = {},
                                         Severity severity = Severity::error) {
    Diagnostics diagnostics;
    load_text(text, "test.arm", {sets}, diagnostics);
    std::vector<std::string> list;
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == severity)
            list.push_back(std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + " " + d.message);
    return list;
}

/// Everything of a Spec but where it came from, to compare two.
std::string describe(const Spec& spec);

inline const SolidSpec& solid(const Scene& scene, const std::string& name) {
    for (const SolidSpec& s : scene.spec.solids)
        if (s.name == name) return s;
    ADD_FAILURE() << "no solid " << name;
    static const SolidSpec none;
    return none;
}

inline void expect_near(const Vec3& a, const Vec3& b, double tolerance = 1e-12) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

/// The tokens joined: must be the text.
inline std::string joined_tokens(const Document& document) {
    std::string text;
    for (const lang::Token& t : document.tokens) text += document.slice(t.span);
    return text;
}

/// A folder of files that goes away with the test.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path(const std::string& name) const { return root_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const;
    const std::string& root() const { return root_; }

  private:
    std::string root_;
};

/// Texts that load without errors, between them every block and most keywords.
const std::vector<std::string>& sample_texts();
/// GG's appendix A, letter by letter, and objects for it to tie together.
extern const char* const appendix_a;
extern const char* const appendix_objects;

}  // namespace armature::testing_scene

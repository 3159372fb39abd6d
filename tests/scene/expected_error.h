// A scene text with one mistake, and what must be said of it.
#pragma once

#include <string>
#include <vector>

#include "scene_test.h"

namespace armature::testing_scene {

struct Case {
    std::string text;
    std::string finding;    // "line:column message"
    std::string hint = "";  // part of it
};

/// The text, behind `before`, has that error and no other.
inline void expect_only(const Case& c, const std::string& before = "") {
    Diagnostics diagnostics;
    load_text(before + c.text, "test.arm", {}, diagnostics);
    std::vector<std::string> errors;
    std::string hint;
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity != Severity::error) continue;
        errors.push_back(std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + " " + d.message);
        hint += d.hint;
    }
    EXPECT_EQ(errors, std::vector<std::string>{c.finding}) << c.text;
    EXPECT_NE(hint.find(c.hint), std::string::npos) << c.text << "\nhint: " << hint;
}

}  // namespace armature::testing_scene

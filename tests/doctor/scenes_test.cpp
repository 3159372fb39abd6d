// The doctor in the gallery: every scene of the project is looked at.
#include <gtest/gtest.h>

#include "armature/doctor/doctor.h"
#include "armature/scene/load.h"
#include "support/scene_files.h"

namespace armature::test {
namespace {

class DoctorOfScenesSlow : public testing::TestWithParam<std::string> {};

TEST_P(DoctorOfScenesSlow, HoldsTogetherAndItsEditsHelp) {
    Diagnostics diagnostics;
    const Spec spec = load_file(scene_path(GetParam()), {}, diagnostics).spec;
    ASSERT_FALSE(diagnostics.has_errors());
    DoctorReport report = diagnose(spec, {.edits = false});
    const bool large = !report.all_groups;  // the walker: trying an edit there takes half a minute
    if (!large) report = diagnose(spec);
    EXPECT_TRUE(report.consistent()) << to_text(report);
    EXPECT_EQ(static_cast<int>(report.freedoms.size()), report.instantaneous);
    if (large) return;
    EXPECT_TRUE(report.findings.empty() || report.findings[0].edit) << report.findings[0].sentence;
    int tried = 0;
    for (const Finding& f : report.findings) {
        EXPECT_TRUE(f.edit || !report.all_edits) << f.sentence;
        if (!f.edit || ++tried > 5) continue;  // large scenes have hundreds; each takes as long as the scene does
        Spec changed = spec;
        ASSERT_TRUE(apply(*f.edit, changed));
        const DoctorReport after = diagnose(changed, {.edits = false});
        for (const Finding& other : after.findings)
            EXPECT_FALSE(other.kind == f.kind && other.joints == f.joints) << f.edit->sentence;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, DoctorOfScenesSlow, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return one_word(scene.param); });

}  // namespace
}  // namespace armature::test

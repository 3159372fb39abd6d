// The doctor in the gallery: every scene of the project is looked at.
#include <gtest/gtest.h>

#include <algorithm>

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
    const DoctorReport report = diagnose(spec);
    EXPECT_TRUE(report.consistent()) << to_text(report);
    EXPECT_EQ(static_cast<int>(report.freedoms.size()), report.instantaneous);
    EXPECT_TRUE(report.all_edits);
    for (const Finding& f : report.findings) EXPECT_TRUE(f.edit) << f.sentence;
    // Large scenes have hundreds, and looking at them again takes as long as the scene does: five, from the first to the last.
    const std::size_t stride = std::max<std::size_t>(1, report.findings.size() / 5);
    for (std::size_t i = 0; i < report.findings.size(); i += stride) {
        const Finding& f = report.findings[i];
        if (!f.edit) continue;
        Spec changed = spec;
        ASSERT_TRUE(apply(*f.edit, changed));
        const DoctorReport after = diagnose(changed, {.edits = false});
        for (const Finding& other : after.findings)
            EXPECT_FALSE(other.kind == f.kind && other.joints == f.joints) << f.edit->sentence;
        if (f.kind != FindingKind::redundant) continue;
        EXPECT_EQ(after.mobility, report.mobility) << f.edit->sentence;
        EXPECT_GT(after.by_count, report.by_count) << f.edit->sentence;
        EXPECT_TRUE(after.consistent()) << f.edit->sentence;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, DoctorOfScenesSlow, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return one_word(scene.param); });

}  // namespace
}  // namespace armature::test

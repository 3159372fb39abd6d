// Edits as a person would make them: in the text, by what the report says to write where.
#include <gtest/gtest.h>

#include <algorithm>

#include "armature/doctor/doctor.h"
#include "armature/scene/load.h"
#include "support/scene_files.h"

namespace armature::test {
namespace {

Scene read(const std::string& text) {
    Diagnostics diagnostics;
    Scene scene = load_text(text, "linkage.arm", {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << rendered(diagnostics) << text;
    return scene;
}

std::size_t offset_of(const std::string& text, const SourcePlace& place) {
    std::size_t at = 0;
    for (int line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
    return at + static_cast<std::size_t>(place.column) - 1;
}

std::string edited(std::string text, std::vector<StatementEdit> statements) {
    std::stable_sort(statements.begin(), statements.end(), [&](const StatementEdit& a, const StatementEdit& b) {
        return std::pair(a.place.line, a.place.column) > std::pair(b.place.line, b.place.column);
    });
    std::string at_the_end;
    for (const StatementEdit& s : statements) {
        if (!s.place.known()) {
            at_the_end += s.write + "\n";
            continue;
        }
        const std::size_t begin = offset_of(text, s.place), end_of_block = text.find("end", begin);
        if (s.keyword.empty() && !s.write.empty())  // a new statement
            text.insert(end_of_block, s.write + " ");
        else if (s.keyword.empty() || s.keyword == "joint")  // the whole block
            text.replace(begin, end_of_block + 3 - begin, s.write);
        else
            text.replace(begin, text.find(';', begin) + 1 - begin, s.write);
    }
    return text + "\n" + at_the_end;
}

/// Each edit of the report in turn, in the text; how many there were.
int check_text_edits(const std::string& text) {
    const DoctorReport report = diagnose(read(text).spec);
    int edits = 0;
    for (const Finding& f : report.findings) {
        EXPECT_TRUE(f.edit) << f.sentence;
        if (!f.edit) continue;
        ++edits;
        const std::string after = edited(text, f.edit->statements);
        const DoctorReport again = diagnose(read(after).spec, {.edits = false});
        for (const Finding& other : again.findings)
            EXPECT_FALSE(other.kind == f.kind && other.joints == f.joints) << other.sentence << "\n" << after;
    }
    return edits;
}

const std::string bars = R"(
object crank box size 0.3 0.05 0.05; at 0 0.15 0; end
object coupler box size 0.9 0.05 0.05; at 0.4 0.5 0; end
object rocker box size 0.7 0.05 0.05; at 0.9 0.35 0; end
)";

TEST(TextEdits, OfJointsByName) {
    EXPECT_EQ(check_text_edits(bars + R"(
joint A type pin; object1 crank; at 0 -0.15 0; axis 0 0 1; end
joint B type pin; object1 coupler; object2 crank; at -0.4 -0.2 0; axis 0 0 1; end
joint C type pin; object1 coupler; object2 rocker; at 0.4 0.2 0; axis 0 0 1; end
joint D
  type pin;
  object1 rocker;
  at 0.1 -0.35 0;
  axis 0 0 1;
end
)"),
              1);
}

TEST(TextEdits, OfConstraintsPutTogetherByHand) {
    EXPECT_EQ(check_text_edits(bars + R"(
constraint A object2 crank; hinge 0 0 0  0 -0.15 0; angle 0 0 1  0 0 1 max 0; end
constraint B object1 crank; object2 coupler; hinge 0 0.15 0  -0.4 -0.2 0; angle 0 0 1  0 0 1 max 0; end
constraint C object1 coupler; object2 rocker; hinge 0.4 0.2 0  -0.1 0.35 0; angle 0 0 1  0 0 1 max 0; end
constraint D object2 rocker; hinge 1 0 0  0.1 -0.35 0; angle 0 0 1  0 0 1 max 0; end
)"),
              1);
}

TEST(TextEdits, OfAxesThatMeet) {
    // A spherical four-bar: what is too much are three translations, and no joint of the library is a pin without them.
    EXPECT_EQ(check_text_edits(bars + R"(
joint A type pin; object1 crank; at 0 -0.15 0; axis 1 0 0.1; end
joint B type pin; object1 coupler; object2 crank; at -0.4 -0.5 0; axis 0.9 0.5 0.2; end
joint C type pin; object1 coupler; object2 rocker; at -0.4 -0.5 0; axis 0.1 1 0.4; end
joint D type pin; object1 rocker; at -0.9 -0.35 0; axis -0.2 0.4 1; end
)"),
              1);
}

TEST(TextEdits, OfLimitsLengthsAndPlaces) {
    EXPECT_EQ(check_text_edits(R"(
object door box size 1 2 0.05; at 0.5 1 0; end
joint hinge type pin; object1 door; at -0.5 0 0; axis 0 1 0; turn min 0 max 2 damping 3; end
)"),
              1);
    EXPECT_EQ(check_text_edits(R"(
particle p mass 1; at 0.5 1 0; end
constraint left object1 p; hinge 0 0 0  0 0 0; sphere radius 1.2; end
constraint right object1 p; hinge 0 0 0  1 0 0; sphere radius 1.2; end
constraint middle object1 p; hinge 0 0 0  0.5 0 0; sphere radius 1.3; end
)"),
              1);
}

TEST(TextEdits, OfADeadCentre) {
    EXPECT_GE(check_text_edits(R"(
object wheel cylinder radius 0.3 length 0.05 axis 0 0 1; end
object conrod box size 0.8 0.05 0.05; at 0.7 0 0; end
object piston box size 0.1 0.1 0.1; at 1.1 0 0; end
joint axle type pin; object1 wheel; at 0 0 0  0 0 0; axis 0 0 1  0 0 1; end
joint crankpin type pin; object1 conrod; object2 wheel; at -0.4 0 0  0.3 0 0; axis 0 0 1  0 0 1; end
joint wristpin type ball; object1 conrod; object2 piston; at 0.4 0 0  0 0 0; end
constraint rail object1 piston; hinge 0 0 0  0 0 0; axial 1 0 0; angle 1 0 0  1 0 0 max 0; twist 0 1 0  0 1 0 min 0 max 0; end
)"),
              1);
}

}  // namespace
}  // namespace armature::test

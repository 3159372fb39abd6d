#include "armature/scene/format.h"

#include "scene_test.h"

namespace armature {
namespace {

using namespace testing_scene;

std::string formatted(const std::string& text) {
    Diagnostics diagnostics;
    const auto result = format_text(text, "test.arm", diagnostics);
    EXPECT_TRUE(result) << all_messages(diagnostics);
    return result.value_or("");
}

TEST(Format, OneStatementALine) {
    EXPECT_EQ(
        formatted("constraint object1 body; object2 wheel;\nhinge 0 -2.0 0 0 0 0;\nangle 1 0 0 1 0 0 max 0; end"),
        "constraint\n  object1 body;\n  object2 wheel;\n  hinge 0 -2.0 0 0 0 0;\n  angle 1 0 0 1 0 0 max 0;\nend\n");
    EXPECT_EQ(formatted("repeat i from 1 to 3 object   a[ i ]\nmass\n 1 ;end end"),
              "repeat i from 1 to 3\n  object a[ i ]\n    mass 1;\n  end\nend\n");
    EXPECT_EQ(formatted("title \"a\"; parameter x 1;"), "title \"a\";\nparameter x 1;\n");
}

TEST(Format, KeepsCommentsInTheirPlace) {
    EXPECT_EQ(formatted("/* top */\n\n\n// second\nobject a // name\n  // own line\n  mass 1; // trailing\n\n\n\n"
                        "  /* before */ at 0 0 0; /* behind */\n  // last\nend // end\n// bottom"),
              "/* top */\n\n// second\nobject a  // name\n  // own line\n  mass 1;  // trailing\n\n"
              "  /* before */\n  at 0 0 0; /* behind */\n  // last\nend  // end\n// bottom\n");
    EXPECT_EQ(formatted("object a mass /* one */ 1; end"), "object a\n  mass /* one */ 1;\nend\n");
    EXPECT_EQ(formatted("object a at 1 // x\n 2 3; end"), "object a\n  at 1 // x\n      2 3;\nend\n");
}

TEST(Format, KeepsAtMostOneEmptyLine) {
    EXPECT_EQ(formatted("\n\n\nobject a\n\n\nmass 1;\n\n\n\nat 0 0 0;\n\n\nend\n\n\n\nobject b end\n\n\n"),
              "object a\n  mass 1;\n\n  at 0 0 0;\nend\n\nobject b\nend\n");
}

TEST(Format, NormalisesLineEndsAndKeepsTheMeaningOfSigns) {
    EXPECT_EQ(formatted("object a\r\n  at 0   -2\t - 1 3- 1;\r\nend\r\n"), "object a\n  at 0 -2 - 1 3- 1;\nend\n");
}

TEST(Format, TwiceIsOnceAndTheSpecIsTheSame) {
    for (const std::string& text : sample_texts()) {
        const std::string once = formatted(text);
        EXPECT_EQ(formatted(once), once);
        EXPECT_EQ(describe(load_good(once).spec), describe(load_good(text).spec)) << once;
    }
}

TEST(Format, RefusesATextWithErrors) {
    Diagnostics diagnostics;
    EXPECT_FALSE(format_text("object a mass ; end", "test.arm", diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Format, OfNothingIsNothing) {
    EXPECT_EQ(formatted(""), "");
}

}  // namespace
}  // namespace armature

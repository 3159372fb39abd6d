// Statements taken away and made, repeats written out: in the text only what is concerned changes.
#include <gtest/gtest.h>

#include "command_bench.h"

namespace armature::edits_test {

using test::Bench;

std::string without(std::string text, const std::string& piece) {
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return at == std::string::npos ? text : text.erase(at, piece.size());
}

std::string replaced(std::string text, const std::string& piece, const std::string& by) {
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return at == std::string::npos ? text : text.replace(at, piece.size(), by);
}

const std::string plate =
    "// A plate.\n"
    "object plate\n"
    "  box size 1 0.1 1;   // wood\n"
    "  sphere radius 0.1;\n"
    "  sphere radius 0.2;\n"
    "  density 300;  // light\n"
    "  color 1 0 0; at 0 2 0;\n"
    "end\n"
    "object b box size 1 1 1; density 20; at 3 0 0; end\n"
    "joint j type pin; object2 plate; axis 0 1 0; end\n";

TEST(StudioErase, TakesTheLinesOfAStatementAndNothingElse) {
    Bench bench(plate);
    const Json reply = bench({{"do", "erase"}, {"path", "plate.density"}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(reply["files"], Json({"two.arm"}));
    EXPECT_EQ(bench.text(), without(plate, "  density 300;  // light\n"));
    bench({{"do", "erase"}, {"path", "plate.sphere#2"}});
    EXPECT_EQ(bench.text(), without(without(plate, "  density 300;  // light\n"), "  sphere radius 0.2;\n"));
    for (int k = 0; k < 2; ++k) bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), plate);
    bench({{"do", "erase"}, {"path", "plate.color"}});
    EXPECT_EQ(bench.text(), without(plate, "color 1 0 0; ")) << "the other statement of its line stays";
    bench({{"do", "erase"}, {"path", "b.density"}});
    EXPECT_EQ(bench.text(), without(without(plate, "color 1 0 0; "), " density 20;"));
}

TEST(StudioErase, TakesAnOptionOutOfItsStatement) {
    const std::string text = replaced(plate, "sphere radius 0.1;", "sphere radius 0.1 density 5 at 0 1 0;");
    Bench bench(text);
    ASSERT_EQ(bench({{"do", "erase"}, {"path", "plate.sphere.density"}})["ok"], true) << bench.last_reply;
    EXPECT_EQ(bench.text(), without(text, " density 5"));
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), text);
}

TEST(StudioErase, RefusesWhatMustBeThereOrIsNot) {
    Bench bench(plate);
    for (const char* path : {"j.type", "plate.sphere.radius", "plate.at.y", "plate.mass", "plate.sphere#3", "plate",
                             "nobody.at", "", ".", "plate.", "plate.box.at"}) {
        const Json reply = bench({{"do", "erase"}, {"path", path}});
        EXPECT_EQ(reply["ok"], false) << path;
        EXPECT_FALSE(reply["errors"][0]["message"].get<std::string>().empty()) << path;
    }
    EXPECT_EQ(bench({{"do", "erase"}, {"path", 7}})["ok"], false);
    EXPECT_EQ(bench.text(), plate);
}

TEST(StudioErase, MixesWithOtherEditsInOneStep) {
    Bench bench(plate);
    const Json reply =
        bench({{"do", "edits"},
               {"edits", {{{"path", "plate.density"}, {"value", nullptr}}, {{"path", "plate.mass"}, {"value", "4"}}}}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(bench.text(),
              replaced(without(plate, "  density 300;  // light\n"), "at 0 2 0;\n", "at 0 2 0;\n  mass 4;\n"));
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), plate);
}

TEST(StudioEdit, MakesAStatementThatNeedsSeveralOptions) {
    Bench bench(plate);
    ASSERT_EQ(bench({{"do", "edit"}, {"path", "plate.cylinder"}, {"value", "radius 0.1 length 0.5"}})["ok"], true);
    const std::string expected = replaced(plate, "at 0 2 0;\n", "at 0 2 0;\n  cylinder radius 0.1 length 0.5;\n");
    EXPECT_EQ(bench.text(), expected);
    bench({{"do", "undo"}});
    const Json reply = bench({{"do", "edits"},
                              {"edits",
                               {{{"path", "plate.cylinder.radius"}, {"value", "0.1"}},
                                {{"path", "plate.color"}, {"value", "0 1 0"}},
                                {{"path", "plate.cylinder.length"}, {"value", "0.5"}}}}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(bench.text(), replaced(expected, "color 1 0 0", "color 0 1 0"));
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), plate);
    EXPECT_EQ(bench({{"do", "edits"}, {"edits", {{{"path", "plate.cylinder.radius"}, {"value", "0.1"}}}}})["ok"], false)
        << "half of it is not enough";
    EXPECT_EQ(bench.text(), plate);
}

const std::string row =
    "parameter n 3;\n"
    "// The balls.\n"
    "repeat i from 1 to n  // in a row\n"
    "  // One of them.\n"
    "  object ball[i]\n"
    "    sphere radius 0.1*i;\n"
    "    at i 0 -i;\n"
    "  end\n"
    "end\n"
    "repeat i from 1 to n - 1\n"
    "  constraint rope[i] object1 ball[i]; object2 ball[i + 1]; hinge 0.5 0 -0.5 -0.5 0 0.5; end\n"
    "end\n"
    "object last box size 1 1 1; end\n";

TEST(StudioUnroll, WritesTheMembersOutAndTheSceneIsTheSame) {
    Bench bench(row);
    ASSERT_EQ(bench.scene["problems"].size(), 0u) << bench.scene["problems"];
    const Json bodies = bench.scene["bodies"];
    const std::string hash = bench({{"do", "step"}, {"frames", 5}})["hash"];
    const Json reply = bench({{"do", "unroll"}, {"name", "ball[2]"}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(reply["names"], Json({"ball[1]", "ball[2]", "ball[3]"}));
    EXPECT_NE(bench.text().find("// The balls.\n"
                                "// in a row\n"
                                "// One of them.\n"
                                "object ball[1]\n"
                                "  sphere radius 0.1*1;\n"
                                "  at 1 0 -1;\n"
                                "end\n"
                                "// One of them.\n"
                                "object ball[2]\n"),
              std::string::npos)
        << bench.text();
    EXPECT_NE(bench.text().find("  at 3 0 -3;\nend\nrepeat i from 1 to n - 1\n"), std::string::npos) << bench.text();
    EXPECT_EQ(bench.get().session().run().frame(), 5) << "the same motion goes on";
    EXPECT_EQ(bench({{"do", "pause"}})["hash"], hash);
    for (std::size_t k = 1; k < bodies.size(); ++k) {
        EXPECT_EQ(bench.scene["bodies"][k]["name"], bodies[k]["name"]);
        EXPECT_EQ(bench.scene["bodies"][k]["editable"], true);
    }
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), row);
}

TEST(StudioUnroll, AMemberIsRemovedOrCopiedOnceItHasLinesOfItsOwn) {
    Bench bench(row);
    const Json refused = bench({{"do", "remove"}, {"names", {"ball[2]"}}});
    EXPECT_EQ(refused["ok"], false);
    EXPECT_EQ(refused["errors"][0]["unroll"], true) << refused;
    EXPECT_NE(refused["errors"][0]["hint"].get<std::string>().find("unroll"), std::string::npos);
    const Json removed = bench({{"do", "remove"}, {"names", {"ball[2]"}}, {"unroll", true}});
    ASSERT_EQ(removed["ok"], true) << removed;
    ASSERT_EQ(removed["problems"].size(), 1u) << removed;
    EXPECT_EQ(removed["problems"][0]["message"], "the parameter 'n' is never used") << "which is true";
    EXPECT_EQ(bench.scene["bodies"].size(), 4u) << "world, two balls, the last";
    EXPECT_EQ(bench.scene["joints"].size(), 0u) << "both ropes held it";
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), row) << "one step";
    const Json copied = bench({{"do", "duplicate"}, {"names", {"ball[3]"}}, {"offset", {0, 1, 0}}, {"unroll", true}});
    ASSERT_EQ(copied["ok"], true) << copied;
    EXPECT_EQ(copied["problems"].size(), 0u) << copied << bench.text();
    EXPECT_EQ(bench.scene["bodies"].size(), 6u);
}

TEST(StudioUnroll, NestedOnesAndParametersOfATurnAndOneLineOnes) {
    const std::string nested =
        "repeat c from -1 to 1\n"
        "  parameter h 2*c + 1;\n"
        "  repeat i from 1 to 2 step 0.5\n"
        "    object link[c + 1][2*i] box size 0.1 0.1 0.1; at i h^2 -c; end\n"
        "  end\n"
        "end\n"
        "repeat k from 1 to 2 object p[k] sphere radius k; at k 5 0; end end\n";
    Bench bench(nested);
    ASSERT_EQ(bench.scene["problems"].size(), 0u) << bench.scene["problems"];
    const Json before = bench.scene["bodies"];
    ASSERT_EQ(bench({{"do", "unroll"}, {"name", "link[1][3]"}})["ok"], true) << bench.last_reply;
    EXPECT_EQ(bench.scene["problems"].size(), 0u) << bench.text();
    ASSERT_EQ(bench.scene["bodies"].size(), before.size());
    ASSERT_EQ(bench({{"do", "unroll"}, {"name", "p[2]"}})["ok"], true) << bench.last_reply;
    EXPECT_NE(
        bench.text().find("object p[1] sphere radius 1; at 1 5 0; end\nobject p[2] sphere radius 2; at 2 5 0; end\n"),
        std::string::npos)
        << bench.text();
    EXPECT_EQ(bench({{"do", "edit"}, {"path", "link[1][3].at.y"}, {"value", "7"}})["alsoAffects"].size(), 0u);
    for (int k = 0; k < 3; ++k) bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), nested);
}

TEST(StudioUnroll, RefusesWhatCannotBeWrittenOut) {
    const std::string remark = "/* " + std::string(50'000, 'x') + " */";
    Bench bench(
        "group pair object a sphere radius 1; end end\nplace pair as p end\nplace pair as q end\n"
        "repeat i from 1 to 60 " +
        remark +
        " particle d[i] mass 1; at i 0 0; end end\n"
        "object one sphere radius 1; at 0 5 0; end\n");
    const std::string text = bench.text();
    const Json group = bench({{"do", "unroll"}, {"name", "p.a"}});
    EXPECT_EQ(group["ok"], false);
    EXPECT_FALSE(group["errors"][0].contains("unroll")) << "it would not help";
    EXPECT_EQ(bench({{"do", "unroll"}, {"name", "d[3]"}})["ok"], false) << "megabytes of text";
    EXPECT_EQ(bench({{"do", "unroll"}, {"name", "nobody"}})["ok"], false);
    EXPECT_EQ(bench({{"do", "unroll"}})["ok"], false);
    EXPECT_EQ(bench({{"do", "unroll"}, {"name", "one"}})["ok"], true) << "nothing to do";
    EXPECT_EQ(bench.text(), text);
}

const std::string arm =
    "parameter reach 0.4;\n"
    "object upper box size 0.4 0.1 0.1; at reach/2 0 0; end\n"
    "object lower box size 0.4 0.1 0.1; at reach 0 0; density 300; end  // light\n"
    "constraint elbow object1 upper; object2 lower; hinge 0.2 0 0 -0.2 0 0; end\n"
    "repeat i from 1 to 3\n"
    "  object bead[i] sphere radius 0.01*i; at i 1 0; end\n"
    "end\n";

TEST(StudioCopy, CarriesBlocksAndTheJointBetweenThemIntoAnotherScene) {
    Bench bench(arm);
    const Json copy = bench({{"do", "copy"}, {"names", {"upper", "lower"}}});
    ASSERT_EQ(copy["ok"], true) << copy;
    EXPECT_EQ(bench.text(), arm) << "a copy changes nothing";
    bench({{"do", "open"}, {"name", "other"}, {"text", "object lower sphere radius 1; end\n"}});
    const Json reply = bench({{"do", "paste"}, {"text", copy["text"]}, {"offset", {0, 1, 0}}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(reply["problems"].size(), 0u) << reply;
    EXPECT_EQ(reply["names"], Json({"elbow", "lower2", "upper"}));
    EXPECT_EQ(bench.text(),
              "object lower sphere radius 1; end\n\n"
              "object upper box size 0.4 0.1 0.1; at 0.2 1 0; end\n\n"
              "object lower2 box size 0.4 0.1 0.1; at 0.4 1 0; density 300; end\n\n"
              "constraint elbow object1 upper; object2 lower2; hinge 0.2 0 0 -0.2 0 0; end\n");
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), "object lower sphere radius 1; end\n") << "one step";
}

TEST(StudioCopy, ComesBackWhereItWasWhenTheOriginalIsGone) {
    Bench bench(arm);
    const Json copy = bench({{"do", "copy"}, {"names", {"lower"}}});
    bench({{"do", "remove"}, {"names", {"lower"}}});
    ASSERT_EQ(bench({{"do", "paste"}, {"text", copy["text"]}, {"offset", {0, 1, 0}}})["names"], Json({"lower"}));
    EXPECT_NE(bench.text().find("object lower box size 0.4 0.1 0.1; at 0.4 0 0; density 300; end"), std::string::npos)
        << bench.text();
}

TEST(StudioCopy, OfAMemberOfARepeatHasLinesOfItsOwn) {
    Bench bench(arm);
    const Json copy = bench({{"do", "copy"}, {"names", {"bead[2]"}}});
    ASSERT_EQ(copy["ok"], true) << copy;
    EXPECT_EQ(bench.text(), arm);
    const Json reply = bench({{"do", "paste"}, {"text", copy["text"]}, {"offset", {0, 0, 1}}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(reply["names"], Json({"bead2"}));
    EXPECT_NE(bench.text().find("object bead2 sphere radius 0.01*2; at 2 1 1; end"), std::string::npos) << bench.text();
}

TEST(StudioCopy, RefusesWhatWouldNotBeWholeHere) {
    Bench bench(arm);
    const Json joint = bench({{"do", "copy"}, {"names", {"elbow"}}});
    EXPECT_EQ(bench({{"do", "copy"}, {"names", {"nobody"}}})["ok"], false);
    const std::string other = "object lone sphere radius 1; end\n";
    bench({{"do", "open"}, {"name", "other"}, {"text", other}});
    for (const Json& text : {joint["text"], Json("object a box size 1 1"), Json("end end"), Json("hello"),
                             Json("object a sphere radius reach; end"), Json("simulation dt soon; end")}) {
        const Json reply = bench({{"do", "paste"}, {"text", text}});
        EXPECT_EQ(reply["ok"], false) << text;
        EXPECT_NE(reply["errors"][0]["message"].get<std::string>().find("cannot be pasted here: "), std::string::npos);
    }
    EXPECT_EQ(bench({{"do", "paste"}})["ok"], false);
    EXPECT_EQ(bench.text(), other);
}

}  // namespace armature::edits_test

// Commands in, replies, events and frames out, without a network.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "armature/base/atomic_file.h"
#include "command_bench.h"

namespace armature::commands_test {

using studio::Clock;
using test::Bench;
using test::scene_text;

TEST(StudioCommands, AnEditChangesItsLineAndNothingElse) {
    Bench bench;
    EXPECT_EQ(bench({{"do", "edit"}, {"path", "a.at.y"}, {"value", "0.25"}})["ok"], true);
    std::string expected = scene_text;
    expected.replace(expected.find("0.2 0 0;  "), 7, "0.2 0.25 0");
    EXPECT_EQ(bench.text(), expected);
    bench({{"do", "edit"}, {"path", "size"}, {"value", "0.5"}});
    bench({{"do", "edit"}, {"path", "b.density"}, {"value", "700"}});
    EXPECT_NE(bench.text().find("size 0.5;   // m"), std::string::npos);
    EXPECT_NE(bench.text().find("density 700; end"), std::string::npos) << bench.text();
    EXPECT_EQ(bench({{"do", "edit"}, {"path", "a.nothing"}, {"value", "1"}})["ok"], false);
    EXPECT_EQ(bench({{"do", "edit"}, {"path", "a.at"}, {"value", "1 2 3; end object x"}})["ok"], false)
        << "it breaks out";
}

TEST(StudioCommands, TwentyEditsUndoneGiveTheIdenticalTextAndRedoneThemAll) {
    Bench bench;
    for (int k = 0; k < 20; ++k)
        EXPECT_EQ(
            bench({{"do", "edit"}, {"path", k % 2 == 0 ? "a.at.y" : "b.at.z"}, {"value", std::to_string(k + 1)}})["ok"],
            true);
    const std::string after = bench.text();
    for (int k = 0; k < 20; ++k) EXPECT_EQ(bench({{"do", "undo"}})["ok"], true);
    EXPECT_EQ(bench.text(), scene_text);
    EXPECT_FALSE(bench.scene["canUndo"].get<bool>());
    EXPECT_FALSE(bench.scene["dirty"].get<bool>());
    for (int k = 0; k < 20; ++k) bench({{"do", "redo"}});
    EXPECT_EQ(bench.text(), after);
}

TEST(StudioCommands, SeveralEditsAreOneStepOfUndo) {
    Bench bench;
    bench({{"do", "edits"}, {"edits", {{{"path", "a.at.y"}, {"value", "1"}}, {{"path", "b.at.y"}, {"value", "1"}}}}});
    EXPECT_NE(bench.text(), scene_text);
    bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), scene_text);
    EXPECT_EQ(bench({{"do", "edits"},
                     {"edits", {{{"path", "a.at.y"}, {"value", "1"}}, {{"path", "zz"}, {"value", "1"}}}}})["ok"],
              false);
    EXPECT_EQ(bench.text(), scene_text) << "all or nothing";
}

TEST(StudioCommands, ATextWithErrorsIsKeptAndTheOldSceneGoesOn) {
    Bench bench;
    const auto revision = bench.scene["revision"].get<int>();
    std::string broken = scene_text;
    broken.replace(broken.find("box size size"), 13, "bux size size");
    const Json reply = bench({{"do", "text"}, {"text", broken}, {"revision", revision}});
    EXPECT_EQ(reply["ok"], true);
    ASSERT_EQ(reply["problems"].size(), 1u) << reply;
    EXPECT_EQ(reply["problems"][0]["line"], 6);
    EXPECT_EQ(reply["problems"][0]["column"], 3);
    EXPECT_EQ(reply["problems"][0]["length"], 3);
    EXPECT_EQ(reply["problems"][0]["file"], "two.arm");
    EXPECT_NE(reply["problems"][0]["hint"].get<std::string>().find("box"), std::string::npos);
    EXPECT_EQ(bench.text(), broken);
    EXPECT_EQ(bench.scene["bodies"].size(), 3u);
    EXPECT_EQ(bench({{"do", "step"}, {"frames", 3}})["frame"], 3);
    const Json late = bench({{"do", "text"}, {"text", scene_text}, {"revision", revision}});
    EXPECT_EQ(late["ok"], false);
    EXPECT_EQ(late["conflict"], true);
    EXPECT_EQ(bench({{"do", "text"}, {"text", scene_text}, {"revision", bench.scene["revision"]}})["problems"].size(),
              0u);
}

TEST(StudioCommands, ColumnsCountAsInTheEditor) {
    Bench bench;
    const Json reply = bench({{"do", "text"}, {"text", "/* \xF0\x9F\x98\x80 */ objict a; end\n"}});
    ASSERT_GE(reply["problems"].size(), 1u);
    EXPECT_EQ(reply["problems"][0]["column"], 10) << "the emoji is two";
}

TEST(StudioCommands, BlocksAreAddedCopiedAndRemoved) {
    Bench bench;
    const Json added = bench({{"do", "add"}, {"block", "object ball\n  sphere radius 0.1;\n  at 0 1 0;\nend"}});
    EXPECT_EQ(added["names"], Json({"ball"}));
    EXPECT_EQ(bench.scene["bodies"].size(), 4u);
    const Json copied = bench({{"do", "duplicate"}, {"names", {"a", "b"}}, {"offset", {0, 1, 0}}});
    EXPECT_EQ(copied["names"], Json({"a2", "b2", "j2"})) << copied;
    EXPECT_EQ(copied["problems"].size(), 0u);
    EXPECT_EQ(bench.scene["bodies"].size(), 6u);
    bench({{"do", "remove"}, {"names", {"a2", "b2", "ball"}}});
    EXPECT_EQ(bench.scene["bodies"].size(), 3u);
    EXPECT_EQ(bench.scene["joints"].size(), 2u);
    for (int k = 0; k < 3; ++k) bench({{"do", "undo"}});
    EXPECT_EQ(bench.text(), scene_text);
}

TEST(StudioCommands, SavingAndOpening) {
    Bench bench;
    bench({{"do", "edit"}, {"path", "a.at.y"}, {"value", "1"}});
    EXPECT_TRUE(bench.scene["dirty"].get<bool>());
    EXPECT_EQ(bench({{"do", "save"}})["file"], "two.arm");
    EXPECT_FALSE(bench.scene["dirty"].get<bool>());
    EXPECT_EQ(bench({{"do", "open"}, {"scene", "joints/pin"}})["ok"], true);
    EXPECT_EQ(bench.scene["name"], "pin");
    EXPECT_TRUE(bench.scene["file"].is_null());
    EXPECT_EQ(bench({{"do", "save"}})["ok"], false) << "it has no file";
    EXPECT_EQ(bench({{"do", "save"}, {"file", "mine.arm"}})["ok"], true);
    EXPECT_EQ(bench.scene["file"], "mine.arm");
    EXPECT_EQ(bench({{"do", "open"}, {"file", "two.arm"}})["ok"], true);
    EXPECT_EQ(bench.scene["title"], "Two");
    const Json clash = bench({{"do", "save"}, {"file", "mine.arm"}});
    EXPECT_EQ(clash["conflict"], true);
    EXPECT_EQ(bench({{"do", "open"}, {"text", "object x sphere radius 1; end"}, {"name", "../../dropped.arm"}})["ok"],
              true);
    EXPECT_EQ(bench.scene["name"].get<std::string>().find('/'), std::string::npos);
}

TEST(StudioCommands, AFileChangedOnDiskIsReadAgainAndAConflictIsTold) {
    Bench bench;
    const auto look = [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        bench.events.clear();
        bench.get().tick(Clock::now() + std::chrono::seconds(bench.later++));
        for (const Json& e : bench.events)
            if (e["event"] == "file") return e["conflict"].get<bool>() ? "conflict" : "read again";
        return "nothing";
    };
    EXPECT_STREQ(look(), "nothing");
    write_file(bench.folder.path() / "two.arm", scene_text + "// theirs\n");
    EXPECT_STREQ(look(), "read again");
    EXPECT_EQ(bench.text(), scene_text + "// theirs\n");
    EXPECT_FALSE(bench.scene["dirty"].get<bool>());
    bench({{"do", "edit"}, {"path", "a.at.y"}, {"value", "3"}});
    const std::string mine = bench.text();
    write_file(bench.folder.path() / "two.arm", scene_text + "// theirs again\n");
    EXPECT_STREQ(look(), "conflict");
    EXPECT_EQ(bench.text(), mine);
    EXPECT_EQ(bench({{"do", "save"}})["conflict"], true);
    EXPECT_EQ(bench({{"do", "save"}, {"overwrite", true}})["ok"], true);
    EXPECT_STREQ(look(), "nothing");
}

TEST(StudioCommands, ALoopReplaysItsRangeAndComputesNothing) {
    Bench bench;
    bench({{"do", "step"}, {"frames", 20}});
    bench({{"do", "loop"}, {"from", 4}, {"to", 9}});
    bench({{"do", "play"}});
    std::set<std::int64_t> seen;
    for (int k = 0; k < 200; ++k) {
        bench.get().tick(Clock::now());
        seen.insert(bench.get().session().run().frame());
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(*seen.rbegin() == 20 ? *std::prev(seen.end(), 2) : *seen.rbegin(), 9);
    EXPECT_EQ(bench.get().session().run().timeline().last(), 20);
    EXPECT_GE(seen.size(), 5u);
    for (const std::int64_t f : seen) EXPECT_TRUE((f >= 4 && f <= 9) || f == 20) << f;
}

TEST(StudioCommands, TimeRunsBackAndForth) {
    Bench bench;
    EXPECT_EQ(bench({{"do", "step"}, {"frames", 20}})["frame"], 20);
    const std::string hash = bench.last_reply["hash"];
    EXPECT_EQ(bench({{"do", "step"}, {"frames", -5}})["frame"], 15);
    EXPECT_EQ(bench({{"do", "seek"}, {"frame", 3}})["frame"], 3);
    EXPECT_EQ(bench({{"do", "seek"}, {"frame", 1000}})["frame"], 20);
    EXPECT_EQ(bench.last_reply["hash"], hash);
    EXPECT_EQ(bench({{"do", "loop"}, {"from", 5}, {"to", 10}})["ok"], true);
    EXPECT_EQ(bench({{"do", "loop"}, {"from", 7}, {"to", 7}})["ok"], false);
    EXPECT_EQ(bench({{"do", "loop"}, {"from", nullptr}, {"to", nullptr}})["ok"], true);
    EXPECT_EQ(bench({{"do", "reset"}})["frame"], 0);
    EXPECT_EQ(bench({{"do", "step"}, {"frames", 20}})["hash"], hash);
}

TEST(StudioCommands, ACommentOrAColourDoesNotStopWhatRuns) {
    Bench bench;
    bench({{"do", "step"}, {"frames", 20}});
    const Json grabbed = bench({{"do", "grab"}, {"solid", "b"}, {"point", {0.2, 0, 0}}});
    bench({{"do", "pull"}, {"drag", grabbed["drag"]}, {"target", {0.7, -0.1, 0}}});
    const std::string hash = bench({{"do", "step"}})["hash"];
    bench({{"do", "text"}, {"text", "// Anew.\n" + scene_text}});
    bench({{"do", "edit"}, {"path", "a.color"}, {"value", "1 0 0"}});
    EXPECT_EQ(bench.scene["bodies"][1]["color"], Json({1.0, 0.0, 0.0}));
    EXPECT_EQ(bench({{"do", "pause"}})["frame"], 21);
    EXPECT_EQ(bench.last_reply["hash"], hash);
    EXPECT_EQ(bench({{"do", "pull"}, {"drag", grabbed["drag"]}, {"target", {0.7, -0.1, 0}}})["ok"], true);
    bench({{"do", "edit"}, {"path", "a.density"}, {"value", "77"}});
    EXPECT_EQ(bench({{"do", "pause"}})["frame"], 0) << "another motion begins at its beginning";
}

TEST(StudioCommands, MeasuresPlotsAndReports) {
    Bench bench;
    bench({{"do", "ghost"}, {"solver", "linearized"}});
    bench({{"do", "step"}, {"frames", 10}});
    const Json plot =
        bench({{"do", "plot"}, {"quantities", {"energy", "b.at.y", "ghost.gap", "j1.error"}}, {"from", 2}});
    ASSERT_EQ(plot["ok"], true) << plot;
    EXPECT_EQ(plot["time"].size(), 9u);
    ASSERT_EQ(plot["series"].size(), 4u);
    EXPECT_EQ(plot["series"][1]["unit"], "m");
    EXPECT_LT(plot["series"][1]["values"][8], plot["series"][1]["values"][0]) << "it falls";
    const Json all = bench({{"do", "quantities"}});
    EXPECT_GT(all["quantities"].size(), 40u);
    EXPECT_NE(bench({{"do", "report"}})["text"].get<std::string>().find("converged"), std::string::npos);
    EXPECT_EQ(bench({{"do", "doctor"}})["report"]["consistent"], true);
    EXPECT_GT(bench.frames[1], 0) << "frames of the ghost";
    EXPECT_EQ(bench.last_reply.dump().find(bench.folder.path().string()), std::string::npos)
        << "no path of this machine";
}

TEST(StudioCommands, PartsArePulledApartAndAssembledBeforeTheEyes) {
    Bench bench;
    bench({{"do", "place"}, {"placements", {{"b", {2, 2, 0, 0, 0, 0, 1}}}}});
    const Json reply = bench({{"do", "assemble"}, {"frames", 4}});
    EXPECT_EQ(reply["report"]["verdict"], "satisfied") << reply;
    for (int k = 0; k < 10; ++k) bench.get().tick(Clock::now() + std::chrono::seconds(k + 1));
    EXPECT_GE(bench.frames[2], 2);
    EXPECT_LE(bench.frames[2], 4);
    EXPECT_EQ(bench.text(), scene_text) << "nothing is written";
    bench({{"do", "place"}, {"placements", {{"b", {0.6, 0.5, 0, 0, 0, 0, 1}}}}, {"permanent", true}});
    EXPECT_NE(bench.text().find("object b box size 0.4 0.1 0.1; at 0.6 0.5 0; end"), std::string::npos) << bench.text();
}

TEST(StudioCommands, EverySceneOfTheGalleryOpensAndRuns) {
    Bench bench;
    for (const auto& scene : bench.get().places().gallery()) {
        const Json reply = bench({{"do", "open"}, {"scene", scene.name}});
        EXPECT_EQ(reply["ok"], true) << scene.name;
        EXPECT_EQ(reply["problems"].size(), 0u) << scene.name << reply["problems"];
        EXPECT_EQ(bench({{"do", "step"}, {"frames", 1}})["frame"], 1) << scene.name;
        EXPECT_GE(bench.scene["bodies"].size(), 2u);
        EXPECT_GT(bench.scene["size"]["radius"], 0);
        EXPECT_GT(bench.scene["groups"].size(), 0u) << scene.name;
    }
}

TEST(StudioCommands, EveryCommandOfTheProtocolIsThere) {
    for (const char* name :
         {"hello", "open",     "text",     "edit",       "edits",    "add",    "remove", "duplicate", "place",   "undo",
          "redo",  "complete", "format",   "save",       "discard",  "play",   "pause",  "step",      "reset",   "seek",
          "loop",  "speed",    "settings", "ghost",      "assemble", "doctor", "grab",   "pull",      "release", "pin",
          "unpin", "drags",    "plot",     "quantities", "report",   "erase",  "unroll", "source",    "cancel"})
        EXPECT_EQ(studio::commands().count(name), 1u) << name;
}

TEST(StudioCommands, JointsThatCannotHoldAreToldWithoutTheFoldersOfThisMachine) {
    Bench bench;
    const std::string stuck =
        "object rod capsule radius 0.05 length 1; at 0 1 0; end\n"
        "constraint left object2 rod; hinge -1 1 0  0 -0.5 0; end\n"
        "constraint right object2 rod; hinge 3 1 0  0 0.5 0; end\n";
    bench.events.clear();
    bench({{"do", "open"}, {"name", "stuck"}, {"text", stuck}});
    bench({{"do", "hello"}});
    std::string said, state;
    for (const Json& e : bench.events) {
        if (e["event"] == "message") said += e["text"].get<std::string>();
        if (e["event"] == "status") state = e["state"];
    }
    EXPECT_NE(said.find("`left`"), std::string::npos) << said;
    EXPECT_NE(said.find("(stuck.arm:2)"), std::string::npos) << said;
    EXPECT_EQ(said.find(bench.folder.path().string()), std::string::npos) << said;
    EXPECT_EQ(state, "joints apart");
    bench({{"do", "open"}, {"name", "two"}, {"text", scene_text}});
    bench({{"do", "hello"}});
    for (const Json& e : bench.events)
        if (e["event"] == "status") state = e["state"];
    EXPECT_EQ(state, "ok");
}

}  // namespace armature::commands_test

// Files that a scene includes are edited, undone and saved with it.
#include <gtest/gtest.h>

#include <fstream>

#include "command_bench.h"

namespace armature::include_test {

using namespace std::chrono_literals;
using test::Bench;

const std::string root = "include \"parts/arm.arm\";\nobject base box size 1 1 1; kernel fixed; end // here\n";
const std::string arm = "// An arm.\nobject arm\n  box size 1 0.1 0.1;   // thin\n  density 300;\n  at 1 0 0;\nend\n";

std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Json body(const Bench& bench, const std::string& name) {
    for (const Json& b : bench.scene["bodies"])
        if (b["name"] == name) return b;
    return {};
}

TEST(StudioIncludes, AnEditChangesTheFileThatSaysIt) {
    Bench bench(root, {{"parts/arm.arm", arm}});
    EXPECT_EQ(body(bench, "arm")["editable"], true);
    EXPECT_EQ(body(bench, "arm")["file"], "parts/arm.arm");
    EXPECT_EQ(bench.scene["files"], Json({{{"file", "parts/arm.arm"}, {"dirty", false}, {"autosave", nullptr}}}));
    const Json reply = bench({{"do", "edit"}, {"path", "arm.density"}, {"value", "70"}});
    ASSERT_EQ(reply["ok"], true) << reply;
    EXPECT_EQ(reply["files"], Json({"parts/arm.arm"}));
    EXPECT_NEAR(body(bench, "arm")["mass"].get<double>(), 0.7, 1e-12);
    EXPECT_EQ(bench.text(), root);
    EXPECT_TRUE(bench.scene["dirty"].get<bool>());
    EXPECT_TRUE(bench.scene["files"][0]["dirty"].get<bool>());
    std::string expected = arm;
    expected.replace(expected.find("300"), 3, "70");
    EXPECT_EQ(bench({{"do", "source"}, {"file", "parts/arm.arm"}})["text"], expected);
    EXPECT_EQ(content(bench.folder.path() / "parts/arm.arm"), arm) << "not saved yet";
    EXPECT_EQ(bench({{"do", "save"}})["ok"], true);
    EXPECT_EQ(content(bench.folder.path() / "parts/arm.arm"), expected);
    EXPECT_EQ(content(bench.folder.path() / "two.arm"), root);
    EXPECT_FALSE(bench.scene["dirty"].get<bool>());
}

TEST(StudioIncludes, UndoGoesThroughAllFilesInTheOrderOfTheChanges) {
    Bench bench(root, {{"parts/arm.arm", arm}});
    bench({{"do", "edit"}, {"path", "arm.density"}, {"value", "70"}});
    bench({{"do", "edit"}, {"path", "base.at"}, {"value", "0 1 0"}});
    bench({{"do", "edits"},
           {"edits", {{{"path", "arm.at.y"}, {"value", "2"}}, {{"path", "base.color"}, {"value", "1 0 0"}}}}});
    EXPECT_EQ(bench.last_reply["files"], Json({"two.arm", "parts/arm.arm"}));
    const std::string both = bench({{"do", "source"}, {"file", "parts/arm.arm"}})["text"];
    const std::string last = bench.text();
    const auto included = [&] { return bench({{"do", "source"}, {"file", "parts/arm.arm"}})["text"]; };
    for (int k = 0; k < 3; ++k) EXPECT_EQ(bench({{"do", "undo"}})["ok"], true);
    EXPECT_EQ(bench.text(), root);
    EXPECT_EQ(included(), arm);
    EXPECT_FALSE(bench.scene["dirty"].get<bool>());
    EXPECT_EQ(bench({{"do", "undo"}})["ok"], false);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(bench({{"do", "redo"}})["ok"], true);
    EXPECT_EQ(bench.text(), last);
    EXPECT_EQ(included(), both);
    bench({{"do", "undo"}});
    bench({{"do", "erase"}, {"path", "arm.density"}});
    EXPECT_EQ(bench({{"do", "redo"}})["ok"], false) << "of the other file neither";
    EXPECT_EQ(bench.text().find("color"), std::string::npos);
}

TEST(StudioIncludes, BlocksOfAnIncludedFileAreRemovedAndCopiedThere) {
    Bench bench(root, {{"parts/arm.arm", arm}});
    ASSERT_EQ(bench({{"do", "duplicate"}, {"names", {"arm"}}, {"offset", {0, 0, 1}}})["ok"], true) << bench.last_reply;
    EXPECT_EQ(bench.last_reply["files"], Json({"parts/arm.arm"}));
    EXPECT_FALSE(body(bench, "arm2").is_null());
    bench({{"do", "remove"}, {"names", {"arm"}}});
    EXPECT_TRUE(body(bench, "arm").is_null());
    for (int k = 0; k < 2; ++k) bench({{"do", "undo"}});
    EXPECT_EQ(bench({{"do", "source"}, {"file", "parts/arm.arm"}})["text"], arm);
}

TEST(StudioIncludes, AFileChangedElsewhereIsReadAgainOrAConflict) {
    Bench bench(root, {{"parts/arm.arm", arm}});
    const auto file = bench.folder.path() / "parts/arm.arm";
    const auto look = [&] {
        std::this_thread::sleep_for(20ms);
        bench.get().tick(studio::Clock::now() + std::chrono::seconds(bench.later++));
    };
    look();
    std::this_thread::sleep_for(20ms);
    write_file(file, arm + "object more sphere radius 1; at 0 9 0; end\n");
    look();
    EXPECT_FALSE(body(bench, "more").is_null());
    EXPECT_FALSE(bench.scene["dirty"].get<bool>());
    bench({{"do", "edit"}, {"path", "arm.density"}, {"value", "70"}});
    std::this_thread::sleep_for(20ms);
    write_file(file, "// theirs\n" + arm);
    const Json refused = bench({{"do", "save"}});
    EXPECT_EQ(refused["conflict"], true);
    EXPECT_NE(refused["errors"][0]["message"].get<std::string>().find("parts/arm.arm"), std::string::npos) << refused;
    EXPECT_EQ(content(file), "// theirs\n" + arm);
    EXPECT_EQ(bench({{"do", "save"}, {"overwrite", true}})["ok"], true);
    EXPECT_NE(content(file).find("density 70"), std::string::npos);
}

TEST(StudioIncludes, UnsavedWorkOnAnIncludedFileIsKeptBesideItAndOffered) {
    const test::ScratchFolder folder;
    std::filesystem::create_directories(folder.path() / "parts");
    write_file(folder.path() / "two.arm", root);
    write_file(folder.path() / "parts/arm.arm", arm);
    const auto kept = folder.path() / "parts/.arm.arm.autosave";
    {
        auto d = studio::SceneDocument::from_file(folder.path() / "two.arm");
        ASSERT_EQ(d.scene().documents.size(), 2u);
        d.change({{1, arm + "// mine\n"}});
        d.autosave(studio::SceneDocument::Clock::now() + 3s);
        EXPECT_EQ(content(kept), arm + "// mine\n");
    }
    auto d = studio::SceneDocument::from_file(folder.path() / "two.arm");
    ASSERT_EQ(d.included().size(), 1u);
    EXPECT_EQ(d.included()[0].text.found_autosave(), arm + "// mine\n");
    d.change({{1, arm + "// mine\n"}});
    d.forget_autosave();
    EXPECT_TRUE(d.save(false));
    EXPECT_FALSE(std::filesystem::exists(kept));
    EXPECT_EQ(content(folder.path() / "parts/arm.arm"), arm + "// mine\n");
}

TEST(StudioIncludes, TheGallerysAreLeftAloneAndSavedWithTheSceneIntoTheFolder) {
    Bench bench;
    ASSERT_EQ(bench({{"do", "open"}, {"scene", "ragdolls"}})["ok"], true);
    ASSERT_FALSE(bench.scene["files"].empty());
    const std::string file = bench.scene["files"][0]["file"];
    std::string text = bench({{"do", "source"}, {"file", file}})["text"];
    const Json refused = bench({{"do", "text"}, {"file", file}, {"text", "// gone\n" + text}});
    EXPECT_EQ(refused["ok"], false);
    EXPECT_NE(refused["errors"][0]["message"].get<std::string>().find(file + ":1"), std::string::npos) << refused;
    EXPECT_EQ(bench({{"do", "save"}, {"file", "mine.arm"}})["ok"], true) << bench.last_reply;
    EXPECT_EQ(content(bench.folder.path() / file), text);
    EXPECT_EQ(bench.scene["problems"].size(), 0u) << bench.scene["problems"];
    EXPECT_EQ(bench({{"do", "text"}, {"file", file}, {"text", "// ours\n" + text}})["ok"], true);
    EXPECT_EQ(bench({{"do", "save"}})["ok"], true);
    EXPECT_EQ(content(bench.folder.path() / file), "// ours\n" + text);
    EXPECT_EQ(content(std::filesystem::path(test::scene_folder()) / file), text);
    for (const char* other : {"../secret", "/etc/passwd", "", "mine.arm"})
        EXPECT_EQ(bench({{"do", "source"}, {"file", other}})["ok"], false) << other;
}

}  // namespace armature::include_test

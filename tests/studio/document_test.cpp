// The text and its file: undo, saving without losing what somebody else wrote, unsaved work kept.
#include "armature/studio/document.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "armature/base/atomic_file.h"
#include "armature/math/random.h"
#include "armature/studio/block_edits.h"
#include "armature/studio/completion.h"
#include "armature/studio/copies.h"
#include "armature/studio/places.h"
#include "scratch_folder.h"
#include "support/scene_files.h"

namespace armature::document_test {

using namespace std::chrono_literals;
using studio::OnDisk;
using studio::SceneDocument;
using studio::TextHistory;
using test::ScratchFolder;

const std::string swing =
    "title \"Swing\";  // not too high\n"
    "\n"
    "object seat\n"
    "  box size 0.5 0.05 0.3;   // wood\n"
    "  at 0 1 0;\n"
    "end\n"
    "\n"
    "object bob sphere radius 0.1; at 0 2 0; end\n"
    "\n"
    "constraint rope object1 bob; object2 seat; hinge 0 -1 0 0 0 0; end // holds\n"
    "force push object seat; key 0 0 0 0; key 1 1 0 0; end\n"
    "pose seat at 1 1 0;\n";

void touch(const std::filesystem::path& file, const std::string& text) {
    std::this_thread::sleep_for(20ms);  // another time stamp
    write_file(file, text);
}

std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(StudioHistory, UndoAndRedoOfThousandsOfEditsGiveEveryTextAgain) {
    Random random(7);
    TextHistory history("start");
    std::vector<std::string> texts{"start"};
    for (int k = 0; k < 2000; ++k) {
        std::string text = history.text();
        const auto at = static_cast<std::size_t>(random.unit() * static_cast<double>(text.size() + 1));
        if (random.unit() < 0.3 && !text.empty())
            text.erase(std::min(at, text.size()), 3);
        else
            text.insert(std::min(at, text.size()), random.unit() < 0.1 ? std::string("a long äöü piece\n") : "xyz");
        if (history.change(text)) texts.push_back(text);
    }
    for (std::size_t k = texts.size(); k-- > 1;) {
        ASSERT_EQ(history.text(), texts[k]);
        ASSERT_TRUE(history.undo());
    }
    EXPECT_EQ(history.text(), "start");
    EXPECT_FALSE(history.undo());
    for (std::size_t k = 1; k < texts.size(); ++k) {
        ASSERT_TRUE(history.redo());
        ASSERT_EQ(history.text(), texts[k]);
    }
    EXPECT_FALSE(history.redo());
    history.undo();
    history.change("another way");
    EXPECT_FALSE(history.can_redo());
    EXPECT_FALSE(history.change("another way")) << "no change, no step";
}

TEST(StudioDocument, SavesWholeAndKnowsWhatIsSaved) {
    const ScratchFolder folder;
    const auto file = folder.path() / "swing.arm";
    write_file(file, swing);
    SceneDocument d = SceneDocument::from_file(file);
    EXPECT_FALSE(d.dirty());
    EXPECT_EQ(d.name(), "swing");
    EXPECT_FALSE(d.findings().has_errors()) << test::rendered(d.findings());
    d.change(swing + "// more\n");
    EXPECT_TRUE(d.dirty());
    EXPECT_TRUE(d.save(false));
    EXPECT_FALSE(d.dirty());
    EXPECT_EQ(content(file), swing + "// more\n");
    d.undo();
    EXPECT_TRUE(d.dirty());
}

TEST(StudioDocument, AFileChangedElsewhereIsReadAgainWhenNothingIsUnsaved) {
    const ScratchFolder folder;
    const auto file = folder.path() / "swing.arm";
    write_file(file, swing);
    SceneDocument d = SceneDocument::from_file(file);
    EXPECT_EQ(d.look_at_disk(), OnDisk::same);
    touch(file, swing + "// theirs\n");
    EXPECT_EQ(d.look_at_disk(), OnDisk::reloaded);
    EXPECT_EQ(d.text(), swing + "// theirs\n");
    EXPECT_FALSE(d.dirty());
    EXPECT_TRUE(d.undo()) << "that too can be undone";
    EXPECT_EQ(d.text(), swing);
}

TEST(StudioDocument, AConflictIsShownAndNotOverwritten) {
    const ScratchFolder folder;
    const auto file = folder.path() / "swing.arm";
    write_file(file, swing);
    SceneDocument d = SceneDocument::from_file(file);
    d.change(swing + "// mine\n");
    touch(file, swing + "// theirs\n");
    EXPECT_EQ(d.look_at_disk(), OnDisk::conflict);
    EXPECT_EQ(d.text(), swing + "// mine\n");
    EXPECT_FALSE(d.save(false));
    EXPECT_EQ(content(file), swing + "// theirs\n");
    EXPECT_TRUE(d.save(true));
    EXPECT_EQ(content(file), swing + "// mine\n");
    touch(file, "// again\n");
    d.change(d.text() + "// and mine\n");
    EXPECT_FALSE(d.save(false)) << "seen at the last moment too";
}

TEST(StudioDocument, UnsavedWorkIsKeptBesideTheFileAndOfferedLater) {
    const ScratchFolder folder;
    const auto file = folder.path() / "swing.arm", kept = folder.path() / ".swing.arm.autosave";
    write_file(file, swing);
    {
        SceneDocument d = SceneDocument::from_file(file);
        d.change(swing + "// mine\n");
        d.autosave(SceneDocument::Clock::now());
        EXPECT_FALSE(std::filesystem::exists(kept)) << "not at once";
        d.autosave(SceneDocument::Clock::now() + 3s);
        EXPECT_EQ(content(kept), swing + "// mine\n");
    }
    {
        SceneDocument d = SceneDocument::from_file(file);
        ASSERT_TRUE(d.found_autosave());
        EXPECT_EQ(*d.found_autosave(), swing + "// mine\n");
        d.change(*d.found_autosave());
        EXPECT_TRUE(d.save(false));
        d.forget_autosave();
        EXPECT_FALSE(std::filesystem::exists(kept));
    }
    EXPECT_FALSE(SceneDocument::from_file(file).found_autosave());
}

TEST(StudioDocument, AnOfferThatNobodyAnsweredIsNotWrittenOver) {
    const ScratchFolder folder;
    const auto file = folder.path() / "swing.arm", kept = folder.path() / ".swing.arm.autosave";
    write_file(file, swing);
    write_file(kept, "// yesterday\n");
    SceneDocument d = SceneDocument::from_file(file);
    d.change("// today\n");
    d.autosave(SceneDocument::Clock::now() + 3s);
    EXPECT_EQ(content(kept), "// today\n");
    EXPECT_EQ(content(folder.path() / ".swing.arm.autosave.old"), "// yesterday\n");
    d.undo();
    d.autosave(SceneDocument::Clock::now() + 3s);
    EXPECT_FALSE(std::filesystem::exists(kept)) << "nothing is unsaved any more";
}

TEST(StudioDocument, SavedUnderAnotherNameItIsThatFile) {
    const ScratchFolder folder;
    SceneDocument d = SceneDocument::from_text(swing, "swing", folder.path());
    EXPECT_FALSE(d.dirty());
    d.change(swing + "// more\n");
    d.autosave(SceneDocument::Clock::now() + 3s);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / ".swing.arm.autosave"));
    write_file(folder.path() / "taken.arm", "// somebody's\n");
    EXPECT_FALSE(d.save_as(folder.path() / "taken.arm", false));
    EXPECT_TRUE(d.save_as(folder.path() / "mine.arm", false));
    EXPECT_EQ(d.name(), "mine");
    EXPECT_FALSE(d.dirty());
    EXPECT_FALSE(std::filesystem::exists(folder.path() / ".swing.arm.autosave"));
    EXPECT_EQ(content(folder.path() / "taken.arm"), "// somebody's\n");
}

Scene read(const std::string& text) {
    Diagnostics d;
    return load_text(text, "swing.arm", {}, d);
}

std::string without(const std::string& text, const std::vector<std::string>& names) {
    Diagnostics d;
    const studio::Texts out = studio::without_blocks(read(text), names, d);
    EXPECT_FALSE(d.has_errors()) << test::rendered(d);
    return out.at(0);
}

TEST(StudioBlocks, RemovingAnObjectTakesItsLinesAndWhatNamesItAndNothingElse) {
    EXPECT_EQ(without(swing, {"seat"}),
              "title \"Swing\";  // not too high\n\nobject bob sphere radius 0.1; at 0 2 0; end\n\n");
    EXPECT_EQ(
        without(swing, {"rope", "push"}),
        "title \"Swing\";  // not too high\n\nobject seat\n  box size 0.5 0.05 0.3;   // wood\n  at 0 1 0;\nend\n\n"
        "object bob sphere radius 0.1; at 0 2 0; end\n\npose seat at 1 1 0;\n");
}

TEST(StudioBlocks, WhatARepeatMakesIsRemovedTogetherOrNotAtAll) {
    const std::string text = "repeat i from 1 to 3\n  object ball[i] sphere radius 0.1; at i 0 0; end\nend\n";
    Diagnostics d;
    studio::without_blocks(read(text), {"ball[2]"}, d);
    EXPECT_TRUE(d.has_errors());
    EXPECT_EQ(without(text, {"ball[1]", "ball[2]", "ball[3]"}), "") << "an empty repeat says nothing";
    const std::string two =
        "parameter n 2;\nrepeat i from 1 to n\n  object a[i] sphere radius 1; at i 0 0; end\n  object b[i] sphere "
        "radius 1; at i 2 0; end\nend\n";
    EXPECT_EQ(without(two, {"a[1]", "a[2]"}),
              "parameter n 2;\nrepeat i from 1 to n\n  object b[i] sphere radius 1; at i 2 0; end\nend\n");
    Diagnostics unknown;
    studio::without_blocks(read(text), {"bell"}, unknown);
    EXPECT_TRUE(unknown.has_errors());
}

TEST(StudioBlocks, CopiesHaveFreshNamesAndNameEachOther) {
    Diagnostics d;
    const studio::Duplicate copy = studio::with_copies(read(swing), {"seat", "bob"}, {1, 0, 0.5}, d);
    ASSERT_FALSE(d.has_errors()) << test::rendered(d);
    EXPECT_EQ(copy.names, (std::vector<std::string>{"seat2", "bob2", "rope2"}));
    const std::string& text = copy.texts.at(0);
    const Scene scene = read(text);
    EXPECT_EQ(scene.spec.solids.size(), 4u);
    EXPECT_EQ(scene.spec.constraints.size(), 2u);
    EXPECT_EQ(scene.spec.constraints[1].solid1, "bob2");
    EXPECT_EQ(scene.spec.constraints[1].solid2, "seat2");
    EXPECT_NE(text.find("object bob2 sphere radius 0.1; at 1 2 0.5; end"), std::string::npos) << text;
    EXPECT_NE(text.find("// wood"), text.rfind("// wood")) << "comments are copied with it";
    // The copies taken away again, the text is the one before.
    const std::string back = without(text, copy.names);
    EXPECT_EQ(read(back).spec.solids.size(), 2u);
}

TEST(StudioBlocks, APlacementChangesItsLineAlone) {
    Diagnostics d;
    const std::string placed =
        studio::placed_text(read(swing), {{"bob", {{0.25, 3, -1}, exp_rotation({0, pi / 2, 0})}}}, d);
    ASSERT_FALSE(d.has_errors()) << test::rendered(d);
    std::string expected = swing;
    expected.replace(expected.find("at 0 2 0; end"), 13, "at 0.25 3 -1; quaternion 0.707107 0 0.707107 0; end");
    EXPECT_EQ(placed, expected);
    // One that a `pose` places is placed there.
    const std::string posed = studio::placed_text(read(swing), {{"seat", {{2, 2, 2}, {}}}}, d);
    EXPECT_NE(posed.find("pose seat at 2 2 2 quaternion 1 0 0 0;"), std::string::npos) << posed;
    EXPECT_EQ(posed.substr(0, posed.find("pose seat")), swing.substr(0, swing.find("pose seat")));
}

TEST(StudioBlocks, EveryTurnOfABlockBecomesOneQuaternion) {
    const std::string text = "object a\n  box size 1 1 1;\n  turn 1 0 0 30 deg;  // first\n  turn 0 1 0 20 deg;\nend\n";
    Diagnostics d;
    EXPECT_EQ(studio::placed_text(read(text), {{"a", {{}, {}}}}, d),
              "object a\n  box size 1 1 1;\n  quaternion 1 0 0 0;  // first\nend\n");
}

std::vector<std::string> labels(const std::string& text, int line, int column) {
    std::vector<std::string> out;
    for (const auto& c : studio::completions(read(text), studio::offset_at(text, line, column))) out.push_back(c.label);
    return out;
}
bool has(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

TEST(StudioCompletion, OffersWhatTheSchemaAllowsAtThatPlace) {
    const auto outside = labels("", 1, 1);
    EXPECT_TRUE(has(outside, "object") && has(outside, "title") && has(outside, "repeat")) << outside.size();
    EXPECT_FALSE(has(outside, "sphere"));
    const auto inside = labels("object a\n  \nend\n", 2, 3);
    EXPECT_TRUE(has(inside, "sphere") && has(inside, "density") && has(inside, "end"));
    EXPECT_FALSE(has(inside, "object"));
    const auto options = labels("object a\n  sphere \nend\n", 2, 10);
    EXPECT_TRUE(has(options, "radius") && has(options, "density"));
    EXPECT_FALSE(has(options, "mass"));
    const auto choices = labels("object a\n  kernel \nend\n", 2, 10);
    EXPECT_TRUE(has(choices, "fixed") && has(choices, "path"));
    const auto objects = labels("object a sphere radius 1; end\nconstraint object1 \n", 2, 20);
    EXPECT_TRUE(has(objects, "a") && has(objects, "world"));
    const auto parameters = labels("parameter gap 2;\nobject a\n  at ", 3, 6);
    EXPECT_TRUE(has(parameters, "gap"));
    EXPECT_TRUE(has(labels("joint j\n  type ", 2, 8), "pin"));
}

TEST(StudioCompletion, CountsColumnsAsABrowserDoes) {
    const std::string text = "// \xF0\x9F\x98\x80 ä x\nsecond";  // an emoji is two units, ä one
    EXPECT_EQ(studio::offset_at(text, 1, 1), 0u);
    EXPECT_EQ(studio::offset_at(text, 1, 6), 7u);
    EXPECT_EQ(studio::offset_at(text, 1, 8), 10u);
    EXPECT_EQ(studio::offset_at(text, 2, 3), text.find("second") + 2);
    EXPECT_EQ(studio::offset_at(text, 9, 9), text.size());
}

TEST(StudioPlaces, NamesFromAPageStayInTheFolder) {
    const ScratchFolder outer;
    const auto folder = outer.path() / "scenes";
    std::filesystem::create_directories(folder / "sub");
    write_file(folder / "a.arm", "");
    write_file(folder / "sub" / "b.arm", "");
    write_file(folder / "c.txt", "");
    write_file(outer.path() / "secret.arm", "");
    std::filesystem::create_symlink(outer.path() / "secret.arm", folder / "link.arm");
    std::filesystem::create_directory_symlink(outer.path(), folder / "up");
    const studio::Places places(folder, {});
    EXPECT_TRUE(places.scene_file("a.arm", true));
    EXPECT_TRUE(places.scene_file("sub/b.arm", true));
    EXPECT_TRUE(places.scene_file("sub/../a.arm", true));
    EXPECT_TRUE(places.scene_file("new.arm", false));
    EXPECT_FALSE(places.scene_file("new.arm", true));
    for (const std::string name :
         {"../secret.arm", "link.arm", "up/secret.arm", "sub/../../secret.arm", "/etc/passwd", "c.txt", "", ".arm",
          ".hidden.arm", "nowhere/x.arm", "up/new.arm", "a.arm/../../secret.arm", "./../secret.arm", "..", "sub"})
        for (const bool exists : {true, false}) EXPECT_FALSE(places.scene_file(name, exists)) << name;
    EXPECT_FALSE(places.scene_file(std::string("a.arm\0.arm", 10), true));
    EXPECT_FALSE(places.gallery_file("../secret"));
}

TEST(StudioPlaces, TheGalleryHasTitlesAndPictures) {
    const studio::Places places(".", test::scene_folder());
    EXPECT_GE(places.gallery().size(), 40u);
    for (const studio::GalleryScene& s : places.gallery()) {
        EXPECT_FALSE(s.title.empty()) << s.name;
        EXPECT_FALSE(s.what.empty()) << s.name;
        EXPECT_EQ(s.what.find('\n'), std::string::npos) << s.name;
        EXPECT_TRUE(places.gallery_file(s.name));
        EXPECT_TRUE(places.thumbnail(s.name)) << s.name;
    }
    const auto chain =
        std::find_if(places.gallery().begin(), places.gallery().end(), [](const auto& s) { return s.name == "snake"; });
    ASSERT_NE(chain, places.gallery().end());
    EXPECT_NE(chain->what.find("tail"), std::string::npos) << chain->what;
}

}  // namespace armature::document_test

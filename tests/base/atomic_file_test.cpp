#include "armature/base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace armature {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

class AtomicFileTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "armature-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        dir = name;
    }
    void TearDown() override { fs::remove_all(dir); }

    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(dir)) found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }
    void put(const std::string& name, const std::string& text) const { std::ofstream(dir / name) << text; }

    fs::path dir;
};

using Names = std::vector<std::string>;

TEST_F(AtomicFileTest, TheOldContentStaysUntilCommit) {
    put("a.csv", "old");
    AtomicFile file(dir / "a.csv");
    file.write("new");
    file.write(" text");
    EXPECT_EQ(content(dir / "a.csv"), "old");
    EXPECT_EQ(file.temporary().parent_path(), dir);
    EXPECT_EQ(file.temporary().filename().string(), ".a.csv.armature-tmp-" + std::to_string(::getpid()) + "-0");
    EXPECT_FALSE(file.committed());
    file.commit();
    EXPECT_TRUE(file.committed());
    EXPECT_EQ(content(dir / "a.csv"), "new text");
    EXPECT_EQ(names(), Names{"a.csv"});
}

TEST_F(AtomicFileTest, WithoutCommitNothingChanges) {
    put("a.csv", "old");
    {
        AtomicFile file(dir / "a.csv");
        file.write(std::string(1000000, 'x'));  // past the buffer: on the disk
        EXPECT_EQ(names().size(), 2u);
    }
    EXPECT_EQ(content(dir / "a.csv"), "old");
    EXPECT_EQ(names(), Names{"a.csv"});
}

TEST_F(AtomicFileTest, LargeContentArrivesWhole) {
    std::string text;
    for (int i = 0; i < 50000; ++i) text += std::to_string(i) + '\n';
    AtomicFile file(dir / "big");
    for (std::size_t i = 0; i < text.size(); i += 777) file.write(std::string_view(text).substr(i, 777));
    file.commit();
    EXPECT_EQ(content(dir / "big"), text);
    write_file(dir / "big", text + text);  // one piece larger than the buffer
    EXPECT_EQ(content(dir / "big"), text + text);
}

TEST_F(AtomicFileTest, AnEmptyFileIsAFile) {
    write_file(dir / "empty", "");
    EXPECT_EQ(names(), Names{"empty"});
}

TEST_F(AtomicFileTest, MovingCarriesTheObligation) {
    AtomicFile a(dir / "a");
    a.write("from a");
    AtomicFile b(std::move(a));
    AtomicFile c(dir / "c");
    c = std::move(b);
    EXPECT_EQ(names().size(), 1u);  // c's own temporary went
    c.commit();
    EXPECT_EQ(names(), Names{"a"});
    EXPECT_EQ(content(dir / "a"), "from a");
}

TEST_F(AtomicFileTest, PermissionsAreKept) {
    put("script", "old");
    fs::permissions(dir / "script", fs::perms(0751));
    write_file(dir / "script", "new");
    EXPECT_EQ(fs::status(dir / "script").permissions(), fs::perms(0751));
}

TEST_F(AtomicFileTest, ANewFileHasThePermissionsOfTheUmask) {
    const mode_t old = ::umask(027);
    write_file(dir / "new", "x");
    ::umask(old);
    EXPECT_EQ(fs::status(dir / "new").permissions(), fs::perms(0640));
}

TEST_F(AtomicFileTest, ASymbolicLinkIsFollowed) {
    fs::create_directory(dir / "real");
    fs::create_symlink("real/target", dir / "link");  // dangling at first
    write_file(dir / "link", "1");
    EXPECT_TRUE(fs::is_symlink(dir / "link"));
    EXPECT_EQ(content(dir / "real/target"), "1");
    write_file(dir / "link", "2");
    EXPECT_TRUE(fs::is_symlink(dir / "link"));
    EXPECT_EQ(content(dir / "real/target"), "2");
}

TEST_F(AtomicFileTest, ADeviceIsWrittenDirectly) {
    AtomicFile null("/dev/null");
    EXPECT_TRUE(null.temporary().empty());
    null.write("gone");
    null.commit();
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, APipeIsWrittenDirectly) {
    const fs::path pipe = dir / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    write_file(pipe, "hello");
    char text[16] = {};
    EXPECT_EQ(::read(reader, text, sizeof text), 5);
    ::close(reader);
    EXPECT_STREQ(text, "hello");
    EXPECT_EQ(names(), Names{"pipe"});
}

TEST_F(AtomicFileTest, AFullDiskIsAnErrorThatNamesTheFile) {
    AtomicFile full("/dev/full");
    full.write("x");
    try {
        full.commit();
        FAIL() << "no error";
    } catch (const FileError& error) {
        EXPECT_STREQ(error.what(), "cannot write /dev/full: No space left on device");
        EXPECT_EQ(error.error_number(), ENOSPC);
        EXPECT_EQ(error.path(), "/dev/full");
    }
    EXPECT_FALSE(full.committed());
}

TEST_F(AtomicFileTest, AWriteThatFailsHalfwayLeavesTheOldContent) {
    put("a", "old");
    rlimit before = {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 100000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(write_file(dir / "a", std::string(200000, 'x')), FileError);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(content(dir / "a"), "old");
    EXPECT_EQ(names(), Names{"a"});
}

TEST_F(AtomicFileTest, TargetsThatCannotBeWritten) {
    const auto reason = [](const fs::path& path) {
        try {
            AtomicFile file(path);
        } catch (const FileError& error) {
            return error.error_number();
        }
        return 0;
    };
    EXPECT_EQ(reason(dir), EISDIR);
    EXPECT_EQ(reason(dir / "new/"), EISDIR);
    EXPECT_EQ(reason(""), ENOENT);
    EXPECT_EQ(reason(dir / "missing/a.csv"), ENOENT);
    put("plain", "");
    EXPECT_EQ(reason(dir / "plain/a.csv"), ENOTDIR);
    fs::create_symlink("loop", dir / "loop");
    EXPECT_EQ(reason(dir / "loop"), ELOOP);
    EXPECT_EQ(reason(dir / std::string(300, 'x')), ENAMETOOLONG);
    if (::geteuid() != 0) {  // root may write everything
        fs::permissions(dir / "plain", fs::perms(0444));
        EXPECT_EQ(reason(dir / "plain"), EACCES);
    }
}

TEST_F(AtomicFileTest, ANameOfTheFullLengthWorks) {
    const std::string name(255, 'n');
    write_file(dir / name, "x");
    EXPECT_EQ(names(), Names{name});
    put("." + name.substr(0, 150) + "~0123456789abcdef.armature-tmp-1-0", "");  // another long name's: stays
    write_file(dir / name, "y");
    EXPECT_EQ(names().size(), 2u);
}

TEST_F(AtomicFileTest, LeftoversOfTheSameTargetAreRemovedAndNothingElse) {
    put(".a.csv.armature-tmp-999999999-0", "half");
    put(".a.csv.armature-tmp-1-17", "half");
    const Names others = {".a.csv.armature-tmp-",    ".a.csv.armature-tmp-12",   ".a.csv.armature-tmp-12-",
                          ".a.csv.armature-tmp-x-0", ".a.csv.armature-tmp-1-0~", ".b.csv.armature-tmp-1-0",
                          "a.csv.armature-tmp-1-0"};
    for (const std::string& name : others) put(name, "");
    { AtomicFile file(dir / "a.csv"); }
    Names sorted = others;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(names(), sorted);
    EXPECT_EQ(remove_stale_temporaries(dir / "b.csv"), 1);
    EXPECT_EQ(remove_stale_temporaries(dir / "nowhere/b.csv"), 0);
}

TEST_F(AtomicFileTest, TwoWritersOfOneTargetDoNotDisturbEachOther) {
    AtomicFile first(dir / "a");
    first.write("first");
    AtomicFile second(dir / "a");
    second.write("second");
    EXPECT_NE(first.temporary(), second.temporary());
    EXPECT_EQ(remove_stale_temporaries(dir / "a"), 0);
    first.commit();
    EXPECT_EQ(content(dir / "a"), "first");
    second.commit();
    EXPECT_EQ(content(dir / "a"), "second");
    EXPECT_EQ(names(), Names{"a"});
}

TEST_F(AtomicFileTest, WhatAKilledProcessLeftGoesWithTheNextWrite) {
    put("a", "old");
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        AtomicFile file(dir / "a");
        file.write(std::string(200000, 'x'));
        (void)!::write(ready[1], "!", 1);
        for (;;) ::pause();
    }
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(remove_stale_temporaries(dir / "a"), 0);  // alive: in use
    EXPECT_EQ(names().size(), 2u);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    EXPECT_EQ(content(dir / "a"), "old");
    EXPECT_EQ(names().size(), 2u);
    write_file(dir / "a", "new");
    EXPECT_EQ(names(), Names{"a"});
    EXPECT_EQ(content(dir / "a"), "new");
}

TEST_F(AtomicFileTest, ProcessesThatWriteOneTargetAgainAndAgainDoNotDisturbEachOther) {
    // Every opening clears leftovers while the others create, lock, rename and reuse their temporary names.
    const auto text = [](int writer, int turn) {
        return std::string(2000, static_cast<char>('a' + writer + turn % 2));
    };
    std::vector<pid_t> writers;
    for (int w = 0; w < 4; ++w) {
        writers.push_back(::fork());
        if (writers.back() != 0) continue;
        int code = 0;
        try {
            for (int turn = 0; turn < 1000; ++turn) {
                AtomicFile file(dir / "a");
                file.write(text(w, turn));
                if (turn % 3 != 0) file.commit();
            }
        } catch (const FileError& error) {
            std::fprintf(stderr, "%s\n", error.what());
            code = 1;
        }
        ::_exit(code);
    }
    for (const pid_t writer : writers) {
        int status = -1;
        ::waitpid(writer, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const std::string last = content(dir / "a");
    EXPECT_EQ(last, std::string(2000, last.empty() ? '?' : last[0]));
    EXPECT_EQ(names(), Names{"a"});
}

}  // namespace
}  // namespace armature

// Inputs made to hurt: an error or a result, soon, and never a crash.
#include "scene_test.h"

#include <chrono>

namespace armature {
namespace {

using namespace testing_scene;

std::string repeated(const std::string& piece, int n) {
    std::string text;
    text.reserve(piece.size() * static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) text += piece;
    return text;
}

// The message of the first error. The bound is generous: it must hold on a busy machine and under sanitizers.
std::string verdict(const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    const auto errors = findings(text);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 30.0) << text.substr(0, 80);
    return errors.empty() ? "fine" : errors[0].substr(errors[0].find(' ') + 1);
}

TEST(Hostile, Nesting) {
    EXPECT_EQ(verdict(repeated("group a ", 100'000)), "more than 64 blocks inside one another");
    EXPECT_EQ(verdict(repeated("group a ", 100'000) + repeated("end ", 100'000)),
              "more than 64 blocks inside one another");
    EXPECT_EQ(verdict(repeated("object a ", 100'000)), "this 'object' is not closed");
    EXPECT_EQ(verdict("object a mass " + repeated("(", 100'000) + "1" + repeated(")", 100'000) + "; end"),
              "more than 200 parentheses inside one another");
    EXPECT_EQ(verdict("object a mass " + repeated("sin(", 100'000) + "1; end"), "this expression is nested too deeply");
    EXPECT_EQ(verdict("object a mass " + repeated("2^", 100'000) + "1; end"), "this expression is nested too deeply");
    EXPECT_EQ(verdict("object a mass " + repeated("-", 100'000) + "1; end"), "fine");
    EXPECT_EQ(verdict("object a mass " + repeated("1+", 100'000) + "1; end"), "this expression is too long");
    EXPECT_EQ(verdict("object a mass " + repeated("min(1,", 150) + "1" + repeated(")", 150) + "; end"), "fine");
    EXPECT_EQ(verdict("object " + repeated("a[", 100'000) + " end"), "this index is not closed");
}

TEST(Hostile, Expansion) {
    const std::string statements = "the scene has more than 1000000 statements when repeats and groups are written out";
    const std::string objects = "the scene has more than 200000 objects and placements";
    EXPECT_EQ(verdict("repeat i from 1 to 1e9 end"), "this repeats 1e+09 times; 1000000 is the limit");
    EXPECT_EQ(verdict("repeat i from 1 to inf end"), "this number must be finite");
    EXPECT_EQ(verdict("repeat i from -1e308 to 1e308 end"), "this repeats inf times; 1000000 is the limit");
    EXPECT_EQ(verdict("repeat i from 1 to 1000 repeat j from 1 to 1000 repeat k from 1 to 1000 end end end"),
              statements);
    EXPECT_EQ(verdict("repeat i from 1 to 1000 repeat j from 1 to 1000 object a[i][j] end end end"), objects);
    EXPECT_EQ(verdict(repeated("constraint end ", 700'000)),
              "the scene has more than 400000 blocks when repeats and groups are written out");
    EXPECT_EQ(verdict("repeat i from 1 to 150000 joint j[i] type flying; end end"),
              "the scene has more than 100000 joints by name");
    std::string doubling = "group g0 object a end end ";
    for (int i = 1; i <= 30; ++i) {
        const std::string inner = "place g" + std::to_string(i - 1) + " as ";
        doubling += "group g" + std::to_string(i) + " " + inner + "a end " + inner + "b end end ";
    }
    EXPECT_EQ(verdict(doubling + "place g30 as x end"), objects);
    EXPECT_EQ(verdict("repeat i from 1 to 100000 object a[i] mass " + repeated("1+", 4'000) + "1; end end"),
              "this scene takes too much work to write out");
    EXPECT_EQ(verdict("path p " +
                      [] {
                          std::string keys;
                          for (int i = 0; i < 20'000; ++i) keys += "key " + std::to_string(i) + " 0 0 0;";
                          return keys;
                      }() +
                      " end repeat i from 1 to 10000 object o[i] follow p; end end"),
              "paths and tracks with too many keys are used too often");
}

TEST(Hostile, Size) {
    EXPECT_EQ(verdict(std::string((16u << 20) + 1, ' ')), "this text is larger than 16 MiB");
    EXPECT_EQ(verdict(std::string(15u << 20, ';')), "nothing stands before this ';'");
    EXPECT_EQ(verdict(std::string(15u << 20, '$')), "the character '$' cannot stand here");
    EXPECT_EQ(verdict(std::string(15u << 20, '(')), "expected a keyword, found '('");
    EXPECT_EQ(verdict("object " + std::string(15u << 20, 'a') + " end"), "this name is longer than 256 characters");
    EXPECT_EQ(verdict("title \"" + std::string(15u << 20, 'a') + "\";"), "this text is longer than 4096 bytes");
    EXPECT_EQ(verdict(repeated("/* ", 5 << 20)), "this comment is not closed");
    EXPECT_EQ(verdict(repeated("end ", 3 << 20)), "'end' without a block to close");
    EXPECT_EQ(verdict("object a mass " + std::string(1u << 20, '9') + "; end"), "this number is too large");
}

TEST(Hostile, ManyErrorsAndManyNames) {
    EXPECT_EQ(verdict("repeat i from 1 to 100000 object a[i] mass q; end end"), "there is no parameter 'q'");
    EXPECT_EQ(
        verdict("repeat i from 1 to 100000 constraint object2 q[i]; end end repeat i from 1 to 90000 object z[i] end "
                "end"),
        "there is no object 'q[1]'");
    std::string parameters = "parameter a0 1;";
    for (int i = 1; i < 100'000; ++i)
        parameters += "parameter a" + std::to_string(i) + " a" + std::to_string(i - 1) + ";";
    EXPECT_EQ(verdict(parameters), "fine");
}

TEST(Hostile, OddFiles) {
    Diagnostics diagnostics;
    load_file("/dev/zero", {}, diagnostics);
    load_file("/", {}, diagnostics);
    load_file("/nonexistent/file.arm", {}, diagnostics);
    load_file("", {}, diagnostics);
    EXPECT_EQ(diagnostics.all().size(), 4u);
    for (const Diagnostic& d : diagnostics.all()) EXPECT_EQ(d.severity, Severity::error);
}

}  // namespace
}  // namespace armature

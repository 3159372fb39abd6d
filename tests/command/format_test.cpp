// `armature format` and `armature assemble`: the verbs that write scenes.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "command/command.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Format : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        put("messy.arm",
            "object a /* first */ sphere radius   1; end\n\n\n\n// last\nobject b sphere radius 2;\nend\n");
    }
};

TEST_F(Format, PrintsTheUsualForm) {
    const Outcome once = command({"format", "messy.arm"});
    EXPECT_EQ(once.code, 0);
    EXPECT_THAT(once.err, IsEmpty());
    EXPECT_THAT(once.out, HasSubstr("/* first */"));
    EXPECT_THAT(once.out, HasSubstr("// last\n"));
    EXPECT_THAT(once.out, HasSubstr("\n  sphere radius 1;\n"));
    put("clean.arm", once.out);
    EXPECT_EQ(command({"format", "clean.arm"}).out, once.out);
}

TEST_F(Format, ChecksWithoutChanging) {
    const std::string before = get("messy.arm");
    put("clean.arm", command({"format", "messy.arm"}).out);
    const Outcome outcome = command({"format", "--check", "clean.arm", "messy.arm"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "messy.arm\n");
    EXPECT_EQ(get("messy.arm"), before);
    EXPECT_EQ(command({"format", "--check", "clean.arm"}).code, 0);
}

TEST_F(Format, RewritesInPlace) {
    const std::string expected = command({"format", "messy.arm"}).out;
    const Outcome outcome = command({"format", "-i", "messy.arm", "chain.arm"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out + outcome.err, IsEmpty());
    EXPECT_EQ(get("messy.arm"), expected);
    EXPECT_EQ(command({"format", "--check", "messy.arm", "chain.arm"}).code, 0);
    EXPECT_EQ(names(), (std::vector<std::string>{"chain.arm", "messy.arm", "pendulum.arm"}));
}

TEST_F(Format, ATextWithErrorsStaysAsItIs) {
    const std::string text = "object a sphere radius ; end\n";
    put("bad.arm", text);
    const Outcome outcome = command({"format", "-i", "bad.arm"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("bad.arm:1:"));
    EXPECT_THAT(outcome.err, HasSubstr("^"));
    EXPECT_EQ(get("bad.arm"), text);
    EXPECT_EQ(command({"format", "missing.arm"}).code, 2);
    EXPECT_THAT(command({"format", "messy.arm", "chain.arm"}).err, HasSubstr("--in-place or --check"));
}

class Assemble : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        // The second link hangs half a metre off its place.
        put("open.arm",
            "object a box size 1 0.1 0.1; at 0.5 0 0; end  // kept\n"
            "object b box size 1 0.1 0.1; at 1.5 0.5 0; end\n"
            "constraint nail object1 a; hinge -0.5 0 0 0 0 0; end\n"
            "constraint pin object1 b; object2 a; hinge -0.5 0 0 0.5 0 0; end\n");
    }
};

TEST_F(Assemble, SaysThatTheJointsHold) {
    const Outcome outcome = command({"assemble", "open.arm"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, StartsWith("assembled"));
    EXPECT_EQ(nlohmann::json::parse(command({"assemble", "open.arm", "--json"}).out)["assembly"]["result"],
              "satisfied");
    EXPECT_EQ(names(), (std::vector<std::string>{"chain.arm", "open.arm", "pendulum.arm"}));
}

TEST_F(Assemble, WritesASceneThatNeedsNoMoreAssembly) {
    const Outcome outcome = command({"assemble", "open.arm", "--out", "closed.arm"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(get("closed.arm"), HasSubstr("// kept"));
    const auto again = nlohmann::json::parse(command({"assemble", "closed.arm", "--json"}).out);
    EXPECT_EQ(again["assembly"]["result"], "satisfied");
    EXPECT_LE(again["assembly"]["iterations"], 1);
    // To the last bit: both start the run from the same state.
    EXPECT_EQ(command({"run", "open.arm", "--time", "0.2", "--hashes", "1"}).code, 0);
    EXPECT_EQ(command({"run", "closed.arm", "--time", "0.2", "--set", "simulation.assemble=no", "--hashes", "2"}).code,
              0);
    EXPECT_EQ(get("1"), get("2"));
}

TEST_F(Assemble, TheSceneOnStdoutHasItForItself) {
    const Outcome outcome = command({"assemble", "open.arm", "--out", "-"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, StartsWith("object a"));
    EXPECT_THAT(outcome.err, StartsWith("assembled"));
}

TEST_F(Assemble, WhatCannotHoldIsNamed) {
    put("torn.arm",
        "object rod box size 1 0.1 0.1; end\n"
        "constraint left object1 rod; hinge -0.5 0 0 -5 0 0; end\n"
        "constraint right object1 rod; hinge 0.5 0 0 5 0 0; end\n");
    const Outcome torn = command({"assemble", "torn.arm"});
    EXPECT_EQ(torn.code, 1);
    EXPECT_THAT(torn.out, HasSubstr("LEAST SQUARES"));
    EXPECT_THAT(torn.out, HasSubstr("`left`  (torn.arm:2)"));
    EXPECT_THAT(torn.out, HasSubstr("`right`  (torn.arm:3)"));
    EXPECT_THAT(torn.err, IsEmpty());
}

}  // namespace
}  // namespace armature::test

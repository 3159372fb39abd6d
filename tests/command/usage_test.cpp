// How the command takes its orders, and what it says to bad ones.
#include <gmock/gmock.h>

#include <filesystem>

#include "command/command.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class Usage : public CommandTest {};

TEST_F(Usage, HelpLeadsWithExamples) {
    for (const std::string verb : {"", "check", "run", "assemble", "doctor", "studio", "format", "list"}) {
        Arguments arguments = {"--help"};
        if (!verb.empty()) arguments.insert(arguments.begin(), verb);
        const Outcome outcome = command(arguments);
        EXPECT_EQ(outcome.code, 0) << verb;
        EXPECT_THAT(outcome.err, IsEmpty());
        const auto examples = outcome.out.find("EXAMPLES\n"), options = outcome.out.find("OPTIONS\n");
        ASSERT_NE(examples, std::string::npos) << verb;
        ASSERT_NE(options, std::string::npos) << verb;
        EXPECT_LT(examples, options);
        EXPECT_LT(examples, 120u) << "nothing but a line of description comes before the examples";
        EXPECT_THAT(outcome.out, HasSubstr("armature " + verb));
        EXPECT_THAT(outcome.out, HasSubstr("EXIT CODES"));
    }
}

TEST_F(Usage, EveryExampleOfTheHelpWorksWithTheScenesOfTheProject) {
    std::filesystem::copy(ARMATURE_SOURCE_DIR "/scenes", folder / "scenes", std::filesystem::copy_options::recursive);
    for (const std::string verb : {"check", "run", "assemble", "doctor", "format", "list"}) {
        const std::string help = command({verb, "--help"}).out;
        const std::string begin = "    armature ";
        const std::size_t end = help.find("USAGE");
        for (std::size_t at = help.find(begin); at < end; at = help.find(begin, at + 1)) {
            std::string line = help.substr(at + begin.size(), help.find('\n', at) - at - begin.size());
            line = line.substr(0, line.find("   "));  // then comes what it is for
            const Outcome outcome = shell("armature " + line, folder);
            EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.out;
        }
    }
}

TEST_F(Usage, Version) {
    const Outcome outcome = command({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, testing::MatchesRegex("armature [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Usage, NothingToDo) {
    const Outcome outcome = command({});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("armature --help"));
}

struct BadUsage {
    Arguments arguments;
    std::string message;
};

TEST_F(Usage, WhatIsWrongIsNamedAndTheNearestRightWordToo) {
    const std::vector<BadUsage> cases = {
        {{"chekc", "pendulum.arm"}, "did you mean 'check'?"},
        {{"rnu", "pendulum.arm"}, "did you mean 'run'?"},
        {{"frobnicate"}, "unknown verb frobnicate"},
        {{"pendulum.arm"}, "armature run pendulum.arm"},
        {{"run", "pendulum.arm", "--tiem", "3"}, "did you mean '--time'?"},
        {{"run", "pendulum.arm", "--tiem=3"}, "unknown option --tiem of armature run"},
        {{"run", "--max_gap", "3", "pendulum.arm"}, "did you mean '--max-gap'?"},
        {{"--versoin"}, "did you mean '--version'?"},
        {{"run"}, "armature run needs a scene file"},
        {{"check"}, "armature check needs a scene file"},
        {{"assemble"}, "armature assemble needs a scene file"},
        {{"doctor"}, "armature doctor needs a scene file"},
        {{"format"}, "armature format needs a scene file"},
        {{"run", "pendulum.arm", "chain.arm"}, "one argument too many: chain.arm"},
        {{"run", "pendulum.arm", "--time"}, "--time"},
        {{"run", "pendulum.arm", "--time", "1", "--time", "2"}, "--time"},
        {{"run", "pendulum.arm", "--columns", "time"}, "there is no --out"},
        {{"run", "pendulum.arm", "--json", "--out", "-"}, "--json"},
        {{"format", "--check", "-i", "pendulum.arm"}, "exclude each other"},
        {{"list"}, "one of solvers"},
        {{"list", "slovers"}, "did you mean 'solvers'?"},
        {{"list", "everything"}, "one of solvers"},
        {{"run", "pendulum.arm", "--set", "length"}, "NAME=VALUE"},
        {{"run", "pendulum.arm", "--set", "=3"}, "NAME=VALUE"},
        {{"run", "pendulum.arm", "--set", "lenght=3"}, "did you mean 'length'?"},
        {{"run", "pendulum.arm", "--snapshot-at", "soon=a.snap"}, "--snapshot-at"},
        {{"run", "pendulum.arm", "--snapshot-at", "0.2"}, "--snapshot-at"},
        {{"run", "pendulum.arm", "--snapshot-at", "9=a.snap"}, "ends before that"},
        {{"run", "pendulum.arm", "--solver", "displacment"}, "did you mean 'displacement'?"},
        {{"run", "pendulum.arm", "--time", "-1"}, "--time"},
        {{"run", "pendulum.arm", "--time", "soon"}, "soon"},
        {{"run", "pendulum.arm", "--dt", "0"}, "dt"},
        {{"run", "pendulum.arm", "--out", "a.csv", "--columns", "rod.att"}, "did you mean 'rod.at'?"},
    };
    for (const BadUsage& bad : cases) {
        const Outcome outcome = command(bad.arguments);
        const std::string line = testing::PrintToString(bad.arguments);
        EXPECT_EQ(outcome.code, 2) << line;
        EXPECT_THAT(outcome.err, HasSubstr(bad.message)) << line;
        EXPECT_THAT(outcome.out, IsEmpty()) << line;
    }
    EXPECT_EQ(names(), (std::vector<std::string>{"chain.arm", "pendulum.arm"})) << "bad usage writes nothing";
}

TEST_F(Usage, ListsNameWhatThereIs) {
    const std::vector<std::pair<std::string, Arguments>> expected = {
        {"solvers", {"displacement"}},
        {"joints",
         {"pin, revolute", "universal", "ball_in_cylinder", "hinge", "axial", "planar", "angle", "twist", "valid"}},
        {"shapes", {"sphere", "box", "cylinder", "capsule", "ellipsoid", "plane", "mesh"}},
        {"forces", {"gravity", "force", "torque", "spring", "drag"}},
        {"schemes", {"euler", "newton", "stormer", "verlet"}},
        {"language", {"constraint", "repeat", "include"}},
    };
    for (const auto& [what, words] : expected) {
        const Outcome outcome = command({"list", what});
        EXPECT_EQ(outcome.code, 0) << what;
        EXPECT_THAT(outcome.err, IsEmpty());
        for (const std::string& word : words) EXPECT_THAT(outcome.out, HasSubstr(word)) << what;
    }
}

TEST_F(Usage, EverySchemeOfTheListHasItsLine) {
    std::istringstream lines(command({"list", "schemes"}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_GT(line.size(), 20u) << line;
}

TEST_F(Usage, AReaderWhoHasSeenEnoughIsNoError) {
    EXPECT_EQ(shell("armature list language 2>&1 1>/dev/full", folder).out,
              "armature: error: cannot write standard output: No space left on device\n");
    EXPECT_EQ(shell("armature list language >/dev/full", folder).code, 2);
    EXPECT_THAT(shell("(armature list language; echo $? >code) | head -n 1; cat code", folder).out, HasSubstr("\n0\n"));
}

}  // namespace
}  // namespace armature::test

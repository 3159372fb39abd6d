// What a run prints and writes.
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "command/command.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

class Run : public CommandTest {};

TEST_F(Run, ReportsOnStdoutAndIsSilentOnStderr) {
    const Outcome outcome = command({"run", "pendulum.arm"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    for (const char* word : {"a pendulum", "converged", "worst gap", "energy", "iterations", "30 frames", "real time"})
        EXPECT_THAT(outcome.out, HasSubstr(word));
    EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
}

TEST_F(Run, WritesTables) {
    const Outcome outcome = command({"run", "pendulum.arm", "--time", "0.1", "--out", "a.csv", "-o", "b.csv",
                                     "--columns", "time,rod.at", "--columns", "nail.error"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto lines = lines_of(get("a.csv"));
    ASSERT_EQ(lines.size(), 1u + 7u);  // the start and six frames of 1/60 s
    EXPECT_EQ(lines[0], "time,rod.at.x,rod.at.y,rod.at.z,nail.error");
    EXPECT_THAT(lines[1], StartsWith("0,0.5,0,0,"));
    EXPECT_THAT(lines[7], StartsWith("0.1,0.4"));
    EXPECT_EQ(get("a.csv"), get("b.csv"));
    EXPECT_EQ(names(), (std::vector<std::string>{"a.csv", "b.csv", "chain.arm", "pendulum.arm"}));
}

TEST_F(Run, ATableOnStdoutHasItForItself) {
    const Outcome outcome = command({"run", "pendulum.arm", "--out", "-", "--columns", "time"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(lines_of(outcome.out).size(), 32u);
    EXPECT_THAT(outcome.out, StartsWith("time\n0\n"));
    EXPECT_THAT(outcome.err, HasSubstr("worst gap"));
}

TEST_F(Run, QuietSaysNothing) {
    const Outcome outcome = command({"run", "pendulum.arm", "--quiet"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out + outcome.err, IsEmpty());
}

TEST_F(Run, JsonHoldsTheReport) {
    const Outcome outcome = command({"run", "pendulum.arm", "--json"});
    EXPECT_EQ(outcome.code, 0);
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(report["good"], true);
    EXPECT_EQ(report["frames"], 30);
    EXPECT_EQ(report["title"], "a pendulum");
    EXPECT_EQ(report["assembly"]["result"], "satisfied");
    EXPECT_EQ(report["worst_gap"]["joint"]["name"], "nail");
    EXPECT_EQ(report["worst_gap"]["joint"]["place"], "pendulum.arm:10");
    EXPECT_LT(report["worst_gap"]["value"], 1e-4);
    for (const char* key : {"rms_gap", "worst_angle", "energy", "momentum", "angular_momentum", "steps", "iterations",
                            "work", "failures", "seconds", "real_time_factor", "max_gap", "interrupted"})
        EXPECT_TRUE(report.contains(key)) << key;
}

TEST_F(Run, SettingsAreExpressionsAndReachEverything) {
    const Outcome outcome = command({"run", "pendulum.arm", "--set", "length=2*3", "--set", "rod.box.size.y=1/3",
                                     "--dt", "1/120", "--time", "2/60", "--out", "-", "--columns", "time,rod.at.x"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 6u);
    EXPECT_EQ(lines[1], "0,3");
    EXPECT_THAT(lines[2], StartsWith("0.008333333333333333,"));
}

TEST_F(Run, ABrokenBoundIsExitCodeOne) {
    // 1 kg at the end of a chain whose first nail is missed by what one iteration leaves.
    const Outcome outcome = command({"run", "chain.arm", "--set", "simulation.iterations=1", "--max-gap", "1e-9"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("NOT CONVERGED"));
    const Outcome json =
        command({"run", "chain.arm", "--set", "simulation.iterations=1", "--max-gap", "1e-9", "--json"});
    EXPECT_EQ(json.code, 1);
    EXPECT_EQ(nlohmann::json::parse(json.out)["good"], false);
}

TEST_F(Run, AnImpossibleSceneIsNamedAndExitCodeOne) {
    put("torn.arm",
        "object rod box size 1 0.1 0.1; end\n"
        "constraint left object1 rod; hinge -0.5 0 0 -5 0 0; end\n"
        "constraint right object1 rod; hinge 0.5 0 0 5 0 0; end\n");
    const Outcome outcome = command({"run", "torn.arm", "--time", "0.1"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("left"));
    EXPECT_THAT(outcome.out, HasSubstr("NOT CONVERGED"));
}

TEST_F(Run, BadScenesAreExitCodeTwoWithEveryError) {
    put("bad.arm", "object a\n  sphere radius -1;\n  mas 3;\nend\nconstraint object1 b; end\n");
    for (const char* verb : {"run", "check", "assemble"}) {
        const Outcome outcome = command({verb, "bad.arm"});
        EXPECT_EQ(outcome.code, 2) << verb;
        EXPECT_THAT(outcome.out, IsEmpty());
        EXPECT_THAT(outcome.err, HasSubstr("bad.arm:3:3: error: "));
        EXPECT_THAT(outcome.err, HasSubstr("did you mean 'mass'?"));
        EXPECT_THAT(outcome.err, HasSubstr("    ^^^"));
        EXPECT_THAT(outcome.err, HasSubstr("'b'"));
    }
}

TEST_F(Run, FilesThatCannotBeReadOrWrittenAreToldBeforeTheRun) {
    const auto expect = [this](const Arguments& arguments, const std::string& message) {
        const Outcome outcome = command(arguments);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr(message));
        EXPECT_THAT(outcome.out, IsEmpty());
    };
    expect({"run", "missing.arm"}, "missing.arm");
    expect({"run", "pendulum.arm", "--out", "no/such/folder.csv"},
           "cannot write no/such/folder.csv: No such file or directory");
    expect({"run", "pendulum.arm", "--out", "."}, "cannot write .: Is a directory");
    expect({"run", "pendulum.arm", "--hashes", "no/h"}, "cannot write no/h");
    expect({"run", "pendulum.arm", "--snapshot-at", "0=no/s"}, "cannot write no/s");
    expect({"run", "pendulum.arm", "--restore", "missing.snap"}, "cannot read missing.snap: No such file or directory");
    expect({"run", "pendulum.arm", "--restore", "chain.arm"}, "chain.arm");
    expect({"run", "pendulum.arm", "--out", "./pendulum.arm"}, "is the scene itself");
    EXPECT_THAT(get("pendulum.arm"), StartsWith("title"));
}

TEST_F(Run, AFullDiskIsToldAndTheOtherFilesAreWritten) {
    const Outcome outcome = command({"run", "pendulum.arm", "--out", "/dev/full", "--out", "good.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cannot write /dev/full: No space left on device"));
    EXPECT_EQ(lines_of(get("good.csv")).size(), 32u);
    EXPECT_THAT(outcome.out, HasSubstr("converged"));
}

TEST_F(Run, ASnapshotContinuesBitForBitInAnotherProcess) {
    ASSERT_EQ(command({"run", "chain.arm", "--hashes", "whole.txt", "--snapshot-at", "0.25=half.snap"}).code, 0);
    ASSERT_EQ(command({"run", "chain.arm", "--restore", "half.snap", "--hashes", "rest.txt"}).code, 0);
    const auto whole = lines_of(get("whole.txt")), rest = lines_of(get("rest.txt"));
    ASSERT_EQ(whole.size(), 31u);
    ASSERT_EQ(rest.size(), 16u);
    EXPECT_EQ(rest, std::vector<std::string>(whole.begin() + 15, whole.end()));
    EXPECT_THAT(whole[0], testing::MatchesRegex("0 [0-9a-f]+"));

    const Outcome other = command({"run", "pendulum.arm", "--restore", "half.snap"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.err, HasSubstr("half.snap"));
}

TEST_F(Run, CtrlCWritesWhatThereIs) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Running run({"run", "chain.arm", "--time", "1e5", "--out", "long.csv", "--columns", "time"}, folder);
        // The table is in its temporary file once the run is under way.
        for (int i = 0; i < 1000 && names().size() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_EQ(names().front().substr(0, 9), ".long.csv");
        run.send(signal);
        const Outcome outcome = run.wait();
        EXPECT_EQ(outcome.code, 1);
        EXPECT_THAT(outcome.out, HasSubstr("INTERRUPTED"));
        EXPECT_EQ(names(), (std::vector<std::string>{"chain.arm", "long.csv", "pendulum.arm"}));
        EXPECT_GT(lines_of(get("long.csv")).size(), 1u);
        EXPECT_EQ(get("long.csv").back(), '\n');
        std::filesystem::remove(folder / "long.csv");
    }
}

TEST_F(Run, AKilledRunLeavesTheOldTableAndTheNextOneClearsUp) {
    put("long.csv", "old\n");
    {
        Running run({"run", "chain.arm", "--time", "1e5", "--out", "long.csv"}, folder);
        for (int i = 0; i < 1000 && names().size() < 4; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        run.send(SIGKILL);
        EXPECT_EQ(run.wait().code, -SIGKILL);
    }
    EXPECT_EQ(get("long.csv"), "old\n");
    EXPECT_EQ(names().size(), 4u);
    EXPECT_EQ(command({"run", "chain.arm", "--time", "0.1", "--out", "long.csv"}).code, 0);
    EXPECT_EQ(names(), (std::vector<std::string>{"chain.arm", "long.csv", "pendulum.arm"}));
}

TEST_F(Run, ATerminalGetsABarAndColoursUnlessItRefusesThem) {
    const Arguments arguments = {"run", "chain.arm", "--time", "1"};
    const Outcome rich = armature_on_terminal(arguments, folder);
    EXPECT_EQ(rich.code, 0);
    EXPECT_THAT(rich.out, HasSubstr("\rchain.arm ["));
    EXPECT_THAT(rich.out, HasSubstr(" of 1 s"));
    EXPECT_THAT(rich.out, HasSubstr("\x1b[K"));
    EXPECT_THAT(armature_on_terminal({"nonsense"}, folder).out, HasSubstr("\x1b[1;31merror:\x1b[0m"));
    for (const Environment& plain : {Environment{{"NO_COLOR", "1"}}, Environment{{"TERM", "dumb"}}}) {
        EXPECT_THAT(armature_on_terminal(arguments, folder, plain).out, Not(HasSubstr("\x1b")));
        EXPECT_THAT(armature_on_terminal({"nonsense"}, folder, plain).out, Not(HasSubstr("\x1b")));
    }
    EXPECT_THAT(armature_on_terminal({"run", "chain.arm", "--quiet"}, folder).out, IsEmpty());
}

TEST_F(Run, CheckCountsWhatItFound) {
    const Outcome outcome = command({"check", "pendulum.arm", "chain.arm"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    EXPECT_EQ(outcome.out,
              "pendulum.arm: fine; 1 solids (1 dynamic), 1 joints, 1 islands\n"
              "chain.arm: fine; 20 solids (20 dynamic), 20 joints, 1 islands\n");
}

}  // namespace
}  // namespace armature::test

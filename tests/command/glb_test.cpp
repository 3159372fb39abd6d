// `armature run --out x.glb`: what the file holds, and what is left of it when the run is interrupted or killed.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <random>
#include <thread>

#include "command/command.h"
#include "support/glb_reader.h"
#include "support/test_scale.h"

namespace armature::test {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::IsEmpty;

class GlbRun : public CommandTest {
  protected:
    Glb glb(const std::string& name) const { return read_glb(get(name)); }
};

TEST_F(GlbRun, WritesMotionAndReportBesideTheTable) {
    const Outcome outcome =
        command({"run", "pendulum.arm", "--json", "--out", "a.glb", "--out", "a.csv", "--columns", "time"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Glb a = glb("a.glb");
    EXPECT_EQ(frames_of(a), 31u);
    const auto& extras = a.json["scenes"][0]["extras"];
    EXPECT_EQ(extras["title"], "a pendulum");
    EXPECT_EQ(extras["dt"], 1.0 / 60);
    EXPECT_EQ(extras["report"], nlohmann::json::parse(outcome.out));
    EXPECT_EQ(extras["report"]["worst_gap"]["joint"]["name"], "nail");
    EXPECT_EQ(names(), (std::vector<std::string>{"a.csv", "a.glb", "chain.arm", "pendulum.arm"}));
}

TEST_F(GlbRun, TheEndingOfTheNameSaysWhichFormat) {
    EXPECT_EQ(command({"run", "pendulum.arm", "--out", "A.GLB", "--out", "B.Csv", "--out", "plain"}).code, 0);
    EXPECT_EQ(frames_of(glb("A.GLB")), 31u);
    EXPECT_THAT(get("B.Csv"), testing::StartsWith("time,"));
    EXPECT_EQ(get("plain"), get("B.Csv"));

    const Outcome unknown = command({"run", "pendulum.arm", "--out", "good.csv", "--out", "a.gltf"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("--out a.gltf: files that end in .gltf are not known"));
    EXPECT_THAT(unknown.err, HasSubstr("known are .csv and .glb"));
    EXPECT_THAT(unknown.out, IsEmpty());
    EXPECT_EQ(names(), (std::vector<std::string>{"A.GLB", "B.Csv", "chain.arm", "pendulum.arm", "plain"}));

    const Outcome columns = command({"run", "pendulum.arm", "--out", "a.glb", "--columns", "time"});
    EXPECT_EQ(columns.code, 2);
    EXPECT_THAT(columns.err, HasSubstr("--columns is for CSV files"));
}

TEST_F(GlbRun, AFileThatWouldBeTooLargeIsToldBeforeTheRun) {
    const Outcome outcome = command({"run", "chain.arm", "--time", "1e6", "--out", "a.glb"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cannot write a.glb: it would take 33.8 GB, and a .glb file ends at 4.29 GB"));
    EXPECT_EQ(names().size(), 2u);
}

TEST_F(GlbRun, CtrlCLeavesAShorterFile) {
    for (const int signal : {SIGINT, SIGTERM}) {
        Running run({"run", "chain.arm", "--time", "1e4", "--out", "long.glb"}, folder);
        for (int i = 0; i < 1000 && names().size() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        run.send(signal);
        const Outcome outcome = run.wait();
        EXPECT_EQ(outcome.code, 1);
        EXPECT_THAT(outcome.out, HasSubstr("INTERRUPTED"));
        EXPECT_EQ(names(), (std::vector<std::string>{"chain.arm", "long.glb", "pendulum.arm"}));
        const Glb shorter = glb("long.glb");
        const auto& report = shorter.json["scenes"][0]["extras"]["report"];
        EXPECT_EQ(report["interrupted"], true);
        EXPECT_EQ(report["good"], false);
        EXPECT_GT(frames_of(shorter), 1u);
        EXPECT_EQ(frames_of(shorter), report["frames"].get<std::size_t>() + 1);
        std::filesystem::remove(folder / "long.glb");
    }
}

/// Runs whose file is large enough (some 4 MB) for a kill to hit its writing.
class GlbKillsSlow : public GlbRun {
  protected:
    void SetUp() override {
        GlbRun::SetUp();
        put("balls.arm",
            "repeat i from 1 to 400\n"
            "  object ball[i] sphere radius 0.1; at i 0 0; velocity 0 i 1; spin 1 2 i/100; end\n"
            "end\n");
    }

    static Arguments arguments(int frames) {
        return {"run",   "balls.arm", "--quiet", "--dt", "1/60", "--time", std::to_string(frames) + "/60",
                "--out", "balls.glb"};
    }
    std::vector<std::string> temporaries() const {
        std::vector<std::string> found;
        for (const std::string& name : names())
            if (name.starts_with(".")) found.push_back(name);
        return found;
    }
    /// Bytes of the temporary file that is not among `earlier` ones, when there is one.
    std::optional<std::uintmax_t> written_since(const std::vector<std::string>& earlier) const {
        for (const std::string& name : temporaries()) {
            if (std::find(earlier.begin(), earlier.end(), name) != earlier.end()) continue;
            std::error_code gone;
            const std::uintmax_t size = std::filesystem::file_size(folder / name, gone);
            if (!gone) return size;
        }
        return {};
    }
    void wait_until_writing(const std::vector<std::string>& earlier, duration<double> most) const {
        const auto give_up = steady_clock::now() + most;
        bool opened = false;
        while (steady_clock::now() < give_up) {
            const auto size = written_since(earlier);
            opened = opened || size;
            if (opened && (!size || *size > 0)) return;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    }
};

TEST_F(GlbKillsSlow, AHundredKillsLeaveTheOldFileOrTheNewOne) {
    const auto begin = steady_clock::now();
    ASSERT_EQ(command(arguments(300)).code, 0);
    const duration<double> whole = steady_clock::now() - begin;
    std::size_t old_frames = frames_of(glb("balls.glb"));
    ASSERT_EQ(old_frames, 301u);

    std::mt19937 random(1);  // the machine's own timing makes every run of this test another one
    const auto uniform = [&](double most) { return std::generate_canonical<double, 32>(random) * most; };
    int before = 0, torn = 0, after = 0;
    const int kills = scaled(100, 10);
    for (int kill = 0; kill < kills; ++kill) {
        const std::size_t new_frames = kill % 2 == 0 ? 251 : 301;
        const auto earlier = temporaries();
        Running run(arguments(static_cast<int>(new_frames) - 1), folder);
        if (kill % 4 < 2) {  // at any moment
            std::this_thread::sleep_for(duration<double>(uniform(1.1 * whole.count())));
        } else {
            wait_until_writing(earlier, 10 * whole);
            std::this_thread::sleep_for(duration<double>(uniform(0.02)));
        }
        run.send(SIGKILL);
        run.wait();

        const std::size_t frames = frames_of(glb("balls.glb"));  // throws when it is torn
        EXPECT_TRUE(frames == old_frames || frames == new_frames) << frames;
        EXPECT_LE(temporaries().size(), 1u) << "leftovers of earlier kills stay";
        ++(written_since(earlier).value_or(0) > 0         ? torn
           : frames == new_frames && frames != old_frames ? after
                                                          : before);
        old_frames = frames;
    }
    RecordProperty("killed_before_writing", before);
    RecordProperty("killed_while_writing", torn);
    RecordProperty("killed_after", after);
    std::printf("killed %d before, %d while, %d after the file was written\n", before, torn, after);
    EXPECT_GT(torn, 0) << "no kill hit the writing";

    ASSERT_EQ(command(arguments(300)).code, 0);
    EXPECT_EQ(frames_of(glb("balls.glb")), 301u);
    EXPECT_EQ(names(), (std::vector<std::string>{"balls.arm", "balls.glb", "chain.arm", "pendulum.arm"}));
}

TEST_F(GlbKillsSlow, TwoRunsThatWriteOneFileDoNotDisturbEachOther) {
    for (int i = 0; i < 5; ++i) {
        Running first(arguments(100), folder), second(arguments(120), folder);
        EXPECT_EQ(first.wait().code, 0);
        EXPECT_EQ(second.wait().code, 0);
        const std::size_t frames = frames_of(glb("balls.glb"));
        EXPECT_TRUE(frames == 101 || frames == 121) << frames;
        EXPECT_THAT(temporaries(), IsEmpty());
    }
}

}  // namespace
}  // namespace armature::test

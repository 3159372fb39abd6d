// What takes long runs beside the simulation: steps go on, viewers hear how far it is, and it can be given up.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "armature/studio/background.h"
#include "armature/studio/export_files.h"
#include "command_bench.h"

namespace armature::jobs_test {

using namespace std::chrono_literals;
using studio::Background;
using studio::Cancelled;
using studio::Studio;
using test::Bench;

/// Work that waits until it is let go.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false, reached = false;

    void pass(Background::Job& job) {
        std::unique_lock lock(mutex);
        reached = true;
        changed.notify_all();
        while (!open) {
            changed.wait_for(lock, 5ms);
            job.progress(0.5);
        }
    }
    void wait_until_reached() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return reached; });
    }
    void let_go() {
        const std::lock_guard lock(mutex);
        open = true;
        changed.notify_all();
    }
};

template <class Done>
void tick_until(Bench& bench, const Done& done) {
    for (int k = 0; k < 3000 && !done(); ++k) {
        bench.get().tick(studio::Clock::now());
        std::this_thread::sleep_for(2ms);
    }
    EXPECT_TRUE(done());
}

Json last_job(const Bench& bench) {
    Json last;
    for (const Json& e : bench.events)
        if (e["event"] == "job") last = e;
    return last;
}

TEST(StudioJobs, StatesArriveBetweenTheBeginAndTheEndOfAnExport) {
    Gate gate;  // outlives the studio, whose jobs use it
    Bench bench;
    bench({{"do", "step"}, {"frames", 200}});
    // Something ahead of the export holds the thread until states have come: that they come does not hang on who is faster.
    bench.get().background().add(
        "held", [&](Background::Job& j) { gate.pass(j); }, [](const Background::Job&) {});
    std::optional<Studio::Exported> csv, glb;
    bench.get().export_file("csv", [&](Studio::Exported e) { csv = std::move(e); });
    bench.get().export_file("glb", [&](Studio::Exported e) { glb = std::move(e); });
    gate.wait_until_reached();
    bench({{"do", "speed"}, {"factor", 0}});
    bench({{"do", "play"}});
    const std::int64_t began = bench.get().session().run().frame();
    const int frames = bench.frames[0];
    tick_until(bench,
               [&] { return bench.get().session().run().frame() >= began + 20 && bench.frames[0] > frames + 2; });
    EXPECT_FALSE(csv || glb) << "not yet";
    gate.let_go();
    tick_until(bench, [&] { return csv && glb; });
    ASSERT_EQ(csv->status, 200);
    ASSERT_EQ(glb->status, 200);
    EXPECT_EQ(std::count(csv->file->bytes.begin(), csv->file->bytes.end(), '\n'), 202)
        << "a header and what was recorded when it was asked for";
    EXPECT_EQ(glb->file->bytes.substr(0, 4), "glTF");
    EXPECT_EQ(last_job(bench)["end"], "done");
    EXPECT_EQ(last_job(bench)["done"], 1.0);
}

TEST(StudioJobs, AreCancelledWaitingOrAtWork) {
    Gate gate;  // outlives the studio, whose jobs use it
    Bench bench;
    const auto held = bench.get().background().add(
        "held", [&](Background::Job& j) { gate.pass(j); }, [](const Background::Job&) {});
    std::optional<Studio::Exported> csv;
    bench.get().export_file("csv", [&](Studio::Exported e) { csv = std::move(e); });
    gate.wait_until_reached();
    tick_until(bench, [&] {
        return std::any_of(bench.events.begin(), bench.events.end(),
                           [&](const Json& e) { return e["event"] == "job" && e["job"] == held && e["done"] == 0.5; });
    });
    EXPECT_EQ(bench({{"do", "cancel"}, {"job", held + 1}})["ok"], true) << "it waits";
    EXPECT_EQ(bench({{"do", "cancel"}, {"job", held}})["ok"], true) << "it is at work";
    tick_until(bench, [&] { return csv.has_value(); });
    EXPECT_EQ(csv->status, 409);
    EXPECT_EQ(last_job(bench)["end"], "cancelled");
    EXPECT_EQ(bench({{"do", "cancel"}, {"job", held}})["ok"], false) << "it is over";
    EXPECT_EQ(bench({{"do", "cancel"}, {"job", "x"}})["ok"], false);
}

TEST(StudioJobs, AFullHouseAndUnknownFilesAreRefused) {
    Gate gate;  // outlives the studio, whose jobs use it
    Bench bench;
    for (std::size_t k = 0; k < Background::most_jobs; ++k)
        EXPECT_GT(bench.get().background().add(
                      "held", [&](Background::Job& j) { gate.pass(j); }, [](const Background::Job&) {}),
                  0u);
    int status = 0;
    const auto note = [&](const Studio::Exported& e) { status = e.status; };
    bench.get().export_file("glb", note);
    EXPECT_EQ(status, 503);
    EXPECT_EQ(bench({{"do", "doctor"}})["ok"], false);
    bench.get().export_file("exe", note);
    EXPECT_EQ(status, 404);
    bench.get().export_file("report", note);
    EXPECT_EQ(status, 200) << "that takes no time";
    gate.let_go();
    // The studio ends with jobs open.
}

TEST(StudioJobs, AJobThatFailsSaysWhy) {
    Bench bench;
    bench.get().background().add(
        "x", [](Background::Job&) { throw std::runtime_error("no room"); }, [](const Background::Job&) {});
    tick_until(bench, [&] { return !last_job(bench).is_null(); });
    EXPECT_EQ(last_job(bench)["end"], "failed");
    EXPECT_EQ(last_job(bench)["error"], "no room");
}

TEST(StudioJobs, TheDoctorTellsHowFarItIsAndEndsWhenItIsNotWanted) {
    Gate gate;  // outlives the studio, whose jobs use it
    Bench bench;
    const Json reply = bench({{"do", "doctor"}});
    EXPECT_EQ(reply["report"]["consistent"], true) << reply;
    bench.get().background().add(
        "held", [&](Background::Job& j) { gate.pass(j); }, [](const Background::Job&) {});
    gate.wait_until_reached();
    bench.get().handle(1, Json({{"id", 900}, {"do", "doctor"}}).dump(), studio::Clock::now());
    EXPECT_NE(bench.last_reply["id"], 900) << "later";
    for (const auto& job : bench.get().background().open())
        if (job->what == "doctor") {
            EXPECT_TRUE(bench.get().background().cancel(job->id));
        }
    gate.let_go();
    tick_until(bench, [&] { return bench.last_reply["id"] == 900; });
    EXPECT_EQ(bench.last_reply["ok"], false);
    EXPECT_NE(bench.last_reply["errors"][0]["message"].get<std::string>().find("cancelled"), std::string::npos);
}

}  // namespace armature::jobs_test

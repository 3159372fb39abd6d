// Many viewers, slow ones, and ones that stand still: the simulation does not notice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "armature/scene/load.h"
#include "armature/sim/simulator.h"
#include "loopback.h"
#include "thousand_scene.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARMATURE_WITH_ASAN 1
#endif
#endif

namespace armature::load_test {

using namespace std::chrono_literals;
using test::LoopbackStudio;
using test::ViewerClient;
using test::Wire;

const std::string thousand = test::thousand_scene;

std::string hash_after(std::int64_t frames) {
    Diagnostics diagnostics;
    const Scene scene = load_text(thousand, "thousand", {}, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    Simulator simulator(scene.spec);
    simulator.assemble();
    while (simulator.state().frame < frames) simulator.advance();
    return fmt::format("{:016x}", hash(simulator.state()));
}

TEST(StudioLoadSlow, AThousandSolidsWith32ViewersGoThroughTheSameBitsAsWithNone) {
    const LoopbackStudio s(thousand);
    ViewerClient driver = s.viewer();
    driver.command({{"do", "hello"}});
    std::atomic<bool> done = false;
    std::atomic<int> seen = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            std::vector<ViewerClient> viewers;
            for (int k = 0; k < 8; ++k) {
                viewers.push_back(s.viewer());
                viewers.back().only_frames = true;
                viewers.back().send({{"id", 1}, {"do", "hello"}});
            }
            while (!done)
                for (ViewerClient& v : viewers) {
                    const int before = v.frames;
                    v.watch(5);
                    seen += before <= 2 && v.frames > 2;
                }
        });
    driver.command({{"do", "play"}});
    driver.only_frames = true;
    for (int k = 0; k < 60 && (k < 2 || seen < 32); ++k) driver.watch(1000);  // machines may be slow
    const Wire end = driver.command({{"do", "pause"}});
    done = true;
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(seen, 32);
    EXPECT_GT(end["frame"], 5);
    EXPECT_EQ(end["hash"], hash_after(end["frame"].get<std::int64_t>())) << "frame " << end["frame"];
}

long resident_bytes() {
    std::ifstream in("/proc/self/statm");
    long pages = 0, resident = 0;
    in >> pages >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

TEST(StudioLoadSlow, AFrozenViewerCostsLittleAndResumesAtTheNewestState) {
    const LoopbackStudio s(thousand);
    ViewerClient driver = s.viewer();
    driver.command({{"do", "hello"}});
    driver.command({{"do", "step"}, {"frames", 40}});
    driver.command({{"do", "loop"}, {"from", 0}, {"to", 40}});  // nothing more is recorded
    driver.command({{"do", "play"}});
    driver.watch(1000);
    const long before = resident_bytes();
    ViewerClient frozen = s.viewer(16 << 10);
    frozen.send({{"id", 1}, {"do", "hello"}});
    driver.watch(3000);
    const long cost = resident_bytes() - before;
#ifndef ARMATURE_WITH_ASAN
    EXPECT_LE(cost, 8 << 20);
#else
    (void)cost;
#endif
    driver.command({{"do", "loop"}});
    driver.command({{"do", "pause"}});
    driver.command({{"do", "seek"}, {"frame", 33}});
    frozen.watch(1500);
    EXPECT_EQ(ViewerClient::frame_number(frozen.last_frame), 33);
    EXPECT_LE(frozen.frames, 30) << "what it missed is not sent after it";
}

}  // namespace armature::load_test

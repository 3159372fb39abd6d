// Several threads step the islands of a frame: the same bits, nothing from the heap, and copies that do not share rooms.
#include "armature/sim/island_threads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"
#include "support/allocation_counter.h"

namespace armature::island_threads_test {
namespace {

/// Chains of different lengths; every third with a motor and a spring, every fourth standing free.
Spec many_islands(const std::string& solver, int threads) {
    Spec spec;
    spec.simulation.solver = solver;
    spec.simulation.threads = threads;
    for (int c = 0; c < 11; ++c)
        for (int i = 0; i < 2 + c; ++i) {
            const std::string name = fmt::format("s{}_{}", c, i), before = fmt::format("s{}_{}", c, i - 1);
            SolidSpec& s = spec.add_solid(name);
            s.shapes.push_back({"", Box{{0.4, 0.1, 0.1}}, {}, {}});
            s.pose_WB.x = {0.2 + 0.4 * i, 0, 2.0 * c};
            s.spin = {0, 0.1 * c, 0.2 * i};
            if (i == 0 && c % 4 == 3) continue;
            const JointFrame at{i == 0 ? Vec3{0, 0, 2.0 * c} : Vec3{0.2, 0, 0}, {0, 0, 1}, {1, 0, 0}};
            ConstraintSpec pin =
                make_joint(JointType::pin, i == 0 ? "world" : before, at, name, {{-0.2, 0, 0}, {0, 0, 1}, {1, 0, 0}});
            if (c % 3 == 0 && i == 1) {
                pin.freedoms.front().stiffness = ScalarTrack::constant(3);
                pin.freedoms.front().force = ScalarTrack::constant(0.5);
            }
            spec.constraints.push_back(pin);
        }
    return spec;
}

TEST(IslandThreads, AnyNumberOfThemGivesTheSameBits) {
    for (const char* solver : {"displacement", "linearized"}) {
        std::vector<std::unique_ptr<Simulator>> runs;
        for (const int threads : {1, 2, 3, 7, 64})
            runs.push_back(std::make_unique<Simulator>(many_islands(solver, threads)));
        for (int frame = 0; frame < 60; ++frame)
            for (std::size_t i = 0; i < runs.size(); ++i) {
                runs[i]->advance();
                ASSERT_EQ(hash(runs[i]->state()), hash(runs[0]->state()))
                    << solver << ", " << runs[i]->model().simulation.threads << " threads, frame " << frame;
            }
        for (const auto& run : runs) {
            EXPECT_EQ(run->report().motor_work, runs[0]->report().motor_work);
            EXPECT_EQ(run->report().steps, runs[0]->report().steps);
        }
        EXPECT_NE(runs[0]->report().motor_work, 0);
    }
}

TEST(IslandThreads, AWarmFrameTakesNothingFromTheHeap) {
    Simulator sim(many_islands("linearized", 3));
    for (int i = 0; i < 60; ++i) sim.advance();
    const long before = test::allocation_count();
    for (int i = 0; i < 60; ++i) sim.advance();
    EXPECT_EQ(test::allocation_count() - before, 0);
}

TEST(IslandThreads, ACopyGoesOnWithTheSameBitsWhenTheOriginalIsGone) {
    auto original = std::make_unique<Simulator>(many_islands("linearized", 2));
    Simulator alone(many_islands("linearized", 1));
    for (int i = 0; i < 10; ++i) original->advance();
    Simulator copy = *original;
    original.reset();
    for (int i = 0; i < 10; ++i) copy.advance();
    for (int i = 0; i < 20; ++i) alone.advance();
    EXPECT_EQ(hash(copy.state()), hash(alone.state()));
}

TEST(IslandThreads, EveryWorkerIsCalledOnceAndHasReturned) {
    IslandThreads threads;
    for (const int count : {1, 4, 2, 9, 1, 9}) {
        std::array<std::atomic<int>, 9> calls{};
        for (int repeat = 0; repeat < 200; ++repeat)
            threads.run(
                count,
                [](void* context, int worker) {
                    ++(*static_cast<std::array<std::atomic<int>, 9>*>(context))[static_cast<std::size_t>(worker)];
                },
                &calls);
        for (int i = 0; i < 9; ++i) EXPECT_EQ(calls[static_cast<std::size_t>(i)], i < count ? 200 : 0);
    }
}

}  // namespace
}  // namespace armature::island_threads_test

// A drag is data: the same for every solver, and what was done live can be replayed to the last bit.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/model/joint_library.h"
#include "armature/scene/drag_text.h"
#include "armature/scene/load.h"
#include "armature/sim/simulator.h"
#include "support/allocation_counter.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

Spec dragged_chain(const std::string& solver) {
    Spec spec;
    test::add_chain(spec, "link", 4, {}, false);
    spec.simulation.solver = solver;
    DraggedSpec& hand = spec.add_drag("hand", "link0");
    hand.at_B = {-0.2, 0, 0};
    hand.path.keys = {{0, {{0, 0, 0}, {}}}, {0.5, {{0, 0.5, 0.1}, {}}}, {1, {{0.4, 0.3, 0}, {}}}};
    return spec;
}

class DragWith : public testing::TestWithParam<const char*> {};

TEST_P(DragWith, ThePointIsWhereTheKeysSay) {
    Simulator sim(dragged_chain(GetParam()));
    sim.assemble();
    for (int k = 0; k < 60; ++k) {
        sim.advance();
        const Vec3 target = sim.pose("hand").x, point = sim.pose("link0") * Vec3{-0.2, 0, 0};
        EXPECT_LE(norm(point - target), sim.model().simulation.tolerance);
    }
    EXPECT_LE(norm(sim.pose("hand").x - Vec3{0.4, 0.3, 0}), 1e-12);
    EXPECT_EQ(sim.report().unconverged, 0);
}

TEST_P(DragWith, AnOrientationIsFollowedToo) {
    Spec spec = dragged_chain(GetParam());
    spec.drags[0].orient = true;
    spec.drags[0].path.keys[2].pose.q = exp_rotation({0, 0, 1.2});
    Simulator sim(spec);
    sim.assemble();
    sim.advance_to(1);
    const Quat off = conjugate(exp_rotation({0, 0, 1.2})) * sim.pose("link0").q;
    EXPECT_LE(norm(log_rotation(off)), 2 * sim.model().simulation.tolerance);
}

TEST_P(DragWith, BeginsAndEndsWhenItIsValid) {
    Spec spec = dragged_chain(GetParam());
    spec.drags[0].until = 0.25;
    Simulator sim(spec);
    sim.assemble();
    sim.advance_to(0.2);
    EXPECT_LE(norm(sim.pose("link0") * Vec3{-0.2, 0, 0} - sim.pose("hand").x), 1e-3);
    sim.advance_to(1);
    EXPECT_GT(norm(sim.pose("link0") * Vec3{-0.2, 0, 0} - sim.pose("hand").x), 1) << "it fell";
}

// Slides have ends too: pulled far beyond them, a carriage stops there. A nut that is pulled along its thread does not follow
// (docs/solvers/procedural.md), but does not leave it either.
TEST(Drag, PulledBeyondTheEndsOfASlideItStopsThereWithTheProceduralSolver) {
    for (const JointType type : {JointType::sliding, JointType::screw, JointType::cylindrical}) {
        Spec spec;
        test::add_brick(spec, "carriage", {0, 0, 0});
        ConstraintSpec joint =
            make_joint(type, "carriage", {{}, {1, 0, 0}, {0, 1, 0}}, "world", {{}, {1, 0, 0}, {0, 1, 0}});
        if (joint.screw) joint.screw->pitch = 0.1;
        for (FreedomSpec& freedom : joint.freedoms)
            if (freedom.kind == FreedomKind::slide) {
                freedom.min = ScalarTrack::constant(-0.3);
                freedom.max = ScalarTrack::constant(0.5);
            }
        spec.constraints.push_back(joint);
        spec.simulation.solver = "procedural";
        spec.add_drag("hand", "carriage").path.keys = {{0, {{}, {}}}, {0.5, {{3, 1, 0.4}, {}}}, {1, {{-2, -1, 0}, {}}}};
        Simulator sim(spec);
        sim.assemble();
        double least = 0, most = 0;
        for (int k = 0; k < 60; ++k) {
            sim.advance();
            const Vec3 at = sim.pose("carriage").x;
            least = std::min(least, at.x);
            most = std::max(most, at.x);
            EXPECT_LE(std::hypot(at.y, at.z), 1e-9) << "joint type " << static_cast<int>(type) << ", frame " << k;
        }
        EXPECT_LE(most, 0.5 + 1e-9) << "joint type " << static_cast<int>(type);
        EXPECT_GE(least, -0.3 - 1e-9) << "joint type " << static_cast<int>(type);
        if (type == JointType::screw) continue;
        EXPECT_NEAR(most, 0.5, 1e-9) << "joint type " << static_cast<int>(type);
        EXPECT_NEAR(least, -0.3, 1e-9) << "joint type " << static_cast<int>(type);
    }
}

// A session by hand, kept as text and replayed from it.
TEST_P(DragWith, RecordedSavedAndReplayedGivesTheSameBits) {
    Spec spec = dragged_chain(GetParam());
    spec.drags[0].path.keys.resize(1);
    spec.drags[0].at_B = {-0.2, 1.0 / 3, 0.1};
    spec.drags[0].path.keys[0].pose.x = {0, 1.0 / 3, 0.1};
    spec.simulation.dt = 1.0 / 60;
    Simulator live(spec);
    live.assemble();
    live.start_recording();
    for (int k = 0; k < 90; ++k) {
        // A hand that rests now and then, and jumps.
        const double t = k / 60.0;
        if (k % 7 != 3) live.pull("hand", {{0.3 * std::sin(3 * t), 1.0 / 3 + 0.2 * t * (k > 50 ? -1 : 1), 0.1}, {}});
        live.advance();
    }
    // Saved as text, read again.
    const std::string saved = "object link0 box size 1 1 1; end\n" + to_text(live.drags()[0]);
    Diagnostics diagnostics;
    const Scene scene = load_text(saved, "saved.arm", {}, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors());
    ASSERT_EQ(scene.spec.drags.size(), 1u);
    Spec again = spec;
    again.drags = scene.spec.drags;
    Simulator replay(again);
    replay.assemble();
    replay.start_recording();
    for (int k = 0; k < 90; ++k) replay.advance();
    ASSERT_EQ(live.recording().frames.size(), replay.recording().frames.size());
    for (std::size_t k = 0; k < live.recording().frames.size(); ++k)
        ASSERT_EQ(live.recording().frames[k].hash, replay.recording().frames[k].hash) << "frame " << k;
}

INSTANTIATE_TEST_SUITE_P(Solvers, DragWith, testing::Values("procedural", "displacement", "linearized"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Drag, WithoutADragOfThatNameThrows) {
    Simulator sim(dragged_chain("procedural"));
    EXPECT_THROW(sim.pull("foot", {}), std::out_of_range);
}

TEST(Drag, OfAFixedSolidIsRefused) {
    Spec spec = dragged_chain("procedural");
    spec.solids[0].kernel = Kernel::fixed;
    Diagnostics diagnostics;
    EXPECT_FALSE(compile(spec, diagnostics));
    EXPECT_NE(diagnostics.all()[0].message.find("`hand`"), std::string::npos);
}

TEST(Drag, AWarmStepOfTheProceduralSolverAllocatesNothing) {
    Spec spec = dragged_chain("procedural");
    for (const char* end : {"link1", "link3"}) test::add_ball(spec, end, {0.2, 0, 0}, "world", {0.5, -0.2, 0});
    spec.constraints[1].angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 2};
    Simulator sim(spec);
    sim.assemble();
    for (int k = 0; k < 20; ++k) sim.advance();
    const auto before = test::allocation_count();
    for (int k = 0; k < 20; ++k) sim.advance();
    EXPECT_EQ(test::allocation_count(), before);
}

// dt from 1e-4 s to 1 s: none is halved, each is one pass.
TEST(Drag, StepsOfAnyLengthAreTakenAsTheyAre) {
    for (const double dt : {1e-4, 1e-2, 1.0}) {
        Spec spec = dragged_chain("procedural");
        spec.simulation.dt = dt;
        Simulator sim(spec);
        sim.assemble();
        for (int k = 0; k < 20; ++k) {
            const StepReport& r = sim.advance();
            EXPECT_EQ(r.steps, 1);
            EXPECT_EQ(r.rejected, 0);
            EXPECT_EQ(r.max_iterations, 1);
        }
    }
}

}  // namespace
}  // namespace armature

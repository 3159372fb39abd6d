// What a number that is not finite does: it is caught in its step, named, and kept to its island.
#include <gtest/gtest.h>

#include <limits>

#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Three islands: two chains and a loose brick.
Spec three_islands() {
    Spec spec;
    test::add_chain(spec, "a", 4);
    test::add_chain(spec, "b", 4, {0, 0, 2});
    test::add_brick(spec, "loose", {0, 0, 4}).spin = {1, 5, 2};
    return spec;
}

bool all_finite(const State& s) {
    for (std::size_t i = 0; i < s.x.size(); ++i)
        if (!is_finite(s.x[i]) || !is_finite(s.q[i]) || !is_finite(s.v[i]) || !is_finite(s.w[i])) return false;
    for (const JointLoad& load : s.loads)
        if (!is_finite(load.force) || !is_finite(load.torque)) return false;
    return true;
}

void expect_same_body(const State& a, const State& b, BodyId body) {
    const auto i = static_cast<std::size_t>(body);
    EXPECT_EQ(a.x[i], b.x[i]);
    EXPECT_EQ(a.q[i], b.q[i]);
    EXPECT_EQ(a.v[i], b.v[i]);
    EXPECT_EQ(a.w[i], b.w[i]);
}

struct Poison {
    const char* what;
    void (*apply)(State& state, std::size_t body);
};
void PrintTo(const Poison& p, std::ostream* out) {
    *out << p.what;
}

class NotFinite : public testing::TestWithParam<Poison> {};

TEST_P(NotFinite, IsCaughtInItsStepNamedAndKeptToItsIsland) {
    Simulator sick(three_islands()), healthy(three_islands());
    for (int i = 0; i < 20; ++i) {
        sick.advance();
        healthy.advance();
    }
    const Model& model = sick.model();
    const BodyId culprit = model.find_body("b2");
    State poisoned = sick.state();
    GetParam().apply(poisoned, static_cast<std::size_t>(culprit));
    sick.set_state(poisoned);

    EXPECT_EQ(sick.advance().failed_body, culprit);
    healthy.advance();
    ASSERT_EQ(sick.report().failures.size(), 1u);
    EXPECT_EQ(sick.report().failures[0].body, culprit);
    EXPECT_EQ(sick.report().failures[0].time, sick.state().time);
    EXPECT_FALSE(sick.report().converged(1e9));
    EXPECT_NE(to_text(model, sick.report(), 1e-3).find("`b2` stopped being finite"), std::string::npos);
    EXPECT_TRUE(all_finite(sick.state()));
    const State stood = sick.state();

    for (int frame = 0; frame < 60; ++frame) {
        EXPECT_EQ(sick.advance().failed_body, -1) << "reported once";
        healthy.advance();
        ASSERT_TRUE(all_finite(sick.state()));
        for (std::size_t i = 1; i < model.bodies.size(); ++i) {
            const auto id = static_cast<BodyId>(i);
            const bool struck = model.bodies[i].island == model.bodies[static_cast<std::size_t>(culprit)].island;
            expect_same_body(sick.state(), struck ? stood : healthy.state(), id);
            if (struck) {
                EXPECT_EQ(sick.state().v[i], Vec3{});
            }
        }
    }
    EXPECT_EQ(sick.report().failures.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Value, NotFinite,
                         testing::Values(Poison{"place_nan", [](State& s, std::size_t i) { s.x[i].y = nan; }},
                                         Poison{"place_infinite", [](State& s, std::size_t i) { s.x[i].z = infinity; }},
                                         Poison{"orientation_nan", [](State& s, std::size_t i) { s.q[i].w = nan; }},
                                         Poison{"velocity_nan", [](State& s, std::size_t i) { s.v[i].x = nan; }},
                                         Poison{"velocity_infinite",
                                                [](State& s, std::size_t i) { s.v[i].x = -infinity; }},
                                         Poison{"spin_nan", [](State& s, std::size_t i) { s.w[i].z = nan; }}),
                         [](const auto& poison) { return std::string(poison.param.what); });

TEST(Failure, ArisingInsideAStepIsCaughtThere) {
    Spec spec = three_islands();
    // From 0.1 s on more than a double can hold once it is divided by the mass and multiplied by nothing smaller.
    spec.find_solid("b1")->mass = 1e-3;
    VectorTrack blast;
    blast.keys = {{0.1, {}}, {0.15, {1e308, 0, 0}}};
    spec.add_force("blast").law = PointForceSpec{"b1", {0, 0.1, 0}, blast, Frame::world};
    spec.simulation.min_dt = spec.simulation.dt;
    Simulator sim(spec);
    for (int i = 0; i < 30; ++i) {
        sim.advance();
        ASSERT_TRUE(all_finite(sim.state())) << "frame " << i;
    }
    ASSERT_EQ(sim.report().failures.size(), 1u);
    EXPECT_EQ(sim.model().bodies[static_cast<std::size_t>(sim.report().failures[0].body)].island, 1);
    EXPECT_GT(sim.report().failures[0].time, 0.1);
    EXPECT_LT(sim.report().failures[0].time, 0.2);
    EXPECT_GT(norm(sim.state().v[static_cast<std::size_t>(sim.model().find_body("loose"))]), 1) << "the others go on";
}

TEST(Failure, InTwoIslandsAtOnceBothAreNamed) {
    Simulator sim(three_islands());
    sim.advance();
    State s = sim.state();
    s.v[static_cast<std::size_t>(sim.model().find_body("a1"))].x = nan;
    s.x[static_cast<std::size_t>(sim.model().find_body("loose"))].x = nan;
    sim.set_state(s);
    sim.advance();
    ASSERT_EQ(sim.report().failures.size(), 2u);
    EXPECT_EQ(sim.report().failures[0].body, sim.model().find_body("a1"));
    EXPECT_EQ(sim.report().failures[1].body, sim.model().find_body("loose"));
}

TEST(Failure, AStateThatComesInWithAFailedIslandIsNotCalledConverged) {
    Simulator sim(three_islands());
    State s = sim.state();
    s.v[1].x = nan;
    sim.set_state(s);
    sim.advance();
    Simulator restored(three_islands());
    restored.set_state(from_snapshot(restored.model(), to_snapshot(sim.model(), sim.state())));
    restored.advance();
    EXPECT_FALSE(restored.report().converged(1)) << "an island stands still and nobody says so";
}

}  // namespace
}  // namespace armature

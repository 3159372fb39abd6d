// Free motion and velocities of many bodies at once: each has what it would have alone, on every machine, and what the passes
// tell about all of them is what a look at each one tells.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "armature/math/lanes.h"
#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/sim/free_motion.h"
#include "support/small_scenes.h"

namespace armature::free_motion_lanes {
namespace {

constexpr int bodies = 19;  // two groups of eight, and three

/// A chain of bricks. In its second group one is crooked: its inertia is along no axis of its own.
Spec chain(Scheme scheme, bool jointed) {
    Spec spec;
    test::add_chain(spec, "link", bodies, {}, jointed);
    if (!jointed) spec.constraints.clear();
    spec.solids[10].shapes.push_back({"", Box{{0.1, 0.1, 0.1}}, {{0.2, 0.1, 0.05}, {}}, {}});
    spec.simulation.scheme = scheme;
    return spec;
}

/// At rest in places, turning in others; one so fast that the short series does not do, and one for which
/// none does.
LocalBodies thrown(const Island& island, const State& state) {
    LocalBodies at;
    gather(island, state, at);
    Random random(3);
    for (std::size_t i = 0; i < idx(island.dynamic_count); ++i) {
        at.q[i] = normalized(exp_rotation(random.in_box(2)));
        at.v[i] = random.in_box(1);
        at.w[i] = i % 5 == 4 ? Vec3{} : random.in_box(i == 6 ? 40 : i == 11 ? 200 : 4);
    }
    return at;
}

struct Moved {
    LocalBodies free, now;
    FreeMotion motion;
    StepChange change;
};

/// One step of free motion, then a correction of some kind.
Moved move(const Model& model, const Island& island, const LocalBodies& start) {
    const double h = model.simulation.dt;
    Moved m;
    m.free = m.now = start;
    LocalForces forces;
    evaluate_forces(model, island, 0, h, start.x, start.q, start, forces);
    m.motion = move_freely(model, island, h, h, start, &forces, m.free, m.now);
    std::vector<Vec3> moved(start.x.size());
    for (std::size_t i = 0; i < idx(island.dynamic_count); ++i) {
        moved[i] = 1e-3 * start.v[i];
        m.now.x[i] += moved[i];
        if (i % 3 != 0) m.now.q[i] = turned(m.now.q[i], (i == 7 ? 0.1 : 1e-3) * Vec3{1, start.v[i].x, start.v[i].y});
    }
    m.change = velocities_from_correction(model, island, h, {start, m.free, moved, 2}, m.now);
    return m;
}

bool same(const LocalBodies& a, const LocalBodies& b) {
    return a.x == b.x && a.q == b.q && a.v == b.v && a.w == b.w;
}

class Schemes : public testing::TestWithParam<Scheme> {
  protected:
    ~Schemes() override { lanes::limit_machine(lanes::Machine::widest); }
};

TEST_P(Schemes, TheSameBitsOnEveryMachine) {
    const Model model = compile(chain(GetParam(), true));
    const Island& island = model.islands[0];
    EXPECT_TRUE(island.body_lanes[0].diagonal);
    EXPECT_FALSE(island.body_lanes[1].diagonal);
    const LocalBodies start = thrown(island, initial_state(model));
    const Moved widest = move(model, island, start);
    for (const lanes::Machine most : {lanes::Machine::plain, lanes::Machine::wide}) {
        lanes::limit_machine(most);
        const Moved m = move(model, island, start);
        EXPECT_TRUE(same(m.free, widest.free));
        EXPECT_TRUE(same(m.now, widest.now));
        EXPECT_EQ(m.motion.most_spin, widest.motion.most_spin);
        EXPECT_EQ(m.change.a, widest.change.a);
        EXPECT_EQ(m.change.b, widest.change.b);
        EXPECT_EQ(m.change.kinetic, widest.change.kinetic);
        EXPECT_EQ(m.change.fall, widest.change.fall);
        EXPECT_EQ(m.change.shift2, widest.change.shift2);
        EXPECT_EQ(m.change.sin2_half_turn, widest.change.sin2_half_turn);
    }
}

TEST_P(Schemes, ABodyMovesAsItWouldAlone) {
    const Model together = compile(chain(GetParam(), true)), apart = compile(chain(GetParam(), false));
    ASSERT_EQ(apart.islands.size(), static_cast<std::size_t>(bodies));
    const LocalBodies start = thrown(together.islands[0], initial_state(together));
    const Moved all = move(together, together.islands[0], start);
    for (std::size_t i = 0; i < bodies; ++i) {
        const LocalBodies alone{{start.x[i]}, {start.v[i]}, {start.w[i]}, {start.q[i]}};
        LocalBodies free = alone, now = alone;
        LocalForces forces;
        const double h = apart.simulation.dt;
        evaluate_forces(apart, apart.islands[i], 0, h, alone.x, alone.q, alone, forces);
        move_freely(apart, apart.islands[i], h, h, alone, &forces, free, now);
        EXPECT_EQ(free.x[0], all.free.x[i]) << i;
        EXPECT_EQ(free.q[0], all.free.q[i]) << i;
        EXPECT_EQ(free.v[0], all.free.v[i]) << i;
        EXPECT_EQ(free.w[0], all.free.w[i]) << i;
    }
}

TEST_P(Schemes, WeightNeedsNoForces) {
    const Model model = compile(chain(GetParam(), true));
    const Island& island = model.islands[0];
    ASSERT_TRUE(island.only_weight());
    const LocalBodies start = thrown(island, initial_state(model));
    LocalBodies free = start, now = start;
    move_freely(model, island, model.simulation.dt, model.simulation.dt, start, nullptr, free, now);
    EXPECT_TRUE(same(free, move(model, island, start).free));
    EXPECT_EQ(now.x, free.x);
    EXPECT_EQ(now.q, free.q);
}

TEST_P(Schemes, WhatHasChangedIsWhatEachBodyTells) {
    const Model model = compile(chain(GetParam(), true));
    const Island& island = model.islands[0];
    const Moved m = move(model, island, thrown(island, initial_state(model)));
    double spin2 = 0, shift2 = 0, turn2 = 0, fall = 0;
    for (std::size_t i = 0; i < bodies; ++i) {
        const Body& b = body_of(model, island, static_cast<int>(i));
        spin2 = std::max(spin2, norm2(m.free.w[i]));
        shift2 = std::max(shift2, norm2(m.now.x[i] - m.free.x[i]));
        turn2 = std::max(turn2, norm2((m.now.q[i] * conjugate(m.free.q[i])).vec()));
        fall += b.mass * dot(model.simulation.gravity, m.now.x[i] - m.free.x[i]);
    }
    EXPECT_GE(m.motion.most_spin, std::sqrt(spin2));
    EXPECT_NEAR(m.change.shift2, shift2, 1e-15);
    EXPECT_NEAR(m.change.sin2_half_turn, turn2, 1e-15);
    EXPECT_NEAR(m.change.fall, fall, 1e-12);
    EXPECT_NEAR(m.change.kinetic, kinetic_energy(model, island, m.free), 1e-12 * m.change.kinetic);
    // K(1) = K + a + b
    const double kinetic = kinetic_energy(model, island, m.now);
    EXPECT_NEAR(m.change.kinetic + m.change.a + m.change.b, kinetic, 1e-12 * kinetic);
    const StepChange again = change_of(island, model.simulation.gravity, m.free, m.now);
    EXPECT_NEAR(again.a, m.change.a, 1e-12 * kinetic);
    EXPECT_NEAR(again.b, m.change.b, 1e-12 * kinetic);
}

TEST_P(Schemes, OneNumberThatIsNotFiniteIsFoundInAnyOfThem) {
    const Model model = compile(chain(GetParam(), true));
    const Island& island = model.islands[0];
    const LocalBodies good = thrown(island, initial_state(model));
    EXPECT_TRUE(move(model, island, good).motion.finite);
    EXPECT_TRUE(move(model, island, good).change.finite);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < bodies; ++i)
        for (int what = 0; what < 8; ++what) {
            LocalBodies bad = good;
            const double value = what % 2 == 0 ? nan : infinity;
            (what / 2 == 0 ? bad.x[i].y : what / 2 == 1 ? bad.q[i].z : what / 2 == 2 ? bad.v[i].x : bad.w[i].z) = value;
            LocalBodies free = good, now = good;
            const double h = model.simulation.dt;
            EXPECT_FALSE(move_freely(model, island, h, h, bad, nullptr, free, now).finite) << i << " " << what;
            EXPECT_EQ(find_not_finite(island, free), static_cast<int>(i));
            EXPECT_FALSE(change_of(island, {}, good, bad).finite) << i << " " << what;
        }
    // A sum of numbers may be too large where none of them is.
    LocalBodies far = good;
    far.x[3] = {1.7e308, 1.7e308, 0};
    EXPECT_TRUE(change_of(island, {}, good, far).finite);
}

INSTANTIATE_TEST_SUITE_P(Lanes, Schemes,
                         testing::Values(Scheme::newton, Scheme::exact, Scheme::euler, Scheme::stormer, Scheme::verlet),
                         [](const auto& scheme) { return std::string(scheme_info(scheme.param).name); });

}  // namespace
}  // namespace armature::free_motion_lanes

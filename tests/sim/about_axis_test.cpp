// Bodies that turn about one axis alone have the bits that the formulas in space give them.
#include "armature/sim/about_axis.h"

#include <gtest/gtest.h>

#include <cstring>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/sim/free_motion.h"
#include "support/machines.h"
#include "support/small_scenes.h"

namespace armature::about_axis_test {
namespace {

constexpr int bodies = 19;  // two groups of eight, and three
constexpr double h = 1.0 / 60;

Vec3 along(int axis, double v) {
    Vec3 r;
    (&r.x)[axis] = v;
    return r;
}

/// Some at rest, some not turned, one turning so fast that the short series does not do.
LocalBodies swinging(const Island& island, const State& state, int axis) {
    LocalBodies at;
    gather(island, state, at);
    Random random(5);
    for (std::size_t i = 0; i < bodies; ++i) {
        at.q[i] = i % 4 == 1 ? Quat{} : exp_rotation(along(axis, 3 * random.in_box(1).x));
        at.v[i] = random.in_box(1);
        at.w[i] = i % 5 == 4 ? Vec3{} : along(axis, (i == 14 ? 200 : 4) * random.in_box(1).x);
    }
    return at;
}

struct Moved {
    LocalBodies free, now;
    double most_spin;
    StepChange change;
};
Moved move(const Model& model, const Island& island, const LocalBodies& start, int axis) {
    Moved m;
    m.free = m.now = start;
    m.most_spin = move_freely(model, island, h, h, start, nullptr, m.free, m.now).most_spin;
    std::vector<Vec3> moved(start.x.size());
    for (std::size_t i = 0; i < bodies; ++i) {
        moved[i] = 1e-3 * start.v[i];
        m.now.x[i] += moved[i];
        // One is turned too far for the short series.
        const Quat made = exp_rotation(along(axis, (i == 9 ? 0.2 : 1e-3) * start.v[i].x));
        if (i % 3 != 0) m.now.q[i] = normalized(made * m.now.q[i]);
    }
    m.change = velocities_from_correction(model, island, h, {start, m.free, moved, 1.9}, m.now);
    return m;
}

/// The sign of a zero included.
template <class T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}
void expect_same_body(const Moved& a, const Moved& b, std::size_t i) {
    for (const auto at : {&Moved::free, &Moved::now}) {
        EXPECT_TRUE(same_bits((a.*at).x[i], (b.*at).x[i])) << i;
        EXPECT_TRUE(same_bits((a.*at).q[i], (b.*at).q[i])) << i;
        EXPECT_TRUE(same_bits((a.*at).v[i], (b.*at).v[i])) << i;
        EXPECT_TRUE(same_bits((a.*at).w[i], (b.*at).w[i])) << i;
    }
}

class AboutAxis : public test::Machines {
  protected:
    AboutAxis() {
        Spec spec;
        test::add_chain(spec, "link", bodies, {}, true);
        model = compile(spec);
    }
    Model model;
};
INSTANTIATE_TEST_SUITE_P(All, AboutAxis, test::all_machines());

TEST_P(AboutAxis, BodiesMoveAsBesideOnesThatTurnInSpace) {
    const Island& island = model.islands[0];
    ASSERT_TRUE(island.only_weight() && island.body_lanes[0].diagonal);
    for (const int axis : {0, 1, 2}) {
        const LocalBodies start = swinging(island, initial_state(model), axis);
        const Moved flat = move(model, island, start, axis);
        // One of each pair turns in space: with it all of its group goes by the formulas in space, however wide the machine is.
        for (std::size_t parity = 0; parity < 2; ++parity) {
            LocalBodies in_space = start;
            for (std::size_t i = parity; i < bodies; i += 2) in_space.w[i] = {0.1, 0.2, 0.3};
            const Moved mixed = move(model, island, in_space, axis);
            for (std::size_t i = 1 - parity; i + 1 < bodies; i += 2) expect_same_body(flat, mixed, i);
        }
    }
}

TEST_P(AboutAxis, WhatAStepControlHearsIsTheSame) {
    const Island& island = model.islands[0];
    const LocalBodies start = swinging(island, initial_state(model), 2);
    const Moved here = move(model, island, start, 2);
    lanes::limit_machine(lanes::Machine::plain);
    const Moved plain = move(model, island, start, 2);
    for (std::size_t i = 0; i < bodies; ++i) expect_same_body(here, plain, i);
    EXPECT_EQ(here.most_spin, plain.most_spin);
    EXPECT_EQ(here.change.a, plain.change.a);
    EXPECT_EQ(here.change.b, plain.change.b);
    EXPECT_EQ(here.change.kinetic, plain.change.kinetic);
    EXPECT_EQ(here.change.sin2_half_turn, plain.change.sin2_half_turn);
    // And what a look at all of them in space tells.
    const StepChange in_space = change_of(island, model.simulation.gravity, here.free, here.now);
    EXPECT_NEAR(here.change.a, in_space.a, 1e-14 * in_space.a);
    EXPECT_NEAR(here.change.b, in_space.b, 1e-13 * in_space.kinetic);
    EXPECT_NEAR(here.change.kinetic, in_space.kinetic, 1e-14 * in_space.kinetic);
    EXPECT_NEAR(here.change.sin2_half_turn, in_space.sin2_half_turn, 1e-15);
}

TEST(OnlyAxis, IsToldFromNoneAndFromAny) {
    EXPECT_EQ(only_axis({0.8, 0, 0.6, 0}, {0, 2, 0}, 2), 1);
    EXPECT_EQ(only_axis({}, {3, 0, 0}, 2), 0);
    EXPECT_EQ(only_axis({}, {}, 1), 1);                        // any: the last one
    EXPECT_EQ(only_axis({0.8, 0.6, 0, 0}, {0, 0, 1}, 2), -1);  // turned about one, turns about another
    EXPECT_EQ(only_axis({}, {0, -0.0, 1}, 2), -1);             // −0 is not taken for zero
}

}  // namespace
}  // namespace armature::about_axis_test

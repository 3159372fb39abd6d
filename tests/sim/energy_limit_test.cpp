// Joints must not create energy, whatever the solver leaves undone.
#include "armature/sim/energy_limit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/sim/forces.h"
#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

double energy(const Model& model, const LocalBodies& bodies) {
    double sum = potential_energy(model, model.islands[0], bodies);
    for (std::size_t i = 0; i < static_cast<std::size_t>(model.islands[0].dynamic_count); ++i) {
        const Body& b = model.bodies[i + 1];
        const Vec3 w_B = rotate_back(bodies.q[i], bodies.w[i]);
        sum += 0.5 * (b.mass * norm2(bodies.v[i]) + dot(w_B, b.inertia_G * w_B));
    }
    return sum;
}

Vec3 momentum(const Model& model, const LocalBodies& bodies) {
    Vec3 sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model.islands[0].dynamic_count); ++i)
        sum += model.bodies[i + 1].mass * bodies.v[i];
    return sum;
}

/// A chain in free motion, and what opposite impulses between its neighbours made of it.
struct Corrected {
    Model model;
    LocalBodies free, now;

    Corrected(const Spec& spec, Random& random, double impulse) : model(compile(spec)) {
        const State s = initial_state(model);
        gather(model.islands[0], s, free);
        for (std::size_t i = 0; i < static_cast<std::size_t>(model.islands[0].dynamic_count); ++i) {
            free.v[i] = random.in_box(1);
            free.w[i] = random.in_box(3);
        }
        now = free;
        for (const Island::LocalJoint& j : model.islands[0].joints) {
            if (j.body2 >= model.islands[0].dynamic_count) continue;
            const Vec3 p = random.in_box(impulse);
            const auto i = static_cast<std::size_t>(j.body1), k = static_cast<std::size_t>(j.body2);
            now.v[i] += model.bodies[i + 1].inv_mass * p;
            now.v[k] -= model.bodies[k + 1].inv_mass * p;
            now.q[i] = turned(now.q[i], random.in_box(0.3));
            now.w[i] += random.in_box(impulse);
        }
    }
};

EnergyLimit limit(Corrected& c) {
    const Island& island = c.model.islands[0];
    const StepChange change = change_of(island, c.model.simulation.gravity, c.free, c.now);
    return limit_energy(c.model, island, false, change, c.free, c.now, 0);
}

Spec floating_chain() {
    Spec spec;
    test::add_chain(spec, "link", 5, {}, false);
    for (std::size_t i = 0; i < spec.solids.size(); ++i) spec.solids[i].mass = 1 + static_cast<double>(i);
    return spec;
}

TEST(EnergyLimit, CutsWhatJointsCreateAndMakesNoMomentum) {
    int cut = 0;
    for (int k = 0; k < 100; ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        Corrected c(floating_chain(), random, 10);
        const double before = energy(c.model, c.free);
        const Vec3 p = momentum(c.model, c.now);
        ASSERT_GT(energy(c.model, c.now), before);
        if (limit(c).limited) ++cut;
        EXPECT_LE(energy(c.model, c.now), before * (1 + 1e-12) + 1e-12) << "case " << k;
        EXPECT_LT(norm(momentum(c.model, c.now) - p), 1e-12);
    }
    EXPECT_EQ(cut, 100);
}

TEST(EnergyLimit, LeavesASoundCorrectionAlone) {
    for (int k = 0; k < 100; ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        Corrected c(floating_chain(), random, 0);
        for (Vec3& v : c.now.v) v *= 0.9;  // inelastic
        c.now.q = c.free.q;
        const LocalBodies kept = c.now;
        EXPECT_FALSE(limit(c).limited);
        EXPECT_EQ(c.now.v, kept.v);
        EXPECT_EQ(c.now.w, kept.w);
    }
}

TEST(EnergyLimit, LeavesStructuresOnAPathAloneForThePathDoesWork) {
    Spec spec = floating_chain();
    SolidSpec& cart = spec.add_solid("cart");
    cart.kernel = Kernel::path;
    cart.path.keys = {{0, {}}, {1, {{1, 0, 0}, {}}}};
    test::add_ball(spec, "link0", {}, "cart", {});
    Random random(1);
    Corrected c(spec, random, 10);
    const LocalBodies kept = c.now;
    EXPECT_FALSE(limit(c).limited);
    EXPECT_EQ(c.now.v, kept.v);
}

TEST(EnergyLimit, DoesNotTouchAChainWhoseJointsHold) {
    // The newton rule without settling keeps the energy of a swinging chain; a limit that bit would show as a loss.
    Spec spec;
    test::add_chain(spec, "link", 2);
    spec.simulation.tolerance = 1e-9;
    spec.simulation.settle = 0;
    spec.simulation.dt = 0.002;
    Simulator sim(spec);
    const double start = measure_mechanics(sim.model(), sim.state()).energy();
    for (int i = 0; i < 1000; ++i) sim.advance();
    const double swing = 2 * 9.81 * 0.4;  // J, the order of what is exchanged
    EXPECT_NEAR(sim.report().last.energy(), start, 0.01 * swing);
    EXPECT_LT(sim.report().worst_energy_change, 0.02 * swing);
}

TEST(EnergyLimit, KeepsTheWorstStructuresFromGainingEnergy) {
    // Needles, rods, mass ratios to 1e6, far too few iterations.
    for (int k = 0; k < 30; ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        test::StructureOptions options;
        options.bodies = random.integer(2, 8);
        Spec spec = test::random_structure(random, options);
        spec.simulation.iterations = 5;
        spec.simulation.min_dt = spec.simulation.dt / 4;
        Simulator sim(spec);
        const Mechanics first = measure_mechanics(sim.model(), sim.state());
        double scale = first.kinetic, reach = 0;
        for (const ConstraintSpec& c : spec.constraints) reach += norm(c.hinge->p1_B) + norm(c.hinge->p2_B);
        for (const SolidSpec& s : spec.solids) scale += *s.mass * 9.81 * reach;
        for (int frame = 0; frame < 300; ++frame) {
            sim.advance();
            ASSERT_LT(sim.report().last.energy(), first.energy() + 2 * scale)
                << "structure " << k << ", frame " << frame;
        }
    }
}

}  // namespace
}  // namespace armature

// Solids held in domains of every kind, one on the other, badly placed and badly proportioned, with too few iterations:
// nothing becomes non-finite, a run is the same each time, and no energy comes from nowhere.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "armature/math/random.h"
#include "armature/sim/mechanics.h"
#include "armature/sim/simulator.h"
#include "support/domains.h"
#include "support/test_scale.h"

namespace armature {
namespace {

Spec held_scene(Random& random) {
    Spec spec;
    const int bodies = random.integer(1, 5);
    for (int i = 0; i < bodies; ++i) {
        const double size = random.log_uniform(0.1, 1);
        SolidSpec& s = spec.add_solid(fmt::format("s{}", i));
        s.particle = random.unit() < 0.2;
        if (!s.particle) s.shapes.emplace_back().geometry = Box{{size, random.uniform(0.02, 1) * size, 0.5 * size}};
        s.mass = random.log_uniform(1e-2, 1e2);
        s.pose_WB.x = random.in_box(2);
        if (!s.particle) s.pose_WB.q = random.orientation();
        s.velocity = random.in_box(3);
        if (!s.particle) s.spin = random.in_box(3);
        const int on = random.integer(-1, i - 1);
        ConstraintSpec& c =
            spec.add_constraint(s.name, on < 0 ? "world" : spec.solids[static_cast<std::size_t>(on)].name);
        const std::vector<Domain> domains = test::every_domain(random.log_uniform(0.2, 2));
        const auto which = static_cast<std::size_t>(random.integer(0, static_cast<int>(domains.size()) - 1));
        const Vec3 p1 = s.particle ? Vec3{} : random.in_box(0.5 * size);
        const bool on_particle = on >= 0 && spec.solids[static_cast<std::size_t>(on)].particle;
        c.hinge = HingeSpec{p1, on_particle ? Vec3{} : random.in_box(0.3), domains[which]};
        if (random.unit() < 0.15) c.soft = SoftSpec{random.log_uniform(1, 1e4), random.uniform(0, 10), 0, 0};
        if (random.unit() < 0.15) c.from = random.uniform(0.2, 1);
    }
    const double order = random.unit();
    if (order < 0.3) spec.simulation.displacement.order = SweepOrder::gauss_seidel;
    if (order > 0.8) spec.simulation.displacement.variant = 2;
    spec.simulation.scheme = static_cast<Scheme>(random.integer(0, 3));
    spec.simulation.iterations = random.integer(1, 50);
    spec.simulation.assembly_iterations = 500;
    spec.simulation.duration = 3;
    return spec;
}

TEST(HeldScenes, StayFiniteAndRunTheSameTwice) {
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::scaled(120, 15)); ++seed) {
        Random random(seed);
        const Spec spec = held_scene(random);
        Simulator one(spec), two(spec);
        for (int k = 0; k < 180; ++k) one.advance();
        for (int k = 0; k < 180; ++k) two.advance();
        const State& s = one.state();
        ASSERT_TRUE(one.report().failures.empty()) << "seed " << seed;
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            ASSERT_TRUE(is_finite(s.x[i]) && is_finite(s.q[i]) && is_finite(s.v[i]) && is_finite(s.w[i]))
                << "seed " << seed;
            ASSERT_EQ(s.x[i], two.state().x[i]) << "seed " << seed;
            ASSERT_EQ(s.v[i], two.state().v[i]) << "seed " << seed;
        }
    }
}

TEST(HeldScenes, GainNoEnergyWithEnoughIterations) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::scaled(60, 10)); ++seed) {
        Random random(seed);
        Spec spec = held_scene(random);
        spec.simulation.iterations = 2000;
        spec.simulation.scheme = Scheme::newton;
        spec.simulation.displacement = {};
        for (ConstraintSpec& c : spec.constraints) {
            c.from = -infinity;
            c.soft.reset();
        }
        spec.simulation.assembly_iterations = 20000;
        Simulator s(spec);
        if (s.assemble().result != AssemblyResult::satisfied) continue;
        const double before = measure_mechanics(s.model(), s.state()).energy();
        double kinetic = 1;
        for (int k = 0; k < 180; ++k) {
            s.advance();
            const Mechanics m = measure_mechanics(s.model(), s.state());
            kinetic = std::fmax(kinetic, m.kinetic);
            ASSERT_LT(m.energy(), before + 0.05 * kinetic) << "seed " << seed << ", frame " << k;
        }
        ++compared;
    }
    EXPECT_GT(compared, test::scaled(60, 10) * 8 / 10);
}

}  // namespace
}  // namespace armature

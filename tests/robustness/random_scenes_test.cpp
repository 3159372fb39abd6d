// What must hold for any structure, however badly proportioned: thin rods, discs and needles, mass ratios to a million,
// trees and loops, hung up or floating. Too few iterations are given on purpose: a solver that does not arrive must say
// so and stay finite.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/test_scale.h"

namespace armature::random_scenes {
namespace {

const int frames = test::scaled(600, 100);
constexpr int batches = 10;
constexpr int scenes_per_batch = 50;

struct Errors {
    double gap = 0;    ///< m
    double angle = 0;  ///< rad
};

/// The errors of ball and angle parts from the placements of the author's frames: no code of joint_parts is used.
Errors independent_errors(const Spec& spec, const Simulator& sim) {
    Errors worst;
    for (const ConstraintSpec& c : spec.constraints) {
        const Pose X1 = sim.pose(c.solid1), X2 = sim.pose(c.solid2);
        if (c.hinge) worst.gap = std::fmax(worst.gap, norm(X1 * c.hinge->p1_B - X2 * c.hinge->p2_B));
        if (!c.angle) continue;
        const Vec3 a1 = rotate(X1.q, c.angle->a1_B), a2 = rotate(X2.q, c.angle->a2_B);
        const double value = 2 * std::atan2(norm(a1 - a2), norm(a1 + a2));  // Kahan's formula, exact near 0 and π
        worst.angle = std::fmax(worst.angle, std::fmax(c.angle->min - value, value - c.angle->max));
    }
    return worst;
}

/// Empty, or what is not a finite number.
std::string find_not_finite(const Simulator& sim) {
    const State& s = sim.state();
    for (std::size_t i = 0; i < s.x.size(); ++i)
        if (!is_finite(s.x[i]) || !is_finite(s.q[i]) || !is_finite(s.v[i]) || !is_finite(s.w[i]))
            return fmt::format("the state of `{}`", sim.model().bodies[i].name);
    for (std::size_t k = 0; k < s.loads.size(); ++k)
        if (!is_finite(s.loads[k].force) || !is_finite(s.loads[k].torque))
            return fmt::format("the load of `{}`", sim.model().joints[k].name);
    const RunReport& r = sim.report();
    for (const double value :
         {r.gap.value, r.rms_gap, r.angle.value, r.last.kinetic, r.last.potential, norm(r.last.momentum),
          norm(r.last.angular_momentum), r.worst_energy_change, r.mean_iterations})
        if (!std::isfinite(value)) return "the report";
    if (!r.failures.empty())
        return fmt::format("the motion of `{}`", sim.model().bodies[static_cast<std::size_t>(r.failures[0].body)].name);
    return {};
}

/// No solid of an anchored structure is ever further from the world's origin, where it hangs: everything stretched out
/// straight, and below that twice what free fall would have made of it. (A grain that carries a million times its
/// weight gives way almost freely when the solver gets too few iterations: that is not converged, but it is not
/// divergence.)
double farthest_allowed(const Spec& spec, double t) {
    double reach = 0;
    for (const ConstraintSpec& c : spec.constraints) reach += norm(c.hinge->p1_B) + norm(c.hinge->p2_B);
    return reach + norm(spec.simulation.gravity) * t * t;
}

test::StructureOptions random_options(Random& random, int scene) {
    test::StructureOptions o;
    o.bodies = static_cast<int>(std::lround(random.log_uniform(2, 30)));
    o.mass_ratio = random.log_uniform(1, 1e6);
    o.anchored = random.unit() < 0.6;
    o.loops = scene % 2 == 0 ? 0 : random.integer(1, 3);
    o.loop_gap = scene % 4 == 1 ? 0.02 : 0;
    return o;
}

class RandomStructuresSlow : public testing::TestWithParam<int> {};

TEST_P(RandomStructuresSlow, StayFiniteAndBoundedAndAreOnlyCalledConvergedWhenTheyAre) {
    int converged = 0;
    const int scenes = test::scaled(scenes_per_batch, 2);
    for (int k = 0; k < scenes; ++k) {
        const int scene = GetParam() * scenes_per_batch + k;
        SCOPED_TRACE(fmt::format("scene {}", scene));
        Random random(static_cast<std::uint64_t>(scene) + 1);
        const test::StructureOptions options = random_options(random, scene);
        Spec spec = test::random_structure(random, options);
        spec.simulation.iterations = 40;
        spec.simulation.assembly_iterations = 500;
        spec.simulation.min_dt = spec.simulation.dt / (scene % 5 == 0 ? 16 : 2);
        Simulator sim(spec);
        sim.assemble();
        Errors worst;
        for (int frame = 0; frame < frames; ++frame) {
            sim.advance();
            const std::string bad = find_not_finite(sim);
            ASSERT_EQ(bad, "") << "in frame " << frame << " of a structure of " << options.bodies << " solids";
            const Errors now = independent_errors(spec, sim);
            worst = {std::fmax(worst.gap, now.gap), std::fmax(worst.angle, now.angle)};
            if (!options.anchored) continue;
            const double limit = farthest_allowed(spec, sim.state().time);
            for (const Vec3& x : sim.state().x) ASSERT_LT(norm(x), limit) << "in frame " << frame;
        }
        const RunReport& r = sim.report();
        EXPECT_NEAR(r.gap.value, worst.gap, 1e-9 * (1 + worst.gap));
        EXPECT_NEAR(r.angle.value, worst.angle, 1e-7);
        const bool within = worst.gap <= 1e-3 && worst.angle <= 1e-3;
        EXPECT_EQ(r.converged(1e-3), within) << "gap " << worst.gap << " m, angle " << worst.angle << " rad";
        if (within) ++converged;
    }
    // Both verdicts must occur, or the comparison above says nothing.
    if (scenes >= 20) {
        EXPECT_GT(converged, 0);
        EXPECT_LT(converged, scenes);
    }
}

INSTANTIATE_TEST_SUITE_P(Batch, RandomStructuresSlow, testing::Range(0, batches));

double sum_of_momenta(const Simulator& sim) {
    double sum = 0;
    for (std::size_t i = 1; i < sim.model().bodies.size(); ++i)
        sum += sim.model().bodies[i].mass * norm(sim.state().v[i]);
    return sum;
}

/// The worst change of Σ m v over the frames, relative to Σ m |v| at the start.
double momentum_change(const Spec& spec) {
    Simulator sim(spec);
    const Vec3 start = measure_mechanics(sim.model(), sim.state()).momentum;
    const double scale = sum_of_momenta(sim);
    double worst = 0;
    for (int frame = 0; frame < frames; ++frame) {
        sim.advance();
        worst = std::fmax(worst, norm(sim.report().last.momentum - start) / scale);
        EXPECT_EQ(find_not_finite(sim), "");
    }
    return worst;
}

class FloatingStructuresSlow : public testing::TestWithParam<int> {};

TEST_P(FloatingStructuresSlow, ChainsKeepTheirLinearMomentum) {
    double worst = 0;
    for (int k = 0; k < test::scaled(4); ++k) {
        Random random(static_cast<std::uint64_t>(1000 + 10 * GetParam() + k));
        test::StructureOptions options;
        options.bodies = k == 0 && GetParam() == 0 ? 100 : static_cast<int>(std::lround(random.log_uniform(2, 100)));
        options.mass_ratio = 1e4;
        options.anchored = false;
        options.chain = random.unit() < 0.5;
        Spec spec = test::random_structure(random, options);
        spec.simulation.gravity = {};
        spec.simulation.iterations = 40;
        spec.simulation.min_dt = spec.simulation.dt / 4;
        for (SolidSpec& s : spec.solids) s.velocity = random.in_box(1);
        SCOPED_TRACE(fmt::format("chain {} of batch {}, {} solids", k, GetParam(), options.bodies));
        worst = std::fmax(worst, momentum_change(spec));
    }
    RecordProperty("worst_relative_change", fmt::format("{}", worst));
    EXPECT_LT(worst, 1e-12);
}

/// Balls at the knots, each held to its neighbours by ball joints half-way between them.
Spec random_net(Random& random, int rows, int columns) {
    Spec spec;
    const auto name = [](int i, int j) { return fmt::format("k{}_{}", i, j); };
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            SolidSpec& s = spec.add_solid(name(i, j));
            s.shapes.push_back({"", Sphere{0.05}, {}, {}});
            s.mass = random.log_uniform(1e-2, 1e2);
            s.pose_WB.x = {0.2 * i, 0, 0.2 * j};
            s.velocity = random.in_box(1);
            s.spin = random.in_box(3);
        }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            if (i + 1 < rows)
                spec.add_constraint(name(i, j), name(i + 1, j)).hinge = HingeSpec{{0.1, 0, 0}, {-0.1, 0, 0}, {}};
            if (j + 1 < columns)
                spec.add_constraint(name(i, j), name(i, j + 1)).hinge = HingeSpec{{0, 0, 0.1}, {0, 0, -0.1}, {}};
        }
    spec.simulation.gravity = {};
    spec.simulation.iterations = 40;
    spec.simulation.min_dt = spec.simulation.dt / 4;
    return spec;
}

TEST_P(FloatingStructuresSlow, NetsKeepTheirLinearMomentum) {
    double worst = 0;
    for (int k = 0; k < test::scaled(3); ++k) {
        Random random(static_cast<std::uint64_t>(2000 + 10 * GetParam() + k));
        const bool largest = k == 0 && GetParam() == 0;
        const int rows = largest ? 10 : random.integer(2, 7), columns = largest ? 10 : random.integer(2, 7);
        SCOPED_TRACE(fmt::format("net {} of batch {}, {} × {}", k, GetParam(), rows, columns));
        worst = std::fmax(worst, momentum_change(random_net(random, rows, columns)));
    }
    RecordProperty("worst_relative_change", fmt::format("{}", worst));
    EXPECT_LT(worst, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Batch, FloatingStructuresSlow, testing::Range(0, 3));

}  // namespace
}  // namespace armature::random_scenes

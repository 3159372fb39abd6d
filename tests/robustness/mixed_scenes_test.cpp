// Scenes that mix the named joints, domains, limits, motors, springs, dampers, threads, soft constraints and a floor at random, with
// too few iterations for most of them: nothing becomes non-finite, what does not hold is said not to, and nothing gains
// energy that no motor gave.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "armature/math/random.h"
#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"
#include "support/domains.h"
#include "support/test_scale.h"

namespace armature::mixed_scenes {
namespace {

const int frames = test::scaled(600, 100);
constexpr int batches = 10;
constexpr int scenes_per_batch = 30;

/// What acts along a freedom that its joint leaves: limits around where it is, springs, dampers, motors.
void act_on(Random& random, FreedomSpec& f) {
    const bool swing = f.kind == FreedomKind::swing;
    if (random.unit() < 0.3) {
        f.max = ScalarTrack::constant(random.uniform(0.05, 1));
        if (!swing) f.min = ScalarTrack::constant(-random.uniform(0.05, 1));
        f.restitution = random.unit();
    }
    if (random.unit() < 0.3) f.stiffness = ScalarTrack::constant(random.log_uniform(1e-2, 1e4));
    if (random.unit() < 0.3) f.damping = ScalarTrack::constant(random.log_uniform(1e-3, 1e2));
    const double motor = random.unit();
    if (motor < 0.1) f.force = ScalarTrack::constant(random.uniform(-5, 5));
    if (motor > 0.9) {
        f.speed = ScalarTrack::constant(random.uniform(-3, 3));
        f.max_force = ScalarTrack::constant(random.log_uniform(0.1, 30));
    }
}

/// The twist of a ball is not defined where its two axes are opposite (docs/joints.md): what acts on it needs a bounded
/// swing.
void keep_from_opposite(ConstraintSpec& c) {
    FreedomSpec* swing = nullptr;
    bool acted_on = false;
    for (FreedomSpec& f : c.freedoms) {
        if (f.kind == FreedomKind::swing) swing = &f;
        if (f.name == "twist")
            acted_on = f.max.given() || f.stiffness.given() || f.damping.given() || f.force.given() || f.speed.given();
    }
    if (swing && acted_on && !swing->max.given()) swing->max = ScalarTrack::constant(2);
}

Geometry random_solid(Random& random) {
    const double size = random.uniform(0.2, 0.6);
    switch (random.integer(0, 4)) {
        case 0:
            return Sphere{0.4 * size};
        case 1:
            return Cylinder{0.3 * size, size};
        case 2:
            return Capsule{0.2 * size, size};
        case 3:
            return Ellipsoid{{0.5 * size, 0.3 * size, 0.4 * size}};
        default:
            return Box{{size, 0.4 * size, 0.7 * size}};
    }
}

ConstraintSpec random_joint(Random& random, const std::string& one, const Pose& X1, const std::string& two,
                            const Pose& X2, const Vec3& at) {
    const auto& types = joint_types();
    const JointTypeInfo& type = types[static_cast<std::size_t>(random.integer(0, static_cast<int>(types.size()) - 1))];
    const Vec3 main = random.direction(), second = any_perpendicular(main);
    return make_joint(type.type, one, joint_frame(X1, at, main, second), two, joint_frame(X2, at, main, second),
                      random.uniform(0.05, 0.3));
}

/// A point of the one, held in a domain of some decimetres around a point of the other.
ConstraintSpec random_domain(Random& random, const std::string& one, const Vec3& p1, const std::string& two,
                             const Vec3& p2) {
    const std::vector<Domain> domains = test::every_domain(random.uniform(0.1, 0.5));
    ConstraintSpec c;
    c.solid1 = one;
    c.solid2 = two;
    c.hinge =
        HingeSpec{p1, p2, domains[static_cast<std::size_t>(random.integer(0, static_cast<int>(domains.size()) - 1))]};
    return c;
}

/// A tree of up to seven solids, hung on the world or floating, joined by any of the named joints or held in domains, above a floor.
Spec mixed_scene(Random& random) {
    Spec spec;
    const int bodies = random.integer(1, 7);
    const bool anchored = random.unit() < 0.5;
    for (int i = 0; i < bodies; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("s{}", i));
        s.shapes.emplace_back().geometry = random_solid(random);
        s.density = random.log_uniform(100, 1000);
        s.pose_WB.x = {0.7 * i, 2 + 0.2 * random.unit(), 0.2 * random.unit()};
        s.pose_WB.q = from_axis_angle(random.direction(), random.uniform(0, 3));
        s.spin = random.in_box(1);
        if (i == 0 && !anchored) continue;
        const std::string other = i == 0 ? "world" : fmt::format("s{}", random.integer(0, i - 1));
        const Pose X1 = s.pose_WB, X2 = i == 0 ? Pose{} : spec.find_solid(other)->pose_WB;
        const Vec3 at = i == 0 ? X1.x + random.in_box(0.2) : 0.5 * (X1.x + X2.x);
        ConstraintSpec c = random.unit() < 0.2
                               ? random_domain(random, s.name, inverse(X1) * at, other, inverse(X2) * at)
                               : random_joint(random, s.name, X1, other, X2, at);
        c.name = fmt::format("j{}", i);
        for (FreedomSpec& f : c.freedoms)
            if (random.unit() < 0.5) act_on(random, f);
        keep_from_opposite(c);
        const double how = random.unit();
        if (how < 0.1 && c.hinge)
            c.soft = SoftSpec{random.log_uniform(1, 1e4), random.log_uniform(1e-2, 1e2), random.log_uniform(1e-1, 1e3),
                              random.log_uniform(1e-3, 10)};
        if (how > 0.9) c.until = random.uniform(5, 9);
        spec.constraints.push_back(c);
    }
    spec.simulation.iterations = 200;
    SolidSpec& floor = spec.add_solid("floor");
    floor.kernel = Kernel::fixed;
    floor.shapes.emplace_back().geometry = Plane{};
    floor.pose_WB.q = from_axis_angle(random.direction(), random.uniform(0, 0.1));
    floor.contact = ContactSpec{random.uniform(0, 1), std::nullopt, random.unit() < 0.5 ? 0 : random.uniform(0, 0.9)};
    return spec;
}

std::string find_not_finite(const Simulator& sim) {
    const State& s = sim.state();
    for (std::size_t i = 0; i < s.x.size(); ++i)
        if (!is_finite(s.x[i]) || !is_finite(s.q[i]) || !is_finite(s.v[i]) || !is_finite(s.w[i]))
            return sim.model().bodies[i].name;
    for (const FreedomState& f : s.freedoms)
        if (!std::isfinite(f.value) || !std::isfinite(f.rate) || !std::isfinite(f.force)) return "a freedom";
    if (!std::isfinite(sim.report().last.energy())) return "the energy";
    return sim.report().failures.empty() ? "" : "a failure";
}

/// The widest gap of the rigid ball joints that hold all the time, from the author's frames.
double independent_gap(const Simulator& sim) {
    double worst = 0;
    for (const Joint& j : sim.model().joints) {
        if (j.soft || j.from > -infinity || j.until < infinity) continue;
        for (const Part& part : j.parts) {
            const auto* p = std::get_if<PointPart>(&part);
            if (!p || !std::holds_alternative<PointDomain>(p->domain)) continue;
            const auto at = [&](BodyId id, const Vec3& p_G) {
                const auto i = static_cast<std::size_t>(id);
                return sim.state().x[i] + rotate(sim.state().q[i], p_G);
            };
            worst = std::fmax(worst, norm(at(j.body1, p->p1_G) - at(j.body2, p->p2_G)));
        }
    }
    return worst;
}

class MixedScenesSlow : public testing::TestWithParam<int> {};

/// J: moving mass, as heavy as it is, lifted by the size of the scene.
double weight_times_size(const Model& model) {
    double mass = 0, size = 0;
    for (const Body& b : model.bodies)
        if (b.dynamic()) mass += b.mass;
    for (const Island& island : model.islands) size = std::fmax(size, island.size);
    return mass * norm(model.simulation.gravity) * size;
}

TEST_P(MixedScenesSlow, StayFiniteGainNoEnergyAndAreOnlyCalledConvergedWhenTheyAre) {
    int converged = 0;
    for (int k = 0; k < test::scaled(scenes_per_batch, 3); ++k) {
        const int scene = GetParam() * scenes_per_batch + k;
        SCOPED_TRACE(fmt::format("scene {}", scene));
        Random random(static_cast<std::uint64_t>(5000 + scene));
        Simulator sim(mixed_scene(random));
        sim.assemble();
        const Mechanics first = measure_mechanics(sim.model(), sim.state());
        double worst = 0, gained = 0, scale = weight_times_size(sim.model());
        for (int i = 0; i < frames; ++i) {
            sim.advance();
            worst = std::fmax(worst, independent_gap(sim));
            const Mechanics& m = sim.report().last;
            const double given = sim.report().motor_work + sim.report().closing_work;
            scale = std::fmax(scale, m.kinetic + std::fabs(given));
            gained = std::fmax(gained, (m.energy() - first.energy() - given) / scale);
        }
        ASSERT_EQ(find_not_finite(sim), "");
        EXPECT_LT(gained, 0.01);
        const bool verdict = sim.report().converged(sim.model().simulation.max_gap);
        if (verdict) {
            EXPECT_LE(worst, sim.model().simulation.max_gap);
        }
        converged += verdict;
    }
    if (test::scaled(scenes_per_batch, 3) == scenes_per_batch) {
        EXPECT_GT(converged, 0) << "the test says nothing";
    }
}

INSTANTIATE_TEST_SUITE_P(Batch, MixedScenesSlow, testing::Range(0, batches));

}  // namespace
}  // namespace armature::mixed_scenes

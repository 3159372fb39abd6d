// Scenes that mix joints, domains, limits, motors, springs, soft constraints and a floor at random: nothing becomes
// non-finite, and what does not hold is said not to.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/random_scenes.h"
#include "support/test_scale.h"

namespace armature {
namespace {

constexpr int frames = 600;
constexpr int batches = 10;
constexpr int scenes_per_batch = 6;

void add_random_domain(Random& random, ConstraintSpec& c) {
    switch (random.integer(0, 5)) {
        case 0:
            c.hinge->domain = SegmentDomain{random.direction(), -random.uniform(0, 0.3), random.uniform(0, 0.3)};
            break;
        case 1:
            c.hinge->domain = RingDomain{random.direction(), 0, random.uniform(0.05, 0.5)};
            break;
        default:
            break;
    }
}

void add_random_freedom(Random& random, ConstraintSpec& c, const Quat& q1, const Quat& q2) {
    FreedomSpec f;
    f.name = "f";
    const Vec3 axis = random.direction();
    f.axis1_B = rotate_back(q1, axis);
    f.axis2_B = rotate_back(q2, axis);
    switch (random.integer(0, 2)) {
        case 0:
            f.kind = FreedomKind::slide;
            f.p1_B = c.hinge->p1_B;
            f.p2_B = c.hinge->p2_B;
            break;
        case 1:
            // Twist has no meaning where the axes are opposite; a spring along it needs a joint that cannot get there.
            f.kind = FreedomKind::turn;
            c.angle = AngleSpec{f.axis1_B, f.axis2_B, 0, random.unit() < 0.5 ? 0 : 1.5};
            c.twist.reset();
            break;
        default:
            f.kind = FreedomKind::swing;
            break;
    }
    if (random.unit() < 0.5) f.max = ScalarTrack::constant(random.uniform(0.05, 1));
    if (random.unit() < 0.3 && f.kind != FreedomKind::swing) f.min = ScalarTrack::constant(-random.uniform(0.05, 1));
    f.restitution = random.unit();
    if (random.unit() < 0.4) f.stiffness = ScalarTrack::constant(random.log_uniform(1e-2, 1e5));
    if (random.unit() < 0.4) f.damping = ScalarTrack::constant(random.log_uniform(1e-3, 1e4));
    const double motor = random.unit();
    if (motor < 0.15) f.force = ScalarTrack::constant(random.uniform(-5, 5));
    if (motor > 0.85) {
        f.speed = ScalarTrack::constant(random.uniform(-3, 3));
        f.max_force = ScalarTrack::constant(random.log_uniform(0.1, 100));
    }
    c.freedoms.push_back(f);
}

Spec mixed_scene(Random& random) {
    test::StructureOptions o;
    o.bodies = random.integer(1, 6);
    o.max_spin = 2;
    o.mass_ratio = random.log_uniform(1, 100);
    o.anchored = random.unit() < 0.5;
    o.loops = random.integer(0, 1);
    Spec spec = test::random_structure(random, o);
    // Needles and plates, which spin about themselves at any touch, have a test of their own.
    for (SolidSpec& s : spec.solids) {
        Geometry& g = s.shapes[0].geometry;
        const double size = random.uniform(0.2, 0.6);
        if (auto* c = std::get_if<Cylinder>(&g)) *c = {0.3 * size, size};
        if (auto* c = std::get_if<Capsule>(&g)) *c = {0.2 * size, size};
        if (auto* b = std::get_if<Box>(&g)) *b = {{size, 0.4 * size, 0.7 * size}};
    }
    const auto turn_of = [&](const std::string& name) {
        const SolidSpec* s = spec.find_solid(name);
        return s ? s->pose_WB.q : Quat{};
    };
    for (ConstraintSpec& c : spec.constraints) {
        add_random_domain(random, c);
        if (random.unit() < 0.5) add_random_freedom(random, c, turn_of(c.solid1), turn_of(c.solid2));
        if (random.unit() < 0.2)
            c.soft = SoftSpec{random.log_uniform(1e-2, 1e5), random.log_uniform(1e-3, 1e3),
                              random.log_uniform(1e-2, 1e3), random.log_uniform(1e-3, 1e2)};
        // A spring that is switched on brings what it stores; only rigid constraints come late here.
        const bool rigid = !c.soft && (c.freedoms.empty() || !c.freedoms[0].stiffness.given());
        if (rigid && random.unit() < 0.1) {
            c.from = random.uniform(0.5, 5);
            c.closing = random.unit() < 0.3 ? 0 : random.uniform(0.2, 1);
        }
        if (random.unit() < 0.1) c.until = random.uniform(5, 9);
    }
    double lowest = 0;
    for (const SolidSpec& s : spec.solids) lowest = std::fmin(lowest, s.pose_WB.x.y);
    SolidSpec& floor = spec.add_solid("floor");
    floor.kernel = Kernel::fixed;
    floor.shapes.emplace_back().geometry = Plane{};
    floor.pose_WB.x = {0, lowest - 1.2, 0};
    floor.pose_WB.q = from_axis_angle(random.direction(), random.uniform(0, 0.2));
    floor.contact = ContactSpec{random.uniform(0, 1), std::nullopt, random.unit() < 0.5 ? 0 : random.uniform(0, 0.9)};
    spec.simulation.iterations = 500;
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

TEST_P(MixedScenesSlow, StayFiniteAndAreOnlyCalledConvergedWhenTheyAre) {
    int converged = 0;
    for (int k = 0; k < test::scaled(scenes_per_batch, 3); ++k) {
        const int scene = GetParam() * scenes_per_batch + k;
        SCOPED_TRACE(fmt::format("scene {}", scene));
        Random random(static_cast<std::uint64_t>(5000 + scene));
        Simulator sim(mixed_scene(random));
        sim.assemble();
        double worst = 0;
        for (int i = 0; i < frames; ++i) {
            sim.advance();
            worst = std::fmax(worst, independent_gap(sim));
        }
        ASSERT_EQ(find_not_finite(sim), "");
        const bool verdict = sim.report().converged(sim.model().simulation.max_gap);
        if (verdict) {
            EXPECT_LE(worst, sim.model().simulation.max_gap);
        }
        converged += verdict;
    }
    RecordProperty("converged", converged);
    EXPECT_GT(converged, 0);
}

INSTANTIATE_TEST_SUITE_P(Batch, MixedScenesSlow, testing::Range(0, batches));

}  // namespace
}  // namespace armature

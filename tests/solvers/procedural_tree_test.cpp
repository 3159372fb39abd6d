// One pass over a tree: all joints and limits hold, whatever they were before.
#include <gtest/gtest.h>

#include "armature/model/joint_library.h"
#include "solvers/procedural_problem.h"

namespace armature {
namespace {

using test_procedural::Problem;
using test_procedural::scatter;

/// Bricks on a fixed point; each hangs on one of the six before it.
Spec brick_tree(Random& random, int solids) {
    Spec spec;
    for (int i = 0; i < solids; ++i) {
        const std::string name = fmt::format("b{}", i);
        test::add_brick(spec, name, random.in_box(1), random.log_uniform(1e-3, 1e3));
        const int parent = i == 0 ? -1 : random.integer(std::max(0, i - 6), i - 1);
        test::add_ball(spec, name, {-0.2, 0, 0}, parent < 0 ? "world" : fmt::format("b{}", parent),
                       parent < 0 ? Vec3{} : Vec3{0.2, 0, 0});
    }
    return spec;
}

class ProceduralTree : public testing::TestWithParam<int> {};

TEST_P(ProceduralTree, OnePassClosesEveryJointToRoundOff) {
    Random random(static_cast<std::uint64_t>(GetParam()));
    Problem p(brick_tree(random, GetParam()));
    scatter(random, p, 5);
    const CorrectionReport report = p.correct();
    Vec3 low, high;
    for (const Vec3& x : p.x) {
        low = {std::fmin(low.x, x.x), std::fmin(low.y, x.y), std::fmin(low.z, x.z)};
        high = {std::fmax(high.x, x.x), std::fmax(high.y, x.y), std::fmax(high.z, x.z)};
    }
    EXPECT_LE(p.error(), 1e-12 * norm(high - low));
    EXPECT_EQ(report.iterations, 1);
    EXPECT_TRUE(report.converged);
}
INSTANTIATE_TEST_SUITE_P(Solids, ProceduralTree, testing::Values(1, 10, 100, 1000, 10000));

TEST(Procedural, JointsWithLimitsHoldAfterOnePass) {
    Random random(7);
    for (int k = 0; k < 300; ++k) {
        SCOPED_TRACE(k);
        test::StructureOptions options;
        options.bodies = random.integer(2, 20);
        options.angle_share = 0.7;
        Spec spec = test::random_structure(random, options);
        for (ConstraintSpec& c : spec.constraints)
            if (c.angle && random.unit() < 0.5)
                c.twist = TwistSpec{any_perpendicular(c.angle->a1_B), any_perpendicular(c.angle->a2_B), -0.2, 0.4};
        Problem p(spec);
        scatter(random, p, 3);
        EXPECT_TRUE(p.correct().converged);
        EXPECT_LE(p.error(), 1e-9);
    }
}

// Each joint of the library between a fixed and a free solid, thrown about: one placing makes it hold.
TEST(Procedural, EveryJointOfTheLibraryIsMetInOnePlacing) {
    Random random(8);
    for (const JointTypeInfo& info : joint_types()) {
        if (info.type == JointType::flying) continue;
        for (int k = 0; k < 50; ++k) {
            SCOPED_TRACE(fmt::format("{} {}", info.name, k));
            Spec spec;
            SolidSpec& base = test::add_brick(spec, "base", {});
            base.kernel = Kernel::fixed;
            test::add_brick(spec, "free", {0.4, 0, 0});
            const JointFrame L1{{0.2, 0, 0}, {1, 0, 0}, {0, 1, 0}}, L2{{-0.2, 0.1, 0}, {1, 0, 0}, {0, 1, 0}};
            const bool swapped = k % 2 == 1;
            spec.constraints.push_back(swapped ? make_joint(info.type, "free", L2, "base", L1, 0.05)
                                               : make_joint(info.type, "base", L1, "free", L2, 0.05));
            Problem p(spec);
            scatter(random, p, 1);
            EXPECT_TRUE(p.correct().converged);
            EXPECT_LE(p.error(), 1e-12);
        }
    }
}

TEST(Procedural, WhereNothingIsFixedTheCentreOfMassStays) {
    Random random(9);
    for (int k = 0; k < 200; ++k) {
        test::StructureOptions options;
        options.bodies = random.integer(2, 15);
        options.anchored = false;
        options.mass_ratio = random.log_uniform(1, 1e6);
        Problem p(test::random_structure(random, options));
        scatter(random, p, 1);
        const Vec3 before = p.centre();
        EXPECT_TRUE(p.correct().converged);
        EXPECT_LE(p.error(), 1e-9);
        EXPECT_LE(norm(p.centre() - before), 1e-13);
    }
}

// Two solids that only translate (h without end) meet at c = (m1 c1 + m2 c2)/(m1 + m2).
TEST(Procedural, TwoFreeSolidsMeetWhereTheirMassesSay) {
    Spec spec;
    test::add_brick(spec, "a", {}, 1);
    test::add_brick(spec, "b", {0.4, 0, 0}, 3);
    test::add_ball(spec, "a", {0.2, 0, 0}, "b", {-0.2, 0, 0});
    spec.simulation.procedural.h = 1e9;
    Problem p(spec);
    p.x[1] += Vec3{0, 0.4, 0.2};
    p.correct();
    EXPECT_LE(norm(p.x[0] - Vec3{0, 0.3, 0.15}), 1e-15);
    EXPECT_LE(norm(p.x[1] - Vec3{0.4, 0.3, 0.15}), 1e-15);
}

TEST(Procedural, TheChosenRootMovesLeastWhenItIsHeavy) {
    Spec spec;
    test::add_chain(spec, "link", 5, {}, false);
    spec.solids[2].mass = 1e6;
    Problem p(spec);
    Random random(10);
    for (std::size_t i = 0; i < 5; ++i) p.x[i] += random.in_box(0.1);
    const Vec3 before = p.x[2];
    p.correct();
    EXPECT_LE(norm(p.x[2] - before), 1e-5);
    EXPECT_LE(p.error(), 1e-14);
}

// h of a joint counts before that of the solid, that of the solid before that of the simulation.
TEST(Procedural, TheNearestHCounts) {
    const auto turn_with = [](auto set) {
        Spec spec;
        test::add_chain(spec, "link", 1);
        set(spec);
        Problem p(spec);
        p.x[0] += Vec3{0, 0.3, 0};
        p.correct();
        return norm(log_rotation(p.q[0]));
    };
    const double all = turn_with([](Spec& s) { s.simulation.procedural.h = 0; });
    EXPECT_NEAR(all, pi / 2, 1e-12) << "the arm then points along the pull";
    const double of_solid = turn_with([](Spec& s) {
        s.simulation.procedural.h = 0;
        s.solids[0].h = 0.2 * 0.3;
    });
    EXPECT_NEAR(of_solid, pi / 2 / std::exp(1.0), 1e-12);
    EXPECT_LE(turn_with([](Spec& s) {
                  s.solids[0].h = 0;
                  s.constraints[0].h = 1e9;
              }),
              0.0);
}

TEST(Procedural, RefusesByNameWhatActsByForces) {
    Spec spec;
    test::add_chain(spec, "link", 2);
    spec.constraints[1].soft = SoftSpec{100, 1, 0, 0};
    spec.constraints[1].name = "elbow";
    const std::vector<std::string> list = ProceduralSolver::refusals(compile(spec));
    ASSERT_EQ(list.size(), 2u);
    EXPECT_NE(list[0].find("`newton`"), std::string::npos);
    EXPECT_NE(list[1].find("`elbow`"), std::string::npos);
    EXPECT_NE(list[1].find("linearized"), std::string::npos);
    spec.simulation.solver = "procedural";
    EXPECT_EQ(compile(spec).simulation.scheme, Scheme::verlet) << "unless written down, its own scheme";
}

}  // namespace
}  // namespace armature

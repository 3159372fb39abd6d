// The displacement solver to the end: when it converges, and what it hands out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "displacement_problem.h"
#include "support/test_scale.h"

namespace armature::displacement_convergence {
namespace {

using namespace test_displacement;

TEST(Displacement, TheSafeAlphaNeverMakesAJointWorse) {
    // A ball joint between any two solids: rods, discs, needles, mass ratios to 1e6.
    for (const bool accelerate : {false, true})
        for (int k = 0; k < test::scaled(300, 30); ++k) {
            SCOPED_TRACE(fmt::format("pair {}{}", k, accelerate ? ", accelerated" : ""));
            Random random(static_cast<std::uint64_t>(700 + k));
            Spec spec = random_pair(random, Kind::ball, 1e6);
            scatter(random, spec, 0.005);
            DisplacementSpec parameters;
            parameters.accelerate = accelerate;
            double before = Problem(spec).error();
            const double first = before;
            for (int sweeps = 1; sweeps <= 12; ++sweeps) {
                Problem p(spec);
                p.correct(parameters, sweeps);
                const double now = p.error();
                // Without acceleration no sweep may lose ground, up to round-off; with it the way there may swing.
                if (!accelerate) {
                    EXPECT_LE(now, before * (1 + 1e-9) + 1e-14) << "sweep " << sweeps;
                }
                ASSERT_LE(now, 2 * first) << "sweep " << sweeps;
                before = now;
            }
        }
}

TEST(Displacement, TheSafeAlphaClosesAnyPair) {
    int slow = 0;
    const int pairs = test::scaled(300, 30);
    for (int k = 0; k < pairs; ++k) {
        Random random(static_cast<std::uint64_t>(1000 + k));
        Spec spec = random_pair(random, Kind::ball, 1e6);
        scatter(random, spec, 0.05);
        Problem p(spec);
        p.tolerance = 1e-6;
        const CorrectionReport r = p.correct({}, 1000);
        EXPECT_TRUE(r.converged) << "pair " << k << ": " << r.worst_error << " m left";
        if (r.iterations > 100) ++slow;
    }
    EXPECT_LE(slow, pairs / 50) << "pairs that took more than a hundred sweeps";
}

TEST(Displacement, TheSafeAlphaClosesRandomTrees) {
    for (const SweepOrder order : {SweepOrder::jacobi, SweepOrder::gauss_seidel})
        for (int k = 0; k < test::scaled(40, 5); ++k) {
            Random random(static_cast<std::uint64_t>(1400 + k));
            test::StructureOptions options;
            options.bodies = random.integer(3, 12);
            options.mass_ratio = 10;
            options.angle_share = 0;
            Spec spec = test::random_structure(random, options);
            scatter(random, spec, 0.02);
            DisplacementSpec parameters;
            parameters.order = order;
            Problem p(spec);
            p.tolerance = 1e-5;
            const CorrectionReport r = p.correct(parameters, 20000);
            EXPECT_TRUE(r.converged) << "tree " << k << ": " << r.worst_error << " m left, order "
                                     << static_cast<int>(order);
        }
}

/// Two equal solids anchored at a distance r from their centres; a gap across the line between them.
Spec pair_with_lever(const Geometry& shape, const Vec3& r) {
    Spec spec;
    for (const double side : {-1.0, 1.0}) {
        SolidSpec& s = spec.add_solid(side < 0 ? "left" : "right");
        s.shapes.push_back({"", shape, {}, {}});
        s.mass = 1;
        s.pose_WB.x = side * r + Vec3{0, 0, side * 0.001};
    }
    test::add_ball(spec, "left", r, "right", -r);
    return spec;
}

TEST(Displacement, ThePapersAlphaDivergesAtTheEndsOfRodsAndConvergesOnCompactSolids) {
    DisplacementSpec paper;
    paper.alpha = AlphaRule::paper;
    paper.accelerate = false;
    // m r²/J = 3 at the end of a rod
    Problem rod(pair_with_lever(Cylinder{0.01, 1}, {0, 0.5, 0}));
    const double rod_gap = rod.error();
    rod.correct(paper, 8);
    EXPECT_GT(rod.error(), 3 * rod_gap);
    // 0.9 inside a ball
    Problem ball(pair_with_lever(Sphere{0.5}, {0, 0.3, 0}));
    const double ball_gap = ball.error();
    ball.correct(paper, 60);
    EXPECT_LT(ball.error(), 0.01 * ball_gap);
    // and the safe one on the same rod
    DisplacementSpec safe = paper;
    safe.alpha = AlphaRule::safe;
    Problem again(pair_with_lever(Cylinder{0.01, 1}, {0, 0.5, 0}));
    again.correct(safe, 8);
    EXPECT_LT(again.error(), 1e-9 * rod_gap);
}

TEST(Displacement, StopsAtTheLimitAndNamesTheWorstJoint) {
    Spec spec;
    test::add_chain(spec, "link", 6);
    spec.constraints[3].name = "torn";
    for (std::size_t i = 3; i < 6; ++i) spec.solids[i].pose_WB.x += Vec3{0, 0.5, 0};
    Problem p(spec);
    const CorrectionReport r = p.correct({}, 1);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_FALSE(r.converged);
    EXPECT_FALSE(r.stalled);
    EXPECT_EQ(p.model.joints[idx(r.worst_joint)].name, "torn");
    EXPECT_NEAR(r.worst_error, 0.5, 1e-15) << "what the sweep met";
}

TEST(Displacement, LeavesWhatHoldsUntouched) {
    Spec spec;
    test::add_every_joint(spec);
    Problem p(spec);
    p.tolerance = 1e-9;
    const auto x0 = p.x;
    const auto q0 = p.q;
    const CorrectionReport r = p.correct({}, 100);
    EXPECT_TRUE(r.converged);
    EXPECT_EQ(r.iterations, 0);
    EXPECT_EQ(p.x, x0);
    EXPECT_EQ(p.q, q0);
    for (const JointLoad& load : p.impulses) {
        EXPECT_LT(norm(load.force), 1e-12);
        EXPECT_LT(norm(load.torque), 1e-12);
    }
}

TEST(Displacement, TheImpulsesHandedOutAreThoseThatMovedTheSolids) {
    // Σ of the impulses on a solid = its mass times its displacement, also after many sweeps.
    for (const SweepOrder order : {SweepOrder::jacobi, SweepOrder::gauss_seidel})
        for (const int variant : {1, 2})
            for (const double gap : {0.01, 0.3}) {
                Spec spec;
                test::add_chain(spec, "link", 6);
                Random random(5);
                scatter(random, spec, gap);
                DisplacementSpec parameters;
                parameters.order = order;
                parameters.variant = variant;
                Problem p(spec);
                p.tolerance = 1e-4;
                const auto x0 = p.x;
                p.correct(parameters, 1000);
                std::vector<Vec3> sum(p.x.size());
                for (std::size_t k = 0; k < p.island().joints.size(); ++k) {
                    sum[idx(p.island().joints[k].body1)] += p.impulses[k].force;
                    sum[idx(p.island().joints[k].body2)] -= p.impulses[k].force;
                }
                for (std::size_t i = 0; i < p.dynamic_count(); ++i)
                    EXPECT_LT(norm(sum[i] - p.body(i).mass * (p.x[i] - x0[i])), 1e-12)
                        << "solid " << i << ", order " << static_cast<int>(order) << ", variant " << variant << ", gap "
                        << gap;
            }
}

}  // namespace
}  // namespace armature::displacement_convergence

// Constraints that come and go.
#include <gtest/gtest.h>

#include "armature/sim/simulator.h"

namespace armature {
namespace {

/// Two cubes of 1 kg, 1 m apart, without gravity; a joint between them from t = 0.5 s on.
Spec pair_of_cubes(double closing) {
    Spec spec;
    spec.simulation.gravity = {};
    for (const char* name : {"a", "b"}) {
        SolidSpec& s = spec.add_solid(name);
        s.shapes.emplace_back().geometry = Box{{0.2, 0.2, 0.2}};
        s.mass = 1;
    }
    spec.find_solid("b")->pose_WB.x = {1, 0.1, 0};
    ConstraintSpec& c = spec.add_constraint("a", "b");
    c.hinge = HingeSpec{{0.1, 0, 0}, {-0.1, 0, 0}, PointDomain{}};
    c.from = 0.5;
    c.closing = closing;
    return spec;
}

double gap(const Simulator& s) {
    const Joint& j = s.model().joints[0];
    const auto at = [&](std::size_t i) { return Placement{s.state().x[i], to_matrix(s.state().q[i])}; };
    return violation(j.parts[0], at(1), at(2));
}

TEST(Closing, AViolatedConstraintIsDrawnInOverItsTimeWithBoundedEnergy) {
    for (const double closing : {0.3, 1.0}) {
        Simulator s(pair_of_cubes(closing));
        s.assemble();
        s.advance_to(0.5);
        const double first = gap(s);
        EXPECT_NEAR(first, std::hypot(0.8, 0.1), 2e-4) << "assembly does not touch what does not hold yet";
        double kinetic = 0;
        while (s.state().time + 1e-9 < 0.5 + closing) {
            s.advance();
            kinetic = std::max(kinetic, measure_mechanics(s.model(), s.state()).kinetic);
            EXPECT_LE(s.report().gap.value, 1e-3);
        }
        EXPECT_LT(gap(s), 1e-3);
        // Each moves half the way, at no more than 1.5 times the mean speed.
        const double speed = 1.5 * 0.5 * first / closing;
        EXPECT_LT(kinetic, 1.05 * 2 * 0.5 * speed * speed);
        EXPECT_GT(kinetic, 0.2 * speed * speed);
        EXPECT_GT(s.report().closing_work, 0);
        EXPECT_LT(s.report().closing_work, 1.1 * speed * speed);
        s.advance_to(2.5);
        EXPECT_LT(gap(s), 1e-3);
        EXPECT_LT(measure_mechanics(s.model(), s.state()).kinetic, 0.1 * speed * speed) << "caught, not thrown";
    }
}

TEST(Closing, AtOnceMovesTheSolidsAndLeavesTheirVelocities) {
    Spec spec = pair_of_cubes(0);
    spec.find_solid("a")->velocity = spec.find_solid("b")->velocity = {0, 0, 0.3};
    Simulator s(spec);
    s.advance_to(0.5);
    s.advance();
    EXPECT_LT(gap(s), 1e-3);
    EXPECT_LT(norm(s.state().v[1] - Vec3{0, 0, 0.3}), 1e-3);
    EXPECT_LT(norm(s.state().v[2] - Vec3{0, 0, 0.3}), 1e-3);
}

TEST(Closing, AConstraintThatLetsGoLetsGo) {
    Spec spec = pair_of_cubes(0);
    spec.constraints[0].from = -infinity;
    spec.constraints[0].until = 1;
    spec.simulation.gravity = {0, -9.81, 0};
    ConstraintSpec& nail = spec.add_constraint("a", "world");
    nail.hinge.emplace();
    nail.angle = AngleSpec{{1, 0, 0}, {1, 0, 0}, 0, 0};
    nail.twist = TwistSpec{{0, 1, 0}, {0, 1, 0}, 0, 0};
    Simulator s(spec);
    s.assemble();
    s.advance_to(0.98);
    EXPECT_LT(gap(s), 1e-3);
    s.advance();
    const double v = s.state().v[2].y;
    s.advance_to(1.5);
    EXPECT_NEAR(s.state().v[2].y, v - 9.81 * (s.state().time - 1), 1e-6);
}

TEST(Closing, ACatchKeepsMomentumAndEndsTheParting) {
    // b flies past a and is caught where they meet: plastic in the direction of the joint.
    Spec spec = pair_of_cubes(0);
    spec.find_solid("b")->pose_WB.x = {0.2, 1, 0};
    spec.find_solid("b")->velocity = {0, -2, 0};
    Simulator s(spec);
    s.advance_to(1.5);
    const Mechanics m = measure_mechanics(s.model(), s.state());
    EXPECT_NEAR(m.momentum.y, -2, 1e-9);
    EXPECT_LT(m.kinetic, 2.0) << "something was lost in the catch";
    EXPECT_LT(gap(s), 1e-3);
}

}  // namespace
}  // namespace armature

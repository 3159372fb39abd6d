// What a correction that was stopped left open is closed along the tree, in one pass.
#include "armature/solvers/linearized/tree_closing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/math/lanes.h"
#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/sim/local_bodies.h"

namespace armature::tree_closing_test {
namespace {

Vec3 random_vector(Random& random) {
    return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// Solids tied to an earlier one each, or to the world, by ball joints and pins; where they are thrown no joint holds.
Spec scattered_tree(std::uint64_t seed, int solids, bool held) {
    Random random(seed);
    Spec spec;
    for (int i = 0; i < solids; ++i) {
        SolidSpec& s = spec.add_solid(fmt::format("s{}", i));
        s.shapes.push_back({"", Box{{0.3, 0.2, 0.1}}, {}, {}});
        s.mass = random.uniform(0.1, 10);
        s.pose_WB = {random_vector(random), normalized(exp_rotation(random_vector(random)))};
        if (i == 0 && !held) continue;
        const std::string before = i == 0 ? "world" : fmt::format("s{}", random.integer(0, i - 1));
        const auto frame = [&] {
            const Vec3 axis = normalized(random_vector(random));
            return JointFrame{random_vector(random), axis, any_perpendicular(axis)};
        };
        const JointFrame at = frame(), own = frame();
        if (random.uniform(0, 1) < 0.5) {
            spec.add_constraint(before, s.name).hinge = HingeSpec{at.at_B, own.at_B, PointDomain{}};
        } else {
            ConstraintSpec pin = make_joint(JointType::pin, before, at, s.name, own);
            pin.freedoms.clear();
            spec.constraints.push_back(pin);
        }
    }
    return spec;
}

struct Closed {
    LeftOpen left;
    double worst = 0;       ///< violation of any part afterwards
    std::vector<int> open;  ///< joints with a violation, local
    Vec3 centre_moved;      ///< of the whole
    LocalBodies bodies;
};

Closed close(const Spec& spec) {
    const Model model = compile(spec);
    const State state = initial_state(model);
    const Island& island = model.islands.front();
    LocalBodies bodies;
    gather(island, state, bodies);
    std::vector<Vec3> moved;
    std::vector<JointLoad> impulses;
    CorrectionProblem problem{model, island, 0, bodies.x, bodies.q, nullptr, nullptr, moved, impulses};
    const auto centre = [&] {
        Vec3 sum;
        double mass = 0;
        for (int i = 0; i < island.dynamic_count; ++i) {
            sum += problem.body(i).mass * bodies.x[static_cast<std::size_t>(i)];
            mass += problem.body(i).mass;
        }
        return sum / mass;
    };
    const Vec3 before = centre();
    Closed closed;
    closed.left = TreeClosing().close(problem);
    closed.centre_moved = centre() - before;
    for (std::size_t k = 0; k < island.joints.size(); ++k) {
        const Island::LocalJoint& j = island.joints[k];
        double worst = 0;
        for (const Part& part : model.joints[static_cast<std::size_t>(j.joint)].parts)
            worst = std::max(worst, violation(part, placement_of(bodies, j.body1), placement_of(bodies, j.body2)));
        if (worst > 1e-12) closed.open.push_back(static_cast<int>(k));
        closed.worst = std::max(closed.worst, worst);
    }
    closed.bodies = bodies;
    return closed;
}

TEST(TreeClosing, MakesEveryBallJointAndPinOfATreeHoldInOnePass) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Closed closed = close(scattered_tree(seed, 40, true));
        EXPECT_LE(closed.worst, 1e-13) << "seed " << seed;
        EXPECT_EQ(closed.left.joint, -1) << "seed " << seed;
    }
}

TEST(TreeClosing, LeavesTheCentreOfMassWhereItWasWhenNothingIsHeld) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Closed closed = close(scattered_tree(seed, 40, false));
        EXPECT_LE(closed.worst, 1e-13) << "seed " << seed;
        EXPECT_LE(norm(closed.centre_moved), 1e-13) << "seed " << seed;
    }
}

TEST(TreeClosing, SaysWhichJointOfALoopIsLeftOpenAndHowFar) {
    Spec spec = scattered_tree(7, 10, true);
    ConstraintSpec& loop = spec.add_constraint("s9", "world");
    loop.hinge = HingeSpec{{}, {50, 0, 0}, PointDomain{}};
    const Closed closed = close(spec);
    EXPECT_EQ(closed.open, std::vector{closed.left.joint});
    EXPECT_GT(closed.left.worst, 10);
    EXPECT_DOUBLE_EQ(closed.left.worst, closed.worst);
}

TEST(TreeClosing, GivesTheSameBitsOnEveryMachine) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Closed widest = close(scattered_tree(seed, 43, seed % 2 == 0));
        for (const lanes::Machine most : {lanes::Machine::plain, lanes::Machine::wide}) {
            lanes::limit_machine(most);
            const Closed other = close(scattered_tree(seed, 43, seed % 2 == 0));
            lanes::limit_machine(lanes::Machine::widest);
            EXPECT_EQ(other.bodies.x, widest.bodies.x) << "seed " << seed;
            EXPECT_EQ(other.bodies.q, widest.bodies.q) << "seed " << seed;
        }
    }
}

}  // namespace
}  // namespace armature::tree_closing_test

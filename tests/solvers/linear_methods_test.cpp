// The ways to solve the systems of the linearized solver lead to the same motion, and a run says which was taken.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "armature/math/random.h"
#include "armature/model/compile.h"
#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"
#include "armature/solvers/linearized/direct.h"
#include "support/small_scenes.h"

namespace armature::linear_methods_test {
namespace {

/// A tree of ball joints and pins, one of them with a spring and a limit so that rows of every kind are there, and a loop.
Spec mixed_structure(std::uint64_t seed, LinearMethod method) {
    Random random(seed);
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.linearized.method = method;
    spec.simulation.linearized.inner = 500;
    for (int i = 0; i < 12; ++i) {
        const std::string name = fmt::format("s{}", i), before = i == 0 ? "world" : fmt::format("s{}", i - 1);
        SolidSpec& s = spec.add_solid(name);
        s.shapes.push_back({"", Box{{0.4, 0.1, 0.1}}, {}, {}});
        s.mass = random.log_uniform(0.3, 3);
        s.pose_WB.x = {0.2 + 0.4 * i, 0, 0};
        const Vec3 end{i == 0 ? 0 : 0.2, 0, 0}, own{-0.2, 0, 0};
        if (random.unit() < 0.5) {
            spec.add_constraint(before, name).hinge = HingeSpec{end, own, PointDomain{}};
        } else {
            const Vec3 axis = normalized(Vec3{0, random.uniform(-1, 1), 1});
            ConstraintSpec pin =
                make_joint(JointType::pin, before, {end, axis, {1, 0, 0}}, name, {own, axis, {1, 0, 0}});
            if (i == 6) pin.freedoms.front().stiffness = ScalarTrack::constant(2);
            spec.constraints.push_back(pin);
        }
    }
    return spec;
}

TEST(LinearMethods, ConjugateGradientsAndFactorisationMoveAStructureAlike) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Simulator direct(mixed_structure(seed, LinearMethod::direct)),
            gradients(mixed_structure(seed, LinearMethod::gradients));
        for (int frame = 0; frame < 20; ++frame) {
            direct.advance();
            gradients.advance();
        }
        for (int i = 0; i < 12; ++i) {
            const std::string name = fmt::format("s{}", i);
            EXPECT_LE(norm(direct.pose(name).x - gradients.pose(name).x), 1e-6) << name << ", seed " << seed;
        }
        EXPECT_LE(gradients.report().gap.value, 1e-9) << "seed " << seed;
        const auto gradient_steps = static_cast<std::size_t>(LinearWay::gradients);
        EXPECT_EQ(gradients.report().ways[gradient_steps], gradients.report().steps);
        EXPECT_EQ(direct.report().ways[gradient_steps], 0);
    }
}

/// Two plates on pins with a crowd of arms around each, tied to each other, and by two of their arms.
Spec crowd(int arms, LinearMethod method) {
    Spec spec;
    spec.simulation.solver = "linearized";
    spec.simulation.linearized.method = method;
    spec.simulation.linearized.inner = 2000;
    spec.simulation.dt = 1.0 / 480;  // at which neither way has to halve its steps
    const auto tie = [&](const std::string& one, const Vec3& p1, const std::string& two, const Vec3& p2) {
        spec.add_constraint(one, two).hinge = HingeSpec{p1, p2, PointDomain{}};
    };
    for (const std::string plate : {"a", "b"}) {
        const Vec3 centre{plate == "a" ? 0.0 : 1.0, 0, 0};
        SolidSpec& s = spec.add_solid(plate);
        s.shapes.push_back({"", Box{{0.2, 0.02, 0.2}}, {}, {}});
        s.mass = 3;
        s.pose_WB.x = centre;
        for (int i = 0; i < arms; ++i) {
            const double angle = 2 * pi / arms * i;
            const Vec3 out{std::cos(angle), 0, std::sin(angle)};
            SolidSpec& arm = spec.add_solid(fmt::format("{}{}", plate, i));
            arm.shapes.push_back({"", Box{{0.2, 0.03, 0.02}}, {}, {}});
            arm.mass = 0.2;
            arm.pose_WB = {centre + 0.2 * out, from_axis_angle({0, 1, 0}, -angle)};
            tie(plate, 0.1 * out, arm.name, {-0.1, 0, 0});
        }
    }
    ConstraintSpec pin =
        make_joint(JointType::pin, "world", {{}, {0, 1, 0}, {1, 0, 0}}, "a", {{}, {0, 1, 0}, {1, 0, 0}});
    spec.constraints.push_back(pin);
    tie("a", {0.5, 0.1, 0}, "b", {-0.5, 0.1, 0});
    SolidSpec& link = spec.add_solid("link");
    link.shapes.push_back({"", Box{{0.4, 0.03, 0.02}}, {}, {}});
    link.mass = 0.2;
    link.pose_WB.x = {0.5, 0, 0};
    tie("a0", {0.1, 0, 0}, "link", {-0.2, 0, 0});
    tie("link", {0.2, 0, 0}, fmt::format("b{}", arms / 2), {0.1, 0, 0});
    for (ConstraintSpec& c : spec.constraints) c.from = -1;  // so that it is not one for the inner loop of ball joints
    return spec;
}

TEST(LinearMethods, BodiesWithACrowdOfJointsMoveAsConjugateGradientsSay) {
    Simulator direct(crowd(20, LinearMethod::direct)), gradients(crowd(20, LinearMethod::gradients));
    for (int frame = 0; frame < 20; ++frame) {
        direct.advance();
        gradients.advance();
        for (const char* name : {"a", "b", "link", "a7", "b13"})
            ASSERT_LE(norm(direct.pose(name).x - gradients.pose(name).x), 1e-6) << name << ", frame " << frame;
    }
    EXPECT_LE(direct.report().gap.value, 1e-9);
    EXPECT_EQ(direct.report().ways[static_cast<std::size_t>(LinearWay::factorisation)], direct.report().steps);
}

TEST(LinearMethods, TheCostOfACrowdGrowsWithItsNumber) {
    const auto cost = [](int arms) {
        const Model model = compile(crowd(arms, LinearMethod::direct));
        return DirectSystem().cost(model.islands.front());
    };
    EXPECT_LT(cost(400), 4.1 * cost(100));
}

TEST(LinearMethods, ARunSaysWhatAutoCameTo) {
    Spec chain = mixed_structure(1, LinearMethod::automatic);
    Simulator sim(chain);
    for (int i = 0; i < 5; ++i) sim.advance();
    EXPECT_NE(to_text(sim.model(), sim.report(), 1e-3).find("solved by factorisation"), std::string::npos);

    Spec net;
    test::add_net(net, 16, 16, {});
    net.simulation.solver = "linearized";
    net.simulation.linearized.inner = 1;  // which makes them look cheap
    Simulator woven(net);
    woven.advance();
    EXPECT_NE(to_text(woven.model(), woven.report(), 1e-3).find("solved by conjugate gradients"), std::string::npos);
}

}  // namespace
}  // namespace armature::linear_methods_test

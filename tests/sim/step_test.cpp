// The step as a function of (Model, State): the same bits again, frames that end where they should, undone steps that
// leave no trace, joints that come and go, bodies that follow paths.
#include <gtest/gtest.h>

#include "armature/model/joint_library.h"
#include "armature/sim/free_motion.h"
#include "armature/sim/simulator.h"
#include "support/allocation_counter.h"
#include "support/domains.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

using test::add_ball;
using test::add_brick;

StepWorkspace workspace_for(const Model& model) {
    Diagnostics diagnostics;
    StepWorkspace workspace(make_solver(model, diagnostics));
    return workspace;
}

/// Two islands: one joint of each kind, and a chain beside it that is pulled and braked.
Spec busy_scene() {
    Spec spec;
    test::add_every_joint(spec);
    test::add_chain(spec, "link", 5, {0, 0, 3});
    test::add_every_force(spec, "link2", "link4");
    spec.find_solid("plane")->spin = {0, 3, 1};
    spec.find_solid("weld")->velocity = {0, 0, 1};
    return spec;
}

Spec spinning_brick(double spin) {
    Spec spec;
    add_brick(spec, "brick", {}).spin = {0, 0, spin};
    spec.simulation.gravity = {};
    return spec;
}

std::size_t idx(BodyId body) {
    return static_cast<std::size_t>(body);
}

// ---- the same bits --------------------------------------------------------------------------------------------------

class EveryScheme : public testing::TestWithParam<Scheme> {};

TEST_P(EveryScheme, AStepIsAFunctionOfModelAndStateAlone) {
    Spec spec = busy_scene();
    spec.simulation.scheme = GetParam();
    const Model model = compile(spec);
    State state = initial_state(model);
    StepWorkspace used = workspace_for(model);
    for (int i = 0; i < 20; ++i) advance_frame(model, state, used);

    State again = state;
    advance_frame(model, state, used);
    StepWorkspace fresh = workspace_for(model);
    advance_frame(model, again, fresh);
    EXPECT_EQ(hash(state), hash(again)) << "a workspace that was used remembers something";
    EXPECT_EQ(state, again);
}

TEST_P(EveryScheme, TwoSimulatorsAgreeInEveryFrame) {
    Spec spec = busy_scene();
    spec.simulation.scheme = GetParam();
    Simulator a(spec), b(spec);
    b.start_recording();  // looking on changes nothing
    std::uint64_t last = 0;
    for (int i = 0; i < 60; ++i) {
        a.advance();
        b.advance();
        ASSERT_EQ(hash(a.state()), hash(b.state())) << "frame " << i;
        EXPECT_EQ(b.recording().frames.back().hash, hash(b.state()));
        EXPECT_NE(hash(a.state()), last) << "the hash does not notice motion";
        last = hash(a.state());
    }
}

INSTANTIATE_TEST_SUITE_P(Scheme, EveryScheme,
                         testing::Values(Scheme::euler, Scheme::newton, Scheme::stormer, Scheme::verlet),
                         [](const auto& scheme) { return std::string(scheme_info(scheme.param).name); });

// ---- adaptive steps -------------------------------------------------------------------------------------------------

TEST(Step, FramesEndAtMultiplesOfDtWhateverHappensInside) {
    Spec spec = spinning_brick(300);
    add_brick(spec, "calm", {5, 0, 0});  // an island of its own, with other steps
    spec.simulation.dt = 0.01;
    Simulator sim(spec);
    int steps = 0;
    for (int i = 1; i <= 200; ++i) {
        steps += sim.advance().steps;
        ASSERT_EQ(sim.state().time, i * 0.01);
        ASSERT_EQ(sim.state().frame, i);
    }
    EXPECT_GT(steps, 4 * 200) << "nothing happened inside the frames";
    EXPECT_EQ(sim.report().time, 200 * 0.01);
}

TEST(Step, ARotationThatIsTooLargeIsUndoneWithoutATrace) {
    const Model model = compile(spinning_brick(100));  // 100/60 rad: too large by less than a factor of 4
    StepWorkspace ws = workspace_for(model);
    State undone = initial_state(model), direct = undone;
    direct.islands[0].level = 2;
    const StepReport first = advance_frame(model, undone, ws);
    EXPECT_EQ(first.rejected, 2);
    EXPECT_EQ(first.steps, 4);
    const StepReport second = advance_frame(model, direct, ws);
    EXPECT_EQ(second.rejected, 0);
    EXPECT_EQ(hash(undone), hash(direct));
    EXPECT_EQ(undone, direct);
}

TEST(Step, ACorrectionThatIsTooLargeIsUndoneWithoutATrace) {
    // Thrown straight out from its pivot: the joint must take back most of the free motion.
    Spec spec;
    add_brick(spec, "brick", {0.2, 0, 0}).velocity = {40, 0, 0};
    add_ball(spec, "brick", {-0.2, 0, 0}, "world", {});
    const Model model = compile(spec);
    StepWorkspace ws = workspace_for(model);
    State undone = initial_state(model), direct = undone;
    const StepReport first = advance_frame(model, undone, ws);
    ASSERT_GT(first.rejected, 0);
    ASSERT_EQ(first.steps, 1 << first.rejected) << "meant to be rejected at the start of the frame only";
    ASSERT_GT(first.iterations, 0);
    direct.islands[0].level = first.rejected;
    EXPECT_EQ(advance_frame(model, direct, ws).rejected, 0);
    EXPECT_EQ(undone, direct);
    EXPECT_EQ(hash(undone), hash(direct));
}

TEST(Step, StepsGrowBackWhenTheMotionCalmsDown) {
    Spec spec = spinning_brick(200);
    spec.add_force("brake").law = DragSpec{"brick", 0, 0.05};
    Simulator sim(spec);
    EXPECT_GE(sim.advance().steps, 8);
    for (int i = 0; i < 300; ++i) sim.advance();
    const StepReport& calm = sim.advance();
    EXPECT_EQ(calm.steps, 1);
    EXPECT_EQ(calm.rejected, 0);
    EXPECT_EQ(sim.state().islands[0].level, 0);
}

TEST(Step, TheShortestStepIsTakenEvenWhenItIsTooLarge) {
    Spec spec = spinning_brick(1000);
    spec.simulation.min_dt = spec.simulation.dt / 2;
    Simulator sim(spec);
    const StepReport& r = sim.advance();
    EXPECT_EQ(r.steps, 2);
    EXPECT_EQ(r.forced, 2);
    EXPECT_TRUE(is_finite(sim.state().q[1]));
}

// ---- joints in time -------------------------------------------------------------------------------------------------

TEST(Step, AJointHoldsFromItsFirstToItsLastInstant) {
    Spec spec;
    add_brick(spec, "brick", {});
    ConstraintSpec& c = add_ball(spec, "brick", {}, "world", {0, -1.2, 0});
    c.name = "catch";
    c.closing = 0;
    c.from = 0.5;  // frames 30 … 59
    c.until = 1;
    Simulator sim(spec);
    const double g = 9.81, dt = spec.simulation.dt;
    Vec3 v;
    for (int frame = 1; frame <= 90; ++frame) {
        sim.advance();
        const State& s = sim.state();
        const bool held = frame >= 30 && frame < 60;
        const double gap = norm(s.x[1] - Vec3{0, -1.2, 0});
        if (held) {
            EXPECT_LE(gap, spec.simulation.tolerance) << "frame " << frame;
        }
        if (frame < 30 || frame > 62) {
            EXPECT_GT(gap, 0.005) << "frame " << frame;
        }
        EXPECT_EQ(norm(sim.joint_load("catch").force) > 0, held) << "frame " << frame;
        if (!held) {
            EXPECT_NEAR(s.v[1].y - v.y, -g * dt, 1e-12) << "falls freely in frame " << frame;
        }
        v = s.v[1];
    }
}

TEST(Step, ABodyOnAPathFollowsItAndDragsOthersAlong) {
    Spec spec;
    SolidSpec& cart = spec.add_solid("cart");
    cart.kernel = Kernel::path;
    cart.path.keys = {{0, {{0, 0, 0}, {}}}, {1, {{0, 0, 0}, {}}}, {3, {{2, 0.5, 0}, from_axis_angle({0, 1, 0}, 1)}}};
    add_brick(spec, "load", {0, -0.1, 0});
    add_ball(spec, "load", {0, 0.1, 0}, "cart", {0.3, 0, 0}).name = "hook";
    add_brick(spec, "bystander", {0, 0, 5});
    spec.find_solid("load")->pose_WB.x = {0.3, -0.1, 0};
    spec.simulation.dt = 0.01;
    Simulator sim(spec);
    const Model& model = sim.model();
    const BodyId cart_id = model.find_body("cart"), load_id = model.find_body("load");
    for (int i = 0; i < 300; ++i) {
        sim.advance();
        const State& s = sim.state();
        const PoseAndVelocity at = evaluate(model.bodies[idx(cart_id)].path, s.time);
        ASSERT_EQ(s.x[idx(cart_id)], at.pose.x);
        ASSERT_EQ(s.q[idx(cart_id)], at.pose.q);
        ASSERT_EQ(s.v[idx(cart_id)], at.v);
        ASSERT_EQ(s.w[idx(cart_id)], at.w);
        const double gap = norm(sim.pose("load") * Vec3{0, 0.1, 0} - sim.pose("cart") * Vec3{0.3, 0, 0});
        ASSERT_LE(gap, spec.simulation.tolerance) << "at " << s.time << " s";
    }
    EXPECT_GT(sim.state().x[idx(load_id)].x, 1.5);
    EXPECT_NEAR(sim.pose("bystander").x.x, 0, 1e-15);
}

// ---- loads ----------------------------------------------------------------------------------------------------------

TEST(Step, AJointCarriesTheWeightOfWhatHangsOnIt) {
    Spec spec;
    for (int i = 0; i < 4; ++i) {
        const std::string name = fmt::format("link{}", i);
        add_brick(spec, name, {0, -0.1 - 0.2 * i, 0}, 1 + i);
        add_ball(spec, name, {0, 0.1, 0}, i > 0 ? fmt::format("link{}", i - 1) : "world",
                 i > 0 ? Vec3{0, -0.1, 0} : Vec3{})
            .name = fmt::format("joint{}", i);
    }
    spec.add_force("air").law = DragSpec{"", 5, 1};
    Simulator sim(spec);
    for (int i = 0; i < 300; ++i) sim.advance();
    std::vector<Vec3> mean(4);
    const int count = 200;
    for (int i = 0; i < count; ++i) {
        sim.advance();
        for (std::size_t k = 0; k < 4; ++k) mean[k] += sim.joint_load(fmt::format("joint{}", k)).force / count;
    }
    double below = 0;
    for (int k = 3; k >= 0; --k) {
        below += (1 + k) * 9.81;
        const Vec3 load = mean[static_cast<std::size_t>(k)];
        EXPECT_NEAR(load.y, below, 0.01 * below) << "joint " << k;
        EXPECT_NEAR(load.x, 0, 0.01 * below);
    }
}

// A step that turns too far is halved; one for which there is no time left is made all the same, and its joints are not forgotten.
TEST(Step, AFrameThatIsOutOfTimeStillCorrectsItsJoints) {
    Spec spec;
    add_brick(spec, "propeller", {0.2, 0, 0}).spin = {0, 0, 100};
    add_ball(spec, "propeller", {-0.2, 0, 0}, "world", {0, 0, 0});
    spec.simulation.solver = "linearized";
    spec.simulation.linearized.budget = 1e-12;
    Simulator sim(spec);
    for (int frame = 0; frame < 60; ++frame) sim.advance();
    EXPECT_GE(sim.report().mean_iterations, 1);
    EXPECT_LE(sim.report().gap.value, 1e-12);
}

// Half a second of shaking with one iteration a frame, which is what no time at all comes to, then two seconds of hanging
// still: joints hold throughout, and what the hurry made of the motion does not stay in it.
TEST(Step, ChainsThatAreGivenNoTimeHoldAndDoNotGainEnergy) {
    Spec spec;
    SolidSpec& back = spec.add_solid("back");
    back.kernel = Kernel::path;
    for (int i = 0; i <= 10; ++i) back.path.keys.push_back({0.05 * i, {{i % 2 ? 0.1 : 0, 0, i % 3 ? 0 : 0.05}, {}}});
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 30; ++i) {
            const std::string name = fmt::format("link{}_{}", c, i);
            SolidSpec& s = spec.add_solid(name);
            s.shapes.push_back({"", Box{{0.02, 0.1, 0.02}}, {}, {}});
            s.mass = 0.1;
            s.pose_WB.x = {0.1 * c, -0.05 - 0.1 * i, 0};
            spec.add_constraint(i > 0 ? fmt::format("link{}_{}", c, i - 1) : "back", name).hinge =
                HingeSpec{i > 0 ? Vec3{0, -0.05, 0} : Vec3{0.1 * c, 0, 0}, {0, 0.05, 0}, PointDomain{}};
        }
    spec.simulation.solver = "linearized";
    const auto energy_after_shaking = [](Spec& of, double budget) {
        of.simulation.linearized.budget = budget;
        Simulator sim(of);
        sim.advance_to(0.5);
        const double shaken = measure_mechanics(sim.model(), sim.state()).energy();
        double most = shaken;
        while (sim.state().time < 2.5) {
            sim.advance();
            most = std::max(most, measure_mechanics(sim.model(), sim.state()).energy());
        }
        EXPECT_LE(sim.report().gap.value, budget > 0 ? 1e-12 : 1e-9);
        return std::pair{shaken, most};
    };
    const double hanging = -9.81 * 0.1 * 3 * 0.05 * 30 * 30;
    const auto [exact, exact_most] = energy_after_shaking(spec, 0);
    const auto [hasty, hasty_most] = energy_after_shaking(spec, 1e-12);
    EXPECT_LE(hasty_most - hasty, 0.02 * (exact - hanging));
    EXPECT_LE(hasty - hanging, 1.5 * (exact - hanging));
    EXPECT_GT(hasty - hanging, 0.1 * (exact - hanging));  // nor was it all taken away
}

// ---- the heap -------------------------------------------------------------------------------------------------------

/// operator new calls of 60 frames after 60 warm ones.
long allocations_when_warm(const Spec& spec) {
    Simulator sim(spec);
    for (int i = 0; i < 60; ++i) sim.advance();
    const long before = test::allocation_count();
    for (int i = 0; i < 60; ++i) sim.advance();
    return test::allocation_count() - before;
}

TEST_P(EveryScheme, AWarmFrameTakesNothingFromTheHeap) {
    for (const int variant : {1, 2})
        for (const SweepOrder order : {SweepOrder::jacobi, SweepOrder::gauss_seidel}) {
            Spec spec = busy_scene();
            test::add_net(spec, 4, 4, {0, 0, 10});
            add_brick(spec, "spinner", {20, 0, 0}).spin = {0, 0, 200};
            for (const Domain& d : test::every_domain(1)) {
                const std::string name = fmt::format("held{}", spec.solids.size());
                add_brick(spec, name, {30, 0, 0});
                add_ball(spec, name, {0.2, 0, 0}, "world", {30, 0, 0}).hinge->domain = d;
            }
            spec.simulation.scheme = GetParam();
            spec.simulation.iterations = 100;
            spec.simulation.displacement.variant = variant;
            spec.simulation.displacement.order = order;
            EXPECT_EQ(allocations_when_warm(spec), 0)
                << "variant " << variant << (order == SweepOrder::jacobi ? "" : ", gauss_seidel");
        }
}

// Balls and pins, chains long enough to be worked on eight parts at a time, and a pin with a limit and a spring, which takes the way of
// rows of any kind while it leans on the limit.
TEST(Step, AWarmFrameOfTheLinearizedSolverTakesNothingFromTheHeap) {
    for (const LinearMethod method : {LinearMethod::direct, LinearMethod::gradients})
        for (const Scheme scheme : {Scheme::newton, Scheme::exact}) {
            Spec spec;
            test::add_net(spec, 4, 4, {0, 0, 10});
            test::add_chain(spec, "long", 50, {0, 0, 20});
            for (const char* name : {"pendulum", "gate"}) {
                add_brick(spec, name, {30, 0, 0});
                const JointFrame at{{30, 0, 0}, {0, 0, 1}, {1, 0, 0}}, end{{-0.2, 0, 0}, {0, 0, 1}, {1, 0, 0}};
                spec.constraints.push_back(make_joint(JointType::pin, "world", at, name, end));
            }
            spec.constraints[spec.constraints.size() - 2].freedoms.clear();
            FreedomSpec& turn = spec.constraints.back().freedoms.at(0);
            turn.max = ScalarTrack::constant(0.5);
            turn.stiffness = ScalarTrack::constant(3);
            spec.simulation.solver = "linearized";
            spec.simulation.scheme = scheme;
            spec.simulation.linearized.method = method;
            EXPECT_EQ(allocations_when_warm(spec), 0)
                << (method == LinearMethod::direct ? "direct" : "gradients") << ", scheme " << static_cast<int>(scheme);
        }
}

TEST(Step, TheCounterSeesWhatAColdSimulatorTakes) {
    const long before = test::allocation_count();
    Simulator sim(busy_scene());
    sim.advance();
    EXPECT_GT(test::allocation_count(), before);
}

}  // namespace
}  // namespace armature

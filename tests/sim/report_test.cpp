// The report and the recording against what is computed frame by frame from the outside.
#include <gtest/gtest.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/small_scenes.h"

namespace armature {
namespace {

Spec chain_and_joints() {
    Spec spec;
    test::add_every_joint(spec);
    test::add_chain(spec, "link", 6, {0, 0, 3});
    spec.find_solid("link5")->velocity = {0, 3, 2};
    spec.find_solid("plane")->spin = {2, 1, 3};
    spec.simulation.iterations = 15;  // too few, so that there is something to report
    return spec;
}

TEST(Report, NamesTheWorstGapAndAngleOverAllFrames) {
    Simulator sim(chain_and_joints());
    Worst gap, angle;
    double sum2 = 0;
    std::vector<double> errors;
    const int frames = 120;
    for (int i = 0; i < frames; ++i) {
        sim.advance();
        const JointErrors e = measure_joints(sim.model(), sim.state(), errors);
        if (e.worst_gap > gap.value) gap = {e.worst_gap, e.worst_gap_joint, sim.state().time};
        if (e.worst_angle > angle.value) angle = {e.worst_angle, e.worst_angle_joint, sim.state().time};
        sum2 += e.rms_gap * e.rms_gap;
    }
    const RunReport& r = sim.report();
    ASSERT_GT(gap.value, 0);
    ASSERT_GT(angle.value, 0);
    EXPECT_EQ(r.gap.value, gap.value);
    EXPECT_EQ(r.gap.joint, gap.joint);
    EXPECT_EQ(r.gap.time, gap.time);
    EXPECT_EQ(r.angle.value, angle.value);
    EXPECT_EQ(r.angle.joint, angle.joint);
    EXPECT_EQ(r.angle.time, angle.time);
    EXPECT_NEAR(r.rms_gap, std::sqrt(sum2 / frames), 1e-15);
    EXPECT_EQ(r.frames, frames);
    const double worst = std::fmax(gap.value, angle.value);
    EXPECT_TRUE(r.converged(worst));
    EXPECT_FALSE(r.converged(0.999 * worst));
    const std::string name = sim.model().joints[static_cast<std::size_t>(gap.joint)].name;
    EXPECT_NE(to_text(sim.model(), r, 1e-3).find(name), std::string::npos);
}

TEST(Report, CountsStepsAndIterations) {
    Simulator sim(chain_and_joints());
    long long steps = 0, rejected = 0, forced = 0, unconverged = 0, iterations = 0;
    int most = 0;
    for (int i = 0; i < 120; ++i) {
        const StepReport& s = sim.advance();
        steps += s.steps;
        rejected += s.rejected;
        forced += s.forced;
        unconverged += s.unconverged;
        iterations += s.iterations;
        most = std::max(most, s.max_iterations);
        EXPECT_LE(s.max_iterations, 15);
        EXPECT_GE(s.iterations, s.max_iterations);
        EXPECT_EQ(s.unconverged > 0, s.worst_error > sim.model().simulation.tolerance);
        EXPECT_EQ(s.worst_joint >= 0, s.worst_error > 0);
    }
    const RunReport& r = sim.report();
    EXPECT_EQ(r.steps, steps);
    EXPECT_EQ(r.rejected, rejected);
    EXPECT_EQ(r.forced, forced);
    EXPECT_EQ(r.unconverged, unconverged);
    EXPECT_GT(unconverged, 0);
    EXPECT_EQ(r.max_iterations, most);
    EXPECT_EQ(most, 15);
    EXPECT_DOUBLE_EQ(r.mean_iterations, static_cast<double>(iterations) / static_cast<double>(steps));
}

TEST(Report, OnFailureStopEndsTheRunAtTheFirstFrameThatDidNotConverge) {
    Spec spec = chain_and_joints();
    spec.simulation.iterations = 1;
    Simulator going(spec);
    going.advance_to(1);
    EXPECT_EQ(going.report().frames, 60);
    EXPECT_FALSE(going.stopped());

    spec.simulation.on_failure = OnFailure::stop;
    Simulator stopping(spec);
    stopping.advance_to(1);
    EXPECT_TRUE(stopping.stopped());
    EXPECT_LT(stopping.report().frames, 60);
    EXPECT_GT(stopping.report().unconverged, 0);
}

TEST(Report, EnergyAndMomentumOfTheIslandsAddUpToTheWhole) {
    Spec spec = chain_and_joints();
    test::add_every_force(spec, "link2", "link4");
    test::add_brick(spec, "loose", {5, 1, 5}, 3).velocity = {1, 2, 3};
    Simulator sim(spec);
    sim.start_recording();
    for (int i = 0; i < 30; ++i) sim.advance();
    for (const FrameRecord& f : sim.recording().frames) {
        ASSERT_EQ(f.islands.size(), sim.model().islands.size());
        ASSERT_GE(f.islands.size(), 3u);
        Mechanics sum;
        for (const Mechanics& m : f.islands) sum = sum + m;
        EXPECT_EQ(sum.kinetic, f.mechanics.kinetic);
        EXPECT_EQ(sum.potential, f.mechanics.potential);
        EXPECT_EQ(sum.momentum, f.mechanics.momentum);
        EXPECT_EQ(sum.angular_momentum, f.mechanics.angular_momentum);
    }
    // And the whole is what the formulas of the header say.
    const Model& model = sim.model();
    const State& s = sim.state();
    Mechanics m;
    for (std::size_t i = 1; i < model.bodies.size(); ++i) {
        const Body& b = model.bodies[i];
        const Vec3 Jw = to_matrix(s.q[i]) * (b.inertia_G * transposed_times(to_matrix(s.q[i]), s.w[i]));
        m.kinetic += 0.5 * b.mass * norm2(s.v[i]) + 0.5 * dot(s.w[i], Jw);
        m.potential += 9.81 * b.mass * s.x[i].y;
        m.momentum += b.mass * s.v[i];
        m.angular_momentum += cross(s.x[i], b.mass * s.v[i]) + Jw;
    }
    const auto spring = [&](const char* n1, const Vec3& p1, const char* n2, const Vec3& p2, double k, double rest) {
        const double stretch = norm(sim.pose(n1) * p1 - sim.pose(n2) * p2) - rest;
        m.potential += 0.5 * k * stretch * stretch;
    };
    spring("world", {0, 1, 0}, "link2", {0.1, 0, 0}, 50, 0.5);
    spring("link2", {}, "link4", {0, 0.1, 0}, 20, 0.2);
    const Mechanics& last = sim.report().last;
    EXPECT_NEAR(last.kinetic, m.kinetic, 1e-12 * m.kinetic);
    EXPECT_NEAR(last.potential, m.potential, 1e-12 * std::fabs(m.potential) + 1e-12);
    EXPECT_LT(norm(last.momentum - m.momentum), 1e-12 * norm(m.momentum));
    EXPECT_LT(norm(last.angular_momentum - m.angular_momentum), 1e-12 * norm(m.angular_momentum));
}

TEST(Simulator, StartsItsReportAnewFromAnotherState) {
    Simulator sim(chain_and_joints());
    const State start = sim.state();
    for (int i = 0; i < 20; ++i) sim.advance();
    const RunReport first = sim.report();
    const std::uint64_t end = hash(sim.state());
    sim.set_state(start);
    EXPECT_EQ(sim.report().frames, 0);
    for (int i = 0; i < 20; ++i) sim.advance();
    EXPECT_EQ(hash(sim.state()), end);
    EXPECT_EQ(sim.report().gap.value, first.gap.value);
    EXPECT_EQ(sim.report().rms_gap, first.rms_gap);
    EXPECT_EQ(sim.report().mean_iterations, first.mean_iterations);
}

TEST(Simulator, SaysWhichNameItDoesNotKnow) {
    Simulator sim(chain_and_joints());
    EXPECT_NO_THROW(sim.pose("link0"));
    EXPECT_NO_THROW(sim.joint_load("j_ball"));
    const auto message = [](auto call) {
        try {
            call();
        } catch (const std::out_of_range& e) {
            return std::string(e.what());
        }
        return std::string("nothing thrown");
    };
    EXPECT_NE(message([&] { sim.pose("lnik"); }).find("`lnik`"), std::string::npos);
    EXPECT_NE(message([&] { sim.joint_load("j_bal"); }).find("`j_bal`"), std::string::npos);
}

TEST(Simulator, RefusesASolverItDoesNotHave) {
    Spec spec = chain_and_joints();
    spec.simulation.solver = "displacment";
    try {
        Simulator sim(spec);
        ADD_FAILURE() << "no error";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("displacment"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("did you mean 'displacement'?"), std::string::npos);
    }
}

}  // namespace
}  // namespace armature

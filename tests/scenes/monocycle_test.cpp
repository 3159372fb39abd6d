// The monocycle of [Gascuel, Gascuel 1994, appendix A]: it puts itself together, and it pedals.
#include <fmt/format.h>

#include <cmath>

#include "armature/math/random.h"
#include "armature/sim/simulator.h"
#include "support/scene_files.h"
#include "support/test_scale.h"

namespace armature {
namespace {

TEST(Monocycle, WithThePapersOwnAngleIsWarnedAboutOnce) {
    Diagnostics diagnostics;
    const Scene scene =
        load_file(test::scene_path("monocycle"), {{{"right-leg~right-foot.angle.max", "9"}}}, diagnostics);
    EXPECT_TRUE(compile(scene.spec, diagnostics));
    ASSERT_EQ(diagnostics.all().size(), 1u) << test::rendered(diagnostics);
    EXPECT_EQ(diagnostics.all()[0].severity, Severity::warning);
}

// Every solid is moved by up to its own size, any way, and turned by up to 1 rad about any axis. Where the legs have two
// ways to bend either will do; that the joints hold is what counts.
TEST(MonocycleSlow, AssemblesFromScatteredParts) {
    Simulator s(test::load_scene_model("monocycle"));
    ASSERT_EQ(s.assemble().result, AssemblyResult::satisfied);
    const State in_place = s.state();
    const int seeds = test::scaled(20, 4);
    int satisfied = 0, most = 0;
    double total = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        State scattered = in_place;
        for (std::size_t i = 1; i < scattered.x.size(); ++i) {
            scattered.x[i] += random.uniform(0, s.model().bodies[i].size) * random.direction();
            scattered.q[i] = normalized(exp_rotation(random.uniform(0, 1) * random.direction()) * scattered.q[i]);
        }
        s.set_state(scattered);
        const AssemblyReport report = s.assemble();
        EXPECT_EQ(report.result, AssemblyResult::satisfied) << "seed " << seed << ": " << to_text(s.model(), report);
        EXPECT_EQ(s.state().v, in_place.v) << "velocities are left alone";
        satisfied += report.result == AssemblyResult::satisfied;
        most = std::max(most, report.iterations);
        total += report.iterations;
    }
    fmt::print("[ measured ] {} of {} assembled, {:.0f} iterations on average, at most {}\n", satisfied, seeds,
               total / seeds, most);
}

TEST(MonocycleSlow, PedalsForTenSeconds) {
    Simulator s(test::load_scene_model("monocycle"));
    ASSERT_EQ(s.assemble().result, AssemblyResult::satisfied);
    double turned = 0;
    const auto wheel = static_cast<std::size_t>(s.model().find_body("wheel"));
    for (std::int64_t i = 0; i < s.frame_count(); ++i) {
        s.advance();
        turned += s.state().w[wheel].x * s.model().simulation.dt;
    }
    const RunReport& report = s.report();
    fmt::print(
        "[ measured ] {:.1f} turns, worst gap {:.2g} m, worst limit {:.2g} rad, iterations mean {:.1f}, "
        "most {}\n",
        turned / (2 * pi), report.gap.value, report.angle.value, report.mean_iterations, report.max_iterations);
    EXPECT_NEAR(report.time, 10, 1e-9);
    EXPECT_TRUE(report.converged(1e-3)) << to_text(s.model(), report, 1e-3);
    EXPECT_EQ(report.unconverged, 0);
    EXPECT_GT(std::fabs(turned), 3 * 2 * pi) << "turns of the wheel";
}

}  // namespace
}  // namespace armature

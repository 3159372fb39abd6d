// What the comments of the smaller scenes promise, against closed forms.
#include <fmt/format.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

// A Cardan joint bent by b: the driven shaft turns at rate cos b/(1 − sin² b cos² a), a the angle of the drive from
// where the arm of its fork lies in the plane of the two shafts: from cos b to 1/cos b of the rate, twice a turn.
TEST(Gallery, TheUniversalJointRunsAheadAndLagsBehind) {
    const double rate = 4, bend = 35 * pi / 180;
    Simulator s(test::load_scene_model("joints/universal"));
    const auto lower = static_cast<std::size_t>(s.model().find_body("lower"));
    const auto upper = static_cast<std::size_t>(s.model().find_body("upper"));
    s.advance_to(1);  // the motor has done its work
    double worst = 0;
    while (s.state().time < 5 - 1e-9) {
        s.advance();
        const Vec3 arm = rotate(s.pose("lower").q, {1, 0, 0});
        const double a = std::atan2(-arm.z, arm.x);
        EXPECT_NEAR(s.state().w[lower].y, rate, 0.01 * rate);
        const double want = s.state().w[lower].y * std::cos(bend) / (1 - std::pow(std::sin(bend) * std::cos(a), 2));
        worst = std::max(worst, std::fabs(dot(s.state().w[upper], rotate(s.pose("upper").q, {0, 1, 0})) / want - 1));
    }
    fmt::print("[ measured ] universal: rate of the driven shaft within {:.2g} of the closed form\n", worst);
    EXPECT_LE(worst, 0.01);
}

// A bead that falls h onto a stop comes back to e² h. The frames miss the very top by up to g dt²/8,
// and the bead meets its stop within a step, not at the end of one.
TEST(Gallery, BeadsOnRodsComeBackToTheSquareOfTheirRestitution) {
    Simulator s(test::load_scene_model("limits"));
    for (int i = 1; i <= 5; ++i) {
        const double e = 0.22 * (i - 1);
        const std::string bead = fmt::format("bead[{}]", i);
        Simulator run = s;
        double top = 0, last = run.pose(bead).x.y;
        bool up = false;
        while (run.state().time < 2) {  // the top of the first bounce
            run.advance();
            const double y = run.pose(bead).x.y;
            if (up && y < last) break;
            up = y > last + 1e-9;
            top = up ? y - 0.2 : top;
            last = y;
        }
        fmt::print("[ measured ] restitution {:.2f}: back to {:.4f} m of {:.4f} m\n", e, top, e * e);
        EXPECT_NEAR(top, e * e, 0.01) << bead;
    }
}

// Masses do not count: neither which link is heavy nor by how much.
TEST(Gallery, WithoutPhysicsMassesChangeNothing) {
    const auto run = [](const char* heavy) {
        Simulator s(test::load_scene_model("nonphysical", {{"heavy", heavy}}));
        s.advance_to(8);
        return s.state().x;
    };
    const std::vector<Vec3> one = run("1000"), other = run("5");
    double worst = 0;
    for (std::size_t i = 0; i < one.size(); ++i) worst = std::max(worst, norm(one[i] - other[i]));
    fmt::print("[ measured ] without physics: {:.2g} m apart after 8 s\n", worst);
    EXPECT_LE(worst, 1e-9);
}

// Plate after plate, the later ones at an even pace.
TEST(Gallery, DominoesFallInTurn) {
    Simulator s(test::load_scene_model("dominoes"));
    std::vector<double> begins(13, -1);
    for (std::int64_t i = 0; i < s.frame_count(); ++i) {
        s.advance();
        for (std::size_t k = 1; k <= 12; ++k)
            if (begins[k] < 0 && rotate(s.pose(fmt::format("plate[{}]", k)).q, {0, 1, 0}).x > std::sin(0.05))
                begins[k] = s.state().time;
    }
    for (std::size_t k = 1; k <= 12; ++k) EXPECT_GE(begins[k], begins[k - 1]) << k;
    EXPECT_GE(begins[1], 0) << "the first";
    EXPECT_NEAR((begins[12] - begins[8]) / 4, (begins[8] - begins[4]) / 4, 0.03) << "an even pace";
    EXPECT_EQ(s.report().unconverged, 0);
}

// From peg to peg in half a period each, and off the last one: then nothing holds the stick any more.
TEST(Gallery, TheStickWalksAlongItsPegs) {
    const double length = 0.8, half = 3.708 * std::sqrt(2 * length / (3 * 9.81)), top = 1.6;
    Simulator s(test::load_scene_model("come_and_go"));
    for (int peg = 1; peg <= 5; ++peg) {
        s.advance_to((peg - 0.25) * half);
        const Vec3 end = s.pose("stick") * Vec3{(peg % 2 ? 1 : -1) * length / 2, 0, 0};
        EXPECT_LE(norm(end - Vec3{(peg - 1) * length, top, 0}), 1e-3) << "peg " << peg;
    }
    s.advance_to(6);
    EXPECT_LE(s.pose("stick").x.y, 0.1) << "it lies on the floor";
}

}  // namespace
}  // namespace armature

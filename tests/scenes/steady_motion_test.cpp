// Scenes that start in a motion with a closed form stay in it. (tests/analytic measures orders; this holds the scenes,
// at their own dt, to what their comments promise.)
#include <fmt/format.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

struct Round {
    double rate = 0;    ///< rad/s about the vertical, mean
    double height = 0;  ///< m, largest change
};
Round go_round(const std::string& scene, const std::string& solid, double end) {
    Simulator s(test::load_scene_model(scene));
    const Vec3 first = s.pose(solid).x;
    Vec3 last = first;
    Round result;
    double turned = 0;
    while (s.state().time < end - 1e-9) {
        s.advance();
        const Vec3 x = s.pose(solid).x;
        turned += std::atan2(last.z * x.x - last.x * x.z, last.x * x.x + last.z * x.z);
        last = x;
        result.height = std::max(result.height, std::fabs(x.y - first.y));
    }
    result.rate = turned / end;
    fmt::print("[ measured ] {}: {:.5f} rad/s, height within {:.2g} m\n", scene, result.rate, result.height);
    return result;
}

TEST(SteadyMotion, ConicalPendulumKeepsItsHeightAndRate) {
    const Round round = go_round("conical_pendulum", "ball", 10);
    EXPECT_NEAR(round.rate / std::sqrt(9.81 / (0.8 * std::cos(pi / 3))), 1, 1e-3);
    EXPECT_LE(round.height, 1e-3);
}

TEST(SteadyMotion, TopKeepsItsHeightAndRate) {
    const double mass = 2, l = 0.2, radius = 0.3, turning = 30, lean = 25 * pi / 180;
    const double I3 = mass * radius * radius / 2, I1 = I3 / 2 + mass * l * l, moment = mass * 9.81 * l;
    const double rate =
        2 * moment / (I3 * turning + std::sqrt(std::pow(I3 * turning, 2) - 4 * I1 * moment * std::cos(lean)));
    const Round round = go_round("spinning_top", "top", 8);
    EXPECT_NEAR(round.rate / rate, 1, 0.01);
    EXPECT_LE(round.height, 0.01);
}

TEST(SteadyMotion, TumblingHandleTurnsOver) {
    Simulator s(test::load_scene_model("tumbling"));
    int flips = 0;
    double side = 1;
    while (s.state().time < 20 - 1e-9) {
        s.advance();
        const double up = rotate(s.pose("handle").q, {0, 1, 0}).y;
        if (std::fabs(up) < 0.9 || up * side > 0) continue;
        side = -side;
        ++flips;
    }
    fmt::print("[ measured ] {} flips in 20 s\n", flips);
    EXPECT_GE(flips, 3);
    EXPECT_LE(s.report().worst_energy_change, 1e-3 * s.report().first.energy());
}

// All that pulls at a rod on ball joints passes through its axis: nothing can make it spin about that axis.
// Not so yet: 10.9, 4.4, 2.0 and 1.1 rad/s within a second at 60, 120, 240 and 480 Hz, whatever the tolerance. Spatial
// momentum is carried from the orientation of free motion to the corrected one, where it is no longer quite at right angles
// to the axis, and the inertia about the axis of a thin rod makes much of little. Inertias of half-way, like the lever
// arms, help by a third only.
TEST(SteadyMotion, DISABLED_RodsOfTheNetDoNotSpinAboutThemselves) {
    Simulator s(test::load_scene_model("net"));
    double worst = 0;
    std::string name;
    while (s.state().time < 1 - 1e-9) {
        s.advance();
        for (std::size_t i = 1; i < s.model().bodies.size(); ++i) {
            const Body& b = s.model().bodies[i];
            if (b.particle) continue;
            const Vec3 axis = b.name[2] == 'r' ? Vec3{1, 0, 0} : Vec3{0, 0, 1};  // warp, weft
            const double spin = std::fabs(dot(s.state().w[i], rotate(s.state().q[i], axis)));
            if (spin > worst) worst = spin, name = b.name;
        }
    }
    fmt::print("[ measured ] largest spin of a rod about its axis {:.3g} rad/s, {}\n", worst, name);
    EXPECT_LE(worst, 1);
}

}  // namespace
}  // namespace armature

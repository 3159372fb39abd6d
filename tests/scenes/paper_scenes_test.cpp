// The three animations of [Gascuel, Gascuel 1994, §5.3] as scenes: what each promises, over its whole time.
#include <fmt/format.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

Simulator start(const std::string& scene) {
    Simulator s(test::load_scene_model(scene));
    EXPECT_EQ(s.assemble().result, AssemblyResult::satisfied);
    return s;
}
void expect_held(const Simulator& s) {
    const RunReport& report = s.report();
    fmt::print("[ measured ] {}: worst gap {:.2g} m, worst limit {:.2g} rad\n", s.model().title, report.gap.value,
               report.angle.value);
    EXPECT_TRUE(report.converged(1e-3)) << to_text(s.model(), report, 1e-3);
    EXPECT_LE(report.gap.value, 1e-3);
    EXPECT_EQ(report.unconverged, 0);
}

// The tail is the origin of the first link, the rod runs along x at a height of 3 m from -0.6 to 0.6 m.
TEST(PaperScenes, TheSnakesTailIsStoppedByBothEndsOfItsRodAndComesBack) {
    const double end = 0.6, top = 3, within = 1e-3;
    Simulator s = start("snake");
    double worst = 0;
    std::string visits;  // r and l, whenever the tail comes to an end that it was not at last
    for (std::int64_t i = 0; i < s.frame_count(); ++i) {
        s.advance();
        const Vec3 tail = s.pose("link[1]").x;
        worst = std::max(worst, std::hypot(std::max(std::fabs(tail.x) - end, 0.0), tail.y - top, tail.z));
        if (std::fabs(tail.x) < end - within) continue;
        const char side = tail.x > 0 ? 'r' : 'l';
        if (visits.empty() || visits.back() != side) visits += side;
    }
    fmt::print("[ measured ] tail off its rod or beyond its ends by {:.2g} m, visits {}\n", worst, visits);
    EXPECT_LE(worst, within);
    EXPECT_EQ(visits.substr(0, 3), "rlr") << "right, left, and back again";
    expect_held(s);
}

// On the tray's disc: the ball's centre at one height over the tray, and within `disc` of its middle.
TEST(PaperScenes, TheSealKeepsTheBallOnItsTrayAndTheTrayNearlyLevel) {
    const double disc = 0.25, height = 0.11, lean = 8 * pi / 180;
    Simulator s = start("seal");
    double farthest = 0, off = 0, leaning = 0, head = 0;
    const Vec3 head_first = s.pose("head").x;
    for (std::int64_t i = 0; i < s.frame_count(); ++i) {
        s.advance();
        const Pose tray = s.pose("tray");
        const Vec3 ball = rotate(conjugate(tray.q), s.pose("ball").x - tray.x);
        farthest = std::max(farthest, std::hypot(ball.x, ball.z));
        off = std::max(off, std::fabs(ball.y - height));
        leaning = std::max(leaning, std::acos(std::min(1.0, rotate(tray.q, {0, 1, 0}).y)));
        head = std::max(head, norm(s.pose("head").x - head_first));
    }
    fmt::print(
        "[ measured ] ball up to {:.4f} m from the middle, {:.2g} m off the tray; tray up to {:.4f} rad of {:.4f}; "
        "head moved by {:.2f} m\n",
        farthest, off, leaning, lean, head);
    EXPECT_NEAR(s.state().time, 10, 1e-9);
    EXPECT_LE(farthest, disc + 1e-3);
    EXPECT_LE(off, 1e-3);
    EXPECT_LE(leaning, lean + 1e-3);
    EXPECT_GE(farthest, 0.9 * disc) << "it gets about";
    EXPECT_GE(leaning, 0.9 * lean);
    EXPECT_GE(head, 0.1) << "and is shaken";
    expect_held(s);
}

// Rolling: the way of the wheel's middle along z is radius × turn. The turn is the wheel's own, in the world.
TEST(PaperScenes, TheMonocycleRidesWithoutSlippingOrFallingOver) {
    const double radius = 0.9, upright = 0.066, straying = 0.05;
    Simulator s = start("monocycle_riding");
    const auto wheel = static_cast<std::size_t>(s.model().find_body("wheel"));
    const Vec3 first = s.pose("wheel").x;
    Vec3 last = first;
    double way = 0, rolled = 0, slip = 0, leaning = 0, heading = 0, low = first.y, high = first.y;
    double angle = 0;
    const auto turn = [&] {
        const Vec3 spoke = rotate(s.pose("wheel").q, {0, 1, 0});
        return std::atan2(spoke.z, spoke.y);
    };
    double last_turn = turn();
    for (std::int64_t i = 0; i < s.frame_count(); ++i) {
        s.advance();
        const Vec3 x = s.pose("wheel").x;
        const double moved = std::hypot(x.x - last.x, x.z - last.z) * (x.z < last.z ? -1 : 1);
        const double turned = std::remainder(turn() - last_turn, 2 * pi);
        way += moved;
        angle += turned;
        rolled += std::fabs(moved);
        slip += std::fabs(moved - radius * turned);
        last = x;
        last_turn = turn();
        const Quat q = s.pose("body").q;
        leaning = std::max(leaning, std::acos(std::min(1.0, rotate(q, {0, 1, 0}).y)));
        const Vec3 ahead = rotate(q, {0, 0, 1});
        heading = std::max(heading, std::fabs(std::atan2(ahead.x, ahead.z)));
        low = std::min(low, x.y);
        high = std::max(high, x.y);
    }
    fmt::print(
        "[ measured ] rode {:.3f} m, rolled {:.3f} m; slip {:.2f} % at the end, {:.2f} % summed over the frames; "
        "lean {:.4f} rad, heading {:.4f} rad, axle {:.4f} to {:.4f} m high\n",
        way, radius * angle, 100 * std::fabs(way - radius * angle) / rolled, 100 * slip / rolled, leaning, heading, low,
        high);
    EXPECT_NEAR(s.state().time, 10, 1e-9);
    EXPECT_GE(way, 15);
    EXPECT_LE(std::fabs(way - radius * angle), 0.02 * rolled);
    EXPECT_LE(slip, 0.02 * rolled);
    EXPECT_LE(leaning, upright + 1e-3);
    EXPECT_LE(heading, straying + 0.01) << "a twist is not quite the heading when it leans";
    EXPECT_GE(low, radius - 1e-3) << "not into the floor";
    // Leaning by a the middle of a wheel of half width b is R cos a + b sin a high.
    EXPECT_LE(high, radius * std::cos(upright) + 0.06 * std::sin(upright) + 1e-3) << "nor off it";
    EXPECT_LE(norm(s.state().v[wheel]), 0.1) << "it has stopped at the end";
    expect_held(s);
}

}  // namespace
}  // namespace armature

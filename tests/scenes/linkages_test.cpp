// The linkages against their closed forms, over whole turns. What a joint may be off by, `tolerance`, shows in the
// place of the output magnified by the leverage of the linkage: bounds are multiples of the tolerance, checked at
// several tolerances so that nothing else hides in them.
#include <fmt/format.h>

#include <cmath>

#include "armature/sim/simulator.h"
#include "support/scene_files.h"

namespace armature {
namespace {

Simulator start(const std::string& scene, double tolerance) {
    Simulator s(test::load_scene_model(scene, {{"simulation.tolerance", fmt::format("{}", tolerance)}}));
    EXPECT_EQ(s.assemble().result, AssemblyResult::satisfied);
    return s;
}
/// Slope of the x axis of an object that turns about z.
double slope(const Simulator& s, const std::string& solid) {
    const Vec3 x = rotate(s.pose(solid).q, {1, 0, 0});
    return std::atan2(x.y, x.x);
}
/// The angle of a turning object, counted on over full turns.
class Turns {
  public:
    void add(double angle) {
        if (started_) total_ += std::remainder(angle - last_, 2 * pi);
        last_ = angle;
        started_ = true;
    }
    double total() const { return total_; }  ///< rad

  private:
    double last_ = 0, total_ = 0;
    bool started_ = false;
};
void expect_off_by(const char* what, double worst, double tolerance, double leverage) {
    fmt::print("[ measured ] {}: off by {:.3g} m, {:.1f} times the tolerance of {:g}, bound {}\n", what, worst,
               worst / tolerance, tolerance, leverage);
    EXPECT_LE(worst, leverage * tolerance) << what;
}

class Linkages : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Tolerances, Linkages, testing::Values(1e-4, 1e-6, 1e-8),
                         [](const auto& test) { return fmt::format("1em{:.0f}", -std::log10(test.param)); });

// OB · OP = arm² − side², so an error e in the length of every bar (two joints: e = 2 tolerance) moves P along O-P by
// (2 arm + 2 side) e/OB = 9 tolerance at the ends of the sweep, where OB is shortest, and more across it, where the
// rhombus is nearly stretched. Measured: 15.
TEST_P(Linkages, PeaucellierDrawsAStraightLine) {
    const double tolerance = GetParam();
    Simulator s = start("peaucellier", tolerance);
    double worst = 0, low = 0, high = 0;
    for (std::int64_t i = 0; i <= s.frame_count(); ++i) {
        const Vec3 p = s.pose("pen").x;
        worst = std::max(worst, std::hypot(p.x - 1, p.z));
        low = std::min(low, p.y);
        high = std::max(high, p.y);
        s.advance();
    }
    expect_off_by("pen from its line", worst, tolerance, 25);
    EXPECT_NEAR(low, -std::tan(40 * pi / 180), 25 * tolerance + 1e-3) << "the whole sweep";
    EXPECT_NEAR(high, std::tan(40 * pi / 180), 25 * tolerance + 1e-3) << "the whole sweep";
    EXPECT_EQ(s.report().unconverged, 0);
}

// With the crank at c: B = crank (cos c, sin c), and C above B-D where the circles about B and D meet.
TEST_P(Linkages, FourBarFollowsItsCrank) {
    const double ground = 1, crank = 0.3, side = 0.9, rocker = 0.7, pen_x = 0.45, pen_y = 0.35;
    const double tolerance = GetParam();
    Simulator s = start("four_bar", tolerance);
    double worst_c = 0, worst_pen = 0;
    Turns turns;
    for (int i = 0; i < 600; ++i) {
        s.advance();
        const double angle = slope(s, "crank-arm");
        turns.add(angle);
        const Vec3 B = crank * Vec3{std::cos(angle), std::sin(angle), 0}, BD = Vec3{ground, 0, 0} - B;
        const double d = norm(BD);
        const double beta =
            std::atan2(BD.y, BD.x) + std::acos((side * side + d * d - rocker * rocker) / (2 * side * d));
        const Vec3 u{std::cos(beta), std::sin(beta), 0}, v{-u.y, u.x, 0};
        worst_c = std::max(worst_c, norm(s.pose("plate") * Vec3{side, 0, 0} - (B + side * u)));
        worst_pen = std::max(worst_pen, norm(s.pose("pen").x - (B + pen_x * u + pen_y * v)));
    }
    EXPECT_GT(turns.total(), 4 * pi) << "two full turns of the crank";
    expect_off_by("C", worst_c, tolerance, 10);
    expect_off_by("pen", worst_pen, tolerance, 10);
    EXPECT_EQ(s.report().unconverged, 0);
}

// With the crank at c the piston is at x = crank cos c + √(rod² − crank² sin² c).
TEST_P(Linkages, SliderCrankFollowsItsCrank) {
    const double crank = 0.25, rod = 0.8, tolerance = GetParam();
    Simulator s = start("slider_crank", tolerance);
    double worst = 0;
    Turns turns;
    for (int i = 0; i < 600; ++i) {
        s.advance();
        const double angle = slope(s, "wheel");
        turns.add(angle);
        const double x = crank * std::cos(angle) + std::sqrt(rod * rod - std::pow(crank * std::sin(angle), 2));
        worst = std::max(worst, norm(s.pose("piston").x - Vec3{x, 0, 0}));
    }
    EXPECT_GT(turns.total(), 4 * pi) << "two full turns of the crank";
    expect_off_by("piston", worst, tolerance, 10);
    EXPECT_EQ(s.report().unconverged, 0);
}

}  // namespace
}  // namespace armature

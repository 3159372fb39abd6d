// The Peaucellier–Lipkin linkage turns a circle into a straight line: arms OA = OC = a, a rhombus ABCP of side b, and B on
// a circle of radius r through O (crank DB about D = (r, 0), |OD| = r). By inversion OB · OP = a² − b², so P stays on
//   x = (a² − b²)/(2r),   and at the crank angle φ:  P = x (1, tan(φ/2)).
#include "analytic/linkage.h"

namespace armature::peaucellier {
namespace {

using analytic::half;

constexpr double a = 1, b = 0.5, r = 0.35, line = (a * a - b * b) / (2 * r);
constexpr double duration = 4;

/// From 70° to −70° and back. OB is between 0.573 and 0.7 m: the linkage is stretched out at a − b = 0.5 m and folded, B on
/// P, at √(a² − b²) = 0.866 m, where it could leave the line by letting them turn together.
constexpr double sweep = 70 * pi / 180;
double crank_angle(double t) {
    return sweep * std::cos(2 * pi * t / duration);
}

struct Corners {
    Vec3 A, B, C, P;
};
Corners corners(double t) {
    const double phi = crank_angle(t);
    const Vec3 B{r + r * std::cos(phi), r * std::sin(phi), 0};
    const Vec3 P{line, line * std::tan(0.5 * phi), 0};
    const Vec3 centre = 0.5 * (B + P), u = normalized(B);
    const double across = std::sqrt(a * a - norm2(centre));
    return {centre + across * Vec3{-u.y, u.x, 0}, B, centre - across * Vec3{-u.y, u.x, 0}, P};
}

Spec linkage(const analytic::Claims& claim, double tolerance) {
    Spec spec = analytic::scene(claim, 1.0 / 120);
    spec.simulation.gravity = {0, -9.81, 0};
    spec.simulation.tolerance = tolerance;
    const analytic::Point O{}, A = analytic::moving([](double t) { return corners(t).A; }),
                               B = analytic::moving([](double t) { return corners(t).B; }),
                               C = analytic::moving([](double t) { return corners(t).C; }),
                               P = analytic::moving([](double t) { return corners(t).P; });
    analytic::add_crank(spec, "DB", {r, 0, 0}, crank_angle, Interpolation::spline, 0.05, duration);
    analytic::add_rod(spec, "OA", O, A);
    analytic::add_rod(spec, "OC", O, C);
    analytic::add_rod(spec, "AB", A, B);
    analytic::add_rod(spec, "BC", B, C);
    analytic::add_rod(spec, "CP", C, P);
    analytic::add_rod(spec, "PA", P, A);
    const auto first = [&](const char* rod) { return -half(spec, rod); };
    const auto second = [&](const char* rod) { return half(spec, rod); };
    analytic::join(spec, "OA", first("OA"), "world", {});
    analytic::join(spec, "OC", first("OC"), "world", {});
    analytic::join(spec, "OA", second("OA"), "AB", first("AB"));
    analytic::join(spec, "OA", second("OA"), "PA", second("PA"));
    analytic::join(spec, "OC", second("OC"), "BC", second("BC"));
    analytic::join(spec, "OC", second("OC"), "CP", first("CP"));
    analytic::join(spec, "DB", {r, 0, 0}, "AB", second("AB"));
    analytic::join(spec, "DB", {r, 0, 0}, "BC", first("BC"));
    analytic::join(spec, "CP", second("CP"), "PA", first("PA"));
    return spec;
}

ANALYTIC_SUITE(Peaucellier);

TEST_P(Peaucellier, OutputStaysOnItsStraightLine) {
    for (const double tolerance : {1e-4, 1e-7}) {
        const Spec spec = linkage(GetParam(), tolerance);
        Simulator s(spec);
        double off_line = 0, off_place = 0, lowest = 0, highest = 0;
        while (s.state().time < duration - 1e-9) {
            s.advance();
            const Vec3 P = 0.5 * (s.pose("PA") * -half(spec, "PA") + s.pose("CP") * half(spec, "CP"));
            off_line = std::max(off_line, std::hypot(P.x - line, P.z));
            const double phi = 2 * std::atan2(s.pose("DB").q.z, s.pose("DB").q.w);
            off_place = std::max(off_place, norm(P - line * Vec3{1, std::tan(0.5 * phi), 0}));
            lowest = std::min(lowest, P.y);
            highest = std::max(highest, P.y);
        }
        EXPECT_EQ(s.report().unconverged, 0);
        // A bar is longer or shorter by the gaps at its ends, at most two tolerances, and δOP = (2a δa − 2b δb)/OB −
        // (OP/OB) δOB: the linkage magnifies them, here by 7.5 at the ends of the sweep. Measured 2 and 8 tolerances.
        const double OB = 2 * r * std::cos(0.5 * sweep), OP = line / std::cos(0.5 * sweep);
        const double reach = 2 * ((2 * a + 2 * b) / OB + OP / OB) * tolerance;
        analytic::expect_within(fmt::format("off the line with tolerance {:g} m", tolerance), off_line, reach);
        analytic::expect_within(fmt::format("off its place with tolerance {:g} m", tolerance), off_place, reach);
        EXPECT_NEAR(highest, line * std::tan(0.5 * sweep), reach);
        EXPECT_NEAR(lowest, -line * std::tan(0.5 * sweep), reach);
    }
}

}  // namespace
}  // namespace armature::peaucellier

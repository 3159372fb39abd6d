// The parts of joints: rows against differences of what they measure, nearest points against dense samples of the
// domain, angles against how the placement was made.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "armature/math/random.h"
#include "armature/model/joint_parts.h"
#include "support/domains.h"
#include "support/placed.h"
#include "support/test_scale.h"

namespace armature::joint_parts {
namespace {

using test::across;
using test::moved;
using test::Placed;
using test::random_placed;

// ---- rows against differences -----------------------------------------------------------------------------------------

struct PartKind {
    const char* name;
    std::function<Part(Random&)> make;
};
void PrintTo(const PartKind& kind, std::ostream* out) {
    *out << kind.name;
}

PointPart point_part(Random& random, HeldDomain domain) {
    const Vec3 p1 = random.in_box(0.5), p2 = random.in_box(0.5);
    return {p1, p2, std::move(domain)};
}
TwistPart twist_part(Random& random, double min, double max) {
    TwistPart t;
    t.a1_B = random.direction();
    t.a2_B = random.direction();
    t.b1_B = across(random, t.a1_B);
    t.b2_B = across(random, t.a2_B);
    t.min = min;
    t.max = max;
    return t;
}
AnglePart angle_part(Random& random, double min, double max) {
    const Vec3 a1 = random.direction(), a2 = random.direction();
    return {a1, a2, min, max};
}

const std::vector<PartKind>& kinds() {
    static const std::vector<PartKind> list{
        {"point", [](Random& r) -> Part { return point_part(r, PointDomain{}); }},
        {"line",
         [](Random& r) -> Part {
             return point_part(r, SegmentDomain{r.direction(), -infinity, infinity});
         }},
        {"segment",
         [](Random& r) -> Part {
             return point_part(r, SegmentDomain{r.direction(), -0.4, 0.2});
         }},
        {"half_line",
         [](Random& r) -> Part {
             return point_part(r, SegmentDomain{r.direction(), 0.1, infinity});
         }},
        {"segment_of_no_length",
         [](Random& r) -> Part {
             return point_part(r, SegmentDomain{r.direction(), 0.3, 0.3});
         }},
        {"plane",
         [](Random& r) -> Part {
             return point_part(r, RingDomain{r.direction(), 0, infinity});
         }},
        {"disc",
         [](Random& r) -> Part {
             return point_part(r, RingDomain{r.direction(), 0, 0.5});
         }},
        {"ring",
         [](Random& r) -> Part {
             return point_part(r, RingDomain{r.direction(), 0.3, 0.6});
         }},
        {"circle",
         [](Random& r) -> Part {
             return point_part(r, RingDomain{r.direction(), 0.4, 0.4});
         }},
        {"outside",
         [](Random& r) -> Part {
             return point_part(r, RingDomain{r.direction(), 0.4, infinity});
         }},
        {"sphere",
         [](Random& r) -> Part {
             return point_part(r, SphereDomain{0.4, 0.4});
         }},
        {"shell",
         [](Random& r) -> Part {
             return point_part(r, SphereDomain{0.4, 0.8});
         }},
        {"box",
         [](Random& r) -> Part {
             return point_part(r, HeldInBox{{0.4, 0.5, 0.6}, to_matrix(r.orientation()), false});
         }},
        {"box_surface",
         [](Random& r) -> Part {
             return point_part(r, HeldInBox{{0.4, 0.5, 0.6}, to_matrix(r.orientation()), true});
         }},
        {"straight_curve",
         [](Random& r) -> Part {
             return point_part(r, test::on_curve(CurveKind::polyline, {{0, 0, 0}, {1, 2, 3}}, false));
         }},
        {"mesh_surface", [](Random& r) -> Part { return point_part(r, test::by_mesh(test::unit_ball(1), false)); }},
        {"within_a_mesh", [](Random& r) -> Part { return point_part(r, test::by_mesh(test::unit_cube(), true)); }},
        {"angle_band", [](Random& r) -> Part { return angle_part(r, 0.5, 1.5); }},
        {"angle_at_most", [](Random& r) -> Part { return angle_part(r, 0, 1.2); }},
        {"angle_at_least", [](Random& r) -> Part { return angle_part(r, 1.2, pi); }},
        {"angle_given", [](Random& r) -> Part { return angle_part(r, 1, 1); }},
        {"twist_band", [](Random& r) -> Part { return twist_part(r, -0.5, 0.7); }},
        {"twist_given", [](Random& r) -> Part { return twist_part(r, 0.4, 0.4); }},
        {"twist_around_half_a_turn", [](Random& r) -> Part { return twist_part(r, 3, 4); }},
    };
    return list;
}

class EveryPart : public testing::TestWithParam<PartKind> {};

TEST_P(EveryPart, ItsRowsAreTheDerivativesOfItsErrors) {
    int compared = 0;
    for (int k = 0; k < test::scaled(300, 60); ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        const Part part = GetParam().make(random);
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const Vec3 v1 = random.in_box(1), w1 = random.in_box(1), v2 = random.in_box(1), w2 = random.in_box(1);
        const double dt = 1e-5;
        const PartRows now = rows(part, b1.at(), b2.at());
        const PartRows later = rows(part, moved(b1, v1, w1, dt).at(), moved(b2, v2, w2, dt).at());
        const PartRows before = rows(part, moved(b1, v1, w1, -dt).at(), moved(b2, v2, w2, -dt).at());
        ASSERT_EQ(now.count, later.count);
        for (int i = 0; i < now.count; ++i) {
            const auto n = static_cast<std::size_t>(i);
            const Row& row = now.row[n];
            if (row.kind != later.row[n].kind || row.kind != before.row[n].kind) continue;  // the nearer end changed
            const double rate = dot(row.linear, v1 - v2) + dot(row.angular1, w1) + dot(row.angular2, w2);
            const double difference = (later.row[n].error - before.row[n].error) / (2 * dt);
            if (std::fabs(difference) > 100) continue;  // wrapped round, or beside a place where it is not smooth
            EXPECT_NEAR(rate, difference, 2e-6 * (1 + norm(row.angular1))) << "configuration " << k << ", row " << i;
            ++compared;
        }
    }
    EXPECT_GE(compared, test::scaled(300, 60) * 9 / 10);
}

TEST_P(EveryPart, HoldsExactlyWhenItsRowsSay) {
    int open = 0;
    for (int k = 0; k < 1000; ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        const Part part = GetParam().make(random);
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const PartRows r = rows(part, b1.at(), b2.at());
        double broken = 0;
        for (int i = 0; i < r.count; ++i) {
            const Row& row = r.row[static_cast<std::size_t>(i)];
            if (row.kind == RowKind::equality) broken = std::fmax(broken, std::fabs(row.error));
            if (row.kind == RowKind::at_least) broken = std::fmax(broken, -row.error);
            if (row.kind == RowKind::at_most) broken = std::fmax(broken, row.error);
        }
        const double v = violation(part, b1.at(), b2.at());
        EXPECT_EQ(v > 1e-12, broken > 1e-12) << "configuration " << k;
        // A point part is as far from holding as its rows together say; a row alone never says more.
        if (std::holds_alternative<PointPart>(part)) {
            EXPECT_LE(broken, v + 1e-12);
            EXPECT_LE(v, std::sqrt(3.0) * broken + 1e-12);
        }
        if (v > 1e-12) ++open;
    }
    EXPECT_GT(open, 0);
}

INSTANTIATE_TEST_SUITE_P(Kind, EveryPart, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

// ---- angles -----------------------------------------------------------------------------------------------------------

/// Solid 2 is turned against solid 1 by a twist about the common axis a and then a swing about an axis across it.
struct SwungAndTwisted {
    Placed b1, b2;
    Vec3 a1_B, a2_B, b1_B, b2_B;
};
SwungAndTwisted make_swung(Random& random, double angle, double twist) {
    SwungAndTwisted s;
    s.b1 = random_placed(random);
    s.b2.x = random.in_box(1);
    const Vec3 a = random.direction(), b = across(random, a), swing_axis = across(random, a);
    const Quat turn = from_axis_angle(swing_axis, angle) * from_axis_angle(a, twist);
    s.b2.q = random.orientation();
    s.a1_B = rotate_back(s.b1.q, a);
    s.b1_B = rotate_back(s.b1.q, b);
    s.a2_B = rotate_back(s.b2.q, rotate(turn, a));
    s.b2_B = rotate_back(s.b2.q, rotate(turn, b));
    return s;
}

TEST(Angle, IsTheOneThePlacementWasMadeWith) {
    Random random(4);
    for (int k = 0; k < 300; ++k) {
        const double angle = k == 0 ? 0 : k == 1 ? pi : k < 20 ? 1e-9 * k : random.uniform(0, pi);
        const SwungAndTwisted s = make_swung(random, angle, random.uniform(-pi, pi));
        const AngularError e = measure(AnglePart{s.a1_B, s.a2_B, 0, pi}, s.b1.at(), s.b2.at());
        EXPECT_NEAR(e.value, angle, 1e-12);
        EXPECT_EQ(e.excess, 0);
        EXPECT_NEAR(norm(e.axis), 1, 1e-12) << "a unit vector also for parallel axes";
    }
}

TEST(Angle, ExcessIsTheWayToTheNearerBound) {
    Random random(5);
    for (const double angle : {0.1, 0.49, 0.5, 0.8, 1.2, 1.21, 3.0}) {
        const SwungAndTwisted s = make_swung(random, angle, 0.3);
        const double excess = measure(AnglePart{s.a1_B, s.a2_B, 0.5, 1.2}, s.b1.at(), s.b2.at()).excess;
        const double expected = angle < 0.5 ? angle - 0.5 : angle > 1.2 ? angle - 1.2 : 0;
        EXPECT_NEAR(excess, expected, 1e-12);
    }
}

TEST(Angle, TurningSolid1ByTheExcessAboutTheAxisMakesItHold) {
    Random random(6);
    for (int k = 0; k < 200; ++k) {
        SwungAndTwisted s = make_swung(random, k == 0 ? 0 : random.uniform(0, pi), random.uniform(-pi, pi));
        const double min = random.uniform(0, 2), max = random.uniform(min, pi);
        const AnglePart part{s.a1_B, s.a2_B, min, max};
        const AngularError e = measure(part, s.b1.at(), s.b2.at());
        Placed b1 = s.b1, b2 = s.b2;
        b1.q = turned(b1.q, e.excess * e.axis);
        EXPECT_LT(violation(part, b1.at(), s.b2.at()), 1e-12);
        b2.q = turned(b2.q, -e.excess * e.axis);
        EXPECT_LT(violation(part, s.b1.at(), b2.at()), 1e-12) << "or solid 2 the other way";
    }
}

TEST(Twist, IsTheOneThePlacementWasMadeWithWhateverTheSwing) {
    Random random(7);
    for (int k = 0; k < 300; ++k) {
        const double twist = random.uniform(-3.1, 3.1), angle = k < 10 ? 0 : random.uniform(0, 3);
        const SwungAndTwisted s = make_swung(random, angle, twist);
        const TwistPart part{s.a1_B, s.a2_B, s.b1_B, s.b2_B, -pi, pi};
        EXPECT_NEAR(measure(part, s.b1.at(), s.b2.at()).value, twist, 1e-11) << "swing " << angle;
    }
}

TEST(Twist, IntervalsMayRunThroughHalfATurn) {
    Random random(8);
    struct Case {
        double min, max, twist, excess;
    };
    for (const Case& c : {Case{3, 4, -2.7, 0}, Case{3, 4, 3.1, 0}, Case{3, 4, 2.8, -0.2}, Case{3, 4, 4.1 - 2 * pi, 0.1},
                          Case{-4, -3, 3.0, 0}, Case{-4, -3, -2.9, 0.1}, Case{-0.5, 0.5, 0.7, 0.2},
                          Case{-0.5, 0.5, -0.7, -0.2}, Case{6, 6.28, -0.1, 0}, Case{-pi, 0, 0.1, 0.1}}) {
        const SwungAndTwisted s = make_swung(random, 0, c.twist);
        const TwistPart part{s.a1_B, s.a2_B, s.b1_B, s.b2_B, c.min, c.max};
        const AngularError e = measure(part, s.b1.at(), s.b2.at());
        EXPECT_NEAR(e.excess, c.excess, 1e-12) << "[" << c.min << ", " << c.max << "], twist " << c.twist;
    }
}

TEST(Twist, TurningSolid1ByTheExcessAboutTheAxisMakesItHoldToFirstOrder) {
    Random random(9);
    for (int k = 0; k < 200; ++k) {
        const double over = random.uniform(0.001, 0.02);
        const double angle = k % 2 == 0 ? 0 : random.uniform(0, 2.5);
        const SwungAndTwisted s = make_swung(random, angle, 0.5 + over);
        const TwistPart part{s.a1_B, s.a2_B, s.b1_B, s.b2_B, -0.5, 0.5};
        const AngularError e = measure(part, s.b1.at(), s.b2.at());
        EXPECT_GT(e.excess, 0);
        Placed b1 = s.b1;
        b1.q = turned(b1.q, e.excess * e.axis);
        // exact for aligned axes, second order in the excess otherwise
        EXPECT_LT(violation(part, b1.at(), s.b2.at()), angle == 0 ? 1e-12 : 0.05 * over) << "swing " << angle;
        const AnglePart swing{s.a1_B, s.a2_B, 0, pi};
        EXPECT_NEAR(measure(swing, b1.at(), s.b2.at()).value, angle, angle == 0 ? 1e-12 : 0.05 * over)
            << "the angle between the axes stays";
    }
}

TEST(Twist, OfOppositeAxesIsNotDefinedAndAsksForNothing) {
    Random random(10);
    const SwungAndTwisted s = make_swung(random, pi, 1);
    const TwistPart part{s.a1_B, s.a2_B, s.b1_B, s.b2_B, 0, 0};
    const AngularError e = measure(part, s.b1.at(), s.b2.at());
    EXPECT_EQ(e.excess, 0);
    EXPECT_TRUE(is_finite(e.axis));
    EXPECT_EQ(rows(part, s.b1.at(), s.b2.at()).count, 0);
}

// ---- rank -------------------------------------------------------------------------------------------------------------

/// The number of independent rows, by Gram–Schmidt.
int rank_of(const std::vector<Part>& parts, const Placement& b1, const Placement& b2) {
    using Long = std::array<double, 12>;
    std::vector<Long> basis;
    for (const Part& part : parts) {
        const PartRows r = rows(part, b1, b2);
        for (int i = 0; i < r.count; ++i) {
            const Row& row = r.row[static_cast<std::size_t>(i)];
            Long v{row.linear.x,  row.linear.y,  row.linear.z,  row.angular1.x, row.angular1.y, row.angular1.z,
                   -row.linear.x, -row.linear.y, -row.linear.z, row.angular2.x, row.angular2.y, row.angular2.z};
            for (int pass = 0; pass < 2; ++pass)
                for (const Long& b : basis) {
                    double s = 0;
                    for (std::size_t j = 0; j < 12; ++j) s += v[j] * b[j];
                    for (std::size_t j = 0; j < 12; ++j) v[j] -= s * b[j];
                }
            double n2 = 0;
            for (const double c : v) n2 += c * c;
            if (n2 < 1e-16) continue;
            for (double& c : v) c /= std::sqrt(n2);
            basis.push_back(v);
        }
    }
    return static_cast<int>(basis.size());
}

TEST(Rows, TakeAsManyFreedomsAsTheJointDoes) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Random random(seed);
        const SwungAndTwisted s = make_swung(random, 0, 0);
        const Placement b1 = s.b1.at();
        const Vec3 meet = s.b1.x + rotate(s.b1.q, {0.1, 0.2, 0.3});
        const Placement b2 = s.b2.at();
        const PointPart ball{{0.1, 0.2, 0.3}, rotate_back(s.b2.q, meet - s.b2.x), PointDomain{}};
        PointPart line = ball, segment = ball, plane = ball, circle = ball;
        line.domain = SegmentDomain{random.direction(), -infinity, infinity};
        segment.domain = SegmentDomain{random.direction(), 0, 0};
        plane.domain = RingDomain{random.direction(), 0, infinity};
        circle.domain = RingDomain{random.direction(), 0.2, 0.2};
        const AnglePart aligned{s.a1_B, s.a2_B, 0, 0};
        const TwistPart no_twist{s.a1_B, s.a2_B, s.b1_B, s.b2_B, 0, 0};
        EXPECT_EQ(rank_of({ball}, b1, b2), 3);
        EXPECT_EQ(rank_of({line}, b1, b2), 2);
        EXPECT_EQ(rank_of({segment}, b1, b2), 3) << "a segment of no length is a point";
        EXPECT_EQ(rank_of({plane}, b1, b2), 1);
        EXPECT_EQ(rank_of({circle}, b1, b2), 2);
        EXPECT_EQ(rank_of({aligned}, b1, b2), 2);
        EXPECT_EQ(rank_of({no_twist}, b1, b2), 1);
        EXPECT_EQ(rank_of({ball, aligned}, b1, b2), 5) << "hinge";
        EXPECT_EQ(rank_of({line, aligned}, b1, b2), 4) << "cylindrical";
        EXPECT_EQ(rank_of({ball, aligned, no_twist}, b1, b2), 6) << "weld";
    }
}

TEST(Rows, OfACurveAreExactOnIt) {
    const HeldOnCurve curve = test::on_curve(CurveKind::spline, test::winding_points(), false);
    int compared = 0;
    for (int k = 0; k < test::scaled(300, 60); ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        PointPart part = point_part(random, curve);
        const Placed b2 = random_placed(random);
        const Vec3 at = curve.curve->nearest(random.in_box(1)).point;
        Placed b1{{}, random.orientation()};
        b1.x = b2.x + rotate(b2.q, part.p2_G + at) - rotate(b1.q, part.p1_G);
        const Vec3 v1 = random.in_box(1), w1 = random.in_box(1), v2 = random.in_box(1), w2 = random.in_box(1);
        const double dt = 1e-6;
        const PartRows now = rows(part, b1.at(), b2.at());
        const PartRows later = rows(part, moved(b1, v1, w1, dt).at(), moved(b2, v2, w2, dt).at());
        const PartRows before = rows(part, moved(b1, v1, w1, -dt).at(), moved(b2, v2, w2, -dt).at());
        ASSERT_EQ(now.count, 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const Row& row = now.row[i];
            if (row.kind != later.row[i].kind || row.kind != before.row[i].kind) continue;
            const double rate = dot(row.linear, v1 - v2) + dot(row.angular1, w1) + dot(row.angular2, w2);
            EXPECT_NEAR(rate, (later.row[i].error - before.row[i].error) / (2 * dt), 1e-4) << k << ", row " << i;
            ++compared;
        }
    }
    EXPECT_GE(compared, test::scaled(300, 60) * 2);
}

TEST(Rows, OfADomainTakeWhatItDoesNotLeaveFree) {
    // Row count that is not a bound = 3 − freedoms, on the domain itself.
    struct Case {
        const char* name;
        HeldDomain domain;
        Vec3 at;
        int rank;
    };
    const Case cases[] = {
        {"sphere", SphereDomain{0.5, 0.5}, {0, 0.3, 0.4}, 1},
        {"no radius", SphereDomain{0, 0}, {}, 3},
        {"box surface", HeldInBox{{1, 1, 1}, Mat3::identity(), true}, {1, 0.3, 0.2}, 1},
        {"spline", test::on_curve(CurveKind::spline, test::circle_points(9, 1), true), {1, 0, 0}, 2},
        {"mesh", test::by_mesh(test::unit_cube(), false), {0.3, 0.4, 0}, 1},
        {"mesh, on an edge", test::by_mesh(test::unit_cube(), false), {0.3, 0, 0}, 1},
    };
    for (const Case& c : cases) {
        Random random(4);
        PointPart part{random.in_box(0.5), random.in_box(0.5), c.domain};
        const Placed b2 = random_placed(random);
        Placed b1{{}, random.orientation()};
        b1.x = b2.x + rotate(b2.q, part.p2_G + c.at) - rotate(b1.q, part.p1_G);
        EXPECT_EQ(rank_of({part}, b1.at(), b2.at()), c.rank) << c.name;
        EXPECT_LT(violation(part, b1.at(), b2.at()), 1e-12) << c.name;
    }
}

TEST(Rows, BoundsThatCannotBindGiveNone) {
    const Placement b;
    const auto count = [&](const Part& part) { return rows(part, b, b).count; };
    EXPECT_EQ(count(PointPart{{}, {}, SegmentDomain{{1, 0, 0}, -infinity, infinity}}), 2);
    EXPECT_EQ(count(PointPart{{}, {}, RingDomain{{0, 1, 0}, 0, infinity}}), 1);
    EXPECT_EQ(count(PointPart{{}, {}, SphereDomain{0, 1}}), 1);
    EXPECT_EQ(count(AnglePart{{1, 0, 0}, {1, 0, 0}, 0, pi}), 0);
    EXPECT_EQ(count(TwistPart{{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, -pi, pi}), 0);
}

}  // namespace
}  // namespace armature::joint_parts

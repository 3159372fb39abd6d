// Coordinates of two solids: their rows against differences, and turns counted over many turns.
#include "armature/model/coordinates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "armature/math/random.h"
#include "support/placed.h"
#include "support/test_scale.h"

namespace armature {
namespace {

using test::across;
using test::moved;
using test::Placed;
using test::random_placed;

SlideCoordinate make_slide(Random& r) {
    SlideCoordinate c;
    c.p1_G = r.in_box(0.5);
    c.p2_G = r.in_box(0.5);
    c.axis_2 = r.direction();
    return c;
}
TurnCoordinate make_turn(Random& r) {
    TurnCoordinate c;
    c.a1_B = r.direction();
    c.a2_B = r.direction();
    c.b1_B = across(r, c.a1_B);
    c.b2_B = across(r, c.a2_B);
    return c;
}
DialCoordinate make_dial(Random& r, double side) {
    DialCoordinate c;
    c.a_B = r.direction();
    c.z_B = across(r, c.a_B);
    c.p_B = r.direction();
    c.side = side;
    return c;
}

struct Kind {
    const char* name;
    std::function<Coordinate(Random&)> make;
};
void PrintTo(const Kind& kind, std::ostream* out) {
    *out << kind.name;
}
const std::vector<Kind>& kinds() {
    static const std::vector<Kind> list{
        {"slide", [](Random& r) -> Coordinate { return make_slide(r); }},
        {"turn", [](Random& r) -> Coordinate { return make_turn(r); }},
        {"swing",
         [](Random& r) -> Coordinate {
             SwingCoordinate c;
             c.a1_B = r.direction();
             c.a2_B = r.direction();
             return c;
         }},
        {"dial_of_solid_1", [](Random& r) -> Coordinate { return make_dial(r, -1); }},
        {"dial_of_solid_2", [](Random& r) -> Coordinate { return make_dial(r, 1); }},
        {"screw",
         [](Random& r) -> Coordinate {
             ScrewCoordinate c;
             c.slide = make_slide(r);
             c.turn = make_turn(r);
             c.per_radian = 0.3;
             c.offset = 0.2;
             return c;
         }},
    };
    return list;
}

class EveryCoordinate : public testing::TestWithParam<Kind> {};

TEST_P(EveryCoordinate, ItsRowIsTheDerivativeOfItsValue) {
    int compared = 0;
    const int count = test::scaled(400, 80);
    for (int k = 0; k < count; ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        const Coordinate coordinate = GetParam().make(random);
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const Vec3 v1 = random.in_box(1), w1 = random.in_box(1), v2 = random.in_box(1), w2 = random.in_box(1);
        const CoordinateValue now = measure(coordinate, b1.at(), b2.at(), 0);
        const double near = turn_of(coordinate, b1.at(), b2.at(), 0);
        // Beside a place without a value (opposite axes, a pointer along the axis) the second derivative has no bound.
        if (norm(now.angular1) > 8) continue;
        const auto value = [&](double dt) {
            return measure(coordinate, moved(b1, v1, w1, dt).at(), moved(b2, v2, w2, dt).at(), near).value;
        };
        const double dt = 1e-5;
        const double rate = dot(now.linear, v1 - v2) + dot(now.angular1, w1) + dot(now.angular2, w2);
        // Central differences: dt²/6 times a third derivative of at most about 8³ here, and round-off of 1e-16/dt.
        EXPECT_NEAR(rate, (value(dt) - value(-dt)) / (2 * dt), 1e-6) << "configuration " << k;
        ++compared;
    }
    EXPECT_GE(compared, count * 3 / 4);
}

TEST_P(EveryCoordinate, SeesOnlyHowTheSolidsAreToEachOther) {
    for (int k = 0; k < 50; ++k) {
        Random random(static_cast<std::uint64_t>(k + 1));
        const Coordinate coordinate = GetParam().make(random);
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const Placed all = random_placed(random);
        const auto carried = [&](const Placed& p) {
            return Placed{all.x + rotate(all.q, p.x), normalized(all.q * p.q)};
        };
        const double here = measure(coordinate, b1.at(), b2.at(), 0).value;
        const double near = turn_of(coordinate, b1.at(), b2.at(), 0);
        EXPECT_NEAR(measure(coordinate, carried(b1).at(), carried(b2).at(), near).value, here, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(Kind, EveryCoordinate, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return std::string(kind.param.name); });

/// Turns solid 1 about `axis_W` in steps of a third of a radian, forth and back, and compares.
void expect_counted(const Coordinate& c, Placed b1, const Placed& b2, const Vec3& axis_W, double per_turn) {
    double near = turn_of(c, b1.at(), b2.at(), 0);
    const double start = measure(c, b1.at(), b2.at(), near).value;
    const double step = 0.33;
    int at = 0;
    for (const int end : {100, -100, 0}) {
        while (at != end) {
            const int direction = end > at ? 1 : -1;
            b1.q = turned(b1.q, direction * step * axis_W);
            at += direction;
            const double value = measure(c, b1.at(), b2.at(), near).value;
            near = turn_of(c, b1.at(), b2.at(), near);
            ASSERT_NEAR(value, start + per_turn * step * at, 1e-10) << at << " steps";
        }
    }
}

TEST(Turns, AreCountedOverManyTurnsForthAndBack) {
    Random random(3);
    for (int k = 0; k < 20; ++k) {
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const Vec3 axis = random.direction();
        TurnCoordinate t;
        t.a1_B = rotate_back(b1.q, axis);
        t.a2_B = rotate_back(b2.q, axis);
        t.b1_B = across(random, t.a1_B);
        t.b2_B = across(random, t.a2_B);
        expect_counted(t, b1, b2, axis, 1);
        ScrewCoordinate s;
        s.slide.axis_2 = t.a2_B;
        s.slide.p1_G = {};  // on the axis through G1: turning alone slides nothing
        s.turn = t;
        s.per_radian = 0.25;
        expect_counted(s, b1, b2, axis, -0.25);
    }
}

TEST(Turns, OfADialAreCountedWhereverThePointerLeans) {
    Random random(4);
    for (int k = 0; k < 20; ++k) {
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const Vec3 axis = random.direction();
        for (const double side : {1.0, -1.0}) {
            const Placed &carrier = side > 0 ? b2 : b1, &other = side > 0 ? b1 : b2;
            DialCoordinate d;
            d.a_B = rotate_back(carrier.q, axis);
            d.z_B = across(random, d.a_B);
            d.p_B = rotate_back(other.q, normalized(across(random, axis) + random.uniform(-1, 1) * axis));
            d.side = side;
            expect_counted(d, b1, b2, axis, 1);
        }
    }
}

TEST(Turns, WithoutAValueKeepTheLastOneAndPushNothing) {
    const Placement b1, b2;
    const TurnCoordinate opposite{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
    const DialCoordinate upright{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, 1};
    for (const Coordinate& c : {Coordinate{opposite}, Coordinate{upright}}) {
        const CoordinateValue m = measure(c, b1, b2, 7.5);
        EXPECT_EQ(m.value, 7.5);
        EXPECT_EQ(m.angular1, (Vec3{}));
        EXPECT_EQ(m.angular2, (Vec3{}));
    }
}

TEST(Dial, TurnsAsItsAxisTurnsWhileThePointerStaysAcross) {
    // ψ' = a·(ω1 − ω2): the row is the axis itself, however far the two have turned.
    Random random(5);
    for (int k = 0; k < 100; ++k) {
        const Placed b1 = random_placed(random), b2 = random_placed(random);
        const Vec3 axis = random.direction();
        DialCoordinate d;
        d.a_B = rotate_back(b2.q, axis);
        d.z_B = across(random, d.a_B);
        d.p_B = rotate_back(b1.q, across(random, axis));
        const CoordinateValue m = measure(d, b1.at(), b2.at(), 0);
        EXPECT_LT(norm(m.angular1 - axis), 1e-12);
        EXPECT_LT(norm(m.angular2 + axis), 1e-12);
    }
}

TEST(Swing, OfParallelAxesHasARowAllTheSame) {
    const Placement b1, b2;
    const CoordinateValue m = measure(SwingCoordinate{{1, 0, 0}, {1, 0, 0}}, b1, b2, 0);
    EXPECT_EQ(m.value, 0);
    EXPECT_NEAR(norm(m.angular1), 1, 1e-12);
    EXPECT_NEAR(m.angular1.x, 0, 1e-12);
}

}  // namespace
}  // namespace armature

#include "doctor/mechanisms.h"

#include <cmath>

#include "doctor/workshop.h"

namespace armature::test {

namespace {

using T = JointType;
const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

// ---- in the plane: M = 3 n − 2 p for n moving bars and p pins [Grübler 1917]; in space each pin has 5 rows ------------

KnownMechanism planar(const std::string& name, const std::vector<std::pair<std::string, Vec3>>& points,
                      const std::vector<Workshop::Bar>& bars, int mobility, int by_count) {
    return {name, Workshop().linkage(points, bars).spec, mobility, by_count};
}

KnownMechanism four_bar() {
    // 3·3 − 2·4 = 1; 18 − 20 = −2.
    return planar("four_bar", {{"O1", {0, 0, 0}}, {"B", {0, 0.3, 0}}, {"C", {0.8, 0.7, 0}}, {"O2", {1, 0, 0}}},
                  {{"O1", "B"}, {"B", "C"}, {"C", "O2"}}, 1, -2);
}
KnownMechanism five_bar() {
    // 3·4 − 2·5 = 2; 24 − 25 = −1.
    return planar(
        "five_bar",
        {{"O1", {0, 0, 0}}, {"B", {-0.2, 0.6, 0}}, {"C", {0.5, 1.1, 0}}, {"D", {1.3, 0.7, 0}}, {"O2", {1, 0, 0}}},
        {{"O1", "B"}, {"B", "C"}, {"C", "D"}, {"D", "O2"}}, 2, -1);
}
KnownMechanism watt() {
    // A four-bar whose rocker carries a second one: 5 bars and 7 pins, 15 − 14 = 1. The rocker is a plate C-O2-D.
    Workshop w;
    w.solid("crank", {0, 0.15, 0}).solid("coupler", {0.4, 0.5, 0}).solid("plate", {1, 0.4, 0});
    w.solid("link", {1.6, 0.6, 0}).solid("output", {2, 0.3, 0});
    w.pin("crank", "world", {0, 0, 0});
    w.pin("coupler", "crank", {0, 0.3, 0});
    w.pin("plate", "coupler", {0.8, 0.7, 0});
    w.pin("plate", "world", {1, 0, 0});
    w.pin("link", "plate", {1.3, 0.6, 0});
    w.pin("output", "link", {2.1, 0.7, 0});
    w.pin("output", "world", {2, 0, 0});
    return {"watt_six_bar", w.spec, 1, 30 - 35};
}
KnownMechanism stephenson() {
    // A coupler plate with a third leg of two bars: 5 bars and 7 pins, 15 − 14 = 1.
    Workshop w;
    w.solid("crank", {0, 0.15, 0}).solid("plate", {0.4, 0.6, 0}).solid("rocker", {0.9, 0.4, 0});
    w.solid("upper", {0.9, 1.2, 0}).solid("leg", {1.5, 0.6, 0});
    w.pin("crank", "world", {0, 0, 0});
    w.pin("plate", "crank", {0, 0.3, 0});
    w.pin("rocker", "plate", {0.8, 0.7, 0});
    w.pin("rocker", "world", {1, 0, 0});
    w.pin("upper", "plate", {0.4, 1.1, 0});
    w.pin("leg", "upper", {1.4, 1.2, 0});
    w.pin("leg", "world", {1.6, 0, 0});
    return {"stephenson_six_bar", w.spec, 1, 30 - 35};
}
KnownMechanism three_crank_parallelogram() {
    // 3·4 − 2·6 = 0, and yet 1: the third crank goes along, being parallel to the other two and as long.
    Workshop w;
    w.solid("coupler", {1, 0.5, 0});
    for (int i = 0; i < 3; ++i) {
        const std::string crank = fmt::format("crank{}", i);
        w.solid(crank, {0.1 + i, 0.25, 0});
        w.pin(crank, "world", {1.0 * i, 0, 0});
        w.pin("coupler", crank, {0.2 + i, 0.5, 0});
    }
    return {"three_crank_parallelogram", w.spec, 1, 24 - 30};
}
KnownMechanism peaucellier() {
    // 3·7 − 2·10 = 1 [Peaucellier 1864].
    const double r = 0.5;  // |Q C| = |O Q|
    const Vec3 Q{r, 0, 0}, C = Q + r * Vec3{std::cos(0.4), std::sin(0.4), 0};
    const Vec3 u = normalized(C), n = cross(z, u);
    const double middle = norm(C) + 0.35;  // of the rhombus, along u
    const Vec3 A = middle * u + 0.4 * n, B = middle * u - 0.4 * n, D = (2 * middle - norm(C)) * u;
    return planar("peaucellier", {{"O1", {0, 0, 0}}, {"O2", Q}, {"A", A}, {"B", B}, {"C", C}, {"D", D}},
                  {{"O1", "A"}, {"O1", "B"}, {"A", "C"}, {"C", "B"}, {"B", "D"}, {"D", "A"}, {"O2", "C"}}, 1, 42 - 50);
}
KnownMechanism three_rrr() {
    // A platform on three legs of two bars: 3·7 − 2·9 = 3.
    Workshop w;
    w.solid("platform", {1, 0.6, 0});
    const Vec3 feet[] = {{0, 0, 0}, {2, 0, 0}, {1, 1.8, 0}}, knees[] = {{0.2, 0.5, 0}, {1.9, 0.5, 0}, {1.4, 1.3, 0}},
               hips[] = {{0.8, 0.5, 0}, {1.2, 0.45, 0}, {1, 0.8, 0}};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string lower = fmt::format("lower{}", i), upper = fmt::format("upper{}", i);
        w.solid(lower, 0.5 * (feet[i] + knees[i])).solid(upper, 0.5 * (knees[i] + hips[i]));
        w.pin(lower, "world", feet[i]);
        w.pin(upper, lower, knees[i]);
        w.pin("platform", upper, hips[i]);
    }
    return {"planar_3RRR", w.spec, 3, 42 - 45};
}
KnownMechanism triangle() {
    // 3·2 − 2·3 = 0.
    return planar("triangle_truss", {{"O1", {0, 0, 0}}, {"O2", {1, 0, 0}}, {"C", {0.4, 0.8, 0}}},
                  {{"O1", "C"}, {"C", "O2"}}, 0, 12 - 15);
}
KnownMechanism braced_square() {
    // Two braces: 3·5 − 2·8 = −1, one bar too many, and nothing moves.
    return planar("over_braced_square", {{"O1", {0, 0, 0}}, {"O2", {1, 0, 0}}, {"C", {1, 1, 0}}, {"D", {0, 1, 0}}},
                  {{"O2", "C"}, {"C", "D"}, {"D", "O1"}, {"O1", "C"}, {"O2", "D"}}, 0, 30 - 40);
}

// ---- with sliders ------------------------------------------------------------------------------------------------------

KnownMechanism slider_crank() {
    // 3·3 − 2·4 = 1.
    Workshop w;
    w.solid("crank", {0, 0.15, 0}).solid("rod", {0.4, 0.15, 0}).solid("slider", {0.8, 0, 0});
    w.pin("crank", "world", {0, 0, 0});
    w.pin("rod", "crank", {0, 0.3, 0});
    w.pin("slider", "rod", {0.8, 0, 0});
    w.joint(T::sliding, "slider", "world", {0.8, 0, 0}, x, y);
    return {"slider_crank", w.spec, 1, 18 - 20};
}
KnownMechanism trammel() {
    // Two sliders at right angles and a bar between them (Archimedes): 3·3 − 2·4 = 1.
    Workshop w;
    w.solid("a", {0.6, 0, 0}).solid("b", {0, 0.8, 0}).solid("bar", {0.3, 0.4, 0});
    w.joint(T::sliding, "a", "world", {0.6, 0, 0}, x, y);
    w.joint(T::sliding, "b", "world", {0, 0.8, 0}, y, x);
    w.pin("bar", "a", {0.6, 0, 0});
    w.pin("bar", "b", {0, 0.8, 0});
    return {"elliptic_trammel", w.spec, 1, 18 - 20};
}
KnownMechanism scissor() {
    // Two bars crossed at a pin, one foot pinned, the other on a slider: 3·3 − 2·4 = 1.
    Workshop w;
    w.solid("up", {0.5, 0.5, 0}).solid("down", {0.5, 0.5, 0}).solid("foot", {1, 0, 0});
    w.pin("up", "world", {0, 0, 0});
    w.pin("down", "up", {0.5, 0.5, 0});
    w.pin("down", "foot", {1, 0, 0});
    w.joint(T::sliding, "foot", "world", {1, 0, 0}, x, y);
    return {"scissor", w.spec, 1, 18 - 20};
}
KnownMechanism oldham() {
    // Two parallel shafts, a disc that slides on both across: 3·3 − 2·4 = 1.
    Workshop w;
    w.solid("in", {0, 0, 0}).solid("disc", {0.1, 0, 0.2}).solid("out", {0.2, 0, 0.4});
    w.pin("in", "world", {0, 0, 0});
    w.joint(T::sliding, "disc", "in", {0.1, 0, 0.1}, Vec3{1, 0.5, 0}, z);
    w.joint(T::sliding, "disc", "out", {0.1, 0, 0.3}, Vec3{-0.5, 1, 0}, z);
    w.pin("out", "world", {0.2, 0, 0.4});
    return {"oldham_coupling", w.spec, 1, 18 - 20};
}
KnownMechanism jack() {
    // A spindle in a bearing and a nut that cannot turn, a thread between: sliding and turning are coupled, 1.
    Workshop w;
    w.solid("spindle", {0, 0, 0}).solid("nut", {0, 0.3, 0});
    w.pin("spindle", "world", {0, 0, 0}, y);
    w.joint(T::sliding, "nut", "world", {0, 0.3, 0}, y, x);
    w.joint(T::screw, "nut", "spindle", {0, 0.3, 0}, y, x, 0.02);
    return {"screw_jack", w.spec, 1, 12 - 15};
}

}  // namespace

std::vector<KnownMechanism> planar_mechanisms() {
    return {four_bar(),    five_bar(),  watt(),     stephenson(),    three_crank_parallelogram(),
            peaucellier(), three_rrr(), triangle(), braced_square(), slider_crank(),
            trammel(),     scissor(),   oldham(),   jack()};
}

const std::vector<KnownMechanism>& known_mechanisms() {
    static const std::vector<KnownMechanism> all = [] {
        std::vector<KnownMechanism> list = planar_mechanisms();
        for (KnownMechanism& m : spatial_mechanisms()) list.push_back(std::move(m));
        return list;
    }();
    return all;
}

}  // namespace armature::test

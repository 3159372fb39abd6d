#include "doctor/mechanisms.h"

#include <cmath>

#include "doctor/workshop.h"

namespace armature::test {

namespace {

using T = JointType;
const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

// ---- loops that only move because of their proportions ------------------------------------------------------------

KnownMechanism sarrus() {
    // Two hinged flaps in different planes lift a plate straight [Sarrus 1853]: 30 − 30 = 0, and yet 1.
    Workshop w;
    w.solid("plate", {0, 1, 0});
    const auto flap = [&](const std::string& n, const Vec3& out, const Vec3& axis) {
        w.solid(n + "_low", {0, 0.25, 0}).solid(n + "_high", {0, 0.75, 0});
        w.pin(n + "_low", "world", 0.5 * out, axis);
        w.pin(n + "_high", n + "_low", 0.9 * out + Vec3{0, 0.5, 0}, axis);
        w.pin("plate", n + "_high", 0.5 * out + Vec3{0, 1, 0}, axis);
    };
    flap("x", x, z);
    flap("z", z, x);
    return {"sarrus", w.spec, 1, 0};
}
KnownMechanism bennett() {
    // Opposite links alike and a/sin α = b/sin β [Bennett 1903]: 18 − 20 = −2, and yet 1. With turns
    // tan(θ1/2) tan(θ2/2) = sin((β + α)/2)/sin((β − α)/2), θ3 = −θ1, θ4 = −θ2.
    const double alpha = 0.6, beta = 1.2, a = 0.5, b = a * std::sin(beta) / std::sin(alpha);
    const double t1 = 1.0,
                 t2 = 2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(t1 / 2));
    return {"bennett", closed_ring({{a, alpha, t1}, {b, beta, t2}, {a, alpha, -t1}, {b, beta, -t2}}), 1, -2};
}
KnownMechanism bricard() {
    // Six equal links with twists α and −α in turn [Bricard 1897; Chen, You, Tarnai 2005, eq. 3 at α = π/2]:
    // cos θ + cos φ + cos θ cos φ = 0; 30 − 30 = 0, and yet 1. A ring of tetrahedra is one of them.
    const double theta = 1.2, phi = std::acos(-std::cos(theta) / (1 + std::cos(theta)));
    std::vector<Link> links;
    for (int i = 0; i < 3; ++i) {
        links.push_back({0.5, pi / 2, theta});
        links.push_back({0.5, -pi / 2, phi});
    }
    return {"bricard_threefold", closed_ring(links), 1, 0};
}
KnownMechanism generic_7r() {
    // Seven pins in no special position: 36 − 35 = 1.
    Workshop w;
    const Vec3 at[] = {{0, 0, 0},     {0.4, 0.3, 0.1}, {0.9, 0.1, 0.4}, {1.3, 0.6, 0.2},
                       {1, 1.1, 0.5}, {0.4, 1, 0.1},   {-0.2, 0.6, 0.3}};
    const Vec3 axis[] = {{0, 0, 1},      {0.3, 1, 0.2}, {1, 0.1, -0.4}, {0.2, 0.5, 1},
                         {-0.6, 1, 0.3}, {1, 0.7, 0.2}, {0.1, -0.4, 1}};
    const auto name = [](std::size_t k) { return k % 7 == 0 ? std::string("world") : fmt::format("l{}", k); };
    for (std::size_t k = 1; k < 7; ++k) w.solid(name(k), 0.5 * (at[k - 1] + at[k]));
    for (std::size_t k = 0; k < 7; ++k) w.pin(name(k + 1), name(k), at[k], axis[k]);
    return {"generic_7R", w.spec, 1, 1};
}
KnownMechanism spherical_four_bar() {
    // All axes through one point: rotations only, 3·3 − 2·4 = 1 as in the plane.
    Workshop w;
    w.solid("crank", x).solid("coupler", y).solid("rocker", z);
    w.pin("crank", "world", {}, {1, 0, 0.1});
    w.pin("coupler", "crank", {}, {0.9, 0.5, 0.2});
    w.pin("rocker", "coupler", {}, {0.1, 1, 0.4});
    w.pin("rocker", "world", {}, {-0.2, 0.4, 1});
    return {"spherical_four_bar", w.spec, 1, -2};
}

// ---- in space ----------------------------------------------------------------------------------------------------------

KnownMechanism universal_shafts() {
    // Two shafts in bearings that meet at a cross: the spherical four-bar again, 12 − 5 − 4 − 5 = −2, and yet 1.
    Workshop w;
    const Vec3 out = normalized(Vec3{1, 0.4, 0});
    w.solid("in", {-0.5, 0, 0}).solid("out", 0.5 * out);
    w.pin("in", "world", {-0.5, 0, 0}, x);
    w.joint(T::universal, "in", "out", {}, cross(z, out), z);
    w.pin("out", "world", 0.5 * out, out);
    return {"universal_shafts", w.spec, 1, -2};
}
KnownMechanism double_cardan() {
    // Shaft, cross, shaft, cross, shaft: 18 − 5 − 4 − 4 − 5 = 0, and yet 1: the length of the middle shaft is held twice.
    Workshop w;
    const Vec3 a{0, 0, 0}, b{1, 0.3, 0}, middle = normalized(b - a);
    w.solid("in", {-0.5, 0, 0}).solid("middle", 0.5 * (a + b)).solid("out", {1.5, 0.3, 0});
    w.pin("in", "world", {-0.5, 0, 0}, x);
    w.joint(T::universal, "in", "middle", a, cross(z, middle), z);
    w.joint(T::universal, "out", "middle", b, cross(z, middle), z);
    w.pin("out", "world", {1.5, 0.3, 0}, x);
    return {"double_cardan", w.spec, 1, 0};
}
KnownMechanism rssr() {
    // 18 − 5 − 3 − 3 − 5 = 2: the motion and the idle spin of the coupler about its own line.
    Workshop w;
    w.solid("crank", {0, 0.15, 0}).solid("coupler", {0.5, 0.5, 0.2}).solid("rocker", {1, 0.4, 0.5});
    w.pin("crank", "world", {0, 0, 0}, {0.2, 0, 1});
    w.ball("coupler", "crank", {0, 0.3, 0});
    w.ball("coupler", "rocker", {1, 0.8, 0.4});
    w.pin("rocker", "world", {1, 0, 0.5}, {1, 0, 0.3});
    return {"rssr", w.spec, 2, 2};
}
KnownMechanism rccc() {
    // A pin and three cylindrical joints in general position: 18 − 5 − 3·4 = 1.
    Workshop w;
    w.solid("a", {0, 0.2, 0}).solid("b", {0.6, 0.5, 0.3}).solid("c", {1, 0.2, 0.2});
    w.pin("a", "world", {}, z);
    w.joint(T::cylindrical, "b", "a", {0, 0.4, 0.1}, {0.5, 0.2, 1});
    w.joint(T::cylindrical, "c", "b", {0.9, 0.7, 0.2}, {1, -0.6, 0.4});
    w.joint(T::cylindrical, "c", "world", {1.1, 0, 0.1}, {0.3, 1, -0.5});
    return {"rccc", w.spec, 1, 1};
}

/// A platform on six legs, each a cylinder and a rod that slides in it.
KnownMechanism stewart(const std::string& name, T foot, int mobility) {
    Workshop w;
    w.solid("platform", {0, 1, 0});
    for (int i = 0; i < 6; ++i) {
        const double below = 2 * pi / 6 * i + (i % 2 == 0 ? 0.2 : -0.2),
                     above = 2 * pi / 6 * i + (i % 2 == 0 ? -0.3 : 0.3);
        const Vec3 a{std::cos(below), 0, std::sin(below)},
            b{0.6 * std::cos(above), 1 + 0.05 * i, 0.6 * std::sin(above)};
        const Vec3 u = normalized(b - a), across = any_perpendicular(u);
        const std::string low = fmt::format("low{}", i), high = fmt::format("high{}", i);
        w.solid(low, a + 0.3 * u).solid(high, b - 0.3 * u);
        if (foot == T::universal)
            w.joint(foot, low, "world", a, across, cross(u, across));
        else
            w.ball(low, "world", a);
        w.joint(T::sliding, high, low, 0.5 * (a + b), u, across);
        w.ball("platform", high, b);
    }
    const int rows_of_foot = foot == T::universal ? 4 : 3;
    return {name, w.spec, mobility, 78 - 6 * (rows_of_foot + 5 + 3)};
}
KnownMechanism delta() {
    // Three arms, each with two rods to the platform [Clavel 1988]: three translations, and each of the six rods spins
    // idly: 60 − 3·5 − 12·3 = 9.
    Workshop w;
    w.solid("platform", {0, -0.8, 0});
    for (int i = 0; i < 3; ++i) {
        const double turn = 2 * pi / 3 * i;
        const Vec3 out{std::cos(turn), 0, std::sin(turn)}, along{-std::sin(turn), 0, std::cos(turn)};
        const std::string arm = fmt::format("arm{}", i);
        w.solid(arm, 0.5 * out);
        w.pin(arm, "world", 0.3 * out, along);
        for (const double side : {-0.1, 0.1}) {
            const std::string rod = fmt::format("rod{}{}", i, side < 0 ? "a" : "b");
            const Vec3 elbow = 0.7 * out + Vec3{0, -0.1, 0} + side * along,
                       wrist = 0.2 * out + Vec3{0, -0.8, 0} + side * along;
            w.solid(rod, 0.5 * (elbow + wrist));
            w.ball(rod, arm, elbow);
            w.ball(rod, "platform", wrist);
        }
    }
    return {"delta", w.spec, 9, 9};
}

// ---- open ones, and single joints ----------------------------------------------------------------------------------

KnownMechanism arm_6r() {
    // No loop: the freedoms of the joints add up.
    Workshop w;
    const Vec3 axes[] = {y, z, z, x, z, x};
    std::string last = "world";
    for (int i = 0; i < 6; ++i) {
        const std::string name = fmt::format("l{}", i);
        w.solid(name, {0.3 * i + 0.15, 0.1 * i, 0});
        w.pin(name, last, {0.3 * i, 0.1 * i, 0}, axes[i]);
        last = name;
    }
    return {"serial_6R", w.spec, 6, 6};
}
KnownMechanism chain() {
    Workshop w;
    std::string last = "world";
    for (int i = 0; i < 5; ++i) {
        const std::string name = fmt::format("l{}", i);
        w.solid(name, {0.4 * i + 0.2, 0, 0});
        w.ball(name, last, {0.4 * i, 0, 0});
        last = name;
    }
    return {"ball_chain", w.spec, 15, 15};
}
KnownMechanism doll() {
    // Not tied to the world: 6 of the whole, 3 of every ball joint, 1 of every pin.
    Workshop w;
    w.solid("torso");
    for (int i = 0; i < 4; ++i) {
        const Vec3 u{std::cos(1.0 + i), std::sin(1.0 + i), 0};
        const std::string upper = fmt::format("upper{}", i), lower = fmt::format("lower{}", i);
        w.solid(upper, 0.5 * u).solid(lower, u);
        w.ball(upper, "torso", 0.3 * u);
        w.pin(lower, upper, 0.7 * u, z);
    }
    return {"doll", w.spec, 6 + 12 + 4, 22};
}
KnownMechanism single(T type, int freedoms) {
    Workshop w;
    w.solid("a", {0.3, 0.1, 0});
    w.joint(type, "a", "world", {0, 0.1, 0}, {0.3, 0.1, 1}, {}, 0.05);
    return {std::string(joint_type(type).name), w.spec, freedoms, freedoms};
}
KnownMechanism door() {
    // The second hinge on the same line holds nothing that the first does not: 6 − 10 = −4, and yet 1.
    Workshop w;
    w.solid("door", {0.5, 0, 0});
    w.pin("door", "world", {0, -0.8, 0}, y);
    w.pin("door", "world", {0, 0.8, 0}, y);
    return {"door_with_two_hinges", w.spec, 1, -4};
}
KnownMechanism bead() {
    Workshop w;
    w.particle("bead", {1, 0, 0});
    ConstraintSpec& c = w.spec.add_constraint("bead", "world");
    c.name = "wire";
    c.hinge =
        HingeSpec{{}, {}, CurveDomain{CurveKind::spline, {{1, 0, 0}, {0, 1, 0.2}, {-1, 0, 0}, {0, -1, -0.2}}, true}};
    return {"bead_on_a_closed_wire", w.spec, 1, 1};
}
KnownMechanism dumbbell() {
    // Two points at a fixed distance: 6 − 1 = 5, the spin about their line not being a motion.
    Workshop w;
    w.particle("a", {0, 0, 0}).particle("b", {1, 0.5, 0});
    ConstraintSpec& c = w.spec.add_constraint("a", "b");
    c.name = "rod";
    c.hinge = HingeSpec{{}, {}, SphereDomain{std::sqrt(1.25), std::sqrt(1.25)}};
    return {"dumbbell_of_particles", w.spec, 5, 5};
}
KnownMechanism free_body() {
    return {"free_body", Workshop().solid("a", {1, 2, 3}).spec, 6, 6};
}

}  // namespace

std::vector<KnownMechanism> spatial_mechanisms() {
    return {sarrus(),
            bennett(),
            bricard(),
            generic_7r(),
            spherical_four_bar(),
            universal_shafts(),
            double_cardan(),
            rssr(),
            rccc(),
            stewart("stewart_UPS", T::universal, 6),
            stewart("stewart_SPS_with_idle_legs", T::ball, 12),
            delta(),
            arm_6r(),
            chain(),
            doll(),
            single(T::screw, 1),
            single(T::cylindrical, 2),
            single(T::plane_on_plane, 3),
            single(T::cylinder_on_plane, 4),
            door(),
            bead(),
            dumbbell(),
            free_body()};
}

}  // namespace armature::test

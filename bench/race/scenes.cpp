#include "scene.h"

#include <fmt/format.h>

#include <numbers>
#include <stdexcept>

namespace armature::race {

const std::vector<std::string>& scene_names() {
    static const std::vector<std::string> names{"chain-10",  "chain-100",  "chain-1000",   "heavy-20",
                                                "net-20x20", "scissor-25", "ragdolls-100", "jansen-12"};
    return names;
}

RaceScene make_scene(const std::string& name) {
    const auto named = [&](RaceScene scene) {
        scene.name = name;
        return scene;
    };
    if (name == "chain-10") return named(make_chain(10, 1));
    if (name == "chain-100") return named(make_chain(100, 1));
    if (name == "chain-1000") return named(make_chain(1000, 1));
    if (name == "heavy-20") return named(make_chain(20, 1000));
    if (name == "net-20x20") return named(make_net(20));
    if (name == "scissor-25") return named(make_scissor(25));
    if (name == "ragdolls-100") return named(make_ragdolls(100));
    if (name == "jansen-12") return named(make_jansen(6));
    throw std::invalid_argument("no scene is called " + name);
}

int add_box(RaceScene& scene, double mass, const Vec3& size, const Pose& pose_WB) {
    const Vec3 s2 = cwise_product(size, size);
    RaceBody body;
    body.mass = mass;
    body.inertia = mass / 12 * Vec3{s2.y + s2.z, s2.x + s2.z, s2.x + s2.y};
    body.half = 0.5 * size;
    body.pose_WB = pose_WB;
    scene.bodies.push_back(body);
    return static_cast<int>(scene.bodies.size()) - 1;
}

void add_ball(RaceScene& scene, int a, const Vec3& pa_B, int b, const Vec3& pb_B) {
    scene.joints.push_back({JointKind::ball, a, b, pa_B, pb_B, {}, {}});
}

void add_hinge(RaceScene& scene, int a, const Vec3& pa_B, int b, const Vec3& pb_B, const Vec3& axis_W) {
    scene.joints.push_back({JointKind::hinge, a, b, pa_B, pb_B, rotate_back(scene.pose(a).q, axis_W),
                            rotate_back(scene.pose(b).q, axis_W)});
}

/// Rods of 1 × 0.1 × 0.1 m and 10 kg, stretched out level and held by one end; the last weighs `last_factor` times as
/// much.
RaceScene make_chain(int links, double last_factor) {
    RaceScene scene;
    scene.title = last_factor == 1 ? fmt::format("Chain of {} rods", links)
                                   : fmt::format("Chain of {} rods, the last weighs × {:g}", links, last_factor);
    scene.about = "Rods of 1 m and 10 kg on ball joints, held by one end, let go level.";
    for (int i = 0; i < links; ++i) {
        const double mass = 10 * (i == links - 1 ? last_factor : 1);
        const int rod = add_box(scene, mass, {1, 0.1, 0.1}, {{i + 0.5, 0, 0}, {}});
        add_ball(scene, i > 0 ? rod - 1 : world, {i > 0 ? 0.5 : 0.0, 0, 0}, rod, {-0.5, 0, 0});
        scene.energy_range += mass * 9.81 * (i + 0.5);  // when it hangs straight down
    }
    return scene;
}

/// A square net of rods, tied at the knots and held by its four corners. It starts as a shallow bowl made of two
/// circular arcs, knot(i, j) = arc(i) + arc(j), so that every rod has its length and the corners are closer together than
/// the net is wide: pinned at its exact width it could only carry its weight with infinite forces.
RaceScene make_net(int meshes) {
    constexpr double width = 2, bend = std::numbers::pi / 3;  // half the angle of the arcs
    const double side = width / meshes, step = 2 * bend / meshes, radius = side / (2 * std::sin(step / 2));
    RaceScene scene;
    scene.title = fmt::format("Net of {0} × {0} meshes, held by its corners", meshes);
    scene.about =
        "Rods of 0.1 m and 20 g, tied with ball joints, from a shallow bowl; the corners are closer together than the "
        "net is "
        "wide, so that it sags. Every mesh is a loop.";
    const auto knot = [&](double i, double j) {
        const double a = i * step - bend, b = j * step - bend;
        return Vec3{radius * std::sin(a), -radius * (std::cos(a) + std::cos(b) - 2 * std::cos(bend)),
                    radius * std::sin(b)};
    };
    struct End {
        int rod;
        Vec3 at_B;
    };
    const int row = meshes + 1;
    std::vector<std::vector<End>> ends(static_cast<std::size_t>(row * row));  // those that meet at each knot
    const auto add_rod = [&](int i0, int j0, int i1, int j1) {
        const Vec3 p = knot(i0, j0), q = knot(i1, j1);
        const Pose pose{0.5 * (p + q), shortest_arc({1, 0, 0}, normalized(q - p))};
        const int rod = add_box(scene, 0.02, {side, 0.012, 0.012}, pose);
        ends[static_cast<std::size_t>(i0 * row + j0)].push_back({rod, {-side / 2, 0, 0}});
        ends[static_cast<std::size_t>(i1 * row + j1)].push_back({rod, {side / 2, 0, 0}});
    };
    for (int i = 0; i < row; ++i)
        for (int j = 0; j < row; ++j) {
            if (i < meshes) add_rod(i, j, i + 1, j);
            if (j < meshes) add_rod(i, j, i, j + 1);
        }
    for (int i = 0; i < row; ++i)
        for (int j = 0; j < row; ++j) {
            const std::vector<End>& here = ends[static_cast<std::size_t>(i * row + j)];
            if (i % meshes == 0 && j % meshes == 0) add_ball(scene, world, knot(i, j), here[0].rod, here[0].at_B);
            for (std::size_t k = 1; k < here.size(); ++k)
                add_ball(scene, here[0].rod, here[0].at_B, here[k].rod, here[k].at_B);
        }
    for (const RaceBody& body : scene.bodies) scene.energy_range += body.mass * 9.81 * width / 2;
    return scene;
}

/// A scissor lift upside down: stages of two crossed bars, hanging. One bar of the first stage turns about a bolt of
/// the world, the end of the other is led on a circle by a short rod, so that the opening stays between d = 0.12 and
/// 0.36 m and neither end of the travel (all bars in line, all bars level) is met. In the plane one degree of freedom
/// is left; in space the hinges are redundant 75 times over.
RaceScene make_scissor(int stages) {
    constexpr double bar = 0.4, centre = 0.24, radius = 0.12, angle = std::numbers::pi / 3;
    RaceScene scene;
    scene.title = fmt::format("Scissor of {} stages", stages);
    scene.about =
        "Crossed bars on hinges, hanging from a bolt and from a short crank: one freedom in the plane, redundant 75 "
        "times "
        "over in space.";
    const Vec3 left{0, 0, 0}, pivot{centre, 0, 0};
    const Vec3 right = pivot + radius * Vec3{-std::cos(angle), -std::sin(angle), 0};
    const double opening = norm(right - left), height = std::sqrt(bar * bar - opening * opening);
    const Vec3 across = normalized(right - left), along = cross(across, {0, 0, 1});  // along: down
    const auto add_bar = [&](const Vec3& p, const Vec3& q, double mass) {
        const double length = norm(q - p);
        return add_box(scene, mass, {length, 0.03, 0.01}, {0.5 * (p + q), shortest_arc({1, 0, 0}, (q - p) / length)});
    };
    const Vec3 near{-bar / 2, 0, 0}, far{bar / 2, 0, 0};
    for (int i = 0; i < stages; ++i) {
        const Vec3 l = left + i * height * along, r = l + opening * across;
        const int falling = add_bar(l, r + height * along, 1), rising = add_bar(r, l + height * along, 1);
        add_hinge(scene, falling, {}, rising, {});
        if (i == 0) {
            add_hinge(scene, world, left, falling, near);
        } else {
            add_hinge(scene, rising - 2, far, falling, near);
            add_hinge(scene, falling - 2, far, rising, near);
        }
    }
    const int rod = add_bar(pivot, right, 1);
    add_hinge(scene, world, pivot, rod, {-radius / 2, 0, 0});
    add_hinge(scene, rod, {radius / 2, 0, 0}, 1, near);
    // As far as it falls: from where it starts, slanting, to straight down and stretched out.
    const double longest = stages * std::sqrt(bar * bar - (centre - radius) * (centre - radius));
    double start = 0;
    for (const RaceBody& body : scene.bodies) start += body.mass * 9.81 * body.pose_WB.x.y;
    scene.energy_range = start + 2 * stages * 9.81 * longest / 2;
    return scene;
}

/// Dolls of 15 boxes in the shape of a T, each held by one hand and turned another way. Elbows and knees are hinges.
RaceScene make_ragdolls(int dolls) {
    RaceScene scene;
    scene.title = fmt::format("{} ragdolls, each held by a hand", dolls);
    scene.about = "15 boxes each, hinges at elbows and knees, balls elsewhere; every doll hangs another way. No loops.";
    for (int i = 0; i < dolls; ++i) {
        const Pose doll{{2.0 * (i % 10), 0, 2.0 * (i / 10)},
                        normalized(from_axis_angle({0, 1, 0}, 1.69 * i) * from_axis_angle({0, 0, 1}, 0.925 * i))};
        const auto part = [&](double mass, const Vec3& size, const Vec3& at) {
            return add_box(scene, mass, size, doll * Pose{at, {}});
        };
        const int pelvis = part(10, {0.3, 0.2, 0.2}, {0, 0, 0});
        const int torso = part(25, {0.36, 0.44, 0.22}, {0, 0.32, 0});
        const int head = part(5, {0.18, 0.26, 0.2}, {0, 0.67, 0});
        add_ball(scene, pelvis, {0, 0.1, 0}, torso, {0, -0.22, 0});
        add_ball(scene, torso, {0, 0.22, 0}, head, {0, -0.13, 0});
        for (const double s : {1.0, -1.0}) {
            const int arm = part(2.2, {0.3, 0.09, 0.09}, {s * 0.33, 0.5, 0});
            const int forearm = part(1.5, {0.26, 0.07, 0.07}, {s * 0.61, 0.5, 0});
            const int hand = part(0.5, {0.18, 0.03, 0.09}, {s * 0.83, 0.5, 0});
            add_ball(scene, torso, {s * 0.18, 0.18, 0}, arm, {s * -0.15, 0, 0});
            add_hinge(scene, arm, {s * 0.15, 0, 0}, forearm, {s * -0.13, 0, 0}, rotate(doll.q, {0, 1, 0}));
            add_ball(scene, forearm, {s * 0.13, 0, 0}, hand, {s * -0.09, 0, 0});
            if (s > 0) add_ball(scene, world, doll * Vec3{0.92, 0.5, 0}, hand, {0.09, 0, 0});

            const int thigh = part(8, {0.14, 0.42, 0.14}, {s * 0.1, -0.31, 0});
            const int shin = part(4, {0.11, 0.42, 0.11}, {s * 0.1, -0.73, 0});
            const int foot = part(1, {0.09, 0.07, 0.25}, {s * 0.1, -0.975, 0.06});
            add_ball(scene, pelvis, {s * 0.1, -0.1, 0}, thigh, {0, 0.21, 0});
            add_hinge(scene, thigh, {0, -0.21, 0}, shin, {0, 0.21, 0}, rotate(doll.q, {1, 0, 0}));
            add_ball(scene, shin, {0, -0.21, 0}, foot, {0, 0.035, -0.06});
        }
    }
    for (const RaceBody& body : scene.bodies) scene.energy_range += body.mass * 9.81 * 1.0;
    return scene;
}

}  // namespace armature::race

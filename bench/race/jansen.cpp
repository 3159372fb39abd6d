#include "jansen.h"

#include <fmt/format.h>

#include <array>
#include <numbers>

#include "scene.h"

namespace armature::race {
namespace jansen {
namespace {

/// The point at distance rp from p and rq from q, to the left of the way from p to q (side = 1) or to the right (−1).
Vec3 meet(const Vec3& p, double rp, const Vec3& q, double rq, double side) {
    const Vec3 pq = q - p;
    const double length2 = norm2(pq);
    const double along = 0.5 * (1 + (rp * rp - rq * rq) / length2);
    const double across = side * std::sqrt(rp * rp / length2 - along * along);
    return p + along * pq + across * Vec3{-pq.y, pq.x, 0};
}

}  // namespace

Leg leg(double crank_angle, bool mirrored) {
    const double u = mirrored ? -0.01 : 0.01;  // the right leg is the left one in the mirror x → −x
    Leg p;
    p.P = m * Vec3{std::cos(crank_angle), std::sin(crank_angle), 0};
    if (mirrored) p.P.x = -p.P.x;
    p.B = {-a, -l, 0};
    p.C = meet(p.B, b, p.P, j, 1);
    p.E = meet(p.B, c, p.P, k, -1);
    p.D = meet(p.B, d, p.C, e, 1);
    p.F = meet(p.D, f, p.E, g, -1);
    p.G = meet(p.F, h, p.E, i, -1);
    for (Vec3* point : {&p.P, &p.B, &p.C, &p.D, &p.E, &p.F, &p.G}) *point = {u * point->x, 0.01 * point->y, 0};
    return p;
}

}  // namespace jansen

namespace {

using jansen::Leg;
constexpr double cm = 0.01, rod_density = 1, thickness = 0.02;  // kg/m, m
constexpr double crank_speed = 2 * std::numbers::pi;            // rad/s

/// Legs as they stand and as they move: points and, by differences of fourth order, their velocities.
struct MovingLeg {
    Leg at, speed;
};
MovingLeg moving_leg(double angle, bool mirrored) {
    constexpr double eps = 1e-3;
    const Leg p2 = jansen::leg(angle + 2 * eps, mirrored), p1 = jansen::leg(angle + eps, mirrored),
              m1 = jansen::leg(angle - eps, mirrored), m2 = jansen::leg(angle - 2 * eps, mirrored);
    MovingLeg result{jansen::leg(angle, mirrored), {}};
    for (Vec3 Leg::*point : {&Leg::P, &Leg::B, &Leg::C, &Leg::D, &Leg::E, &Leg::F, &Leg::G})
        result.speed.*point = crank_speed / (12 * eps) * (m2.*point - p2.*point + 8.0 * (p1.*point - m1.*point));
    return result;
}

/// A body's spin and its velocity at x, given those of two of its points.
void set_motion(RaceBody& body, const Vec3& p, const Vec3& vp, const Vec3& q, const Vec3& vq) {
    body.spin = cross(q - p, vq - vp) / norm2(q - p);
    body.velocity = vp + cross(body.spin, body.pose_WB.x - p);
}

struct Part {
    int body;
    std::array<Vec3, 3> corners_B;
};

/// A rod of the published `length` from p towards q.
Part add_rod(RaceScene& scene, double length, Vec3 Leg::*p, Vec3 Leg::*q, const MovingLeg& leg, const Vec3& plane) {
    const Vec3 P = leg.at.*p, Q = leg.at.*q;
    const Vec3 direction = normalized(Q - P);
    const Pose pose{plane + P + 0.5 * length * direction,
                    from_axis_angle({0, 0, 1}, std::atan2(direction.y, direction.x))};
    const int body = add_box(scene, rod_density * length, {length, thickness, thickness}, pose);
    set_motion(scene.bodies.back(), plane + P, leg.speed.*p, plane + Q, leg.speed.*q);
    return {body, {Vec3{-length / 2, 0, 0}, Vec3{length / 2, 0, 0}, Vec3{}}};
}

/// Three rods of the published lengths pq, qr, rp welded to a triangle. Its frame is turned to the principal axes.
Part add_triangle(RaceScene& scene, std::array<double, 3> sides, std::array<Vec3 Leg::*, 3> names, const MovingLeg& leg,
                  const Vec3& plane) {
    const Vec3 P = leg.at.*names[0], Q = leg.at.*names[1], R = leg.at.*names[2];
    const auto [pq, qr, rp] = sides;
    const double side = cross(Q - P, R - P).z > 0 ? 1 : -1;
    std::array<Vec3, 3> corners{Vec3{}, Vec3{pq, 0, 0}, jansen::meet({}, rp, {pq, 0, 0}, qr, side)};
    double mass = 0, xx = 0, yy = 0, xy = 0;
    Vec3 centre;
    for (std::size_t s = 0; s < 3; ++s) {
        mass += rod_density * sides[s];
        centre += 0.5 * rod_density * sides[s] * (corners[s] + corners[(s + 1) % 3]);
    }
    centre = centre / mass;
    for (std::size_t s = 0; s < 3; ++s) {  // ∫ x² dm of each rod, and so on
        const Vec3 mid = 0.5 * (corners[s] + corners[(s + 1) % 3]) - centre, edge = corners[(s + 1) % 3] - corners[s];
        const double dm = rod_density * sides[s];
        xx += dm * (mid.x * mid.x + edge.x * edge.x / 12);
        yy += dm * (mid.y * mid.y + edge.y * edge.y / 12);
        xy += dm * (mid.x * mid.y + edge.x * edge.y / 12);
    }
    const double turn = 0.5 * std::atan2(2 * xy, xx - yy), tilt = std::hypot(0.5 * (xx - yy), xy);
    const Quat q_TB = from_axis_angle({0, 0, 1}, turn);  // T: corners[0] at the origin, corners[1] on the x axis
    RaceBody body;
    body.mass = mass;
    body.inertia = {0.5 * (xx + yy) - tilt, 0.5 * (xx + yy) + tilt, xx + yy};
    body.inertia += mass * thickness * thickness / 12 * Vec3{1, 1, 1};
    body.half = {0.2, 0.2, thickness / 2};
    const Vec3 direction = normalized(Q - P);
    const Pose X_WT{plane + P, from_axis_angle({0, 0, 1}, std::atan2(direction.y, direction.x))};
    body.pose_WB = X_WT * Pose{centre, q_TB};
    set_motion(body, plane + P, leg.speed.*names[0], plane + Q, leg.speed.*names[1]);
    scene.bodies.push_back(body);
    for (Vec3& corner : corners) corner = rotate_back(q_TB, corner - centre);
    return {static_cast<int>(scene.bodies.size()) - 1, corners};
}

void add_leg(RaceScene& scene, int crank, double angle, bool mirrored, const Vec3& plane) {
    using namespace jansen;
    const MovingLeg leg = moving_leg(angle, mirrored);
    const Part rod_j = add_rod(scene, j * cm, &Leg::P, &Leg::C, leg, plane);
    const Part rod_k = add_rod(scene, k * cm, &Leg::P, &Leg::E, leg, plane);
    const Part rod_c = add_rod(scene, c * cm, &Leg::B, &Leg::E, leg, plane);
    const Part rod_f = add_rod(scene, f * cm, &Leg::D, &Leg::F, leg, plane);
    const Part upper = add_triangle(scene, {b * cm, e * cm, d * cm}, {&Leg::B, &Leg::C, &Leg::D}, leg, plane);
    const Part lower = add_triangle(scene, {g * cm, h * cm, i * cm}, {&Leg::E, &Leg::F, &Leg::G}, leg, plane);
    const Vec3 bolt = plane + Vec3{(mirrored ? a : -a) * cm, -l * cm, 0};
    const Vec3 pin =
        plane + m * cm * Vec3{std::cos(angle), std::sin(angle), 0};  // the crank's frame starts as the world's
    const auto hinge = [&](const Part& p, std::size_t p_end, const Part& q, std::size_t q_end) {
        add_hinge(scene, p.body, p.corners_B[p_end], q.body, q.corners_B[q_end]);
    };
    add_hinge(scene, crank, pin, rod_j.body, rod_j.corners_B[0]);
    add_hinge(scene, crank, pin, rod_k.body, rod_k.corners_B[0]);
    add_hinge(scene, world, bolt, upper.body, upper.corners_B[0]);
    add_hinge(scene, world, bolt, rod_c.body, rod_c.corners_B[0]);
    hinge(rod_j, 1, upper, 1);  // C
    hinge(rod_c, 1, lower, 0);  // E, where three meet
    hinge(rod_k, 1, lower, 0);
    hinge(upper, 2, rod_f, 0);  // D
    hinge(rod_f, 1, lower, 1);  // F
}

}  // namespace

/// Pairs of legs, left and right on one pin, along a crank whose pins are spread evenly over the turn. The chassis is
/// held; the crank has a flywheel and turns freely, once a second at the start.
RaceScene make_jansen(int pairs) {
    RaceScene scene;
    scene.title = fmt::format("Jansen's walker, {} legs in the air", 2 * pairs);
    scene.about =
        "The published lengths in centimetres, all hinges, three loops a leg. The chassis is held, the crank turns "
        "freely, "
        "once a second at the start.";
    RaceBody crank;
    crank.mass = 20;
    crank.inertia = {1, 1, 0.9};
    crank.half = {0.3, 0.3, 0.02};
    crank.spin = {0, 0, crank_speed};
    scene.bodies.push_back(crank);
    add_hinge(scene, world, {}, 0, {});
    for (int n = 0; n < pairs; ++n)
        for (const bool mirrored : {false, true})
            add_leg(scene, 0, 0.3 + 2 * std::numbers::pi * n / pairs, mirrored, {0, 0, 0.1 * n});
    for (const RaceBody& body : scene.bodies)
        scene.energy_range += 0.5 * body.mass * norm2(body.velocity) + 0.5 * body.inertia.z * body.spin.z * body.spin.z;
    return scene;
}

}  // namespace armature::race

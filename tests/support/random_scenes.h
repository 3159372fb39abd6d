// Random articulated structures: trees of solids of very different shapes and masses, with extra joints that close
// loops. The same seed gives the same scene on every machine.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "armature/math/random.h"
#include "armature/model/spec.h"

namespace armature::test {

struct StructureOptions {
    int bodies = 10;
    double mass_ratio = 1e6;  ///< heaviest to lightest
    bool anchored = true;     ///< the first solid hangs on the world
    int loops = 0;            ///< joints beyond those of the tree
    double loop_gap = 0;      ///< m, how far the loops are from closed at the start
    int again = 0;  ///< ball joints more between solids that are joined: two make a hinge, three a weld, all too many
    double contradiction =
        0;  ///< share of its distance from the first joint by which the other point of such a joint is off
    double angle_share = 0.4;  ///< of the joints that also restrict an angle
    double max_spin = 6;       ///< rad/s
    bool chain = false;        ///< each solid hangs on the one before; otherwise on any before
};

/// A shape and the points of it that a joint may grip.
struct RandomShape {
    Geometry geometry;
    Vec3 half;  ///< half extents along the body axes
};

/// A box, ball, rod, disc, needle or slab: m r²/J at its ends runs from 1 to 1e5.
inline RandomShape random_shape(Random& random) {
    const double size = random.log_uniform(0.1, 1);
    switch (random.integer(0, 5)) {
        case 0: {
            const Vec3 half{0.5 * size, 0.5 * size * random.uniform(0.3, 1), 0.5 * size * random.uniform(0.3, 1)};
            return {Box{2.0 * half}, half};
        }
        case 1:
            return {Sphere{0.5 * size}, {0.5 * size, 0.5 * size, 0.5 * size}};
        case 2:
            return {Cylinder{0.02 * size, size}, {0, 0.5 * size, 0}};
        case 3:
            return {Cylinder{0.5 * size, 0.01 * size}, {0.5 * size, 0, 0}};
        case 4:
            return {Capsule{0.001 * size, size}, {0, 0.5 * size, 0}};
        default:
            return {Box{{size, 0.005 * size, size}}, {0.5 * size, 0, 0.5 * size}};
    }
}

inline Vec3 random_grip(Random& random, const RandomShape& shape) {
    const Vec3 side = random.in_box(1);
    // Mostly at the ends, where levers are longest.
    const double reach = random.unit() < 0.7 ? 1 : random.unit();
    const auto sign = [](double v) { return v < 0 ? -1.0 : 1.0; };
    return reach * cwise_product(shape.half, {sign(side.x), sign(side.y), sign(side.z)});
}

/// Gives the constraint an angle interval that holds now: a revolute axis, a cone or a band between two cones.
inline void add_random_angle(Random& random, ConstraintSpec& c, const Quat& q1, const Quat& q2) {
    const Vec3 axis = random.direction();
    AngleSpec angle;
    angle.a1_B = rotate_back(q1, axis);
    switch (random.integer(0, 2)) {
        case 0:
            angle.a2_B = rotate_back(q2, axis);
            angle.min = angle.max = 0;
            break;
        case 1:
            angle.a2_B = rotate_back(q2, axis);
            angle.max = random.uniform(0.05, 1);
            break;
        default: {
            const double now = random.uniform(0.3, 2.8);
            angle.a2_B = rotate_back(q2, rotate(from_axis_angle(any_perpendicular(axis), now), axis));
            angle.min = std::max(0.0, now - random.uniform(0.01, 0.5));
            angle.max = std::min(pi, now + random.uniform(0.01, 0.5));
        }
    }
    c.angle = angle;
}

/// Ball joints, some with an angle. Trees hold exactly at the start; loops up to `loop_gap`.
inline Spec random_structure(Random& random, const StructureOptions& options) {
    Spec spec;
    std::vector<RandomShape> shapes;
    for (int i = 0; i < options.bodies; ++i) {
        const RandomShape shape = random_shape(random);
        SolidSpec solid;
        solid.name = fmt::format("b{}", i);
        solid.shapes.push_back({"", shape.geometry, {}, {}});
        solid.mass = random.log_uniform(1e-2, 1e-2 * options.mass_ratio);
        solid.pose_WB.q = random.orientation();
        solid.spin = random.uniform(0, options.max_spin) * random.direction();
        const Vec3 p1 = random_grip(random, shape);
        if (i == 0) {
            if (options.anchored) {
                ConstraintSpec& c = spec.add_constraint(solid.name, "world");
                c.hinge = HingeSpec{p1, {0, 0, 0}, PointDomain{}};
            }
            solid.pose_WB.x = -rotate(solid.pose_WB.q, p1);
        } else {
            const int parent = options.chain ? i - 1 : random.integer(std::max(0, i - 6), i - 1);
            const SolidSpec& other = spec.solids[static_cast<std::size_t>(parent)];
            const Vec3 p2 = random_grip(random, shapes[static_cast<std::size_t>(parent)]);
            solid.pose_WB.x = other.pose_WB * p2 - rotate(solid.pose_WB.q, p1);
            ConstraintSpec& c = spec.add_constraint(solid.name, other.name);
            c.hinge = HingeSpec{p1, p2, PointDomain{}};
            if (random.unit() < options.angle_share) add_random_angle(random, c, solid.pose_WB.q, other.pose_WB.q);
        }
        spec.solids.push_back(solid);
        shapes.push_back(shape);
    }
    for (int k = 0; k < options.loops && options.bodies > 2; ++k) {
        const int i = random.integer(2, options.bodies - 1), j = random.integer(0, i - 2);
        const SolidSpec &a = spec.solids[static_cast<std::size_t>(i)], &b = spec.solids[static_cast<std::size_t>(j)];
        const Vec3 meet = 0.5 * (a.pose_WB.x + b.pose_WB.x);
        const Vec3 off = options.loop_gap * random.direction();
        ConstraintSpec& c = spec.add_constraint(a.name, b.name);
        c.hinge = HingeSpec{inverse(a.pose_WB) * meet, inverse(b.pose_WB) * (meet + off), PointDomain{}};
        c.name = fmt::format("loop{}", k);
    }
    const std::size_t joints = spec.constraints.size();
    for (int k = 0; k < options.again && joints > 0; ++k) {
        const ConstraintSpec first =
            spec.constraints[static_cast<std::size_t>(random.integer(0, static_cast<int>(joints) - 1))];
        const auto pose = [&](const std::string& name) {
            const SolidSpec* solid = spec.find_solid(name);
            return solid ? solid->pose_WB : Pose{};
        };
        const Pose one = pose(first.solid1), two = pose(first.solid2);
        const Vec3 off = random.log_uniform(0.05, 0.5) * random.direction();
        const Vec3 p1 = inverse(one) * (one * first.hinge->p1_B + off);
        const Vec3 p2 = inverse(two) * (two * first.hinge->p2_B + (1 + options.contradiction) * off);
        ConstraintSpec& c = spec.add_constraint(first.solid1, first.solid2);
        c.hinge = HingeSpec{p1, p2, PointDomain{}};
        c.name = fmt::format("again{}", k);
    }
    return spec;
}

}  // namespace armature::test

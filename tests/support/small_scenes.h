// Small structures that several tests build on. Each is compact and well behaved; random_scenes.h has the other kind.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "armature/model/spec.h"

namespace armature::test {

/// A brick of 1 kg with its centre of mass at `at`.
inline SolidSpec& add_brick(Spec& spec, std::string name, const Vec3& at, double mass = 1) {
    SolidSpec& s = spec.add_solid(std::move(name));
    s.shapes.push_back({"", Box{{0.4, 0.2, 0.1}}, {}, {}});
    s.mass = mass;
    s.pose_WB.x = at;
    return s;
}

inline ConstraintSpec& add_ball(Spec& spec, std::string solid1, const Vec3& p1, std::string solid2, const Vec3& p2) {
    ConstraintSpec& c = spec.add_constraint(std::move(solid1), std::move(solid2));
    c.hinge = HingeSpec{p1, p2, PointDomain{}};
    return c;
}

/// Bricks end to end along x from `start`, named prefix0, prefix1 …; the first hangs on the world when `anchored`.
inline void add_chain(Spec& spec, std::string_view prefix, int links, const Vec3& start = {}, bool anchored = true) {
    for (int i = 0; i < links; ++i) {
        const std::string name = fmt::format("{}{}", prefix, i);
        add_brick(spec, name, start + Vec3{0.2 + 0.4 * i, 0, 0});
        if (i > 0)
            add_ball(spec, name, {-0.2, 0, 0}, fmt::format("{}{}", prefix, i - 1), {0.2, 0, 0});
        else if (anchored)
            add_ball(spec, name, {-0.2, 0, 0}, "world", start);
    }
}

/// A sheet of rows × columns balls in the plane y = 0, knotted half-way between neighbours and hung at two corners.
inline void add_net(Spec& spec, int rows, int columns, const Vec3& start = {}) {
    const auto name = [](int i, int j) { return fmt::format("knot{}_{}", i, j); };
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            SolidSpec& s = spec.add_solid(name(i, j));
            s.shapes.push_back({"", Sphere{0.08}, {}, {}});
            s.mass = 1;
            s.pose_WB.x = start + Vec3{0.2 * i, 0, 0.2 * j};
            if (i > 0) add_ball(spec, name(i, j), {-0.1, 0, 0}, name(i - 1, j), {0.1, 0, 0});
            if (j > 0) add_ball(spec, name(i, j), {0, 0, -0.1}, name(i, j - 1), {0, 0, 0.1});
        }
    add_ball(spec, name(0, 0), {}, "world", start);
    add_ball(spec, name(rows - 1, 0), {}, "world", start + Vec3{0.17 * (rows - 1), 0, 0});
}

/// One joint of each kind: ball, bounded segment, ring, plane, cone limit, hinge with a twist limit, weld.
inline void add_every_joint(Spec& spec, const Vec3& start = {}) {
    add_brick(spec, "ball", start + Vec3{0.2, 0, 0});
    add_ball(spec, "ball", {-0.2, 0, 0}, "world", start).name = "j_ball";
    add_brick(spec, "slider", start + Vec3{0.6, 0, 0});
    ConstraintSpec& segment = spec.add_constraint("slider", "ball");
    segment.name = "j_segment";
    segment.hinge = HingeSpec{{-0.2, 0, 0}, {0.2, 0, 0}, SegmentDomain{{0, 0, 1}, -0.2, 0.3}};
    add_brick(spec, "ring", start + Vec3{1.0, 0.1, 0});
    ConstraintSpec& ring = spec.add_constraint("ring", "slider");
    ring.name = "j_ring";
    ring.hinge = HingeSpec{{-0.2, 0, 0}, {0.2, 0, 0}, RingDomain{{1, 0, 0}, 0.05, 0.15}};
    add_brick(spec, "plane", start + Vec3{1.4, 0.1, 0});
    ConstraintSpec& plane = spec.add_constraint("plane", "ring");
    plane.name = "j_plane";
    plane.hinge = HingeSpec{{-0.2, 0, 0}, {0.2, 0, 0}, RingDomain{{0, 1, 0}, 0, 0.2}};
    add_brick(spec, "cone", start + Vec3{0, 0.2, 0.2});
    ConstraintSpec& cone = add_ball(spec, "cone", {0, -0.1, 0}, "world", start + Vec3{0, 0.1, 0.2});
    cone.name = "j_cone";
    cone.angle = AngleSpec{{0, 1, 0}, {0, 1, 0}, 0, 0.4};
    add_brick(spec, "door", start + Vec3{0.4, 0.2, 0.2});
    ConstraintSpec& door = add_ball(spec, "door", {-0.2, 0, 0}, "cone", {0.2, 0, 0});
    door.name = "j_door";
    door.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
    door.twist = TwistSpec{{1, 0, 0}, {1, 0, 0}, -0.5, 0.5};
    add_brick(spec, "weld", start + Vec3{0.8, 0.2, 0.2});
    ConstraintSpec& weld = add_ball(spec, "weld", {-0.2, 0, 0}, "door", {0.2, 0, 0});
    weld.name = "j_weld";
    weld.angle = AngleSpec{{0, 0, 1}, {0, 0, 1}, 0, 0};
    weld.twist = TwistSpec{{1, 0, 0}, {1, 0, 0}, 0, 0};
}

/// A spring from the world to the solid, a damper between the two solids, drag on everything, a body-fixed force.
inline void add_every_force(Spec& spec, const std::string& solid, const std::string& other) {
    spec.add_force("spring").law = SpringSpec{"world", solid, {0, 1, 0}, {0.1, 0, 0}, 50, 0.5, 1};
    spec.add_force("damper").law = SpringSpec{solid, other, {}, {0, 0.1, 0}, 20, 0.2, 5};
    spec.add_force("drag").law = DragSpec{"", 0.05, 0.01};
    VectorTrack track{Interpolation::spline, {{0, {1, 0, 0}}, {0.5, {0, 1, 0}}, {1, {0, 0, 1}}}};
    spec.add_force("thrust").law = PointForceSpec{solid, {0.2, 0, 0}, track, Frame::body};
    spec.add_force("motor").law = TorqueSpec{other, VectorTrack::constant({0, 0.1, 0}), Frame::world};
}

}  // namespace armature::test

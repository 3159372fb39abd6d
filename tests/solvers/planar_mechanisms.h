// Mechanisms of the plane to test planar.h with.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "armature/model/joint_library.h"
#include "armature/sim/simulator.h"

namespace armature::planar {

enum class Mechanism {
    four_bar,
    parallelogram,
    scissor,
    staggered_chain,
    crank_with_legs,
    driven,
    driven_crank,
    lopsided
};

/// Bars between points of the plane z = 0; all of it can be placed and tilted anyhow.
class Builder {
  public:
    explicit Builder(const Pose& pose_WP) : pose_WP_(pose_WP) {
        spec_.simulation.solver = "linearized";
        spec_.simulation.gravity = rotate(pose_WP.q, {3, -9, 0});
    }
    /// From p to q, at the height z; its own axes are turned by `own` within it.
    std::string bar(const Vec3& p, const Vec3& q, double z = 0, const Quat& own = {}) {
        const Vec3 along = q - p, middle = 0.5 * (p + q) + Vec3{0, 0, z};
        const std::string name = fmt::format("bar{}", poses_.size());
        SolidSpec& s = spec_.add_solid(name);
        const Pose pose_PB{middle, from_axis_angle({0, 0, 1}, std::atan2(along.y, along.x)) * own};
        s.shapes.push_back({"", Box{{norm(along), 0.03, 0.02}}, Pose{{}, conjugate(own)}, {}});
        s.mass = 0.5 + 2 * norm(along);
        s.pose_WB = pose_WP_ * pose_PB;
        poses_[name] = pose_PB;
        return name;
    }
    /// What turns the pin that was added last.
    FreedomSpec& turn() {
        FreedomSpec& turn = spec_.constraints.back().freedoms.emplace_back();
        turn = idle_;
        return turn;
    }
    /// At p, with the axis ±n.
    void pin(const std::string& one, const std::string& two, const Vec3& p, double sign = 1) {
        const auto frame = [&](const std::string& body) {
            const Pose pose_PB = body == "world" ? inverse(pose_WP_) : poses_.at(body);
            const Vec3 axis = rotate_back(pose_PB.q, {0, 0, sign});
            return JointFrame{rotate_back(pose_PB.q, p - pose_PB.x), axis, any_perpendicular(axis)};
        };
        ConstraintSpec pin = make_joint(JointType::pin, one, frame(one), two, frame(two));
        idle_ = pin.freedoms.at(0);
        pin.freedoms.clear();
        spec_.constraints.push_back(pin);
    }
    Spec take() { return std::move(spec_); }

  private:
    Pose pose_WP_;
    std::map<std::string, Pose> poses_;
    Spec spec_;
    FreedomSpec idle_;
};

inline void add_parallelogram(Builder& b, bool twice) {
    const std::string left = b.bar({0, 0, 0}, {0.1, 0.3, 0}), top = b.bar({0.1, 0.3, 0}, {0.7, 0.3, 0}),
                      right = b.bar({0.6, 0, 0}, {0.7, 0.3, 0}, 0, from_axis_angle({1, 2, 3}, 1));
    b.pin("world", left, {0, 0, 0});
    b.pin(left, top, {0.1, 0.3, 0});
    b.pin(right, top, {0.7, 0.3, 0}, -1);
    b.pin("world", right, {0.6, 0, 0}, -1);
    if (!twice) return;
    const std::string middle = b.bar({0.25, 0, 0}, {0.35, 0.3, 0});
    b.pin("world", middle, {0.25, 0, 0});
    b.pin(middle, top, {0.35, 0.3, 0});
}

inline void add_scissor(Builder& b, int stages) {
    std::string up, down;
    const Vec3 pivot{0.26, -0.05, 0};  // a short crank keeps it away from where all bars are in line
    for (int i = 0; i < stages; ++i) {
        const Vec3 l{0, 0.2 * i, 0}, r{0.35, 0.2 * i, 0}, l1{0, 0.2 * (i + 1), 0}, r1{0.35, 0.2 * (i + 1), 0};
        const std::string rising = b.bar(l, r1), falling = b.bar(r, l1);
        b.pin(rising, falling, {0.175, 0.2 * i + 0.1, 0});
        if (i == 0) {
            b.pin("world", rising, l);
            const std::string crank = b.bar(pivot, r);
            b.pin("world", crank, pivot);
            b.pin(crank, falling, r);
        } else {
            b.pin(down, rising, l);
            b.pin(up, falling, r);
        }
        up = rising;
        down = falling;
    }
}

/// Each link above or below the one before: their pulls tilt it.
inline void add_staggered_chain(Builder& b, int links) {
    std::string last = "world";
    for (int i = 0; i < links; ++i) {
        const std::string link = b.bar({0.2 * i, 0, 0}, {0.2 * (i + 1), 0, 0}, i % 2 == 0 ? 0.03 : -0.02);
        b.pin(last, link, {0.2 * i, 0, 0});
        last = link;
    }
}

/// Four-bars at different heights around one crank, which is a hub.
inline void add_crank(Builder& b, int legs, bool driven = false) {
    const std::string crank = b.bar({-0.1, 0, 0}, {0.1, 0, 0});
    b.pin("world", crank, {});
    if (driven) b.turn().speed = ScalarTrack::constant(2);
    for (int i = 0; i < legs; ++i) {
        const double z = 0.05 * i, angle = 2 * pi / legs * i;
        const Vec3 on{0.1 * std::cos(angle), 0.1 * std::sin(angle), z}, bolt{0.5, 0.05 * i, z}, knee{0.35, 0.4, z};
        const std::string rod = b.bar(on - Vec3{0, 0, z}, knee - Vec3{0, 0, z}, z),
                          rocker = b.bar(bolt - Vec3{0, 0, z}, knee - Vec3{0, 0, z}, z);
        b.pin(crank, rod, on);
        b.pin(rod, rocker, knee);
        b.pin("world", rocker, bolt);
    }
}

/// A bar on a spring and damper, one with a push and stops that are not met on it, and a motor that turns all of it.
inline void add_driven_chain(Builder& b) {
    const std::string one = b.bar({0, 0, 0}, {0.3, 0, 0}), two = b.bar({0.3, 0, 0}, {0.5, 0.1, 0}, 0.02),
                      three = b.bar({0.5, 0.1, 0}, {0.5, 0.4, 0});
    b.pin("world", one, {0, 0, 0}, -1);
    b.turn().speed = ScalarTrack::constant(3);
    b.pin(two, one, {0.3, 0, 0});
    FreedomSpec& spring = b.turn();
    spring.stiffness = ScalarTrack::constant(20);
    spring.damping = ScalarTrack::constant(0.3);
    b.pin(two, three, {0.5, 0.1, 0});
    FreedomSpec& pushed = b.turn();
    pushed.force = ScalarTrack::constant(0.2);
    pushed.min = ScalarTrack::constant(-20);
    pushed.max = ScalarTrack::constant(20);
}

inline Spec build(Mechanism mechanism, Scheme scheme, bool tilted, bool the_long_way = false) {
    Builder b(tilted ? Pose{{0.3, -0.2, 0.7}, from_axis_angle({1, -2, 0.5}, 0.8)} : Pose{});
    switch (mechanism) {
        case Mechanism::four_bar:
            add_parallelogram(b, false);
            break;
        case Mechanism::parallelogram:
            add_parallelogram(b, true);
            break;
        case Mechanism::scissor:
            add_scissor(b, 9);
            break;
        case Mechanism::staggered_chain:
            add_staggered_chain(b, 9);
            break;
        case Mechanism::crank_with_legs:
            add_crank(b, 7);
            break;
        case Mechanism::driven:
            add_driven_chain(b);
            break;
        case Mechanism::driven_crank:
            add_crank(b, 7, true);
            break;
        case Mechanism::lopsided:
            add_staggered_chain(b, 5);
            break;
    }
    Spec spec = b.take();
    spec.simulation.scheme = scheme;
    if (mechanism == Mechanism::lopsided) {  // by turning about n they are tilted
        spec.solids[1].inertia_G = Mat3{{0.02, 0, 0.005}, {0, 0.03, 0.004}, {0.005, 0.004, 0.04}};
        spec.solids[3].inertia_G = Mat3{{0.02, 0.001, -0.003}, {0.001, 0.01, 0}, {-0.003, 0, 0.02}};
    }
    // A joint that holds since before the start always holds, and is still not one of those that the short ways know.
    if (the_long_way)
        for (ConstraintSpec& c : spec.constraints) c.from = -1;
    return spec;
}

inline bool is_tree(Mechanism mechanism) {
    return mechanism == Mechanism::staggered_chain || mechanism == Mechanism::driven ||
           mechanism == Mechanism::lopsided;
}

inline int steps_in_plane(const Simulator& s) {
    return static_cast<int>(s.report().ways[static_cast<std::size_t>(LinearWay::pins_in_plane)]);
}

}  // namespace armature::planar

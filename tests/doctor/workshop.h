// Mechanisms put together in the world frame: solids are placed without a turn, joints are said where they are, and all of
// them hold as placed.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "armature/doctor/doctor.h"
#include "armature/model/joint_library.h"
#include "armature/model/spec.h"

namespace armature::test {

/// To ask for what is found only.
inline const DoctorOptions no_edits{.edits = false};

class Workshop {
  public:
    Workshop& solid(const std::string& name, const Vec3& at = {}) {
        SolidSpec& s = spec.add_solid(name);
        s.shapes.push_back({"", Box{{0.2, 0.1, 0.1}}, {}, {}});
        s.mass = 1;
        s.pose_WB.x = at;
        return *this;
    }
    Workshop& particle(const std::string& name, const Vec3& at) {
        SolidSpec& s = spec.add_solid(name);
        s.particle = true;
        s.mass = 1;
        s.pose_WB.x = at;
        return *this;
    }
    ConstraintSpec& joint(JointType type, const std::string& a, const std::string& b, const Vec3& at,
                          const Vec3& axis = {0, 0, 1}, const Vec3& second = {}, double pitch = 0) {
        const Vec3 across = second == Vec3{} ? any_perpendicular(normalized(axis)) : second;
        spec.constraints.push_back(make_joint(type, a, joint_frame(pose(a), at, axis, across), b,
                                              joint_frame(pose(b), at, axis, across), pitch));
        spec.constraints.back().name = fmt::format("j{}", spec.constraints.size());
        return spec.constraints.back();
    }
    ConstraintSpec& pin(const std::string& a, const std::string& b, const Vec3& at, const Vec3& axis = {0, 0, 1}) {
        return joint(JointType::pin, a, b, at, axis);
    }
    ConstraintSpec& ball(const std::string& a, const std::string& b, const Vec3& at) {
        return joint(JointType::ball, a, b, at, {1, 0, 0});
    }
    /// Bars between named points, pinned to each other about z where several meet; those that begin with a capital O
    /// belong to the ground.
    struct Bar {
        std::string from, to;
    };
    Workshop& linkage(const std::vector<std::pair<std::string, Vec3>>& points, const std::vector<Bar>& bars) {
        const auto find = [&](const std::string& name) {
            for (const auto& [n, p] : points)
                if (n == name) return p;
            return Vec3{};
        };
        for (const Bar& bar : bars) solid(bar.from + bar.to, 0.5 * (find(bar.from) + find(bar.to)));
        for (const auto& [name, p] : points) {
            // All bars at a point are pinned to the first of them, or to the ground.
            std::string first = name[0] == 'O' ? "world" : "";
            for (const Bar& bar : bars) {
                if (bar.from != name && bar.to != name) continue;
                if (first.empty())
                    first = bar.from + bar.to;
                else
                    pin(bar.from + bar.to, first, p);
            }
        }
        return *this;
    }

    Spec spec;

  private:
    Pose pose(const std::string& name) {
        const SolidSpec* s = spec.find_solid(name);
        return s != nullptr ? s->pose_WB : Pose{};
    }
};

/// A closed ring of pins from its Denavit–Hartenberg numbers: between axis k and k + 1 the length a and the twist α, at
/// axis k the turn θ; offsets are zero. Link 0 is the world.
struct Link {
    double a, alpha, theta;
};
inline Spec closed_ring(const std::vector<Link>& links) {
    Workshop w;
    std::vector<Pose> axes;
    Pose at;
    for (const Link& l : links) {
        axes.push_back(at);
        const Pose turned = at * Pose{{}, from_axis_angle({0, 0, 1}, l.theta)};
        at = turned * Pose{{l.a, 0, 0}, from_axis_angle({1, 0, 0}, l.alpha)};
    }
    const auto name = [&](std::size_t k) {
        return k % links.size() == 0 ? std::string("world") : fmt::format("l{}", k);
    };
    for (std::size_t k = 1; k < links.size(); ++k) w.solid(name(k), axes[k].x);
    for (std::size_t k = 0; k < links.size(); ++k) w.pin(name(k + 1), name(k), axes[k].x, rotate(axes[k].q, {0, 0, 1}));
    return w.spec;
}

}  // namespace armature::test

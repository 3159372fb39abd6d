// Simbody: joint coordinates, loops closed by constraints that are projected to their tolerance. Its integrators choose
// their own steps; they are held to at most one frame. Knobs: accuracy, integrator.
#include <fmt/format.h>

#include "engine.h"
#include "simbody_bridge.h"
#include "tree.h"

namespace armature::race {
namespace {

enum Method { semi_explicit_euler, runge_kutta_merson };

std::array<double, 3> numbers(const Vec3& v) {
    return {v.x, v.y, v.z};
}

class SimbodyWorld : public World {
  public:
    SimbodyWorld(const RaceScene& scene, const Setting& setting) {
        const Tree tree = make_tree(scene);
        std::vector<SimbodyNode> nodes;
        for (const TreeNode& node : tree.nodes) {
            const RaceBody& body = scene.bodies[static_cast<std::size_t>(node.body)];
            const Quat& q = node.X_PB.q;
            nodes.push_back({node.body,
                             node.parent,
                             scene.joints[static_cast<std::size_t>(node.joint)].kind == JointKind::hinge,
                             body.mass,
                             numbers(body.inertia),
                             numbers(node.X_PB.x),
                             {q.w, q.x, q.y, q.z},
                             numbers(node.point_B),
                             numbers(node.axis_B),
                             node.rate});
        }
        std::vector<SimbodyLoop> loops;
        for (const int loop : tree.loops) {
            const RaceJoint& joint = scene.joints[static_cast<std::size_t>(loop)];
            loops.push_back({joint.a, joint.b, numbers(joint.pa_B), numbers(joint.pb_B)});
        }
        const SimbodySettings settings{numbers(scene.gravity), setting.accuracy, setting.tolerance,
                                       setting.method == semi_explicit_euler, frame};
        bridge_ = std::make_unique<SimbodyBridge>(nodes, loops, settings);
    }

    void step() override { bridge_->step_to(++frames_ * frame); }
    void read(std::vector<Pose>& poses_WB) override {
        const std::vector<SimbodyBridge::Placement>& placements = bridge_->read();
        for (std::size_t i = 0; i < placements.size(); ++i) {
            const auto& [x, q] = placements[i];
            poses_WB[i] = {{x[0], x[1], x[2]}, normalized(Quat{q[0], q[1], q[2], q[3]})};
        }
    }

  private:
    std::unique_ptr<SimbodyBridge> bridge_;
    int frames_ = 0;
};

}  // namespace

std::vector<Engine> simbody_engines() {
    Engine engine;
    engine.name = "Simbody";
    engine.version = ARMATURE_RACE_SIMBODY_VERSION;
    engine.knob = "accuracy, tolerance of the loops, integrator";
    const auto add = [&](int method, double accuracy, double tolerance, bool quick) {
        Setting setting;
        setting.label = fmt::format("accuracy {:g}, tolerance {:g}, {}", accuracy, tolerance,
                                    method == semi_explicit_euler ? "Euler 2" : "RKM");
        setting.method = method;
        setting.accuracy = accuracy;
        setting.tolerance = tolerance;
        setting.for_loops = tolerance < 1e-4;
        setting.quick = quick;
        engine.settings.push_back(setting);
    };
    for (const double tolerance : {4e-4, 4e-7}) {
        add(semi_explicit_euler, 1e-1, tolerance, false);
        add(runge_kutta_merson, 1e-1, tolerance, true);
        add(semi_explicit_euler, 1e-2, tolerance, false);
        add(runge_kutta_merson, 1e-2, tolerance, false);
        add(runge_kutta_merson, 1e-3, tolerance, false);
    }
    add(runge_kutta_merson, 1e-4, 1e-9, false);
    engine.build = [](const RaceScene& scene, const Setting& setting) {
        return std::make_unique<SimbodyWorld>(scene, setting);
    };
    return {engine};
}

}  // namespace armature::race

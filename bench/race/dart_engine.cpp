// DART: joint coordinates, loops closed by ball constraints in its LCP. Knob: sub-steps.
#include <fmt/format.h>

// Not dart/dart.hpp: it asks for a file that Debian packages elsewhere.
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <map>

#include "engine.h"
#include "tree.h"

namespace armature::race {
namespace {

Eigen::Vector3d to_dart(const Vec3& v) {
    return {v.x, v.y, v.z};
}
Eigen::Isometry3d to_dart(const Pose& X) {
    Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
    result.linear() = Eigen::Quaterniond(X.q.w, X.q.x, X.q.y, X.q.z).toRotationMatrix();
    result.translation() = to_dart(X.x);
    return result;
}

class DartWorld : public World {
  public:
    DartWorld(const RaceScene& scene, const Setting& setting)
        : substeps_(setting.substeps), nodes_(scene.bodies.size()) {
        world_->setGravity(to_dart(scene.gravity));
        world_->setTimeStep(frame / substeps_);
        const Tree tree = make_tree(scene);
        std::map<int, dart::dynamics::SkeletonPtr> skeletons;  // by the roots of their trees
        for (const TreeNode& node : tree.nodes) {
            dart::dynamics::SkeletonPtr& skeleton = skeletons[node.root];
            if (!skeleton) skeleton = dart::dynamics::Skeleton::create(fmt::format("s{}", node.root));
            add_body(scene, node, *skeleton);
        }
        for (const auto& [root, skeleton] : skeletons) world_->addSkeleton(skeleton);
        for (const int loop : tree.loops) add_loop(scene, scene.joints[static_cast<std::size_t>(loop)]);
    }

    void step() override {
        for (int i = 0; i < substeps_; ++i) world_->step();
    }
    void read(std::vector<Pose>& poses_WB) override {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Eigen::Isometry3d& X = nodes_[i]->getWorldTransform();
            const Eigen::Quaterniond q(X.rotation());
            poses_WB[i] = {{X.translation().x(), X.translation().y(), X.translation().z()},
                           normalized(Quat{q.w(), q.x(), q.y(), q.z()})};
        }
    }

  private:
    dart::dynamics::BodyNode* node(int body) const {
        return body == world ? nullptr : nodes_[static_cast<std::size_t>(body)];
    }
    void add_body(const RaceScene& scene, const TreeNode& tree_node, dart::dynamics::Skeleton& skeleton) {
        using namespace dart::dynamics;
        const RaceBody& body = scene.bodies[static_cast<std::size_t>(tree_node.body)];
        BodyNode* parent = node(tree_node.parent);
        BodyNode* child = nullptr;
        Joint* joint = nullptr;
        if (scene.joints[static_cast<std::size_t>(tree_node.joint)].kind == JointKind::ball) {
            std::tie(joint, child) = skeleton.createJointAndBodyNodePair<BallJoint>(parent);
        } else {
            const auto [revolute, created] = skeleton.createJointAndBodyNodePair<RevoluteJoint>(parent);
            revolute->setAxis(to_dart(tree_node.axis_B));
            revolute->setVelocity(0, tree_node.rate);
            joint = revolute;
            child = created;
        }
        const Pose X_BJ{tree_node.point_B, {}};
        joint->setTransformFromParentBodyNode(to_dart(tree_node.X_PB * X_BJ));
        joint->setTransformFromChildBodyNode(to_dart(X_BJ));
        child->setInertia(Inertia(body.mass, Eigen::Vector3d::Zero(), to_dart(body.inertia).asDiagonal()));
        nodes_[static_cast<std::size_t>(tree_node.body)] = child;
    }
    void add_loop(const RaceScene& scene, const RaceJoint& joint) {
        using dart::constraint::BallJointConstraint;
        const Eigen::Vector3d at = to_dart(scene.pose(joint.a) * joint.pa_B);
        const int a = joint.a == world ? joint.b : joint.a, b = joint.a == world ? joint.a : joint.b;
        const auto loop = b == world ? std::make_shared<BallJointConstraint>(node(a), at)
                                     : std::make_shared<BallJointConstraint>(node(a), node(b), at);
        // The default, 0.01 per step, hardly closes what opens.
        loop->setErrorReductionParameter(0.8);
        world_->getConstraintSolver()->addConstraint(loop);
    }

    int substeps_;
    dart::simulation::WorldPtr world_ = dart::simulation::World::create();
    std::vector<dart::dynamics::BodyNode*> nodes_;  ///< per body of the scene
};

}  // namespace

std::vector<Engine> dart_engines() {
    Engine engine;
    engine.name = "DART";
    engine.version = ARMATURE_RACE_DART_VERSION;
    engine.knob = "sub-steps";
    for (int count = 1; count <= 1024; count *= 2)
        engine.settings.push_back(substep_setting(count, count == 4 || count == 64));
    engine.build = [](const RaceScene& scene, const Setting& setting) {
        return std::make_unique<DartWorld>(scene, setting);
    };
    return {engine};
}

}  // namespace armature::race

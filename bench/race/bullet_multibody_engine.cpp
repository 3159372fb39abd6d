// Bullet with joint coordinates [Featherstone]: the joints of a spanning tree hold by construction, loops are closed by
// the impulse solver. Knobs: sub-steps, and iterations for the loops.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>

#include <map>

#include "bullet_math.h"
#include "engine.h"
#include "tree.h"

namespace armature::race {
namespace {

class MultibodyWorld : public World {
  public:
    MultibodyWorld(const RaceScene& scene, const Setting& setting)
        : substeps_(setting.substeps), links_(scene.bodies.size()) {
        world_.setGravity(to_bullet(scene.gravity));
        world_.getSolverInfo().m_numIterations = setting.iterations;
        world_.getSolverInfo().m_erp = world_.getSolverInfo().m_erp2 = btScalar(0.8);  // of the loops
        const Tree tree = make_tree(scene);
        std::map<int, std::vector<const TreeNode*>> trees;  // by their roots
        for (const TreeNode& node : tree.nodes) trees[node.root].push_back(&node);
        for (const auto& [root, nodes] : trees) add_tree(scene, nodes);
        for (const int loop : tree.loops) add_loop(scene.joints[static_cast<std::size_t>(loop)]);
    }
    ~MultibodyWorld() override {
        for (const auto& loop : loops_) world_.removeMultiBodyConstraint(loop.get());
        for (const auto& collider : colliders_) world_.removeCollisionObject(collider.get());
        for (const auto& multibody : multibodies_) world_.removeMultiBody(multibody.get());
    }

    void step() override {
        for (int i = 0; i < substeps_; ++i) world_.stepSimulation(btScalar(frame / substeps_), 0);
    }
    void read(std::vector<Pose>& poses_WB) override {
        for (const auto& multibody : multibodies_) multibody->forwardKinematics(scratch_q_, scratch_x_);
        for (std::size_t i = 0; i < links_.size(); ++i)
            poses_WB[i] = from_bullet(links_[i].multibody->getLink(links_[i].index).m_cachedWorldTransform);
    }

  private:
    struct Link {
        btMultiBody* multibody;
        int index;
    };

    void add_tree(const RaceScene& scene, const std::vector<const TreeNode*>& nodes) {
        const int count = static_cast<int>(nodes.size());
        multibodies_.push_back(std::make_unique<btMultiBody>(count, 0, btVector3(0, 0, 0), true, false));
        btMultiBody& multibody = *multibodies_.back();
        multibody.setBaseWorldTransform(btTransform::getIdentity());
        for (int i = 0; i < count; ++i) {
            const TreeNode& node = *nodes[static_cast<std::size_t>(i)];
            const RaceBody& body = scene.bodies[static_cast<std::size_t>(node.body)];
            links_[static_cast<std::size_t>(node.body)] = {&multibody, i};
            const int parent = node.parent == world ? -1 : links_[static_cast<std::size_t>(node.parent)].index;
            const btQuaternion parent_to_this = to_bullet(conjugate(node.X_PB.q));
            const btVector3 pivot = to_bullet(node.parent_point_P), com = to_bullet(-node.point_B);
            if (scene.joints[static_cast<std::size_t>(node.joint)].kind == JointKind::ball)
                multibody.setupSpherical(i, btScalar(body.mass), to_bullet(body.inertia), parent, parent_to_this, pivot,
                                         com, true);
            else
                multibody.setupRevolute(i, btScalar(body.mass), to_bullet(body.inertia), parent, parent_to_this,
                                        to_bullet(node.axis_B), pivot, com, true);
        }
        multibody.finalizeMultiDof();
        for (int i = 0; i < count; ++i)
            if (nodes[static_cast<std::size_t>(i)]->rate != 0)
                multibody.setJointVel(i, btScalar(nodes[static_cast<std::size_t>(i)]->rate));
        // Everything on by default that would take energy away or hide that there is too much.
        multibody.setLinearDamping(0);
        multibody.setAngularDamping(0);
        multibody.setMaxCoordinateVelocity(btScalar(1e6));
        multibody.setCanSleep(false);
        multibody.forwardKinematics(scratch_q_, scratch_x_);
        world_.addMultiBody(&multibody);
    }

    /// The solver finds the constraints of an island by the colliders of their links.
    void add_collider(const Link& link) {
        auto& slot = link.multibody->getLink(link.index).m_collider;
        if (slot) return;
        colliders_.push_back(std::make_unique<btMultiBodyLinkCollider>(link.multibody, link.index));
        slot = colliders_.back().get();
        slot->setCollisionShape(&shape_);
        slot->setActivationState(DISABLE_DEACTIVATION);
        world_.addCollisionObject(slot, 0, 0);  // collides with nothing
    }

    void add_loop(const RaceJoint& joint) {
        // An end at the world is written as a rigid body that does not move.
        const bool turned = joint.a == world;
        const int a = turned ? joint.b : joint.a, b = turned ? joint.a : joint.b;
        const btVector3 pa = to_bullet(turned ? joint.pb_B : joint.pa_B),
                        pb = to_bullet(turned ? joint.pa_B : joint.pb_B);
        const Link& la = links_[static_cast<std::size_t>(a)];
        add_collider(la);
        if (b == world) {
            loops_.push_back(std::make_unique<btMultiBodyPoint2Point>(la.multibody, la.index,
                                                                      &btTypedConstraint::getFixedBody(), pa, pb));
        } else {
            const Link& lb = links_[static_cast<std::size_t>(b)];
            add_collider(lb);
            loops_.push_back(
                std::make_unique<btMultiBodyPoint2Point>(la.multibody, la.index, lb.multibody, lb.index, pa, pb));
        }
        loops_.back()->setMaxAppliedImpulse(btScalar(1e9));
        world_.addMultiBodyConstraint(loops_.back().get());
    }

    int substeps_;
    btSphereShape shape_{btScalar(0.01)};
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btMultiBodyConstraintSolver solver_;
    btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<Link> links_;  ///< per body of the scene
    std::vector<std::unique_ptr<btMultiBody>> multibodies_;
    std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
    std::vector<std::unique_ptr<btMultiBodyPoint2Point>> loops_;
    btAlignedObjectArray<btQuaternion> scratch_q_;
    btAlignedObjectArray<btVector3> scratch_x_;
};

}  // namespace

std::vector<Engine> bullet_multibody_engines() {
    Engine engine;
    engine.name = "Bullet multibody";
    engine.version = bullet_version();
    engine.knob = "sub-steps; iterations of the loops";
    for (const int substeps : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512})
        for (const int iterations : {10, 100}) {
            Setting setting = substep_setting(substeps, iterations == 10 && (substeps == 4 || substeps == 64));
            setting.label += fmt::format(", {} iterations", iterations);
            setting.iterations = iterations;
            setting.for_loops = iterations == 100;
            engine.settings.push_back(setting);
        }
    engine.build = [](const RaceScene& scene, const Setting& setting) {
        return std::make_unique<MultibodyWorld>(scene, setting);
    };
    return {engine};
}

}  // namespace armature::race

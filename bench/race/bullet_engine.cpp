// Bullet with rigid bodies and the sequential impulse solver. Knobs: iterations, sub-steps.
#include "bullet_math.h"
#include "engine.h"

namespace armature::race {
namespace {

class BulletWorld : public World {
  public:
    BulletWorld(const RaceScene& scene, const Setting& setting) : substeps_(setting.substeps) {
        world_.setGravity(to_bullet(scene.gravity));
        world_.getSolverInfo().m_numIterations = setting.iterations;
        world_.getSolverInfo().m_erp = btScalar(0.8);  // the default, 0.2, takes five times as long to close a gap
        for (const RaceBody& body : scene.bodies) {
            btRigidBody::btRigidBodyConstructionInfo info(btScalar(body.mass), nullptr, &shape_,
                                                          to_bullet(body.inertia));
            info.m_startWorldTransform = to_bullet(body.pose_WB);
            bodies_.push_back(std::make_unique<btRigidBody>(info));
            bodies_.back()->setLinearVelocity(to_bullet(body.velocity));
            bodies_.back()->setAngularVelocity(to_bullet(body.spin));
            bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
            world_.addRigidBody(bodies_.back().get(), 0, 0);  // collides with nothing
        }
        for (const RaceJoint& joint : scene.joints) {
            joints_.push_back(make_joint(joint));
            world_.addConstraint(joints_.back().get(), true);
        }
    }
    ~BulletWorld() override {
        for (const auto& joint : joints_) world_.removeConstraint(joint.get());
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }

    void step() override {
        for (int i = 0; i < substeps_; ++i) world_.stepSimulation(btScalar(frame / substeps_), 0);
    }
    void read(std::vector<Pose>& poses_WB) override {
        for (std::size_t i = 0; i < bodies_.size(); ++i) poses_WB[i] = from_bullet(bodies_[i]->getWorldTransform());
    }

  private:
    btRigidBody& body(int index) {
        return index == world ? btTypedConstraint::getFixedBody() : *bodies_[static_cast<std::size_t>(index)];
    }
    std::unique_ptr<btTypedConstraint> make_joint(const RaceJoint& joint) {
        btRigidBody &a = body(joint.a), &b = body(joint.b);
        if (joint.kind == JointKind::ball)
            return std::make_unique<btPoint2PointConstraint>(a, b, to_bullet(joint.pa_B), to_bullet(joint.pb_B));
        return std::make_unique<btHingeConstraint>(a, b, to_bullet(joint.pa_B), to_bullet(joint.pb_B),
                                                   to_bullet(joint.axis_a_B), to_bullet(joint.axis_b_B));
    }

    int substeps_;
    btSphereShape shape_{btScalar(0.01)};
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

std::vector<Engine> bullet_engines() {
    Engine engine;
    engine.name = "Bullet impulses";
    engine.version = bullet_version();
    engine.knob = "iterations and sub-steps";
    engine.settings = iteration_settings(10);
    engine.build = [](const RaceScene& scene, const Setting& setting) {
        return std::make_unique<BulletWorld>(scene, setting);
    };
    return {engine};
}

}  // namespace armature::race

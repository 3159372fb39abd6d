// ODE with its two steppers: dWorldStep (direct; knob: sub-steps) and dWorldQuickStep (iterative; knobs: iterations and
// sub-steps).
#include <fmt/format.h>
#include <ode/ode.h>

#include <algorithm>

#include "engine.h"

namespace armature::race {
namespace {

class OdeWorld : public World {
  public:
    OdeWorld(const RaceScene& scene, const Setting& setting)
        : quick_(setting.iterations > 0), substeps_(setting.substeps) {
        [[maybe_unused]] static const int started = dInitODE2(0);
        dAllocateODEDataForThread(dAllocateMaskAll);
        world_ = dWorldCreate();
        dWorldSetGravity(world_, real(scene.gravity.x), real(scene.gravity.y), real(scene.gravity.z));
        dWorldSetAutoDisableFlag(world_, 0);
        dWorldSetERP(world_, real(0.8));  // the default, 0.2, draws gaps shut in about five times as many sub-steps
        if (quick_) dWorldSetQuickStepNumIterations(world_, setting.iterations);
        for (const RaceBody& body : scene.bodies) bodies_.push_back(add_body(body));
        for (const RaceJoint& joint : scene.joints) add_joint(scene, joint);
    }
    ~OdeWorld() override { dWorldDestroy(world_); }

    void step() override {
        const dReal h = real(frame / substeps_);
        for (int i = 0; i < substeps_; ++i) quick_ ? dWorldQuickStep(world_, h) : dWorldStep(world_, h);
    }
    void read(std::vector<Pose>& poses_WB) override {
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const dReal *x = dBodyGetPosition(bodies_[i]), *q = dBodyGetQuaternion(bodies_[i]);
            poses_WB[i] = {{x[0], x[1], x[2]}, normalized(Quat{q[0], q[1], q[2], q[3]})};
        }
    }

  private:
    static dReal real(double x) { return static_cast<dReal>(x); }

    dBodyID add_body(const RaceBody& body) {
        const dBodyID id = dBodyCreate(world_);
        dMass mass;
        dMassSetParameters(&mass, real(body.mass), 0, 0, 0, real(body.inertia.x), real(body.inertia.y),
                           real(body.inertia.z), 0, 0, 0);
        dBodySetMass(id, &mass);
        const Pose& X = body.pose_WB;
        dBodySetPosition(id, real(X.x.x), real(X.x.y), real(X.x.z));
        const dQuaternion q{real(X.q.w), real(X.q.x), real(X.q.y), real(X.q.z)};
        dBodySetQuaternion(id, q);
        dBodySetLinearVel(id, real(body.velocity.x), real(body.velocity.y), real(body.velocity.z));
        dBodySetAngularVel(id, real(body.spin.x), real(body.spin.y), real(body.spin.z));
        return id;
    }
    dBodyID body(int index) const { return index == world ? nullptr : bodies_[static_cast<std::size_t>(index)]; }

    void add_joint(const RaceScene& scene, const RaceJoint& joint) {
        const Vec3 at = scene.pose(joint.a) * joint.pa_B;
        if (joint.kind == JointKind::ball) {
            const dJointID id = dJointCreateBall(world_, nullptr);
            dJointAttach(id, body(joint.a), body(joint.b));
            dJointSetBallAnchor(id, real(at.x), real(at.y), real(at.z));
        } else {
            const Vec3 axis = rotate(scene.pose(joint.a).q, joint.axis_a_B);
            const dJointID id = dJointCreateHinge(world_, nullptr);
            dJointAttach(id, body(joint.a), body(joint.b));
            dJointSetHingeAnchor(id, real(at.x), real(at.y), real(at.z));
            dJointSetHingeAxis(id, real(axis.x), real(axis.y), real(axis.z));
        }
    }

    bool quick_;
    int substeps_;
    dWorldID world_ = nullptr;
    std::vector<dBodyID> bodies_;
};

std::unique_ptr<World> build(const RaceScene& scene, const Setting& setting) {
    return std::make_unique<OdeWorld>(scene, setting);
}

}  // namespace

std::vector<Engine> ode_engines() {
    const std::string version =
        fmt::format("{}, {}", ARMATURE_RACE_ODE_VERSION, sizeof(dReal) == 8 ? "double" : "single precision");
    Engine direct{"ODE step", version, "sub-steps", {}, build};
    for (int count = 1; count <= 4096; count *= 2)
        direct.settings.push_back(substep_setting(count, count == 4 || count == 64));
    return {direct, Engine{"ODE quickstep", version, "iterations and sub-steps", iteration_settings(20), build}};
}

}  // namespace armature::race

// Compiled as C++17, see the header.
#include "simbody_bridge.h"

#include <Simbody.h>

namespace armature::race {
namespace {

SimTK::Vec3 vec(const std::array<double, 3>& v) {
    return SimTK::Vec3(v[0], v[1], v[2]);
}

}  // namespace

struct SimbodyBridge::Parts {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    std::vector<SimTK::MobilizedBodyIndex> bodies;
    std::unique_ptr<SimTK::Integrator> integrator;
    std::unique_ptr<SimTK::TimeStepper> stepper;
    std::vector<Placement> placements;

    SimTK::MobilizedBody& body(int index) {
        return index < 0 ? matter.updGround() : matter.updMobilizedBody(bodies[static_cast<std::size_t>(index)]);
    }

    void add(const SimbodyNode& node) {
        const SimTK::Body::Rigid rigid(
            SimTK::MassProperties(node.mass, SimTK::Vec3(0), SimTK::Inertia(vec(node.inertia))));
        const std::array<double, 4>& q = node.q_PB;
        const SimTK::Transform X_PB(SimTK::Rotation(SimTK::Quaternion(q[0], q[1], q[2], q[3])), vec(node.x_PB));
        // The joint's frame on the body; pins turn about its z axis.
        SimTK::Transform X_BM(vec(node.point_B));
        if (node.hinge) X_BM.updR() = SimTK::Rotation(SimTK::UnitVec3(vec(node.axis_B)), SimTK::ZAxis);
        const SimTK::Transform X_PF = X_PB * X_BM;
        bodies[static_cast<std::size_t>(node.body)] =
            node.hinge ? SimTK::MobilizedBody::Pin(body(node.parent), X_PF, rigid, X_BM).getMobilizedBodyIndex()
                       : SimTK::MobilizedBody::Ball(body(node.parent), X_PF, rigid, X_BM).getMobilizedBodyIndex();
    }
};

SimbodyBridge::SimbodyBridge(const std::vector<SimbodyNode>& nodes, const std::vector<SimbodyLoop>& loops,
                             const SimbodySettings& settings)
    : parts_(std::make_unique<Parts>()) {
    Parts& p = *parts_;
    p.bodies.resize(nodes.size());
    p.placements.resize(nodes.size());
    p.system.setUseUniformBackground(true);
    SimTK::Force::UniformGravity(p.forces, p.matter, vec(settings.gravity));
    for (const SimbodyNode& node : nodes) p.add(node);
    for (const SimbodyLoop& loop : loops)
        SimTK::Constraint::Ball(p.body(loop.a), vec(loop.pa_B), p.body(loop.b), vec(loop.pb_B));
    SimTK::State state = p.system.realizeTopology();
    for (const SimbodyNode& node : nodes)
        if (node.rate != 0) p.body(node.body).setOneU(state, 0, node.rate);
    if (settings.semi_explicit_euler)
        p.integrator = std::make_unique<SimTK::SemiExplicitEuler2Integrator>(p.system);
    else
        p.integrator = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(p.system);
    p.integrator->setAccuracy(settings.accuracy);
    p.integrator->setConstraintTolerance(settings.tolerance);
    p.integrator->setMaximumStepSize(settings.max_step);
    p.stepper = std::make_unique<SimTK::TimeStepper>(p.system, *p.integrator);
    p.stepper->initialize(state);
}

SimbodyBridge::~SimbodyBridge() = default;

void SimbodyBridge::step_to(double time) {
    parts_->stepper->stepTo(time);
}

const std::vector<SimbodyBridge::Placement>& SimbodyBridge::read() {
    const SimTK::State& state = parts_->integrator->getState();
    parts_->system.realize(state, SimTK::Stage::Position);
    for (std::size_t i = 0; i < parts_->bodies.size(); ++i) {
        const SimTK::Transform& X = parts_->matter.getMobilizedBody(parts_->bodies[i]).getBodyTransform(state);
        const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
        parts_->placements[i] = {{X.p()[0], X.p()[1], X.p()[2]}, {q[0], q[1], q[2], q[3]}};
    }
    return parts_->placements;
}

}  // namespace armature::race

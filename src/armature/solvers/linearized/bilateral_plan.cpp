// What bilateral.h finds out once about an island.
#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// The nodes of a joint; false when it has parts of another kind, or does not always hold.
bool add_nodes(BilateralPlan& plan, const Joint& joint, const Island::LocalJoint& local, int index) {
    int points = 0, axes = 0;
    for (const Part& part : joint.parts) {
        const auto* point = std::get_if<PointPart>(&part);
        const auto* angle = std::get_if<AnglePart>(&part);
        BilateralPlan::Node node{local.body1, local.body2, index, false};
        BilateralPlan::Shape shape{};
        if (point && std::holds_alternative<PointDomain>(point->domain)) {
            shape.p1 = four::load(point->p1_G);
            shape.p2 = four::load(point->p2_G);
            ++points;
        } else if (angle && angle->min <= 0 && angle->max <= 0) {
            node.axis = true;
            const Vec3 across = any_perpendicular(angle->a2_B);
            shape.a = four::load(angle->a1_B);
            shape.t = four::load(across);
            shape.s = four::load(cross(angle->a2_B, across));
            ++axes;
        } else {
            return false;
        }
        plan.nodes.push_back(node);
        plan.shapes.push_back(shape);
    }
    return points == 1 && axes <= 1 && !joint.soft && joint.from == -infinity && joint.until == infinity;
}

}  // namespace

void add_bodies_and_nodes(const Model& model, const Island& island, BilateralPlan& plan) {
    plan.fits = true;
    for (const BodyId id : island.bodies) {
        const Body& b = model.bodies[idx(id)];
        const double most_turn = trace(b.inv_inertia_G);
        plan.bodies.push_back({b.inv_mass, most_turn * most_turn, four::load(b.inertia_G), b.particle});
    }
    int local = 0;
    for (const Island::LocalJoint& joint : island.joints)
        plan.fits = plan.fits && add_nodes(plan, model.joints[idx(joint.joint)], joint, local++);
    plan.tree = is_forest(island);
}

void make_plan(const CorrectionProblem& p, BilateralPlan& plan) {
    add_bodies_and_nodes(p.model, p.island, plan);
    if (!plan.fits) return;
    plan.lockstep = make_lockstep(plan, p.island.dynamic_count);
    plan.lay_out(p.island.dynamic_count, plan.lockstep == nullptr);  // otherwise its numbers stand in the lockstep
}

}  // namespace armature

#include "armature/solvers/linearized/bilateral.h"

#include <algorithm>
#include <set>

#include "armature/math/exact_turn.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

bool wide_allowed = true;

/// Newton's matrix has the stiffness of what pulls at turning arms: that of the last step is nearly that of this one.
four::V expected_impulse(const BilateralPlan::Node& node, const BilateralNumbers& n, std::size_t k,
                         const JointLoad& load) {
    if (!node.axis) return four::load(load.force);
    const BilateralNumbers::Axis& axis = n.axes[k];
    const Vec3 a = four::store(axis.a.reference);
    const Vec3 at = cross(a, four::store(axis.t.reference)), as = cross(a, four::store(axis.s.reference));
    return four::V{dot(at, load.torque), dot(as, load.torque), 0, 0};
}

/// The nodes of a joint; false when it has parts of another kind, or does not always hold.
bool add_nodes(BilateralPlan& plan, const Joint& joint, const Island::LocalJoint& local) {
    int points = 0, axes = 0;
    for (const Part& part : joint.parts) {
        const auto* point = std::get_if<PointPart>(&part);
        const auto* angle = std::get_if<AnglePart>(&part);
        BilateralPlan::Node node{local.body1, local.body2, static_cast<int>(plan.joints), false};
        BilateralPlan::Shape shape;
        if (point && std::holds_alternative<PointDomain>(point->domain)) {
            shape.p1 = point->p1_G;
            shape.p2 = point->p2_G;
            ++points;
        } else if (angle && angle->min <= 0 && angle->max <= 0) {
            node.axis = true;
            shape.a = angle->a1_B;
            shape.t = any_perpendicular(angle->a2_B);
            shape.s = cross(angle->a2_B, shape.t);
            ++axes;
        } else {
            return false;
        }
        plan.nodes.push_back(node);
        plan.shapes.push_back(shape);
    }
    return points == 1 && axes <= 1 && !joint.soft && joint.from == -infinity && joint.until == infinity;
}

void find_pairs(BilateralPlan& plan, int dynamic_count) {
    std::vector<std::vector<int>> sides(idx(dynamic_count));  // at each body
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
        const int side = static_cast<int>(2 * n);
        if (plan.nodes[n].body1 < dynamic_count) sides[idx(plan.nodes[n].body1)].push_back(side);
        if (plan.nodes[n].body2 < dynamic_count) sides[idx(plan.nodes[n].body2)].push_back(side + 1);
    }
    std::vector<std::pair<int, int>> couplings;
    for (const std::vector<int>& at : sides)
        for (std::size_t a = 0; a < at.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) couplings.emplace_back(at[a] / 2, at[b] / 2);
    TripleSystem& system = plan.system;
    system.analyse(static_cast<int>(plan.nodes.size()), couplings);
    std::set<const four::M*> met;
    for (const std::vector<int>& at : sides) {
        plan.first_pair.push_back(plan.pairs.size());
        for (const int column : at)
            for (const int row : at) {
                const int i = row / 2, j = column / 2;
                four::M* block = &system.diagonal[idx(i)];
                if (i != j) {
                    const Elimination::Coupling c = system.pattern.coupling(i, j);
                    block = c.row == i ? &system.lower[c.at] : &system.upper[c.at];
                }
                plan.pairs.push_back({row, column, block, met.insert(block).second});
            }
    }
    plan.first_pair.push_back(plan.pairs.size());
    for (std::vector<four::M>* blocks : {&system.diagonal, &system.lower, &system.upper})
        for (four::M& block : *blocks)
            if (!met.contains(&block)) plan.filled.push_back(&block);
}

/// What does not move counts as one body.
bool is_forest(const Island& island) {
    std::vector<int> leads_to(idx(island.dynamic_count) + 1);
    for (std::size_t i = 0; i < leads_to.size(); ++i) leads_to[i] = static_cast<int>(i);
    const auto root = [&](int body) {
        int r = std::min(body, island.dynamic_count);
        while (leads_to[idx(r)] != r) r = leads_to[idx(r)] = leads_to[idx(leads_to[idx(r)])];
        return r;
    };
    for (const Island::LocalJoint& joint : island.joints) {
        const int a = root(joint.body1), b = root(joint.body2);
        if (a == b) return false;
        leads_to[idx(a)] = b;
    }
    return true;
}

void make_plan(const CorrectionProblem& p, BilateralPlan& plan) {
    plan = {};
    plan.fingerprint = p.model.fingerprint;
    plan.fits = true;
    for (const BodyId id : p.island.bodies) {
        const Body& b = p.model.bodies[idx(id)];
        const double most_turn = trace(b.inv_inertia_G);
        plan.bodies.push_back({b.inv_mass, most_turn * most_turn, b.inertia_G, b.particle});
    }
    for (const Island::LocalJoint& local : p.island.joints) {
        plan.fits = plan.fits && add_nodes(plan, p.model.joints[idx(local.joint)], local);
        ++plan.joints;
    }
    if (plan.fits) find_pairs(plan, p.island.dynamic_count);
    plan.tree = is_forest(p.island);
}

}  // namespace

bool BilateralNewton::fits(const CorrectionProblem& p) {
    const auto none = [](const auto* list) { return !list || list->empty(); };
    if (!p.start_q || p.slack || !none(p.laws) || !none(p.soft_points) || !none(p.contacts)) return false;
    BilateralPlan& plan = plans_[&p.island];
    if (plan.fingerprint != p.model.fingerprint || plan.bodies.size() != p.island.bodies.size() ||
        plan.joints != p.island.joints.size())
        make_plan(p, plan);
    plan_ = &plan;
    return plan.fits;
}

double BilateralNewton::cost() const {
    const Elimination& e = plan_->system.pattern;
    return 27 * static_cast<double>(e.updates.size() + e.below.size() + e.order.size());
}

void BilateralNewton::allow_wide(bool yes) {
    wide_allowed = yes;
}

void BilateralNewton::begin(const CorrectionProblem& p, bool warm) {
    const BilateralPlan& plan = *plan_;
    BilateralNumbers& n = numbers_;
    n.half_way = p.half_way;
    n.exact = p.exact != nullptr;
    n.dynamic_count = p.island.dynamic_count;
    n.starts.resize(plan.bodies.size());
    n.bodies.resize(plan.bodies.size());
    n.arms.resize(2 * plan.nodes.size());
    n.arms_now.resize(n.arms.size());
    n.errors.resize(plan.nodes.size());
    n.lambdas.assign(plan.nodes.size(), four::Cell{});
    n.axes.resize(plan.nodes.size() > plan.joints ? plan.nodes.size() : 0);
    R_start_.resize(plan.bodies.size());
    R_reference_.resize(plan.bodies.size());
    for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
        const bool moves = static_cast<int>(i) < n.dynamic_count;
        R_start_[i] = to_matrix((*p.start_q)[i]);
        R_reference_[i] = n.exact && moves ? R_start_[i] : to_matrix(p.q[i]);
        BilateralNumbers::BodyStart& s = n.starts[i];
        BilateralNumbers::BodyNow& b = n.bodies[i];
        s.x_free = b.x = four::load(p.x[i]);
        b.moved = b.theta = b.P = b.T = b.move = b.turn = four::V{};
        b.c1 = 1;
        b.c2 = 0.5;
        if (!moves) continue;
        const Mat3 inertia = congruence(R_reference_[i], plan.bodies[i].inertia_G);
        s.inertia = four::load(inertia);
        if (!n.exact) continue;
        const double h = p.exact->h;
        const Vec3 w = (0.5 * h) * p.exact->start_w[i];
        b.theta = four::load(cayley_vector(p.q[i] * conjugate((*p.start_q)[i])));
        s.w = four::load(w);
        s.G = four::load(inertia * w + (0.5 * h * h) * p.exact->torque[i]);
    }
    const auto arm = [&](int body, const Vec3& r_G) {
        return BilateralNumbers::Arm{four::load(R_reference_[idx(body)] * r_G), four::load(R_start_[idx(body)] * r_G)};
    };
    for (std::size_t k = 0; k < plan.nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan.nodes[k];
        const BilateralPlan::Shape& shape = plan.shapes[k];
        if (node.axis) {
            n.axes[k] = {arm(node.body1, shape.a), arm(node.body2, shape.t), arm(node.body2, shape.s)};
        } else {
            n.arms[2 * k] = arm(node.body1, shape.p1);
            n.arms[2 * k + 1] = arm(node.body2, shape.p2);
        }
        if (warm) n.lambdas[k].v = expected_impulse(node, n, k, (*p.expected)[idx(node.joint)]);
    }
}

void BilateralNewton::finish(CorrectionProblem& p) const {
    p.moved.assign(plan_->bodies.size(), Vec3{});
    for (int local = 0; local < numbers_.dynamic_count; ++local) {
        const std::size_t i = idx(local);
        const BilateralNumbers::BodyNow& b = numbers_.bodies[i];
        // Linear momentum wants places and impulses to agree to the last digit.
        p.moved[i] = plan_->bodies[i].inv_mass * four::store(b.P);
        p.x[i] += p.moved[i];
        const Vec3 theta = four::store(b.theta);
        p.q[i] = normalized(numbers_.exact ? cayley(theta) * (*p.start_q)[i] : exp_rotation(theta) * p.q[i]);
    }
    p.impulses.resize(plan_->joints);
    for (std::size_t k = 0; k < plan_->nodes.size(); ++k) {
        const BilateralPlan::Node& node = plan_->nodes[k];
        JointLoad& load = p.impulses[idx(node.joint)];
        const four::V& lambda = numbers_.lambdas[k].v;
        if (node.axis)
            load.torque = lambda[0] * four::store(numbers_.arms_now[2 * k].middle) +
                          lambda[1] * four::store(numbers_.arms_now[2 * k + 1].middle);
        else
            load = {four::store(lambda), {}};
    }
}

BilateralNewton::Result BilateralNewton::iterate(double goal, int most, TimeBudget& budget) {
    static const bool wide = machine_is_wide();
    return wide && wide_allowed ? iterate_wide(*plan_, numbers_, goal, most, budget)
                                : iterate_plain(*plan_, numbers_, goal, most, budget);
}

BilateralNewton::Result BilateralNewton::correct(CorrectionProblem& p, double goal, int most, TimeBudget& budget) {
    // Where something is held twice, what it is expected to carry would keep whatever share of it that nothing asks for.
    const bool warm = p.expected && plan_->tree;
    begin(p, warm);
    Result result = iterate(goal, most, budget);
    if (result.end == End::lost && warm) {
        begin(p, false);
        result = iterate(goal, most, budget);
    }
    if (result.end != End::lost) finish(p);
    return result;
}

}  // namespace armature

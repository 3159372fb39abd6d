// Where the iterations of planar.h begin, and what they hand back.
#include <algorithm>
#include <cmath>

#include "armature/math/exact_turn.h"
#include "armature/solvers/linearized/planar/planar.h"

namespace armature {

namespace {

using namespace two;

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// A turn about n by ψ has the quaternion (cos ½ψ, 0, 0, sin ½ψ) in the axes of the plane.
struct TurnInPlane {
    double w, z, tilt2;

    explicit TurnInPlane(const Quat& q) : w(q.w), z(q.z), tilt2(q.x * q.x + q.y * q.y) {}
    /// The part of a tilted one that turns about n.
    void put_back() {
        const double length = std::sqrt(w * w + z * z);
        w /= length;
        z /= length;
    }
    V half() const { return V{w, z}; }
    V whole() const { return V{w * w - z * z, 2 * w * z}; }
};

}  // namespace

bool PlanarNewton::fits(const CorrectionProblem& p) {
    const auto none = [](const auto* list) { return !list || list->empty(); };
    if (!p.start_q || p.slack || !none(p.soft_points) || !none(p.contacts)) return false;
    return plan_.take(p, [&](PlanarPlan& fresh) { make_plan(p, fresh); }).fits && laws_fit(p);
}

TiedResult PlanarNewton::correct(CorrectionProblem& p, double goal, int most, TimeBudget& budget) {
    // See BilateralNewton::correct.
    const bool warm = p.expected && plan_->tree;
    const auto from = [&](bool warm_start) {
        if (!begin(p, warm_start, 0.1 * goal)) return TiedResult{};
        return lanes::machine() != lanes::Machine::plain ? iterate_wide(*plan_, numbers_, goal, most, budget)
                                                         : iterate_plain(*plan_, numbers_, goal, most, budget);
    };
    TiedResult result = from(warm);
    if (result.end == TiedEnd::lost && warm) result = from(false);
    if (result.end != TiedEnd::lost && !within_bounds(p, goal)) result.end = TiedEnd::lost;
    if (result.end == TiedEnd::lost) return result;
    finish(p);
    hand_out_laws(p);
    return result;
}

bool PlanarNewton::begin(const CorrectionProblem& p, bool warm, double most) {
    const PlanarPlan& plan = *plan_;
    PlanarNumbers& n = numbers_;
    const std::size_t bodies = plan.bodies.size(), nodes = plan.nodes.size();
    n.half_way = p.half_way;
    n.exact = p.exact != nullptr;
    n.dynamic_count = p.island.dynamic_count;
    n.starts.resize(bodies);
    n.bodies.resize(bodies);
    n.across.resize(bodies);
    for (std::vector<Cell>* of_pins : {&n.errors, &n.lambdas}) of_pins->resize(plan.joints);
    for (std::vector<Cell>* of_sides : {&n.reads, &n.pushes}) of_sides->resize(2 * nodes);
    n.arms.resize(plan.joints);
    n.kept_back.resize(plan.hubs.empty() ? 0 : nodes);
    double tilt2 = 0, off = 0;
    for (std::size_t i = 0; i < bodies; ++i) {
        const PlanarPlan::BodyConstants& body = plan.bodies[i];
        const auto in_plane = [&](const Quat& q) {
            return TurnInPlane(plan.as_written ? q : conjugate(plan.turn_WP) * q * body.turn_BP);
        };
        const TurnInPlane start = in_plane((*p.start_q)[i]);
        TurnInPlane free = in_plane(p.q[i]);
        PlanarNumbers::BodyStart& s = n.starts[i];
        PlanarNumbers::BodyNow& b = n.bodies[i];
        tilt2 = std::max({tilt2, start.tilt2, body.balanced ? free.tilt2 : 0});
        if (!body.balanced) free.put_back();
        off = std::max(off, std::fabs(dot(p.x[i], plan.normal) - body.height));
        s.x_free = b.x = V{dot(p.x[i], plan.e1), dot(p.x[i], plan.e2)};
        s.start = start.whole();
        s.reference = free.whole();
        s.half = free.half();
        s.turned = 0;
        b.moved = V{};
        b.theta = 0;
        const double cosine = free.w * start.w + free.z * start.z, sine = free.z * start.w - free.w * start.z;
        if (!plan.turned.empty()) s.turned = 2 * std::atan2(cosine < 0 ? -sine : sine, std::fabs(cosine));
        if (!n.exact || static_cast<int>(i) >= n.dynamic_count) continue;
        const double h = p.exact->h;
        s.reference = s.start;
        s.half = start.half();
        s.w = 0.5 * h * dot(p.exact->start_w[i], plan.normal);
        s.G = body.inertia * s.w + 0.5 * h * h * dot(p.exact->torque[i], plan.normal);
        b.theta = 2 * sine / cosine;
    }
    // A tilt by 2√(x² + y²) is twice that between two bodies.
    if (!(std::max(4 * std::sqrt(tilt2), 2 * off) <= most)) return false;
    if (!take_unbalanced(p, most)) return false;
    take_laws(p);
    for (std::size_t k = 0; k < plan.joints; ++k) {
        n.lambdas[k].v = V{};
        if (!warm) continue;
        const Vec3& force = (*p.expected)[idx(plan.nodes[k].joint)].force;
        n.lambdas[k].v = V{dot(force, plan.e1), dot(force, plan.e2)};
    }
    return true;
}

void PlanarNewton::finish(CorrectionProblem& p) {
    const PlanarPlan& plan = *plan_;
    p.moved.assign(plan.bodies.size(), Vec3{});
    for (int local = 0; local < numbers_.dynamic_count; ++local) {
        const std::size_t i = idx(local);
        const PlanarPlan::BodyConstants& body = plan.bodies[i];
        const PlanarNumbers::BodyStart& start = numbers_.starts[i];
        const PlanarNumbers::BodyNow& b = numbers_.bodies[i];
        // Linear momentum wants places and impulses to agree to the last digit.
        const V way = all(body.inv_mass) * b.P;
        const double back = body.height - dot(p.x[i], plan.normal);
        p.moved[i] = way[0] * plan.e1 + way[1] * plan.e2 + back * plan.normal;
        p.x[i] += p.moved[i];
        const Vec3 theta{0, 0, b.theta};
        const Quat made = numbers_.exact ? cayley(theta) : exp_rotation(theta);
        const double w = start.half[0] * made.w - start.half[1] * made.z,
                     z = start.half[1] * made.w + start.half[0] * made.z;
        const Quat turn_PP = normalized(Quat{w, 0, 0, z});
        p.q[i] = plan.as_written ? turn_PP : normalized(plan.turn_WP * turn_PP * conjugate(body.turn_BP));
    }
    p.impulses.resize(plan.joints);
    for (std::size_t k = 0; k < plan.joints; ++k) {
        const V& lambda = numbers_.lambdas[k].v;
        p.impulses[k] = {lambda[0] * plan.e1 + lambda[1] * plan.e2, {}};
    }
    if (!plan.level || !plan.unbalanced.empty()) carry_out_of_plane(p);
}

void PlanarNewton::carry_out_of_plane(CorrectionProblem& p) {
    const PlanarPlan& plan = *plan_;
    std::vector<Cell>& torque = numbers_.across;
    std::fill(torque.begin(), torque.end(), Cell{});
    for (std::size_t k = 0; k < plan.joints; ++k) {
        const V& lambda = numbers_.lambdas[k].v;
        const V across{-lambda[1], lambda[0]};  // n × λ
        torque[idx(plan.nodes[k].body1)].v += all(plan.heights[k].at1) * across;
        torque[idx(plan.nodes[k].body2)].v -= all(plan.heights[k].at2) * across;
    }
    for (std::size_t k = 0; k < plan.unbalanced.size(); ++k)
        torque[idx(plan.unbalanced[k].body)].v -= V{numbers_.wobbles[k].torque.x, numbers_.wobbles[k].torque.y};
    for (auto s = plan.strides.rbegin(); s != plan.strides.rend(); ++s) {
        const V carried = torque[idx(s->to)].v;
        torque[idx(s->from)].v += carried;
        const V on_first = plan.nodes[idx(s->node)].body1 == s->to ? -carried : carried;
        p.impulses[idx(s->node)].torque = on_first[0] * plan.e1 + on_first[1] * plan.e2;
    }
}

LeftOpen PlanarNewton::close(CorrectionProblem& p) {
    const PlanarPlan& plan = *plan_;
    PlanarNumbers& n = numbers_;
    for (int i = 0; i < n.dynamic_count; ++i)
        n.bodies[idx(i)].x = n.starts[idx(i)].x_free + all(plan.bodies[idx(i)].inv_mass) * n.bodies[idx(i)].P;
    const auto gap = [&](int node) {
        const PlanarPlan::Node& of = plan.nodes[idx(node)];
        const Four r = n.arms[idx(node)].v;
        return (n.bodies[idx(of.body1)].x + first(r)) - (n.bodies[idx(of.body2)].x + second(r));
    };
    for (const PlanarPlan::Stride& s : plan.strides) {
        const V open = gap(s.node), by = plan.nodes[idx(s.node)].body1 == s.to ? -open : open;
        n.bodies[idx(s.to)].x += by;
        p.x[idx(s.to)] += by[0] * plan.e1 + by[1] * plan.e2;
    }
    LeftOpen left;
    for (const int node : plan.open) {
        const V open = gap(node);
        const double distance = std::sqrt(dot(open, open));
        if (!(distance <= left.worst)) left = {distance, plan.nodes[idx(node)].joint};
    }
    return left;
}

}  // namespace armature

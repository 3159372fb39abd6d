// Whether the bodies and pins of an island are of one plane; see planar.h.
#include <cmath>

#include "armature/solvers/linearized/planar/planar.h"

namespace armature {

namespace {

constexpr double parallel = 1e-12;   // sine of the angle between two axes of a body
constexpr double principal = 1e-10;  // of the inertia: what a balanced body may couple of n with what is across

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// The two parts of a pin that always holds; null when it is none.
struct Pin {
    const PointPart* point = nullptr;
    const AnglePart* axis = nullptr;

    explicit Pin(const Joint& joint) {
        if (joint.parts.size() != 2 || joint.soft || joint.from != -infinity || joint.until != infinity) return;
        for (const Part& part : joint.parts) {
            if (const auto* p = std::get_if<PointPart>(&part); p && std::holds_alternative<PointDomain>(p->domain))
                point = p;
            if (const auto* a = std::get_if<AnglePart>(&part); a && a->min <= 0 && a->max <= 0) axis = a;
        }
    }
    bool is_one() const { return point && axis; }
};

class Planner {
  public:
    Planner(const CorrectionProblem& problem, PlanarPlan& plan) : p_(problem), plan_(plan) {}

    bool make() {
        for (const Island::LocalJoint& local : p_.island.joints) {
            pins_.emplace_back(p_.model.joints[idx(local.joint)]);
            if (!pins_.back().is_one()) return false;
        }
        if (!find_normal() || !spread_axes() || !bodies_fit()) return false;
        add_nodes();
        add_turned();
        find_heights();
        plan_.tree = is_forest(p_.island);
        plan_.lay_out(p_.island.dynamic_count);
        return true;
    }

  private:
    const Island::LocalJoint& joint(std::size_t k) const { return p_.island.joints[k]; }
    bool moves(int body) const { return body < p_.island.dynamic_count; }
    static bool along(const Vec3& a, const Vec3& b) { return norm(cross(a, b)) <= parallel; }

    /// The axis of the first pin that is held.
    bool find_normal() {
        for (std::size_t k = 0; k < pins_.size(); ++k)
            for (const auto& [body, axis] :
                 {std::pair{joint(k).body1, pins_[k].axis->a1_B}, std::pair{joint(k).body2, pins_[k].axis->a2_B}}) {
                if (moves(body)) continue;
                plan_.normal = normalized(rotate(p_.q[idx(body)], axis));
                plan_.turn_WP = shortest_arc({0, 0, 1}, plan_.normal);
                plan_.e1 = rotate(plan_.turn_WP, {1, 0, 0});
                plan_.e2 = rotate(plan_.turn_WP, {0, 1, 0});
                return true;
            }
        return false;
    }

    /// n in the axes of each body, from what is held along the pins; these are the strides. False when pins are not parallel.
    bool spread_axes() {
        axes_.assign(p_.island.bodies.size(), Vec3{});
        std::vector<int> queue;
        for (int i = p_.island.dynamic_count; i < static_cast<int>(axes_.size()); ++i) {
            axes_[idx(i)] = rotate_back(p_.q[idx(i)], plan_.normal);
            queue.push_back(i);
        }
        std::vector<std::vector<std::size_t>> at(axes_.size());
        for (std::size_t k = 0; k < pins_.size(); ++k) {
            at[idx(joint(k).body1)].push_back(k);
            at[idx(joint(k).body2)].push_back(k);
        }
        std::vector<char> walked(pins_.size(), 0);
        for (std::size_t next = 0; next < queue.size(); ++next)
            for (const std::size_t k : at[idx(queue[next])]) {
                const int from = queue[next];
                const bool first = joint(k).body1 == from;
                const int to = first ? joint(k).body2 : joint(k).body1;
                const Vec3 &own = first ? pins_[k].axis->a1_B : pins_[k].axis->a2_B,
                           &other = first ? pins_[k].axis->a2_B : pins_[k].axis->a1_B;
                // The axis of what is held is as exact as its orientation; begin looks at it again.
                if (moves(from) ? !along(own, axes_[idx(from)]) : norm(cross(own, axes_[idx(from)])) > 1e-9)
                    return false;
                const double sign = dot(own, axes_[idx(from)]) > 0 ? 1 : -1;
                if (axes_[idx(to)] == Vec3{}) {
                    axes_[idx(to)] = sign * other;
                    plan_.strides.push_back({from, to, static_cast<int>(k)});
                    walked[k] = 1;
                    queue.push_back(to);
                } else if (dot(sign * other, axes_[idx(to)]) < 0) {
                    return false;
                }
            }
        for (std::size_t k = 0; k < walked.size(); ++k)
            if (!walked[k]) plan_.open.push_back(static_cast<int>(k));
        return queue.size() == axes_.size();
    }

    bool bodies_fit() {
        plan_.as_written = plan_.turn_WP == Quat{};
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const Body& b = p_.body(static_cast<int>(i));
            PlanarPlan::BodyConstants constants;
            const Vec3& a = axes_[i];
            constants.turn_BP = shortest_arc({0, 0, 1}, a);
            plan_.as_written = plan_.as_written && constants.turn_BP == Quat{};
            if (moves(static_cast<int>(i))) {
                const Vec3 J_a = b.inertia_G * a;
                constants.inv_mass = b.inv_mass;
                constants.inertia = dot(a, J_a);
                if (b.particle) return false;
                constants.balanced = norm(J_a - constants.inertia * a) <= principal * trace(b.inertia_G);
                const Mat3 R = to_matrix(constants.turn_BP);
                if (!constants.balanced)
                    plan_.unbalanced.push_back({static_cast<int>(i), transposed(R) * b.inertia_G * R});
                constants.most_turn2 = 1 / (constants.inertia * constants.inertia);
            }
            plan_.bodies.push_back(constants);
        }
        return true;
    }

    void add_nodes() {
        for (std::size_t k = 0; k < pins_.size(); ++k) {
            const auto [id, body1, body2] = joint(k);
            plan_.nodes.push_back({body1, body2, static_cast<int>(k), false});
            const Vec3 r1 = rotate_back(plan_.bodies[idx(body1)].turn_BP, pins_[k].point->p1_G),
                       r2 = rotate_back(plan_.bodies[idx(body2)].turn_BP, pins_[k].point->p2_G);
            plan_.shapes.push_back({two::Four{r1.x, r1.y, r2.x, r2.y}});
            plan_.heights.push_back({r1.z, r2.z});
            // What is held carries anything.
            plan_.level = plan_.level && !(moves(body1) && r1.z != 0) && !(moves(body2) && r2.z != 0);
        }
    }

    void add_turned() {
        plan_.turned_at.assign(pins_.size(), -1);
        for (std::size_t k = 0; k < pins_.size(); ++k) {
            const auto [id, body1, body2] = joint(k);
            for (const FreedomId f : p_.model.joints[idx(id)].freedoms) {
                const Freedom& freedom = p_.model.freedoms[idx(f)];
                const auto* turn = std::get_if<TurnCoordinate>(&freedom.coordinate);
                if (freedom.idle() || !turn || !along(turn->a1_B, axes_[idx(body1)])) continue;
                plan_.turned_at[k] = static_cast<int>(plan_.turned.size());
                plan_.turned.push_back({static_cast<int>(k), dot(turn->a1_B, axes_[idx(body1)]) > 0 ? 1.0 : -1.0});
                plan_.nodes.push_back({body1, body2, static_cast<int>(k), true});
                break;
            }
        }
    }

    void find_heights() {
        for (std::size_t i = idx(p_.island.dynamic_count); i < axes_.size(); ++i)
            plan_.bodies[i].height = dot(p_.x[i], plan_.normal);
        for (const PlanarPlan::Stride& s : plan_.strides) {
            const PlanarPlan::Heights& at = plan_.heights[idx(s.node)];
            const bool first = plan_.nodes[idx(s.node)].body1 == s.from;
            const double from = first ? at.at1 : at.at2, to = first ? at.at2 : at.at1;
            plan_.bodies[idx(s.to)].height = plan_.bodies[idx(s.from)].height + from - to;
        }
    }

    const CorrectionProblem& p_;
    PlanarPlan& plan_;
    std::vector<Pin> pins_;
    std::vector<Vec3> axes_;  ///< per body, body axes
};

}  // namespace

void make_plan(const CorrectionProblem& problem, PlanarPlan& plan) {
    plan.fits = Planner(problem, plan).make();
}

}  // namespace armature

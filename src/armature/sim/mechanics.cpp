#include "armature/sim/mechanics.h"

#include <algorithm>
#include <cmath>

#include "armature/sim/closing.h"
#include "armature/sim/forces.h"
#include "armature/sim/laws.h"

namespace armature {

Mechanics operator+(const Mechanics& a, const Mechanics& b) {
    return {a.kinetic + b.kinetic, a.potential + b.potential, a.momentum + b.momentum,
            a.angular_momentum + b.angular_momentum};
}

Mechanics measure_mechanics(const Model& model, const State& state, std::vector<Mechanics>& per_island,
                            LocalBodies& scratch) {
    per_island.resize(model.islands.size());
    Mechanics sum;
    for (std::size_t k = 0; k < model.islands.size(); ++k) {
        const Island& island = model.islands[k];
        gather(island, state, scratch);
        Mechanics m;
        m.potential = potential_energy(model, island, scratch) + law_energy(model, island, state);
        for (std::size_t i = 0; i < static_cast<std::size_t>(island.dynamic_count); ++i) {
            const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[i])];
            const Vec3 p = b.mass * scratch.v[i];
            const Vec3 spin = rotate(scratch.q[i], b.inertia_G * rotate_back(scratch.q[i], scratch.w[i]));
            m.kinetic += 0.5 * (dot(p, scratch.v[i]) + dot(spin, scratch.w[i]));
            m.momentum += p;
            m.angular_momentum += cross(scratch.x[i], p) + spin;
        }
        per_island[k] = m;
        sum = sum + m;
    }
    return sum;
}

Mechanics measure_mechanics(const Model& model, const State& state) {
    std::vector<Mechanics> islands;
    LocalBodies scratch;
    return measure_mechanics(model, state, islands, scratch);
}

JointErrors measure_joints(const Model& model, const State& state, std::vector<double>& per_joint) {
    per_joint.resize(model.joints.size());
    JointErrors e;
    double sum2 = 0;
    int count = 0;
    const auto note = [&](std::size_t k, double v, bool point) {
        per_joint[k] = std::max(per_joint[k], v);
        double& worst = point ? e.worst_gap : e.worst_angle;
        if (v <= worst) return;  // a NaN counts as worst
        worst = v;
        (point ? e.worst_gap_joint : e.worst_angle_joint) = static_cast<JointId>(k);
    };
    for (std::size_t k = 0; k < model.joints.size(); ++k) {
        const Joint& j = model.joints[k];
        per_joint[k] = 0;
        if (!j.valid_at(state.time) || j.soft) continue;
        const double slack = allowed_slack(j, state.slack[k], state.time);
        const auto b1 = static_cast<std::size_t>(j.body1), b2 = static_cast<std::size_t>(j.body2);
        const Placement p1{state.x[b1], to_matrix(state.q[b1])}, p2{state.x[b2], to_matrix(state.q[b2])};
        for (const Part& part : j.parts) {
            const double all = violation(part, p1, p2), v = all <= slack ? 0 : all - slack;
            const bool point = std::holds_alternative<PointPart>(part);
            if (point) {
                sum2 += v * v;
                ++count;
            }
            note(k, v, point);
        }
        for (const FreedomId id : j.freedoms) {
            const Freedom& f = model.freedoms[static_cast<std::size_t>(id)];
            note(k, limit_violation(f, state.freedoms[static_cast<std::size_t>(id)].value, state.time),
                 is_length(f.coordinate));
        }
    }
    e.rms_gap = count > 0 ? std::sqrt(sum2 / count) : 0;
    return e;
}

}  // namespace armature

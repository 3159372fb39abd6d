#include "armature/sim/energy_limit.h"

#include <algorithm>
#include <cmath>

#include "armature/sim/forces.h"

namespace armature {

namespace {

constexpr double slack_when_converged = 8e-3;  // of the kinetic energy

/// A hand moves nothing before its drag begins and after it has ended.
bool drags_at(const Model& model, const Island& island, int tracker, double t) {
    for (const int hand : island.hands) {
        const Island::LocalJoint& j = island.joints[idx(hand)];
        if (j.body2 == tracker && model.joints[idx(j.joint)].valid_at(t)) return true;
    }
    return false;
}

/// What is held may be moved by this body, which is not dynamic.
bool leads(const Model& model, const Island& island, std::size_t i, double t) {
    const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[i])];
    return b.kernel == Kernel::path && (!b.tracker || drags_at(model, island, static_cast<int>(i), t));
}

bool moved_by_paths(const Model& model, const Island& island, double t, bool hands_lead) {
    for (auto i = static_cast<std::size_t>(island.dynamic_count); i < island.bodies.size(); ++i) {
        const Body& b = model.bodies[static_cast<std::size_t>(island.bodies[i])];
        if ((hands_lead || !b.tracker) && leads(model, island, i, t)) return true;
    }
    return false;
}

}  // namespace

EnergyLimit limit_energy(const Model& model, const Island& island, bool converged, const StepChange& change,
                         const LocalBodies& free, LocalBodies& now, double t, double work, double debt,
                         double liveliness, bool hands_give_way) {
    if (island.joints.empty() && island.contacts.empty()) return {};
    if (moved_by_paths(model, island, t, !hands_give_way)) return {};
    const auto n = static_cast<std::size_t>(island.dynamic_count);
    const double kinetic = change.kinetic, a = change.a, b = change.b, mass = change.mass;
    const double springs = island.springs.empty() ? 0 : spring_energy(island, free) - spring_energy(island, now);
    const double room = work + change.fall + springs;
    // Places are known to the tolerance of the joints, and heights with them.
    const double noise = 10 * mass * norm(model.simulation.gravity) * model.simulation.tolerance;
    const double allowed = slack_when_converged * std::max(kinetic, liveliness) + noise;
    const double slack = converged ? allowed : 0;
    EnergyLimit result{false, 1, kinetic, allowed, a + b - room};
    if (!(result.gain > slack - debt)) return result;
    const double most = room + std::min(slack - debt, 0.0);
    const double discriminant = b * b + 4 * a * most;
    const double s = std::clamp((std::sqrt(std::max(discriminant, 0.0)) - b) / (2 * a), 0.0, 1.0);
    if (!(s < 1)) return result;
    result = {true, s, kinetic, allowed, s * (a * s + b) - room};
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 w_B = rotate_back(free.q[i], free.w[i]), dw_B = rotate_back(now.q[i], now.w[i]) - w_B;
        now.v[i] = free.v[i] + s * (now.v[i] - free.v[i]);
        now.w[i] = rotate(now.q[i], w_B + s * dw_B);
    }
    return result;
}

double take_out_gain(const Model& model, const Island& island, const LocalBodies& free, LocalBodies& now, double t,
                     double owed) {
    const auto n = static_cast<std::size_t>(island.dynamic_count);
    Vec3 origin, v, w;  // of the frame
    int held_by = 0;
    for (std::size_t i = n; i < island.bodies.size(); ++i) {
        const bool moving = leads(model, island, i, t);
        if (!moving && model.bodies[static_cast<std::size_t>(island.bodies[i])].kernel == Kernel::path)
            continue;  // idle
        if (++held_by > 1 && (moving || norm2(v) + norm2(w) > 0)) return 0;
        if (!moving) continue;
        origin = now.x[i];
        v = now.v[i];
        w = now.w[i];
    }
    const auto kinetic = [&](const LocalBodies& at) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Body& body = model.bodies[static_cast<std::size_t>(island.bodies[i])];
            const Vec3 w_B = rotate_back(at.q[i], at.w[i] - w);
            sum += 0.5 * (body.mass * norm2(at.v[i] - v - cross(w, at.x[i] - origin)) + dot(w_B, body.inertia_G * w_B));
        }
        return sum;
    };
    const double made = kinetic(now);
    const double gain =
        owed + made - kinetic(free) + potential_energy(model, island, now) - potential_energy(model, island, free);
    if (!(gain > 0) || !(made > 0)) return std::max(gain, 0.0);
    const double keep = std::sqrt(std::max(1 - 2 * gain / made, 0.25));  // a jerk would be seen
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 along = v + cross(w, now.x[i] - origin);
        now.v[i] = along + keep * (now.v[i] - along);
        now.w[i] = w + keep * (now.w[i] - w);
    }
    return std::max(gain - (1 - keep * keep) * made, 0.0);
}

}  // namespace armature

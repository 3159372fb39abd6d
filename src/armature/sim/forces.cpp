#include "armature/sim/forces.h"

#include <cmath>

namespace armature {

namespace {

/// (1 − e⁻ˣ)/x for x ≥ 0, 1 at 0.
double decay_factor(double x) {
    return x > 1e-12 ? -std::expm1(-x) / x : 1;
}

/// 1/m + (r × u)·J⁻¹(r × u): how readily the point at r gives way along u.
double inverse_mass_along(const Body& b, const Quat& q, const Vec3& r, const Vec3& u) {
    const Vec3 c = rotate_back(q, cross(r, u));
    return b.inv_mass + dot(c, b.inv_inertia_G * c);
}

void add_spring(const Model& model, const Island& island, const Spring& s, double h, const std::vector<Vec3>& x,
                const std::vector<Quat>& q, const LocalBodies& vel, LocalForces& out) {
    const std::size_t i = idx(s.body1), j = idx(s.body2);
    const Vec3 r1 = rotate(q[i], s.p1_G), r2 = rotate(q[j], s.p2_G);
    const Vec3 line = (x[j] + r2) - (x[i] + r1);
    const double length = norm(line);
    if (!(length > 1e-12)) return;  // no direction to pull along
    const Vec3 u = line / length;
    double pull = s.stiffness * (length - s.rest);
    if (s.damping > 0) {
        const double rate = dot(u, (vel.v[j] + cross(vel.w[j], r2)) - (vel.v[i] + cross(vel.w[i], r1)));
        const double w = inverse_mass_along(body_of(model, island, s.body1), q[i], r1, u) +
                         inverse_mass_along(body_of(model, island, s.body2), q[j], r2, u);
        pull += s.damping * rate * decay_factor(s.damping * h * w);
    }
    const Vec3 f = pull * u;
    out.force[i] += f;
    out.torque[i] += cross(r1, f);
    out.force[j] -= f;
    out.torque[j] -= cross(r2, f);
}

}  // namespace

void evaluate_forces(const Model& model, const Island& island, double t, double h, const std::vector<Vec3>& x,
                     const std::vector<Quat>& q, const LocalBodies& vel, LocalForces& out) {
    const std::size_t n = island.bodies.size();
    out.force.assign(n, Vec3{});
    out.torque.assign(n, Vec3{});
    for (int i = 0; i < island.dynamic_count; ++i)
        out.force[idx(i)] = island.body_lanes[idx(i / 8)].mass[i % 8] * model.simulation.gravity;
    for (const PointForce& f : island.forces) {
        const std::size_t i = idx(f.body);
        Vec3 F = evaluate(f.force, t);
        if (f.frame == Frame::body) F = rotate(q[i], F);
        out.force[i] += F;
        out.torque[i] += cross(rotate(q[i], f.at_G), F);
    }
    for (const Torque& f : island.torques) {
        const std::size_t i = idx(f.body);
        const Vec3 T = evaluate(f.torque, t);
        out.torque[i] += f.frame == Frame::body ? rotate(q[i], T) : T;
    }
    for (const Spring& s : island.springs) add_spring(model, island, s, h, x, q, vel, out);
    for (const Drag& d : island.drags) {
        const std::size_t i = idx(d.body);
        const Body& b = body_of(model, island, d.body);
        out.force[i] -= (d.linear * decay_factor(d.linear * h * b.inv_mass)) * vel.v[i];
        out.torque[i] -= (d.angular * decay_factor(d.angular * h * d.largest_inv_inertia)) * vel.w[i];
    }
}

double potential_energy(const Model& model, const Island& island, const LocalBodies& local) {
    double energy = 0;
    for (int i = 0; i < island.dynamic_count; ++i)
        energy -= body_of(model, island, i).mass * dot(model.simulation.gravity, local.x[idx(i)]);
    return energy + spring_energy(island, local);
}

double spring_energy(const Island& island, const LocalBodies& local) {
    double energy = 0;
    for (const Spring& s : island.springs) {
        const Vec3 a = local.x[idx(s.body1)] + rotate(local.q[idx(s.body1)], s.p1_G);
        const Vec3 b = local.x[idx(s.body2)] + rotate(local.q[idx(s.body2)], s.p2_G);
        const double stretch = norm(b - a) - s.rest;
        energy += 0.5 * s.stiffness * stretch * stretch;
    }
    return energy;
}

}  // namespace armature

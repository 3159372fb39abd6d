#include "armature/sim/contacts.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

void make_shapes(const Model& model, std::vector<std::vector<ContactShape>>& shapes) {
    if (shapes.size() == model.bodies.size()) return;
    shapes.resize(model.bodies.size());
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
        for (const Shape& s : model.bodies[i].shapes) shapes[i].emplace_back(s.geometry);
}

Pose shape_pose(const Body& b, const Shape& s, const LocalBodies& at, int local) {
    const Quat& q = at.q[idx(local)];
    return Pose{at.x[idx(local)] - rotate(q, b.centre_B), q} * s.X_BS;
}

Vec3 velocity_at(const LocalBodies& b, int local, const Vec3& r) {
    return b.v[idx(local)] + cross(b.w[idx(local)], r);
}

/// Normal speed at the instant of touching, from those at both ends of a step of constant acceleration and the gap at its
/// end.
double speed_at_touch(double v0, double v1, double gap1, double h) {
    const double gap0 = gap1 - 0.5 * (v0 + v1) * h;
    if (!(gap0 > 0)) return v0;
    const double v2 = v0 * v0 - 2 * (v1 - v0) / h * gap0;
    return -std::sqrt(std::max(v2, 0.0));
}

const ContactMemory* recall(const std::vector<ContactMemory>& memory, std::int64_t pair, std::int64_t feature) {
    for (const ContactMemory& m : memory)
        if (m.pair == pair && m.feature == feature) return &m;
    return nullptr;
}

}  // namespace

void collect_contacts(const Model& model, const Island& island, double h, const LocalBodies& start,
                      const LocalBodies& free, const std::vector<ContactMemory>& memory, Contacts& out) {
    out.rows.clear();
    out.sources.clear();
    if (island.contacts.empty()) return;
    make_shapes(model, out.shapes);
    const double tolerance = model.simulation.tolerance;
    for (std::size_t k = 0; k < island.contacts.size(); ++k) {
        const ContactPair& pair = island.contacts[k];
        const BodyId id1 = island.bodies[idx(pair.body1)], id2 = island.bodies[idx(pair.body2)];
        const Body &b1 = model.bodies[idx(id1)], &b2 = model.bodies[idx(id2)];
        const auto l1 = idx(pair.body1), l2 = idx(pair.body2);
        // Joints may still push a body by about as much as it moved.
        const double margin = 10 * tolerance + h * (norm(start.v[l1]) + b1.size * norm(start.w[l1]));
        out.found.clear();
        find_contacts(out.shapes[idx(id1)][idx(pair.shape1)],
                      shape_pose(b1, b1.shapes[idx(pair.shape1)], free, pair.body1),
                      out.shapes[idx(id2)][idx(pair.shape2)],
                      shape_pose(b2, b2.shapes[idx(pair.shape2)], free, pair.body2), margin, out.found);
        for (const ContactPoint& p : out.found) {
            ContactRow row;
            row.body1 = pair.body1;
            row.body2 = pair.body2;
            row.p1_G = rotate_back(free.q[l1], p.p1 - free.x[l1]);
            row.p2_G = rotate_back(free.q[l2], p.p2 - free.x[l2]);
            row.normal_2 = rotate_back(free.q[l2], p.normal);
            const Vec3 r1 = p.p1 - free.x[l1], r2 = p.p1 - free.x[l2];
            const Vec3 v0 = velocity_at(start, pair.body1, r1) - velocity_at(start, pair.body2, r2);
            const Vec3 v1 = velocity_at(free, pair.body1, r1) - velocity_at(free, pair.body2, r2);
            const double n0 = dot(p.normal, v0);
            const ContactMemory* m = recall(memory, static_cast<std::int64_t>(k), p.feature);
            const bool slides = m ? m->slides != 0 : norm(v0 - n0 * p.normal) * h > 10 * tolerance;
            row.friction = slides ? pair.friction : pair.static_friction;
            if (m) row.slip = m->slip;
            out.rows.push_back(row);
            out.sources.push_back({static_cast<std::int64_t>(k), p.feature, pair.restitution,
                                   std::min(speed_at_touch(n0, dot(p.normal, v1), p.gap, h), 0.0)});
        }
    }
}

void remember_contacts(const Contacts& contacts, double per_impulse, std::vector<ContactMemory>& memory) {
    memory.clear();
    for (std::size_t k = 0; k < contacts.rows.size(); ++k) {
        const ContactRow& row = contacts.rows[k];
        if (!(row.normal > 0)) continue;
        const Vec3 force = per_impulse * (row.normal * row.normal_W + row.tangent);
        memory.push_back({contacts.sources[k].pair, contacts.sources[k].feature, row.slip, row.slides ? 1 : 0, force});
    }
}

}  // namespace armature

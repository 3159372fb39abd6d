// A hash over everything of a Model that influences the motion, so that a snapshot is not continued in another scene.
#include "armature/base/hash.h"
#include "armature/model/compile_internal.h"

namespace armature::detail {

namespace {

void add(Hasher& h, const Vec3& v) {
    h.add_doubles(&v, 1);
}
void add(Hasher& h, int i) {
    h.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)));
}
void add(Hasher& h, const VectorTrack& t) {
    add(h, static_cast<int>(t.interpolation));
    h.add_doubles(t.keys.data(), t.keys.size());
}

void add(Hasher& h, const ScalarTrack& t) {
    add(h, static_cast<int>(t.interpolation));
    add(h, static_cast<int>(t.keys.size()));
    h.add_doubles(t.keys.data(), t.keys.size());
}

void add(Hasher& h, const SimulationSpec& s) {
    add(h, s.gravity);
    for (const double v : {s.dt, s.verlet_keep, s.settle, s.tolerance, s.max_rotation, s.max_correction, s.min_dt,
                           s.displacement.relaxation, s.procedural.h})
        h.add(v);
    for (const int v :
         {static_cast<int>(s.scheme), s.iterations, s.displacement.variant, static_cast<int>(s.displacement.alpha),
          static_cast<int>(s.displacement.order), static_cast<int>(s.displacement.physics),
          static_cast<int>(s.displacement.accelerate), static_cast<int>(s.linearized.method), s.linearized.inner})
        add(h, v);
    h.add(s.solver);
}

void add(Hasher& h, const Body& b) {
    h.add(b.name);
    add(h, static_cast<int>(b.kernel));
    h.add(b.mass);
    add(h, b.centre_B);
    h.add_doubles(&b.inertia_G, 1);
    h.add(b.ability_to_rotate);
    h.add(b.h.value_or(-1));
    add(h, static_cast<int>(b.root));
    h.add_doubles(&b.pose_WB, 1);
    add(h, static_cast<int>(b.path.interpolation));
    h.add_doubles(b.path.keys.data(), b.path.keys.size());
}

struct DomainHasher {
    Hasher& h;
    void operator()(const PointDomain&) {}
    void operator()(const SegmentDomain& d) { h.add_doubles(&d, 1); }
    void operator()(const RingDomain& d) { h.add_doubles(&d, 1); }
    void operator()(const SphereDomain& d) { h.add_doubles(&d, 1); }
    void operator()(const HeldInBox& d) {
        add(h, d.half);
        h.add_doubles(&d.R_2, 1);
        add(h, static_cast<int>(d.surface));
    }
    void operator()(const HeldOnCurve& d) {
        add(h, static_cast<int>(d.curve->kind()));
        add(h, static_cast<int>(d.curve->closed()));
        add_points(d.curve->points());
    }
    void operator()(const HeldByMesh& d) {
        add(h, static_cast<int>(d.inside));
        add_points(d.surface->corners());
        for (std::size_t t = 0; t < d.surface->size(); ++t)
            for (const int i : d.surface->triangle(t)) add(h, i);
    }
    void add_points(const std::vector<Vec3>& points) {
        add(h, static_cast<int>(points.size()));
        h.add_doubles(points.data(), points.size());
    }
};

struct PartHasher {
    Hasher& h;
    void operator()(const PointPart& p) {
        add(h, p.p1_G);
        add(h, p.p2_G);
        add(h, static_cast<int>(p.domain.index()));
        std::visit(DomainHasher{h}, p.domain);
    }
    void operator()(const AnglePart& p) { h.add_doubles(&p, 1); }
    void operator()(const TwistPart& p) { h.add_doubles(&p, 1); }
};

void add(Hasher& h, const Freedom& f) {
    h.add(f.name);
    add(h, f.joint);
    add(h, static_cast<int>(f.locked));
    add(h, static_cast<int>(f.coordinate.index()));
    std::visit([&](const auto& c) { h.add_doubles(&c, 1); }, f.coordinate);
    h.add(f.restitution);
    for (const ScalarTrack* t : {&f.min, &f.max, &f.stiffness, &f.rest, &f.damping, &f.force, &f.speed, &f.max_force})
        add(h, *t);
}

void add(Hasher& h, const Joint& j) {
    h.add(j.name);
    add(h, j.body1);
    add(h, j.body2);
    for (const double v : {j.from, j.until, j.alpha.value_or(0), j.mobility, j.closing}) h.add(v);
    h.add(j.h.value_or(-1));
    add(h, static_cast<int>(j.drag));
    if (j.soft) h.add_doubles(&*j.soft, 1);
    for (const Part& part : j.parts) {
        add(h, static_cast<int>(part.index()));
        std::visit(PartHasher{h}, part);
    }
}

void add(Hasher& h, const Island& island) {
    for (const PointForce& f : island.forces) {
        add(h, f.body);
        add(h, f.at_G);
        add(h, f.force);
        add(h, static_cast<int>(f.frame));
    }
    for (const Torque& f : island.torques) {
        add(h, f.body);
        add(h, f.torque);
        add(h, static_cast<int>(f.frame));
    }
    for (const Spring& s : island.springs) {
        add(h, s.body1);
        add(h, s.body2);
        add(h, s.p1_G);
        add(h, s.p2_G);
        for (const double v : {s.stiffness, s.rest, s.damping}) h.add(v);
    }
    for (const ContactPair& c : island.contacts) {
        for (const int v : {c.body1, c.body2, c.shape1, c.shape2}) add(h, v);
        for (const double v : {c.friction, c.static_friction, c.restitution}) h.add(v);
    }
    for (const Drag& d : island.drags) {
        add(h, d.body);
        h.add(d.linear);
        h.add(d.angular);
    }
}

}  // namespace

std::uint64_t fingerprint(const Model& model) {
    Hasher h;
    add(h, model.simulation);
    for (const Body& b : model.bodies) add(h, b);
    for (const Joint& j : model.joints) add(h, j);
    for (const Freedom& f : model.freedoms) add(h, f);
    for (const Island& i : model.islands) add(h, i);
    return h.value();
}

}  // namespace armature::detail

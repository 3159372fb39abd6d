// Shapes against the box |p_i| ≤ h_i.
#include "armature/contact/box_distance.h"
#include "armature/contact/contact_sink.h"
#include "armature/contact/features.h"

namespace armature::detail {

namespace {

struct AgainstBox {
    const ContactShape& shape;
    const Relative& X;
    const Vec3& h;
    ContactSink& sink;

    void operator()(const Sphere& s) const {
        const PointOnBox b = nearest_on_box(X.c, h);
        sink.add(b.q, b.n, b.gap - s.radius, feature::only);
    }
    void operator()(const Capsule& s) const { capsule_against_box(s, X, h, sink); }
    void operator()(const Cylinder& s) const { cylinder_against_box(s, X, h, sink); }
    void operator()(const Box& s) const { box_against_box(s, X, h, sink); }
    void operator()(const Ellipsoid& s) const { ellipsoid_against_box(s, X, h, sink); }

    void operator()(const MeshShape& s) const {
        for (const int i : shape.vertices) {
            const Vec3 p = X * s.mesh->vertices[static_cast<std::size_t>(i)];
            const double m = sink.margin();  // without a root for those that are far
            if (std::fabs(p.x) > h.x + m || std::fabs(p.y) > h.y + m || std::fabs(p.z) > h.z + m) continue;
            const PointOnBox b = nearest_on_box(p, h);
            sink.add(b.q, b.n, b.gap, i);
        }
    }

    void operator()(const Plane&) const {}
};

}  // namespace

void box_contacts(const ContactShape& shape, const Relative& X, const Vec3& h, ContactSink& sink) {
    std::visit(AgainstBox{shape, X, h, sink}, shape.geometry);
}

}  // namespace armature::detail

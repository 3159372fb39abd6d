// Shapes against the half space y ≤ 0. With n = (0, 1, 0) the gap of a point is its height and p2 the foot below it.
#include "armature/contact/box_face.h"
#include "armature/contact/contact_sink.h"
#include "armature/contact/features.h"
#include "armature/contact/round_shapes.h"

namespace armature::detail {

namespace {

const Vec3 up{0, 1, 0};

void add_point(const Vec3& p1, int feature, ContactSink& sink) {
    sink.add({p1.x, 0, p1.z}, up, p1.y, feature);
}

struct AgainstPlane {
    const ContactShape& shape;
    const Relative& X;
    ContactSink& sink;

    void operator()(const Sphere& s) const { add_point(X.c - s.radius * up, feature::only, sink); }

    void operator()(const Capsule& s) const {
        for (int end = 0; end < 2; ++end) add_point(capsule_end_point(s, X, end, up), feature::capsule_end(end), sink);
    }

    void operator()(const Cylinder& s) const {
        const RimPoints rims(s, X, up);
        for (int rim = 0; rim < 2; ++rim) {
            if (rims.tilted) add_point(rims.deepest(rim), feature::rim_deepest(rim), sink);
            if (!rims.flat) continue;
            for (int quarter = 0; quarter < 4; ++quarter)
                add_point(rims.quarter_point(rim, quarter), feature::rim_point(rim, quarter), sink);
        }
    }

    void operator()(const Box& s) const {
        for (int corner = 0; corner < 8; ++corner) add_point(X * box_corner(0.5 * s.size, corner), corner, sink);
    }

    void operator()(const Ellipsoid& s) const {
        add_point(X.c - ellipsoid_support(s.radii, X, up), feature::only, sink);
    }

    void operator()(const MeshShape& s) const {
        for (const int i : shape.vertices) {
            // The height alone settles most vertices.
            const Vec3& p = s.mesh->vertices[static_cast<std::size_t>(i)];
            if (X.c.y + dot(X.R.row1, p) <= sink.margin()) add_point(X * p, i, sink);
        }
    }

    void operator()(const Plane&) const {}
};

}  // namespace

void plane_contacts(const ContactShape& shape, const Relative& X, ContactSink& sink) {
    std::visit(AgainstPlane{shape, X, sink}, shape.geometry);
}

}  // namespace armature::detail

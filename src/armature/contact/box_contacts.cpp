// Shapes against the box |p_i| ≤ h_i.
#include "armature/contact/box_distance.h"
#include "armature/contact/contact_sink.h"
#include "armature/contact/features.h"

namespace armature::detail {

namespace {

struct AgainstBox {
    const Relative& X;
    const Vec3& h;
    ContactSink& sink;

    void operator()(const Sphere& s) const {
        const PointOnBox b = nearest_on_box(X.c, h);
        sink.add(b.q, b.n, b.gap - s.radius, feature::only);
    }

    template <class Other>
    void operator()(const Other&) const {}
};

}  // namespace

void box_contacts(const ContactShape& shape, const Relative& X, const Vec3& h, ContactSink& sink) {
    std::visit(AgainstBox{X, h, sink}, shape.geometry);
}

}  // namespace armature::detail

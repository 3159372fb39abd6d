#include "armature/contact/find_contacts.h"

#include "armature/contact/box_distance.h"
#include "armature/contact/contact_sink.h"

namespace armature {

bool contacts_known(const Geometry& shape1, const Geometry& shape2) {
    if (std::holds_alternative<Plane>(shape1)) return false;
    return std::holds_alternative<Plane>(shape2) || std::holds_alternative<Box>(shape2);
}

void find_contacts(const ContactShape& shape1, const Pose& X_WS1, const ContactShape& shape2, const Pose& X_WS2,
                   double margin, std::vector<ContactPoint>& out) {
    if (!contacts_known(shape1.geometry, shape2.geometry)) return;
    const Mat3 R_WS1 = to_matrix(normalized(X_WS1.q)), R_WS2 = to_matrix(normalized(X_WS2.q));
    // The ball first: most pairs are far from each other. (A comparison with something not finite is false, and ends
    // it.) Its gap is signed, as a margin may be negative: only what is deeper than that is wanted then.
    const Vec3 centre = transposed_times(R_WS2, (X_WS1.x - X_WS2.x) + R_WS1 * shape1.ball.centre_S);
    const double reach = shape1.ball.radius + margin;
    const auto* box = std::get_if<Box>(&shape2.geometry);
    const Vec3 h = box ? 0.5 * box->size : Vec3{};
    if (!((box ? detail::nearest_on_box(centre, h).gap : centre.y) <= reach)) return;

    const detail::Relative X{transposed_times(R_WS2, X_WS1.x - X_WS2.x), transposed(R_WS2) * R_WS1};
    detail::ContactSink sink(X_WS2.x, R_WS2, margin, out);
    if (box)
        detail::box_contacts(shape1, X, h, sink);
    else
        detail::plane_contacts(shape1, X, sink);
}

}  // namespace armature

// The straight line with which a lying capsule or cylinder touches a face of a box, where it leaves the face.
//
//   q(t) = q0 + t (q1 − q0)  is over the face for t in [t0, t1]; its ends have been looked at before.
#pragma once

#include "armature/contact/box_face.h"
#include "armature/contact/contact_sink.h"

namespace armature::detail {

struct BorderFeatures {
    int first_edge;    ///< plus the number of the edge over which the line leaves the face
    int first_corner;  ///< plus that of the corner, when it leaves right there: which edge is up to round-off
};

/// found: whether the ends q0 and q1 are over the face.
inline void add_borders(const BoxFace& face, const Vec3& q0, const Vec3& q1, const bool (&found)[2], const Vec3& h,
                        const Vec3& n, const Tolerance& tolerance, const BorderFeatures& features, ContactSink& sink) {
    const BoxFace::Interval over = face.clip(q0, q1, n, tolerance.slack);
    if (over.empty()) return;
    const auto add = [&](double t, int side) {
        const Vec3 p1 = q0 + t * (q1 - q0);
        const double gap = face.gap_along(p1, n);
        const Vec3 p2 = clamp_to(p1 - gap * n, h);
        int feature = features.first_edge + face.edge_number(side);
        for (int m = side; m <= side + 1; ++m)
            if (norm(p2 - face.corner(m)) <= tolerance.same_place)
                feature = features.first_corner + face.corner_number(m);
        sink.add(p2, n, gap, feature);
    };
    const bool leaves0 = over.side0 >= 0 && !found[0], leaves1 = over.side1 >= 0 && !found[1];
    if ((over.t1 - over.t0) * norm(q1 - q0) > tolerance.same_place) {
        if (leaves0) add(over.t0, over.side0);
        if (leaves1) add(over.t1, over.side1);
    } else if (leaves0 && leaves1) {
        add(over.t0, over.side0);
    }
}

}  // namespace armature::detail

#include "armature/contact/box_distance.h"

namespace armature::detail {

PointOnBox nearest_on_box(const Vec3& p, const Vec3& h) {
    PointOnBox result;
    result.q = clamp_to(p, h);
    const Vec3 d = p - result.q;
    if (d != Vec3{}) {
        // A distance too small to have a direction falls back to the face it is over.
        const int over = d.x != 0 ? 0 : (d.y != 0 ? 1 : 2);
        Vec3 face;
        face[over] = d[over] < 0 ? -1 : 1;
        result.n = normalized(d, face);
        result.gap = dot(d, result.n);
        return result;
    }
    int i = 0;
    for (int k = 1; k < 3; ++k)
        if (h[k] - std::fabs(p[k]) < h[i] - std::fabs(p[i])) i = k;
    const double side = p[i] < 0 ? -1 : 1;
    result.n[i] = side;
    result.q[i] = side * h[i];
    result.gap = std::fabs(p[i]) - h[i];
    return result;
}

}  // namespace armature::detail

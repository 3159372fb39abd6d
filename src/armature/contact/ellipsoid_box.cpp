// An ellipsoid with the radii r_i, turned by R. The point x of its surface nearest to v is, in its own axes,
//   x_i = r_i² v_i/(t + r_i²)  with the largest t that gives  Σ (r_i v_i/(t + r_i²))² = 1,
// and its outward normal there is along v_i/(t + r_i²). The sum falls and is convex for t > −min r_i²: Newton's steps
// from the left never pass the root. The first root to the left of that pole, where there is one, is the point that is
// nearest on the far side of the middle plane: it counts when a flat ellipsoid has been pierced by v.
#include <algorithm>

#include "armature/contact/features.h"
#include "armature/contact/round_shapes.h"
#include "armature/contact/separation.h"

namespace armature::detail {

namespace {

struct EllipsoidBody {
    static constexpr bool polytope = false;
    const Relative& X;
    Vec3 radii;

    Vec3 support(const Vec3& n) const { return ellipsoid_support(radii, X, n); }

    template <class Visit>
    void normals(const Vec3& v, const Visit& visit) const {
        // In units of the smallest radius, with s = t + 1 in place of t: exact where the root is close to the pole s =
        // 0.
        const double least = std::min({radii.x, radii.y, radii.z});
        const Vec3 r = radii / least;
        Vec3 w = transposed_times(X.R, v) / least, beyond;  // r_i² − 1
        double right = 0, left = 0, last = -std::numeric_limits<double>::infinity();
        for (int i = 0; i < 3; ++i) {
            beyond[i] = (r[i] - 1) * (r[i] + 1);
            if (beyond[i] == 0) {
                // From the middle there are two nearest points, at the ends of the shortest axis; this prefers one.
                if (std::fabs(w[i]) < 1e-14) w[i] = w[i] < 0 ? -1e-14 : 1e-14;
                left = std::fmin(left, -std::fabs(w[i]));
            } else {
                last = std::fmax(last, -beyond[i]);
            }
            right = std::fmax(right, r[i] * std::fabs(w[i]) - beyond[i]);
        }
        // Where one term alone is 1 the sum is not below it.
        const auto visit_root = [&](double s, bool rising) {
            for (int step = 0; step < 100; ++step) {
                double value = -1, slope = 0;
                for (int i = 0; i < 3; ++i) {
                    const double f = r[i] * w[i] / (s + beyond[i]);
                    value += f * f;
                    slope -= 2 * f * f / (s + beyond[i]);
                }
                const double next = s - value / slope;
                if (!rising && (!(slope > 0) || !(next > last))) return;  // no root on this side of the pole
                if (rising ? !(next > s) : !(next < s)) break;
                s = next;
            }
            visit(X.R * Vec3{w.x / (s + beyond.x), w.y / (s + beyond.y), w.z / (s + beyond.z)});
        };
        visit_root(right, true);
        visit_root(left, false);
    }

    template <class Visit>
    void own(const Visit&) const {}
};

}  // namespace

void ellipsoid_against_box(const Ellipsoid& s, const Relative& X, const Vec3& h, ContactSink& sink) {
    const auto [n, gap] = separation(EllipsoidBody{X, s.radii}, X.c, h, sink.margin());
    if (!(gap <= sink.margin())) return;
    const Vec3 p1 = X.c - ellipsoid_support(s.radii, X, n);
    sink.add(clamp_to(p1 - gap * n, h), n, gap, feature::only);
}

}  // namespace armature::detail

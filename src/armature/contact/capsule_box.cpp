// A capsule is a segment ±l a with a coat of thickness r: the direction n is that of the segment, the gap less by r.
#include "armature/contact/features.h"
#include "armature/contact/line_on_face.h"
#include "armature/contact/round_shapes.h"
#include "armature/contact/separation.h"

namespace armature::detail {

namespace {

struct Segment {
    static constexpr bool polytope = true;
    Vec3 half;  ///< l a

    Vec3 support(const Vec3& n) const {
        const double along = dot(n, half);
        return along > 0 ? half : (along < 0 ? -half : Vec3{});
    }
    template <class Visit>
    void normals(const Vec3& v, const Visit& visit) const {
        const double l2 = norm2(half);
        const double t = l2 > 0 ? clamp_to(dot(v, half) / l2, 1) : 0;
        visit(t * half - v);
    }
    template <class Visit>
    void own(const Visit& visit) const {
        for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) visit(cross(half, e));
    }
};

}  // namespace

void capsule_against_box(const Capsule& s, const Relative& X, const Vec3& h, ContactSink& sink) {
    const Segment segment{0.5 * s.length * X.axis(1)};
    const auto [n, segment_gap] = separation(segment, X.c, h, sink.margin() + s.radius);
    const double gap = segment_gap - s.radius;
    if (!(gap <= sink.margin())) return;

    const Tolerance tolerance(norm(segment.half) + s.radius, norm(h));
    const BoxFace face(h, n);
    // A capsule that stands more than it lies touches with one end only.
    const double along = dot(n, X.axis(1));
    const bool lying = std::fabs(along) <= 0.5;
    bool found[2] = {false, false};
    for (int end = 0; end < 2; ++end) {
        const bool first = end == 0 ? along >= 0 : along <= 0;
        if (!lying && !first) continue;
        const Vec3 p1 = capsule_end_point(s, X, end, n);
        const double g = face.gap_along(p1, n);
        found[end] = face.holds(p1 - g * n, tolerance.slack);
        if (found[end]) sink.add(clamp_to(p1 - g * n, h), n, g, feature::capsule_end(end));
    }
    if (lying && !(found[0] && found[1])) {
        const Vec3 line = X.c + s.radius * deepest_radial(X, n);
        add_borders(face, line - segment.half, line + segment.half, found, h, n, tolerance,
                    {feature::capsule_border(0), feature::capsule_corner(0)}, sink);
    }
    if (sink.least_gap() <= gap + tolerance.same_place) return;
    // The end that comes first is past the border of the face: it touches an edge or a corner.
    const int end = along >= 0 ? 0 : 1;
    const Vec3 p1 = X.c - segment.support(n) - s.radius * n;
    sink.add(clamp_to(p1 - gap * n, h), n, gap,
             along != 0 && !found[end] ? feature::capsule_end(end) : feature::capsule_elsewhere);
}

}  // namespace armature::detail

// A cylinder about the axis a, half as long as l, against a box: the direction n first (separation.h), then every place
// where the cap or the side that meets n and the face of the box that meets n lie over each other along n.
#include "armature/contact/features.h"
#include "armature/contact/line_on_face.h"
#include "armature/contact/round_shapes.h"
#include "armature/contact/separation.h"

namespace armature::detail {

namespace {

/// Below this a sine is round-off, and all of a cap or a side is equally far along n.
constexpr double no_angle = 1e-12;

struct CylinderBody {
    static constexpr bool polytope = false;
    Vec3 a;
    double l, r;

    Vec3 support(const Vec3& n) const {
        const double along = dot(n, a), length = norm(n);
        const Vec3 across = n - along * a;
        const double sine = norm(across);
        const Vec3 rim = sine > no_angle * length ? (r / sine) * across : Vec3{};
        return std::fabs(along) > no_angle * length ? rim + (along < 0 ? -l : l) * a : rim;
    }
    template <class Visit>
    void normals(const Vec3& v, const Visit& visit) const {
        const double y = dot(v, a);
        const Vec3 radial = v - y * a;
        const double past_side = norm(radial) - r, past_cap = std::fabs(y) - l;
        if (past_side > 0 && past_cap > 0) {  // nearest to the rim
            visit(past_side * normalized(radial) + past_cap * (y < 0 ? -a : a));
        } else {
            visit(radial);  // the caps are among its own
        }
    }
    template <class Visit>
    void own(const Visit& visit) const {
        visit(a);
        for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) visit(cross(a, e));
    }
};

class CylinderOnFace {
  public:
    CylinderOnFace(const Cylinder& s, const Relative& X, const Vec3& h, const Vec3& n, ContactSink& sink)
        : s_(s),
          X_(X),
          h_(h),
          n_(n),
          sink_(sink),
          face_(h, n),
          rims_(s, X, n),
          tolerance_(s.radius + s.length, norm(h)) {}

    const Tolerance& tolerance() const { return tolerance_; }
    /// The rim that n meets first.
    int first_rim() const { return dot(n_, X_.axis(1)) >= 0 ? 0 : 1; }

    void add_side() const {
        bool found[2];
        for (int rim = 0; rim < 2; ++rim) found[rim] = add_if_over(rims_.deepest(rim), feature::rim_deepest(rim));
        if (found[0] && found[1]) return;
        add_borders(face_, rims_.deepest(0), rims_.deepest(1), found, h_, n_, tolerance_,
                    {feature::side_border(0), feature::side_corner(0)}, sink_);
    }

    void add_cap() {
        const int rim = first_rim();
        const auto add_rim_point = [&](const Vec3& p1, int feature) {
            if (add_if_over(p1, feature)) on_rim_[on_rim_count_++] = p1 - rims_.centre(rim);
        };
        if (rims_.tilted) add_rim_point(rims_.deepest(rim), feature::rim_deepest(rim));
        for (int quarter = 0; quarter < 4; ++quarter)
            add_rim_point(rims_.quarter_point(rim, quarter), feature::rim_point(rim, quarter));
        for (int m = 0; m < 4; ++m) add_border(m, rims_.centre(rim));
    }

  private:
    void add(const Vec3& p1, int feature) const {
        const double gap = face_.gap_along(p1, n_);
        sink_.add(clamp_to(p1 - gap * n_, h_), n_, gap, feature);
    }
    bool add_if_over(const Vec3& p1, int feature) const {
        if (!face_.holds(p1 - face_.gap_along(p1, n_) * n_, tolerance_.slack)) return false;
        add(p1, feature);
        return true;
    }

    /// Where an edge or a corner is right under a point of the rim that has been added, the two are one place. A rim
    /// that touches along an edge and is past it by the slack crosses it that far from the point of touch: √(2 r
    /// slack).
    bool is_rim_point(const Vec3& d) const {
        for (int i = 0; i < on_rim_count_; ++i)
            if (norm2(d - on_rim_[i]) <= 4 * s_.radius * tolerance_.slack) return true;
        return false;
    }

    /// Corner m of the face, if it is under the cap, and where side m passes under the rim. Along n, the point p2 of
    /// the face is under the point p2 + g n of the cap, g = (C − p2)·a/(n·a); seen from the middle C of the cap the
    /// side runs along d0 + t e, and under the rim where |d0 + t e|² = r².
    void add_border(int m, const Vec3& C) const {
        const Vec3 a = X_.axis(1);
        const double along = dot(n_, a);
        const auto gap_of = [&](const Vec3& p2) { return dot(C - p2, a) / along; };
        const Vec3 v0 = face_.corner(m), v1 = face_.corner(m + 1);
        const double g0 = gap_of(v0), g1 = gap_of(v1);
        const Vec3 d0 = v0 + g0 * n_ - C, e = (v1 + g1 * n_ - C) - d0;
        const double r = s_.radius;
        if (norm(d0) <= r + tolerance_.slack && !is_rim_point(d0))
            sink_.add(v0, n_, g0, feature::corner_under_cap(face_.corner_number(m)));
        const double A = norm2(e), B = dot(d0, e), D = B * B - A * (norm2(d0) - r * r);
        if (!(D > -2 * A * r * tolerance_.slack) || !(A > 0)) return;
        const double root = std::sqrt(std::fmax(D, 0));
        for (int which = 0; which < (D > 0 ? 2 : 1); ++which) {
            const double t = (-B + (which == 0 ? -root : root)) / A;
            if (!(t > 0 && t < 1) || is_rim_point(d0 + t * e)) continue;
            // Numbered along the rising coordinate, so that both faces of the edge agree on it.
            const bool rising = dot(v1 - v0, {1, 1, 1}) > 0;
            sink_.add(v0 + t * (v1 - v0), n_, g0 + t * (g1 - g0),
                      feature::edge_under_rim(face_.edge_number(m), rising ? which : 1 - which));
        }
    }

    const Cylinder& s_;
    const Relative& X_;
    Vec3 h_, n_;
    ContactSink& sink_;
    BoxFace face_;
    RimPoints rims_;
    Tolerance tolerance_;
    Vec3 on_rim_[5];  ///< added, from the middle of the cap
    int on_rim_count_ = 0;
};

}  // namespace

void cylinder_against_box(const Cylinder& s, const Relative& X, const Vec3& h, ContactSink& sink) {
    const CylinderBody body{X.axis(1), 0.5 * s.length, s.radius};
    const auto [n, gap] = separation(body, X.c, h, sink.margin());
    if (!(gap <= sink.margin())) return;
    CylinderOnFace on(s, X, h, n, sink);
    if (RimPoints(s, X, n).flat)
        on.add_cap();
    else
        on.add_side();
    if (sink.least_gap() <= gap + on.tolerance().same_place) return;
    const Vec3 p1 = X.c - body.support(n);
    sink.add(clamp_to(p1 - gap * n, h), n, gap, feature::cylinder_elsewhere);
}

}  // namespace armature::detail

// A cylinder about the axis a, half as long as l, against a box: the direction n first (separation.h), then every place
// where the cap or the side that meets n and the face of the box that meets n lie over each other along n.
#include "armature/contact/features.h"
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
          slack_(projection_slack(norm(h) + s.radius + s.length)) {}

    double slack() const { return slack_; }
    /// The rim that n meets first.
    int first_rim() const { return dot(n_, X_.axis(1)) >= 0 ? 0 : 1; }

    void add_side() const {
        bool found[2];
        for (int rim = 0; rim < 2; ++rim) found[rim] = add_if_over(rims_.deepest(rim), feature::rim_deepest(rim));
        if (found[0] && found[1]) return;
        const Vec3 q0 = rims_.deepest(0), q1 = rims_.deepest(1);
        const BoxFace::Interval over = face_.clip(q0, q1, n_, slack_);
        if (over.empty()) return;
        const bool low = !found[0] && over.t0 > 0, high = !found[1] && over.t1 < 1;
        if (low) add(q0 + over.t0 * (q1 - q0), feature::side_border(0));
        // Across a single corner the two are one place.
        if (high && !(low && (over.t1 - over.t0) * s_.length <= 4 * slack_))
            add(q0 + over.t1 * (q1 - q0), feature::side_border(1));
    }

    void add_cap() const {
        const int rim = first_rim();
        if (rims_.tilted) add_if_over(rims_.deepest(rim), feature::rim_deepest(rim));
        for (int quarter = 0; quarter < 4; ++quarter)
            add_if_over(rims_.quarter_point(rim, quarter), feature::rim_point(rim, quarter));
        for (int m = 0; m < 4; ++m) add_border(m, rims_.centre(rim));
    }

  private:
    void add(const Vec3& p1, int feature) const {
        const double gap = face_.gap_along(p1, n_);
        sink_.add(clamp_to(p1 - gap * n_, h_), n_, gap, feature);
    }
    bool add_if_over(const Vec3& p1, int feature) const {
        if (!face_.holds(p1 - face_.gap_along(p1, n_) * n_, slack_)) return false;
        add(p1, feature);
        return true;
    }

    /// Corner m of the face, if it is under the cap, and where side m passes under the rim. Along n, the point p2 of the
    /// face is under the point p2 + g n of the cap, g = (C − p2)·a/(n·a); seen from the middle C of the cap the side runs
    /// along d0 + t e, and under the rim where |d0 + t e|² = r².
    void add_border(int m, const Vec3& C) const {
        const Vec3 a = X_.axis(1);
        const double along = dot(n_, a);
        const auto gap_of = [&](const Vec3& p2) { return dot(C - p2, a) / along; };
        const Vec3 v0 = face_.corner(m), v1 = face_.corner(m + 1);
        const double g0 = gap_of(v0), g1 = gap_of(v1);
        const Vec3 d0 = v0 + g0 * n_ - C, e = (v1 + g1 * n_ - C) - d0;
        const double r2 = s_.radius * s_.radius;
        if (norm2(d0) <= r2) sink_.add(v0, n_, g0, feature::corner_under_cap(face_.corner_number(m)));
        const double A = norm2(e), B = dot(d0, e), D = B * B - A * (norm2(d0) - r2);
        if (!(D > 0) || !(A > 0)) return;
        const double root = std::sqrt(D);
        for (int which = 0; which < 2; ++which) {
            const double t = (-B + (which == 0 ? -root : root)) / A;
            if (!(t > 0 && t < 1)) continue;
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
    double slack_;
};

}  // namespace

void cylinder_against_box(const Cylinder& s, const Relative& X, const Vec3& h, ContactSink& sink) {
    const CylinderBody body{X.axis(1), 0.5 * s.length, s.radius};
    const auto [n, gap] = separation(body, X.c, h, sink.margin());
    if (!(gap <= sink.margin())) return;
    const CylinderOnFace on(s, X, h, n, sink);
    if (RimPoints(s, X, n).flat)
        on.add_cap();
    else
        on.add_side();
    if (sink.least_gap() <= gap + 4 * on.slack()) return;
    const Vec3 p1 = X.c - body.support(n);
    sink.add(clamp_to(p1 - gap * n, h), n, gap, feature::cylinder_elsewhere);
}

}  // namespace armature::detail

// Two boxes: the direction n of least overlap (separation.h, which tries the 15 axes of [Gottschalk, Lin, Manocha
// 1996]), then every corner of the polygon in which the two faces that meet n overlap when seen along n:
//   corners of face 1 over face 2, corners of face 2 over face 1, and sides that cross:
//   q0 + t e1 = v0 + s e2 + g n   ⇒   t = n·((v0 − q0) × e2)/D,   s = n·((v0 − q0) × e1)/D,   D = n·(e1 × e2)
#include "armature/contact/features.h"
#include "armature/contact/separation.h"

namespace armature::detail {

namespace {

struct BoxBody {
    static constexpr bool polytope = true;
    const Relative& X;
    Vec3 h;

    Vec3 support(const Vec3& n) const {
        const Vec3 n1 = transposed_times(X.R, n);
        const double none = 1e-12 * norm(n);  // all of a face, or of an edge, is equally far
        Vec3 p;
        for (int i = 0; i < 3; ++i) p[i] = n1[i] > none ? h[i] : (n1[i] < -none ? -h[i] : 0);
        return X.R * p;
    }
    template <class Visit>
    void normals(const Vec3& v, const Visit& visit) const {
        visit(X.R * nearest_on_box(transposed_times(X.R, v), h).n);
    }
    template <class Visit>
    void own(const Visit& visit) const {
        for (int i = 0; i < 3; ++i) visit(X.axis(i));
        for (int i = 0; i < 3; ++i)
            for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
                const Vec3 n = cross(X.axis(i), e);
                if (norm2(n) > 1e-12) visit(n);  // nearly parallel edges cross nowhere; the faces see to them
            }
    }
};

class FaceOverlap {
  public:
    FaceOverlap(const Relative& X, const Vec3& h1, const Vec3& h2, const Vec3& n, double slack, ContactSink& sink)
        : X_(X),
          n_(n),
          n1_(-transposed_times(X.R, n)),
          face1_(h1, n1_),
          face2_(h2, n),
          h2_(h2),
          slack_(slack),
          sink_(sink) {
        for (int m = 0; m < 4; ++m) {
            q_[m] = X * face1_.corner(m);
            v_[m] = face2_.corner(m);
        }
    }

    void add_all() {
        for (int m = 0; m < 4; ++m) add_corner1(m);
        for (int m = 0; m < 4; ++m) add_corner2(m);
        for (int m1 = 0; m1 < 4; ++m1)
            for (int m2 = 0; m2 < 4; ++m2) add_crossing(m1, m2);
    }

  private:
    void add_corner1(int m) {
        const double gap = face2_.gap_along(q_[m], n_);
        foot_[m] = q_[m] - gap * n_;
        over_[m] = face2_.holds(foot_[m], slack_);
        if (over_[m]) sink_.add(clamp_to(foot_[m], h2_), n_, gap, feature::corner1(face1_.corner_number(m)));
    }

    void add_corner2(int m) const {
        const Vec3 v1 = transposed_times(X_.R, v_[m] - X_.c);  // in the frame of box 1, out of which n1 points
        const double gap = face1_.gap_along(v1, n1_);
        if (!face1_.holds(v1 - gap * n1_, slack_)) return;
        for (int k = 0; k < 4; ++k)  // corner on corner is one place
            if (over_[k] && norm(foot_[k] - v_[m]) <= 4 * slack_) return;
        sink_.add(v_[m], n_, gap, feature::corner2(face2_.corner_number(m)));
    }

    void add_crossing(int m1, int m2) const {
        const Vec3 &q0 = q_[m1], &v0 = v_[m2];
        const Vec3 e1 = q_[(m1 + 1) % 4] - q0, e2 = v_[(m2 + 1) % 4] - v0;
        const double D = dot(n_, cross(e1, e2)), length1 = norm(e1), length2 = norm(e2);
        const double sine = std::fabs(D) / (length1 * length2);
        if (!(sine > 1e-13)) return;  // parallel
        const double t = dot(n_, cross(v0 - q0, e2)) / D, s = dot(n_, cross(v0 - q0, e1)) / D;
        // When the end of one is on the other, by the measure of holds(), it is a corner, and has been added.
        const auto inside = [&](double x, double length) { return std::fmin(x, 1 - x) * length * sine > slack_; };
        if (!inside(t, length1) || !inside(s, length2)) return;
        const Vec3 p2 = v0 + s * e2;
        sink_.add(p2, n_, dot(n_, (q0 + t * e1) - p2), feature::edges(face1_.edge_number(m1), face2_.edge_number(m2)));
    }

    const Relative& X_;
    Vec3 n_, n1_;
    BoxFace face1_, face2_;
    Vec3 h2_;
    double slack_;
    ContactSink& sink_;
    Vec3 q_[4], v_[4], foot_[4];
    bool over_[4] = {};
};

}  // namespace

void box_against_box(const Box& s, const Relative& X, const Vec3& h, ContactSink& sink) {
    const BoxBody body{X, 0.5 * s.size};
    const auto [n, gap] = separation(body, X.c, h, sink.margin());
    if (!(gap <= sink.margin())) return;
    const Tolerance tolerance(norm(body.h), norm(h));
    FaceOverlap(X, body.h, h, n, tolerance.slack, sink).add_all();
    if (sink.least_gap() <= gap + tolerance.same_place) return;
    const Vec3 p1 = X.c - body.support(n);
    sink.add(clamp_to(p1 - gap * n, h), n, gap, feature::box_elsewhere);
}

}  // namespace armature::detail

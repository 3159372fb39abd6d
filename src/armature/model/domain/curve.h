// A curve through given points, open or closed: straight pieces, or a smooth spline.
//
// Each piece is a cubic  c(t) = b0 (1−t)³ + 3 b1 t (1−t)² + 3 b2 t² (1−t) + b3 t³,  t ∈ [0, 1];  a straight one has its
// inner points on thirds of the way.
//
// Spline: centripetal Catmull–Rom [Catmull & Rom 1974; Yuksel, Schaefer, Keyser 2011]: with knots δ_i = |P_{i+1} − P_i|^½,
//   tangent at P_i:  m_i = (P_i − P_{i−1})/δ_{i−1} − (P_{i+1} − P_{i−1})/(δ_{i−1} + δ_i) + (P_{i+1} − P_i)/δ_i,
//   b1 = P_i + m_i δ_i/3,  b2 = P_{i+1} − m_{i+1} δ_i/3.
// Why this one: it goes through the points, a point moves only the two pieces on either side of it, and of this family
// it is the only one without loops and cusps inside a piece, so that a bead never meets a place without a tangent. Its
// curvature jumps at the points (it is C1 only); a natural cubic would not, but swings far out between uneven points.
// At an open end the curve runs on by reflection: P_{−1} = 2 P_0 − P_1, which makes that end straighten out.
//
// Nearest point: g(t) = (c(t) − p)·c'(t) = 0. Spline pieces are halved until they turn by at most `max_turn`; in such a
// short piece g has one root at most (proven by a bound on g' each time) unless p is about as far as the centre of its
// curvature or farther, where the piece is looked at in sixteen parts. Each piece gives its root (bracketed Newton) or the
// nearer end, and a tree of boxes finds the pieces. Equally near pieces: the first along the curve. Units: metres.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "armature/model/domain/box_tree.h"
#include "armature/model/domain/domain.h"

namespace armature {

/// Empty when there is such a curve; otherwise a sentence that says what is wrong with which point. Points are counted from
/// 1. `hint` says what to do.
struct CurveDefect {
    std::string what, hint;
};
CurveDefect find_curve_defect(CurveKind kind, const std::vector<Vec3>& points, bool closed);

struct CurvePoint {
    Vec3 point;
    Vec3 tangent;       ///< unit, towards growing arc length; at a corner between those of its two sides
    double length = 0;  ///< arc length from the first point
    int end = 0;        ///< −1: the first point of an open curve is the nearest, +1: the last, 0: neither
};

class Curve {
  public:
    static constexpr double max_turn = 0.2;  ///< rad

    /// The points have no defect.
    Curve(CurveKind kind, const std::vector<Vec3>& points, bool closed);

    CurvePoint nearest(const Vec3& p) const;
    /// The nearest that can be reached along the curve from the arc length `from`, going not much farther than p is from
    /// there: where the curve comes by itself again, the branch that `from` lies on.
    CurvePoint nearest(const Vec3& p, double from) const;

    bool closed() const { return closed_; }
    bool straight() const { return straight_; }  ///< a single line, without any bend
    double length() const { return length_; }
    const std::vector<Vec3>& points() const { return points_; }  ///< as given
    CurveKind kind() const { return kind_; }
    double reach() const { return reach_; }  ///< no point of the curve is farther from the origin

  private:
    using Bezier = std::array<Vec3, 4>;
    struct Piece {
        Bezier b;
        double start = 0;  ///< arc length
        double length = 0;
    };
    struct Found {
        double t, distance2;
    };
    static Found nearest_on(const Piece& piece, const Vec3& p);
    CurvePoint point_on(int piece, const Vec3& p) const;
    Vec3 at_length(double length) const;
    double way_to(int piece, double from) const;
    void add(const Bezier& b, int halvings);
    Vec3 corner_tangent(const Vec3& before, const Vec3& after, const Vec3& away) const;
    const Piece& piece(int i) const { return pieces_[static_cast<std::size_t>(i)]; }

    CurveKind kind_;
    bool closed_, straight_ = false;
    std::vector<Vec3> points_;
    std::vector<Piece> pieces_;  ///< along the curve
    BoxTree tree_;
    double length_ = 0, reach_ = 0;
};

}  // namespace armature

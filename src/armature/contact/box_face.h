// One face of a box as something to project on, along a direction n that need not be its normal.
//
//   p = foot + gap n,   foot on the plane side·p_i = h_i:   gap = (side·p_i − h_i)/(side·n_i)
// The face that faces n most has |n_i| ≥ 1/√3, so that nothing here divides by a small number. When n is the direction
// of least overlap (separation.h), the feature of the box that carries it – face, edge or corner – belongs to that
// face.
#pragma once

#include "armature/contact/box_distance.h"

namespace armature::detail {

/// What round-off can do to two solids of the sizes a and b lying over each other.
struct Tolerance {
    Tolerance(double a, double b) : slack(1e-12 * (a + b)), same_place(std::fmax(4 * slack, 1e-6 * std::fmin(a, b))) {}

    /// By how much a point may be past the border of a face and still count as over it: then what touches exactly at an
    /// edge or a corner is not lost.
    double slack;
    /// Where lines are nearly parallel their crossing is as vague as they are parallel. Nearer than this is one place.
    double same_place;
};

/// Corner numbers have the signs of (x, y, z) in their bits 1, 2, 4.
inline Vec3 box_corner(const Vec3& h, int number) {
    return {(number & 1) != 0 ? h.x : -h.x, (number & 2) != 0 ? h.y : -h.y, (number & 4) != 0 ? h.z : -h.z};
}

class BoxFace {
  public:
    BoxFace(const Vec3& h, const Vec3& n) : h_(h) {
        for (int k = 1; k < 3; ++k)
            if (std::fabs(n[k]) > std::fabs(n[i_])) i_ = k;
        side_ = n[i_] < 0 ? -1 : 1;
    }

    double gap_along(const Vec3& p, const Vec3& n) const { return (side_ * p[i_] - h_[i_]) / (side_ * n[i_]); }

    /// Whether a point of the plane is on the face, or past its border by no more than `slack`.
    bool holds(const Vec3& foot, double slack) const {
        return std::fabs(foot[j()]) <= h_[j()] + slack && std::fabs(foot[k()]) <= h_[k()] + slack;
    }

    /// Its corners in turn, 0 to 3 (and 4 is 0 again); side m runs from corner m to corner m + 1.
    int corner_number(int m) const {
        const bool plus_j = m % 4 == 1 || m % 4 == 2, plus_k = m % 4 >= 2;
        return (side_ > 0 ? 1 << i_ : 0) | (plus_j ? 1 << j() : 0) | (plus_k ? 1 << k() : 0);
    }
    Vec3 corner(int m) const { return box_corner(h_, corner_number(m)); }
    /// 0 to 11, the same from whichever of its two faces the edge is seen: four along x, four along y, four along z.
    int edge_number(int m) const {
        const int along = m % 2 == 0 ? j() : k(), any = corner_number(m);
        const auto bit = [&](int axis) { return any >> axis % 3 & 1; };
        return 4 * along + bit(along + 1) + 2 * bit(along + 2);
    }

    /// The part of the segment from q0 to q1 that is over the face: q0 + t (q1 − q0) for t in [t0, t1]. It begins and
    /// ends at the sides number side0 and side1, or with the segment, which is −1.
    struct Interval {
        double t0 = 0, t1 = 1;
        int side0 = -1, side1 = -1;
        bool empty() const { return !(t0 <= t1); }
    };
    Interval clip(const Vec3& q0, const Vec3& q1, const Vec3& n, double slack) const {
        const Vec3 f0 = q0 - gap_along(q0, n) * n, d = (q1 - gap_along(q1, n) * n) - f0;
        Interval result;
        const auto clip_between = [&](int axis, int side_below, int side_above) {
            // A segment along a side is over the face or not as a whole; crossing it, slack would only blur the border.
            const double reach = h_[axis] + (std::fabs(d[axis]) <= 4 * slack ? slack : 0);
            if (std::fabs(d[axis]) <= 1e-300) {
                if (std::fabs(f0[axis]) > reach) result = {1, 0, -1, -1};
                return;
            }
            const double below = (-reach - f0[axis]) / d[axis], above = (reach - f0[axis]) / d[axis];
            const bool rising = d[axis] > 0;
            const double first = rising ? below : above, last = rising ? above : below;
            if (first > result.t0) result.t0 = first, result.side0 = rising ? side_below : side_above;
            if (last < result.t1) result.t1 = last, result.side1 = rising ? side_above : side_below;
        };
        clip_between(j(), 3, 1);
        clip_between(k(), 0, 2);
        if (!result.empty()) return result;
        // Past a corner by a round-off it is over the corner.
        const double corner = std::fmax(0, std::fmin(1, 0.5 * (result.t0 + result.t1)));
        if (holds(f0 + corner * d, slack)) result.t0 = result.t1 = corner;
        return result;
    }

  private:
    int j() const { return (i_ + 1) % 3; }
    int k() const { return (i_ + 2) % 3; }

    Vec3 h_;
    int i_ = 0;
    double side_ = 1;
};

}  // namespace armature::detail

// One face of a box as something to project on, along a direction n that need not be its normal.
//
//   p = foot + gap n,   foot on the plane side·p_i = h_i:   gap = (side·p_i − h_i)/(side·n_i)
// The face that faces n most has |n_i| ≥ 1/√3, so that nothing here divides by a small number. When n is the direction of
// least overlap (separation.h), the feature of the box that carries it – face, edge or corner – belongs to that face.
#pragma once

#include <initializer_list>

#include "armature/contact/box_distance.h"

namespace armature::detail {

/// By how much a point may be past the border of a face and still count as over it, when the two solids are together of
/// this size: then what touches exactly at an edge or a corner is not lost to round-off.
inline double projection_slack(double size) {
    return 1e-12 * size;
}

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

    /// The part of the segment from q0 to q1 that is over the face: q0 + t (q1 − q0) for t in [t0, t1].
    struct Interval {
        double t0 = 0, t1 = 1;
        bool empty() const { return !(t0 <= t1); }
    };
    Interval clip(const Vec3& q0, const Vec3& q1, const Vec3& n, double slack) const {
        const Vec3 f0 = q0 - gap_along(q0, n) * n, d = (q1 - gap_along(q1, n) * n) - f0;
        Interval result;
        for (const int a : {j(), k()}) {
            const double reach = h_[a] + slack;
            if (std::fabs(d[a]) <= 1e-300) {
                if (std::fabs(f0[a]) > reach) return {1, 0};
                continue;
            }
            const double low = (-reach - f0[a]) / d[a], high = (reach - f0[a]) / d[a];
            result.t0 = std::fmax(result.t0, std::fmin(low, high));
            result.t1 = std::fmin(result.t1, std::fmax(low, high));
        }
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

// What the cases of find_contacts share: shape 1 as seen from shape 2, and the way of a contact back into world axes.
//
//   p_S2 = c + R p_S1,   c = R_WS2ᵀ (x_WS1 − x_WS2),   R = R_WS2ᵀ R_WS1
#pragma once

#include <limits>

#include "armature/contact/find_contacts.h"

namespace armature::detail {

/// Where shape 1 is in the frame of shape 2.
struct Relative {
    Vec3 c;
    Mat3 R;

    Vec3 axis(int i) const { return {R.row0[i], R.row1[i], R.row2[i]}; }  ///< of S1
    Vec3 operator*(const Vec3& p_S1) const { return c + R * p_S1; }
};

class ContactSink {
  public:
    ContactSink(const Vec3& x_WS2, const Mat3& R_WS2, double margin, std::vector<ContactPoint>& out)
        : x_(x_WS2), R_(R_WS2), margin_(margin), out_(out) {}

    double margin() const { return margin_; }
    /// The least gap added so far, infinite when there is none.
    double least_gap() const { return least_; }

    /// In the frame of shape 2. p1 follows from the three, so that the equation between them holds to the last digits.
    void add(const Vec3& p2, const Vec3& normal, double gap, int feature) {
        if (!(gap <= margin_)) return;
        ContactPoint point;
        point.p2 = x_ + R_ * p2;
        point.normal = R_ * normal;
        point.gap = gap;
        point.p1 = point.p2 + gap * point.normal;
        point.feature = feature;
        // Only numbers near the largest there are get here without being finite.
        if (!is_finite(point.p1) || !is_finite(point.p2)) return;
        out_.push_back(point);
        least_ = std::fmin(least_, gap);
    }

  private:
    Vec3 x_;
    Mat3 R_;
    double margin_;
    double least_ = std::numeric_limits<double>::infinity();
    std::vector<ContactPoint>& out_;
};

/// Against the half space y ≤ 0 and against the box |p_i| ≤ h_i.
void plane_contacts(const ContactShape& shape, const Relative& X, ContactSink& sink);
void box_contacts(const ContactShape& shape, const Relative& X, const Vec3& h, ContactSink& sink);
void capsule_against_box(const Capsule& shape, const Relative& X, const Vec3& h, ContactSink& sink);
void cylinder_against_box(const Cylinder& shape, const Relative& X, const Vec3& h, ContactSink& sink);
void box_against_box(const Box& shape, const Relative& X, const Vec3& h, ContactSink& sink);
void ellipsoid_against_box(const Ellipsoid& shape, const Relative& X, const Vec3& h, ContactSink& sink);

}  // namespace armature::detail

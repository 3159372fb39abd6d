// Floors and fixed obstacles: what has entered one is pushed out along its normal, by the depth of its deepest point
// [Lee et al. 2000, §4.2].
//
// A solid that hangs on a joint is turned about the joint until the deepest point is out: with the arm ρ from the joint to
// the point, turned by δ about the axis u, the height along the normal n is
//   n·ρ(δ) = c + A cos δ + B sin δ,   A = n·ρ⊥,  B = n·(u × ρ),  c = (n·u)(ρ·u)
// which is solved for δ; where no turn lifts it far enough, the highest one is taken. A solid that hangs on nothing is
// pushed: by compulsive motion at the mean of the points that are inside, weighted by their depth (equal depths all around
// the centre do not turn it), and then out. There friction holds it back as far as it may, by Coulomb's coefficient times the
// push: a push of g dt² per step and a braking of at most μ g dt² are the law of Coulomb.
#pragma once

#include <vector>

#include "armature/solvers/contract.h"

namespace armature {

struct FloorPoint {
    Vec3 point, normal;  ///< world
    double depth = 0;    ///< m, > 0 inside
};

/// The angle about the unit axis by which the arm must turn to rise by `height` along the normal.
double rise(const Vec3& arm, const Vec3& axis, const Vec3& normal, double height);

class Floors {
  public:
    /// The contacts of this correction; they are sorted by their first body.
    void use(const CorrectionProblem& problem);
    bool none() const { return rows_ == nullptr; }
    bool none(int body) const { return none() || first_[idx(body)] == first_[idx(body) + 1]; }
    FloorPoint deepest(int body, const std::vector<Vec3>& x, const std::vector<Quat>& q) const;
    /// Pushes a body that hangs on nothing out of what it has entered.
    void push_out(const CorrectionProblem& problem, int body) const;

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    FloorPoint at(const ContactRow& row, const std::vector<Vec3>& x, const std::vector<Quat>& q) const;

    const std::vector<ContactRow>* rows_ = nullptr;
    std::vector<int> first_;  ///< per body, and one more
};

}  // namespace armature

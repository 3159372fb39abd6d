// Several anchors with limits in the way: groups turn about joints.
//
// Where joints have limits, passes from one anchor after the other undo each other: what one bends in, the next finds at its
// stop. There the tree hangs on one anchor, with all its joints holding, and what else is to be met are goals: points e_i of the
// tree with places t_i. Each joint in turn, from the tips inward, turns all that hangs behind it as one solid about its point P,
// to where the goals behind it fit best (fitting_turn of compulsive.h with u = e − P, v = t − P), is clamped to its limits, and
// keeps the turn if  f = Σ w |t_i − e_i|²  has become smaller. f therefore falls from sweep to sweep, to zero or to a rest:
// nothing can swing up, and a target out of reach is approached as far as the rest allows. No equations, no matrix; the
// joints of the tree and their limits hold at every instant.
//
// Sweeps gather momentum [Nesterov 1983]: before one, each joint goes on by β = k/(k+3) of how it turned in the last; when f has
// risen, back to where it was lower and begin anew. What took κ sweeps takes about √κ.
//
// Directions that an anchor holds are goals too: of points one lever away from it.
#pragma once

#include <vector>

#include "armature/solvers/procedural/placing.h"

namespace armature {

class GroupTurns {
  public:
    /// The closures of the component other than `anchor` become goals.
    void begin(const PlacingContext& context, const Structure& structure, const Component& component, int anchor,
               int root);
    void sweep(Placer& placer, bool with_drags);
    /// Forgets the momentum: the goals have changed.
    void restart() { count_ = 0; }

  private:
    struct Goal {
        int body = 0, other = 0;  ///< the point that moves, and what it is to meet
        Vec3 p, t;                ///< in body axes of the two
        double weight = 1;
        bool drag = false;
        const PointPart* part = nullptr;  ///< a domain that is more than a point: its nearest place is the target
        bool first = true;                ///< `body` is the first solid of that joint
        Vec3 e_W, t_W;                    ///< where they are
    };
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    void add_goals(const Link& link);
    void measure_goals(std::size_t first, std::size_t last, bool with_drags);
    double misfit(std::size_t first, std::size_t last, bool with_drags) const;
    Quat best_turn(const Vec3& P, const Vec3* axis, std::size_t first, std::size_t last, bool with_drags) const;
    bool behind(int body, std::size_t first, std::size_t last) const;
    void turn_joints(Placer& placer, bool with_drags);
    void read_joints(std::vector<Quat>& rel) const;
    void set_joints(Placer& placer, const std::vector<Quat>& rel);
    void move_group(std::size_t first, std::size_t last, const Quat& Q, const Vec3& P, const Vec3& way);

    const PlacingContext* c_ = nullptr;
    const Structure* structure_ = nullptr;
    std::vector<Stride> order_;       ///< the anchor, then the tree, depth first: what hangs behind a stride follows it
    std::vector<std::size_t> end_;    ///< per stride, where what hangs behind it ends
    std::vector<std::size_t> place_;  ///< per body, its stride
    std::vector<Goal> goals_;
    std::vector<Vec3> saved_x_;
    std::vector<Quat> saved_q_;
    std::vector<int> stack_;
    std::vector<Quat> rel_, rel_last_;  ///< per stride, of its two solids, after this sweep and the one before
    double f_last_ = 0;
    int count_ = 0;  ///< sweeps since the momentum was begun
};

}  // namespace armature

// Places one solid against another that stays where it is, so that the joint between them holds: no iteration.
//
//   1. Directions that must agree (hinges, welds) are made to agree, by the smallest turn about the centre of mass.
//   2. The point: compulsive motion (compulsive.h) to the nearest place that the joint allows. What a hinge leaves is a turn
//      about its axis: r and s count at right angles to it.
//   3. Limits of angles and twists, and those of the freedoms, are clamped by turning about the point P1, which therefore
//      stays in its domain: with x' = P1 + Q (x − P1), R' = Q R the place of P1 in the solid, Rᵀ(P1 − x), does not change.
//      An angle is changed by a turn about a1 × a2, a twist by one about the solid's own axis, which leaves the angle alone:
//      both are exact, whatever their size. Slides and threads are put right by a translation along their axis.
// A joint of the library is all of these or some; a point part alone, a ball, is done in closed form.
#pragma once

#include <vector>

#include "armature/solvers/procedural/floors.h"
#include "armature/solvers/procedural/structure.h"

namespace armature {

/// What the placements of an island are made of, for the length of one correction.
struct PlacingContext {
    const Model* model = nullptr;
    const Island* island = nullptr;
    std::vector<Vec3>* x = nullptr;
    std::vector<Quat>* q = nullptr;
    const std::vector<double>* slack = nullptr;   ///< per joint; null: none
    std::vector<LawRow>* laws = nullptr;          ///< sorted by joint; null: none
    const std::vector<int>* first_law = nullptr;  ///< per joint, one more than there are joints
};

class Placer {
  public:
    Placer(const PlacingContext& context, const Structure& structure, const Floors& floors)
        : c_(context), structure_(structure), floors_(floors) {}

    /// `to` against `from`. With points to keep (world) the solid turns so that they are left in peace, whatever its h says.
    void place(const Link& link, int from, int to, const std::vector<Vec3>* keep = nullptr) {
        const bool simple = link.ball && floors_.none(to) && (!c_.slack || !((*c_.slack)[idx(link.joint)] > 0));
        if (simple) return place_ball(link, from, to, keep);
        place_any(link, from, to, keep);
    }
    /// How far the joint is from holding, m or rad.
    double error(const Link& link) const;
    /// The compulsive motion that would bring the point of `body` to `target`: the turn, about the centre of mass.
    Quat turn_to(const Link& link, int body, const Vec3& point, const Vec3& target) const;
    // The steps by themselves.
    void turn(int body, const Quat& Q, const Vec3* about);
    void clamp(const Link& link, int to, const Vec3* about);
    Vec3 joint_point(const Link& link) const;
    /// The solid as it is turned, put to its joint and clamped.
    void settle(const Link& link, int to);
    Vec3 hinge_axis(const Link& link, int from) const;  ///< world, as `from` has it

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    void place_ball(const Link& link, int from, int to, const std::vector<Vec3>* keep);
    void place_any(const Link& link, int from, int to, const std::vector<Vec3>* keep);
    void agree(const Link& link, int to);
    void meet(const Link& link, int from, int to, const std::vector<Vec3>* keep);
    void close(const Link& link, int to);
    void clamp_part(const Link& link, const Part& part, int to, const Vec3* about);
    void clamp_freedoms(const Link& link, int to, const Vec3* about);
    void clamp_row(const LawRow& row, const LawRow* thread, int to, const Vec3* about);
    void leave_floor(const Link& link, int to, const Vec3* about);
    const Joint& joint_of(const Link& l) const { return c_.model->joints[idx(c_.island->joints[idx(l.joint)].joint)]; }
    Placement at(int body) const { return {(*c_.x)[idx(body)], to_matrix((*c_.q)[idx(body)])}; }
    double slack_of(const Link& l) const { return c_.slack ? (*c_.slack)[idx(l.joint)] : 0; }
    const PointPart& point_of(const Link& l) const { return std::get<PointPart>(joint_of(l).parts[idx(l.point)]); }

    const PlacingContext& c_;
    const Structure& structure_;
    const Floors& floors_;
};

}  // namespace armature

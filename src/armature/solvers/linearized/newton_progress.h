// When Newton's method on tied points has arrived, and when to give up.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "armature/math/constants.h"
#include "armature/solvers/linearized/time_budget.h"

namespace armature {

/// lost: the placements are of no use.
enum class TiedEnd { arrived, stopped, lost };

struct TiedResult {
    TiedEnd end = TiedEnd::lost;
    int iterations = 0;
    double worst = 0;       ///< m or rad
    int worst_joint = -1;   ///< local
    double unbalanced = 0;  ///< m or rad, of what pushes
    bool loops = false;     ///< the structure has some
    bool flat = false;      ///< solved in a coordinate plane (lockstep/flat.h)
};

class NewtonProgress {
  public:
    /// Errors are to be below `goal`; `most` iterations at most.
    NewtonProgress(double goal, int most, bool exact, TimeBudget& budget)
        : goal_(goal), agreed_(exact ? 1e-3 * goal : goal), most_(most), budget_(budget) {}

    /// Squares, m² or rad²: of the way and turn that impulses would take bodies from where they are, and of what moved last.
    struct Squares {
        double left_move, left_turn, moved;
    };
    /// Nothing: one more iteration is to be made.
    std::optional<TiedEnd> judge(int made, double worst, const Squares& s) {
        const double left = std::sqrt(std::max(s.left_move, s.left_turn)), error = std::max(worst, left);
        if (!(error < infinity)) return TiedEnd::lost;
        // Impulses are known to round-off only, which turns a needle by more than the goal: then what moved last tells. Places
        // are taken from the impulses in the end, and must be where the joints were closed, to the goal.
        const bool hardly_moved = made > 0 && s.moved <= 100 * agreed_ * agreed_ && s.left_move <= goal_ * goal_;
        if (worst <= goal_ && (left <= agreed_ || hardly_moved)) return TiedEnd::arrived;
        before_ = last_;
        last_ = error;
        idle_ = error < 0.5 * best_ ? 0 : idle_ + 1;
        best_ = std::min(best_, error);
        if (idle_ >= patience || made >= most_of_all) return TiedEnd::lost;
        if (made >= most_ || !budget_.room_for_another()) return TiedEnd::stopped;
        return std::nullopt;
    }

    /// Whether the iteration after `made` ones will probably not be the last: errors square, e₂ = e₁ (e₁/e₀)².
    bool expects_another(int made) const {
        if (made >= most_) return false;
        return made < 2 || last_ * (last_ / before_) * (last_ / before_) > agreed_;
    }

  private:
    static constexpr int patience = 6;      // iterations that do not halve the error
    static constexpr int most_of_all = 40;  // iterations

    double goal_;
    double agreed_;  ///< angular momentum is as exact as torques and turns agree
    int most_;
    TimeBudget& budget_;
    double best_ = infinity;
    double before_ = infinity, last_ = infinity;  ///< errors of the last two iterations
    int idle_ = 0;
};

}  // namespace armature

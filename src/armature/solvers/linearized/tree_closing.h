// Closes along a tree what a correction that had to stop early left open, without iterations: outward from what cannot
// move, each solid is shifted until the point that ties it to the one before holds, and turned the shortest way when it is
// a pin whose axes differ,
//   q ← (axis of its own → axis of the one before) q,    x ← x + (P of the one before − P of its own).
//
// Apart from that, turns stay as Newton's method left them, which is what its first iteration is already good at: a rod that
// was turned is put where its turn says instead of on the tangent. Shifts are no motion, velocities do not hear of them.
// Where nothing is held the centre of mass stays. Loops keep the gap of the joint that closes them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/linearized/tree_offsets.h"

namespace armature {

/// The joint that is farthest from holding.
struct LeftOpen {
    double worst = 0;  ///< m or rad
    int joint = -1;    ///< local
};

class TreeClosing {
  public:
    /// Moves and turns the solids of p, and says what is still open, round-off apart. Nothing is allocated the second time an
    /// island comes.
    LeftOpen close(CorrectionProblem& p);

  private:
    /// `to` is tied to `from`.
    struct Stride {
        int from, to;
        double mass;  ///< kg, of `to`
    };
    /// A stride that is a pin; body axes.
    struct Pin {
        int from, to;
        Vec3 axis_from, axis_to;
    };
    struct Walk {
        std::uint64_t fingerprint = 0;
        std::size_t joints = 0;
        std::vector<Stride> strides;        ///< each after the one that places its `from`
        std::vector<Pin> pins;              ///< in the same order
        std::vector<TieLanes> ties;         ///< of the strides
        std::vector<std::size_t> open;      ///< joints that no stride makes hold, or not all of
        std::vector<std::size_t> floating;  ///< where the strides of trees that nothing holds begin
    };
    static void make(const CorrectionProblem& p, Walk& walk);

    std::map<const Island*, Walk> walks_;
    std::vector<Vec3> offsets_;  ///< of the strides
};

}  // namespace armature

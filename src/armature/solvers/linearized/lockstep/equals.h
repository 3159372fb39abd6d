// Islands of one shape, corrected eight at a time: a crowd of figures, a field of pendulums.
//
// Two islands are of one shape when their joints tie the same bodies of theirs in the same way; masses, arms and where things are
// may differ. Their systems have one pattern, and each of them is a lane of lockstep.h.
//
// Every lane is begun, judged and ended by itself: what is in the others makes no difference to its bits. Who has arrived is
// handed out at once; what its lane goes on to compute until the last of the eight is there is nobody's.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "armature/solvers/linearized/lockstep/lockstep.h"

namespace armature {

class EqualIslands {
  public:
    static constexpr std::size_t at_a_time = lockstep::eight;

    EqualIslands();
    ~EqualIslands();
    /// What points into itself is made again.
    EqualIslands(const EqualIslands&);
    EqualIslands& operator=(const EqualIslands&);
    EqualIslands(EqualIslands&&) noexcept;
    EqualIslands& operator=(EqualIslands&&) noexcept;

    /// Sets of islands, by their index in the model, that may be corrected together. It depends on the model alone which are.
    const std::vector<std::vector<std::size_t>>& sets(const Model& model);

    /// Problems with islands of one set, up to so many, to their goals (goal.h). Those that are lost are as they were.
    void correct(std::span<CorrectionProblem* const> problems, std::span<TiedResult> results);

  private:
    struct Shape;
    struct Member {
        Shape* shape;
        std::vector<double> constants;  ///< its bodies' and its nodes'
    };
    void look_at(const Model& model);

    const Model* model_ = nullptr;  ///< whose sets these are, and
    std::uint64_t fingerprint_ = 0;
    std::vector<std::vector<std::size_t>> sets_;
    std::vector<std::unique_ptr<Shape>> shapes_;
    std::map<const Island*, Member> members_;
};

}  // namespace armature

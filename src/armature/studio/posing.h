// What a hand pulls while time stands still.
//
// The joints are made to hold with the pulled points at their targets, by the solver of the scene and nothing but the geometry:
// no forces, no velocities, no time. Only islands that a hand holds are touched. Limits hold, and what floors do not let in is
// pushed out of them without friction. A target is approached in strides. Where the joints would not hold, the hand gives way:
// the joints are made to hold without it from the compromise that was reached, so that it slides along the edge of what the
// structure can do; and strides are shortened when even that gets no nearer. What comes out is a function of the state and of the
// targets asked for, in their order.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "armature/sim/contacts.h"
#include "armature/sim/laws.h"
#include "armature/solvers/registry.h"

namespace armature::studio {

class Posing {
  public:
    /// `spec` with the drags of the scene and, after them, those that hands hold. Throws InputError.
    Posing(Spec spec, std::size_t scene_drags, double time);

    /// Moves the solids of the state, whose first arrays are those of the scene, towards the targets: at most a few strides.
    /// False when nothing moved any further. Drags without a target hold where they are.
    bool pull(State& state, const std::map<std::string, Pose>& targets);
    /// Where the target of a drag has come to.
    Pose target(const std::string& drag) const;
    /// All targets are where they were asked to be.
    bool arrived() const { return arrived_; }

  private:
    using Targets = std::map<std::string, Pose>;
    /// False, and everything is as before, when the joints do not hold so and the hands cannot give way.
    bool try_targets(const Targets& targets);
    /// Makes the joints hold without these hands, which then are where the solids came to. False, and state_ is of no use, when
    /// they do not.
    bool give_way(const Targets& targets);
    const std::vector<Island>& without_hands(const Targets& targets);
    double way_to(const Targets& targets) const;
    Targets part_of_the_way(Targets targets, double share) const;
    bool correct_island(std::size_t index, const Island& island, Solver& solver, int iterations);
    double worst_joint() const;
    bool enters_floor() const;
    bool holds() const;
    void come_to_rest();
    PoseKey& key_of(const std::string& drag);

    Model model_;
    std::size_t scene_bodies_, scene_joints_;
    Solver solver_;
    /// Newton's method finds no compromise between a hand and the joints; relaxation does.
    std::optional<Solver> relaxing_;
    std::vector<std::size_t> islands_;  ///< that a hand holds
    /// The same without the drags of these names: solvers know islands by their address, so each stays where it is.
    std::map<std::vector<std::string>, std::vector<Island>> loose_;
    State state_;
    double stride_ = infinity;  ///< m
    bool in_floor_ = false;     ///< a body that was last moved is in a floor
    double allowed_ = 0;        ///< m or rad: no joint may be further from holding
    double size_ = 1;           ///< m, of the largest island that is held
    bool arrived_ = true;

    LocalBodies local_, before_;
    std::vector<Vec3> moved_;
    std::vector<JointLoad> impulses_;
    Laws laws_;
    Contacts contacts_;
};

}  // namespace armature::studio

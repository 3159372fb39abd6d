// Dragging without equations [Lee, Baek, Kim, Hahn 2000]: joints are made to hold by one pass of compulsive motions over the
// structure, from what cannot give way outward (compulsive.h says how one solid moves, placing.h how a joint is met,
// structure.h what is walked over).
//
// One anchor on a tree:    one pass; every joint holds to round-off, whatever the gaps were. Cost: one placing per joint.
// Nothing fixed:           the root is placed at the mass-weighted mean of where each of its neighbours would have it (for each
//                          branch the two meet at c = (m1 c1 + m2 c2)/(m1 + m2), m2 that of the whole branch); then the pass
//                          from it; then all together is moved so that the centre of mass is where free motion had it, for
//                          joints cannot move it. Linear momentum is kept to round-off.
// Several anchors, limits: the tree hangs on one of them, and groups turn about its joints until the others are met
//                          (group_turns.h).
// Several anchors, loops:  sweeps of passes, one from each anchor in turn and one from either side of each cut, until all hold
//                          at once. The exponential rule alone cannot get there, for with s → 0 it turns nothing and a gap is
//                          only carried to and fro. In sweeps a solid turns about the point that leads on to the other
//                          anchors: that point is left where it was (for a chain this is FABRIK [Aristidou & Lasenby 2011]).
// Impossible targets:      when the largest gap has shrunk by less than a thousandth over thirty sweeps, what is left of it will
//                          not go. Drags then give way: the rest is met without them; then each hand is led towards its target
//                          in strides, as long as that brings it nearer with everything else in place. What remains is
//                          reported.
// After every pass all joints of the tree and all limits hold; only at anchors and cuts anything can be open.
#pragma once

#include <string>
#include <vector>

#include "armature/solvers/contract.h"
#include "armature/solvers/procedural/group_turns.h"
#include "armature/solvers/procedural/placing.h"
#include "armature/solvers/procedural/structure.h"

namespace armature {

class ProceduralSolver {
  public:
    static constexpr const char* name = "procedural";
    static constexpr const char* summary =
        "compulsive motion (Lee et al. 2000): one pass over a tree, no equations; for dragging, not for dynamics";
    /// Steps of any length are taken as they are, and their velocities are the displacements they made.
    static constexpr bool takes_any_step = true;
    static std::vector<std::string> refusals(const Model& model);

    explicit ProceduralSolver(const ProceduralSpec& parameters = {}) : parameters_(parameters) {}

    CorrectionReport correct(CorrectionProblem& problem);

  private:
    static std::size_t idx(int i) { return static_cast<std::size_t>(i); }
    const Structure& structure_of(const CorrectionProblem& problem);
    void sort_laws(const CorrectionProblem& problem);
    void pass(Placer& placer, const Component& c);
    void place_root(Placer& placer, const Component& c);
    void place_free(CorrectionProblem& problem, Placer& placer, const Component& c);
    void keep_centre(const Component& c);
    void relax(Placer& placer, const Component& c, CorrectionReport& report);
    void sweep(Placer& placer, const Component& c, bool with_drags);
    int main_anchor(const Component& c) const;
    /// A drag gives way, unless there is nothing else to hang on.
    bool yields(int closure) const { return structure_->link(closure).drag && closure != main_; }
    double worst_closure(const Placer& placer, const Component& c, bool yielding) const;
    bool sweep_until_met(Placer& placer, const Component& c, bool with_drags, int most);
    void point_hands(double most);
    double short_of_targets() const;
    void lead(Placer& placer, const Component& c);
    void pass_from(Placer& placer, int closure, int from, int to);
    const std::vector<Vec3>* points_to_keep(int body, int by, int closure);
    template <class Visit>
    void for_each_body(const Component& c, Visit visit) const {
        visit(c.root);
        for (int k = 0; k < c.strides; ++k) visit(structure_->strides()[idx(c.first_stride + k)].to);
    }

    ProceduralSpec parameters_;
    // Workspace; grows to the largest island and is then reused.
    std::vector<Structure> structures_;  ///< per island
    const Structure* structure_ = nullptr;
    PlacingContext context_;
    Floors floors_;
    GroupTurns groups_;
    std::vector<int> first_law_;
    std::vector<Stride> walk_;
    std::vector<Vec3> free_x_;  ///< where free motion ended
    std::vector<Vec3> keep_;
    std::vector<Vec3> saved_x_;
    std::vector<Quat> saved_q_;
    /// A drag that may give way: what it pulls, and where its tracker really is.
    struct Lead {
        int closure = 0, body = 0, tracker = 0;
        Vec3 target;
    };
    std::vector<Lead> leads_;
    int main_ = -1;         ///< the closure that the component at hand hangs on
    bool grouped_ = false;  ///< it is relaxed by turns of groups
    int sweeps_ = 0;
    double tolerance_ = 0;
    int max_sweeps_ = 0;
};
static_assert(Corrector<ProceduralSolver>);

}  // namespace armature

// The iterations of lockstep.h, for machines that work on two, four or eight numbers at once.
#include <algorithm>
#include <cmath>

#include "armature/solvers/linearized/lockstep/solve.h"

namespace armature {

namespace {

using namespace lockstep;
using lanes::V2;
using lanes::V4;
using lanes::V8;

/// Of a group of nodes, or of links, which are counted on after them.
int node_at(const Lockstep& l, std::size_t group, int lane) {
    if (group < l.nodes.size()) return l.nodes[group].node[static_cast<std::size_t>(lane)];
    std::size_t s = 0;
    while (group >= l.strands[s].number + l.strands[s].link.size()) ++s;
    const Strand& strand = l.strands[s];
    return strand.first_node + lane * strand.nodes_apart +
           static_cast<int>(group - strand.number) * strand.nodes_per_joint();
}

template <class V>
ARMATURE_INLINE BilateralNewton::Result iterate(const BilateralPlan& plan, Lockstep& l, double goal, int most_made,
                                                TimeBudget& budget) {
    BilateralNewton::Result result;
    NewtonProgress progress(goal, most_made, l.exact, budget);
    for (;;) {
        Most most;
        const bool first = result.iterations == 0;
        move_bodies<V>(l, first, most);
        // Somebody in a hurry takes what there is.
        const double turned2 = Most::of(most.turned2);
        if (!first && !(turned2 < largest_turn * largest_turn) && !budget.limited()) return result;
        measure<V>(l, first, most);
        balance<V>(l, most);
        double worst2 = 0;
        for (int lane = 0; lane < lockstep::eight; ++lane)
            if (!(most.error2.v[lane] <= worst2)) {
                worst2 = most.error2.v[lane];
                const int worst = node_at(l, static_cast<std::size_t>(most.error_at.v[lane]), lane);
                result.worst_joint = worst < 0 ? -1 : plan.nodes[static_cast<std::size_t>(worst)].joint;
            }
        result.worst = std::sqrt(worst2);
        const NewtonProgress::Squares squares{Most::of(most.left_move2), Most::of(most.left_turn2),
                                              std::max(Most::of(most.moved2), turned2)};
        if (const auto end = progress.judge(result.iterations, result.worst, squares)) {
            result.end = *end;
            return result;
        }
        fill<V>(l);
        solve<V>(l);
        ++result.iterations;
    }
}

BilateralNewton::Result iterate_plain(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                      TimeBudget& budget) {
    return iterate<V2>(plan, l, goal, most, budget);
}
ARMATURE_WIDE BilateralNewton::Result iterate_wide(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                                   TimeBudget& budget) {
    return iterate<V4>(plan, l, goal, most, budget);
}
ARMATURE_WIDEST BilateralNewton::Result iterate_widest(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                                       TimeBudget& budget) {
    return iterate<V8>(plan, l, goal, most, budget);
}

}  // namespace

BilateralNewton::Result iterate_lockstep(const BilateralPlan& plan, Lockstep& l, double goal, int most,
                                         TimeBudget& budget) {
    switch (lanes::machine()) {
        case lanes::Machine::widest:
            return iterate_widest(plan, l, goal, most, budget);
        case lanes::Machine::wide:
            return iterate_wide(plan, l, goal, most, budget);
        default:
            return iterate_plain(plan, l, goal, most, budget);
    }
}

}  // namespace armature

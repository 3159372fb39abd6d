// The iterations of lockstep.h, for machines that work on two, four or eight numbers at once.
#include <algorithm>
#include <cmath>

#include "armature/solvers/linearized/lockstep/solve.h"
#include "armature/solvers/linearized/lockstep/stages.h"

namespace armature {

using namespace lockstep;
using lanes::on_this_machine;

// Each in a function of its own: all of them in one took a compiler with sanitizers ten minutes.

void lockstep::move_all(Lockstep& l, bool first, bool ahead, Most& most) {
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { move_bodies<V>(l, first, ahead, most); });
}
void lockstep::measure_all(Lockstep& l, bool first, Most& most) {
    on_this_machine([&]<class V>() ARMATURE_LAMBDA {
        measure<V>(l, first, most);
        balance<V>(l, most);
    });
}
void lockstep::fill_all(Lockstep& l) {
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { fill<V>(l); });
}
void lockstep::solve_all(Lockstep& l) {
    on_this_machine([&]<class V>() ARMATURE_LAMBDA { solve<V>(l); });
}

int lockstep::worst_node(const Lockstep& l, const Most& most, int lane) {
    // Groups of nodes, then links, which are counted on after them.
    const auto group = static_cast<std::size_t>(most.error_at.v[lane]);
    if (group < l.nodes.size()) return l.nodes[group].node[static_cast<std::size_t>(lane)];
    std::size_t s = 0;
    while (group >= l.strands[s].number + l.strands[s].link.size()) ++s;
    const Strand& strand = l.strands[s];
    return strand.first_node + lane * strand.nodes_apart +
           static_cast<int>(group - strand.number) * strand.nodes_per_joint();
}

BilateralNewton::Result iterate_lockstep(const BilateralPlan& plan, Lockstep& l, double goal, int most_made,
                                         TimeBudget& budget) {
    BilateralNewton::Result result;
    result.flat = l.flat.has_value();
    NewtonProgress progress(goal, most_made, l.exact, budget);
    for (;;) {
        Most most;
        const bool first = result.iterations == 0;
        move_all(l, first, progress.expects_another(result.iterations), most);
        // Somebody in a hurry takes what there is.
        const double turned2 = Most::of(most.turned2);
        if (!first && !(turned2 < largest_turn * largest_turn) && !budget.limited()) return result;
        measure_all(l, first, most);
        double worst2 = 0;
        for (int lane = 0; lane < lockstep::eight; ++lane)
            if (!(most.error2.v[lane] <= worst2)) {
                worst2 = most.error2.v[lane];
                const int worst = worst_node(l, most, lane);
                result.worst_joint = worst < 0 ? -1 : plan.nodes[static_cast<std::size_t>(worst)].joint;
            }
        result.worst = std::sqrt(worst2);
        const NewtonProgress::Squares squares{Most::of(most.left_move2), Most::of(most.left_turn2),
                                              std::max(Most::of(most.moved2), turned2)};
        if (const auto end = progress.judge(result.iterations, result.worst, squares)) {
            result.end = *end;
            return result;
        }
        fill_all(l);
        solve_all(l);
        ++result.iterations;
    }
}

}  // namespace armature

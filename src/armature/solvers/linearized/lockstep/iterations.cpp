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

/// The stages of an iteration for one width. Functions of their own: all of them in one took a compiler with sanitizers ten minutes.
struct Stages {
    void (*move)(Lockstep&, bool first, Most&);
    void (*measure)(Lockstep&, bool first, Most&);
    void (*fill)(Lockstep&);
    void (*solve)(Lockstep&);
};

template <class V>
ARMATURE_INLINE void measure_and_balance(Lockstep& l, bool first, Most& most) {
    measure<V>(l, first, most);
    balance<V>(l, most);
}

void move_plain(Lockstep& l, bool first, Most& most) {
    move_bodies<V2>(l, first, most);
}
void measure_plain(Lockstep& l, bool first, Most& most) {
    measure_and_balance<V2>(l, first, most);
}
void fill_plain(Lockstep& l) {
    fill<V2>(l);
}
void solve_plain(Lockstep& l) {
    solve<V2>(l);
}
ARMATURE_WIDE void move_wide(Lockstep& l, bool first, Most& most) {
    move_bodies<V4>(l, first, most);
}
ARMATURE_WIDE void measure_wide(Lockstep& l, bool first, Most& most) {
    measure_and_balance<V4>(l, first, most);
}
ARMATURE_WIDE void fill_wide(Lockstep& l) {
    fill<V4>(l);
}
ARMATURE_WIDE void solve_wide(Lockstep& l) {
    solve<V4>(l);
}
ARMATURE_WIDEST void move_widest(Lockstep& l, bool first, Most& most) {
    move_bodies<V8>(l, first, most);
}
ARMATURE_WIDEST void measure_widest(Lockstep& l, bool first, Most& most) {
    measure_and_balance<V8>(l, first, most);
}
ARMATURE_WIDEST void fill_widest(Lockstep& l) {
    fill<V8>(l);
}
ARMATURE_WIDEST void solve_widest(Lockstep& l) {
    solve<V8>(l);
}

Stages stages_of_machine() {
    switch (lanes::machine()) {
        case lanes::Machine::widest:
            return {move_widest, measure_widest, fill_widest, solve_widest};
        case lanes::Machine::wide:
            return {move_wide, measure_wide, fill_wide, solve_wide};
        default:
            return {move_plain, measure_plain, fill_plain, solve_plain};
    }
}

}  // namespace

BilateralNewton::Result iterate_lockstep(const BilateralPlan& plan, Lockstep& l, double goal, int most_made,
                                         TimeBudget& budget) {
    const Stages stages = stages_of_machine();
    BilateralNewton::Result result;
    NewtonProgress progress(goal, most_made, l.exact, budget);
    for (;;) {
        Most most;
        const bool first = result.iterations == 0;
        stages.move(l, first, most);
        // Somebody in a hurry takes what there is.
        const double turned2 = Most::of(most.turned2);
        if (!first && !(turned2 < largest_turn * largest_turn) && !budget.limited()) return result;
        stages.measure(l, first, most);
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
        stages.fill(l);
        stages.solve(l);
        ++result.iterations;
    }
}

}  // namespace armature

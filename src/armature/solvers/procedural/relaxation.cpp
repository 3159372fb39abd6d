// Several anchors and loops: sweeps of passes until all hold at once.
#include <algorithm>

#include "armature/solvers/procedural/procedural.h"

namespace armature {

namespace {

/// Sweeps between two looks at whether anything still changes, and the share by which the largest gap must have shrunk.
constexpr int patience = 30;
constexpr double progress = 0.999;
/// What holds to a fixed solid is met this many times finer than a drag: nobody sees a hand lag, everybody a foot slip.
constexpr double fineness = 100;

}  // namespace

/// The points of a solid that lead on to the other closures; null when none does. `by`: the link it was reached by.
const std::vector<Vec3>* ProceduralSolver::points_to_keep(int body, int by, int closure) {
    keep_.clear();
    const auto add = [&](const Link& link) {
        if (link.point < 0) return;
        keep_.push_back((*context_.x)[idx(body)] + rotate((*context_.q)[idx(body)], link.point_on(body)));
    };
    structure_->neighbours(body, [&](const Neighbour& n) {
        if (n.link != by && n.closures_behind > 0) add(structure_->link(n.link));
    });
    structure_->closures_of(body, [&](int link) {
        if (link != closure) add(structure_->link(link));
    });
    return keep_.empty() ? nullptr : &keep_;
}

/// Meets one closure, of which `from` stays, and takes the whole component along.
void ProceduralSolver::pass_from(Placer& placer, int closure, int from, int to) {
    placer.place(structure_->link(closure), from, to, points_to_keep(to, -1, closure));
    walk_.clear();
    structure_->walk(to, walk_);
    for (const Stride& s : walk_)
        placer.place(structure_->link(s.link), s.from, s.to, points_to_keep(s.to, s.link, closure));
}

void ProceduralSolver::sweep(Placer& placer, const Component& c, bool with_drags) {
    const int movable = context_.island->dynamic_count;
    for (int k = 0; k < c.closures; ++k) {
        const int closure = structure_->closure(c.first_closure + k);
        const Link& link = structure_->link(closure);
        if (link.drag && !with_drags) continue;
        if (link.body1 < movable) pass_from(placer, closure, link.body2, link.body1);
        if (link.body2 < movable) pass_from(placer, closure, link.body1, link.body2);
    }
}

/// Of the anchors, one that is no drag if there is any; −1: there is none at all, or it does not hold a point.
int ProceduralSolver::main_anchor(const Component& c) const {
    for (int k = c.closures; k-- > 0;) {
        const int closure = structure_->closure(c.first_closure + k);
        const Link& link = structure_->link(closure);
        if (link.anchor && link.point >= 0) return closure;
    }
    return -1;
}

void ProceduralSolver::relax(Placer& placer, const Component& c, CorrectionReport& report) {
    const auto worst = [&](bool drags) {
        double e = 0;
        for (int k = 0; k < c.closures; ++k) {
            const Link& link = structure_->link(structure_->closure(c.first_closure + k));
            if (link.drag == drags) e = std::max(e, placer.error(link));
        }
        return e;
    };
    // With limits, the pass from one anchor and then turns of groups; without, passes from each.
    const int anchor = c.limited ? main_anchor(c) : -1;
    if (anchor >= 0) {
        const Link& held = structure_->link(anchor);
        const int root = held.body1 < context_.island->dynamic_count ? held.body1 : held.body2;
        pass_from(placer, anchor, held.other(root), root);
        groups_.begin(context_, *structure_, c, anchor, root);
    }
    bool with_drags = true;
    double before = infinity;
    int since = 0;
    for (int k = 0; k < max_sweeps_; ++k) {
        if (anchor >= 0)
            groups_.sweep(placer, with_drags);
        else
            sweep(placer, c, with_drags);
        report.iterations = std::max(report.iterations, k + 1);
        const double held = worst(false), dragged = with_drags ? worst(true) : 0;
        if (held <= tolerance_ / fineness && dragged <= tolerance_) return;
        if (++since < patience) continue;
        since = 0;
        const double now = std::max(held, dragged);
        if (!(now <= progress * before)) {
            const bool drags = structure_->link(structure_->closure(c.first_closure)).drag;
            if (!with_drags || !drags) {
                report.stalled = true;
                return;
            }
            with_drags = false;
            groups_.restart();
        }
        before = with_drags ? now : infinity;
    }
}

}  // namespace armature

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
/// Leading a hand that cannot arrive: the strides as shares of the size, and the sweeps spent on each before the pins are met.
constexpr double first_stride = 0.1, last_stride = 0.01;
constexpr int lead_sweeps = 10, lead_turns = 30;

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
    if (grouped_) return groups_.sweep(placer, with_drags);
    const int movable = context_.island->dynamic_count;
    for (int k = 0; k < c.closures; ++k) {
        const int closure = structure_->closure(c.first_closure + k);
        const Link& link = structure_->link(closure);
        if (!with_drags && yields(closure)) continue;
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

double ProceduralSolver::worst_closure(const Placer& placer, const Component& c, bool yielding) const {
    double e = 0;
    for (int k = 0; k < c.closures; ++k) {
        const int closure = structure_->closure(c.first_closure + k);
        if (yields(closure) == yielding) e = std::max(e, placer.error(structure_->link(closure)));
    }
    return e;
}

/// Sweeps until everything is met, or nothing changes any more.
bool ProceduralSolver::sweep_until_met(Placer& placer, const Component& c, bool with_drags, int most) {
    groups_.restart();
    double before = infinity;
    for (int k = 1; k <= most && sweeps_ < max_sweeps_; ++k) {
        sweep(placer, c, with_drags);
        ++sweeps_;
        const double held = worst_closure(placer, c, false), dragged = with_drags ? worst_closure(placer, c, true) : 0;
        if (held <= tolerance_ / fineness && dragged <= tolerance_) return true;
        if (k % patience != 0) continue;
        const double now = std::max(held, dragged);
        if (!(now <= progress * before)) return false;
        before = now;
    }
    return false;
}

void ProceduralSolver::relax(Placer& placer, const Component& c, CorrectionReport& report) {
    main_ = main_anchor(c);
    grouped_ = c.limited && main_ >= 0;
    sweeps_ = 0;
    // All that it may come to need, so that a hand that goes out of reach in a warm run allocates nothing.
    saved_x_.reserve(context_.x->size());
    saved_q_.reserve(context_.x->size());
    keep_.reserve(structure_->links().size());
    leads_.reserve(static_cast<std::size_t>(c.closures));
    walk_.reserve(context_.x->size());
    if (main_ >= 0) {
        const Link& held = structure_->link(main_);
        const int root = held.body1 < context_.island->dynamic_count ? held.body1 : held.body2;
        pass_from(placer, main_, held.other(root), root);
        if (grouped_) groups_.begin(context_, *structure_, c, main_, root);
    }
    leads_.clear();
    for (int k = 0; k < c.closures; ++k) {
        const int closure = structure_->closure(c.first_closure + k);
        const Link& link = structure_->link(closure);
        const int hand = link.body1 < context_.island->dynamic_count ? link.body1 : link.body2;
        if (yields(closure)) leads_.push_back({closure, hand, link.other(hand), (*context_.x)[idx(link.other(hand))]});
    }
    const double size = context_.island->size;
    point_hands(size);
    bool met = sweep_until_met(placer, c, true, max_sweeps_);
    point_hands(infinity);
    met = met && worst_closure(placer, c, true) <= tolerance_;
    if (!met && !leads_.empty()) {
        sweep_until_met(placer, c, false, max_sweeps_);
        lead(placer, c);
    } else if (!met) {
        report.stalled = sweeps_ < max_sweeps_;
    }
    report.iterations = std::max(report.iterations, sweeps_);
}

/// Each hand's tracker to its target, or this far on the way there from where the hand is.
void ProceduralSolver::point_hands(double most) {
    for (const Lead& l : leads_) {
        const Vec3 hand = (*context_.x)[idx(l.body)] +
                          rotate((*context_.q)[idx(l.body)], structure_->link(l.closure).point_on(l.body));
        const Vec3 way = l.target - hand;
        const double length = norm(way);
        (*context_.x)[idx(l.tracker)] = length > most ? hand + (most / length) * way : l.target;
    }
}

double ProceduralSolver::short_of_targets() const {
    double sum = 0;
    for (const Lead& l : leads_)
        sum += norm2(l.target - (*context_.x)[idx(l.body)] -
                     rotate((*context_.q)[idx(l.body)], structure_->link(l.closure).point_on(l.body)));
    return sum;
}

void ProceduralSolver::lead(Placer& placer, const Component& c) {
    const double size = context_.island->size;
    double best = short_of_targets();
    const auto swap_saved = [&] {
        std::size_t k = 0;
        for_each_body(c, [&](int b) {
            std::swap((*context_.x)[idx(b)], saved_x_[k]);
            std::swap((*context_.q)[idx(b)], saved_q_[k++]);
        });
    };
    const auto save = [&] {
        saved_x_.clear();
        saved_q_.clear();
        for_each_body(c, [&](int b) {
            saved_x_.push_back((*context_.x)[idx(b)]);
            saved_q_.push_back((*context_.q)[idx(b)]);
        });
    };
    for (double stride = first_stride * size; stride > last_stride * size && sweeps_ < max_sweeps_;) {
        save();
        point_hands(stride);
        sweep_until_met(placer, c, true, grouped_ ? lead_turns : lead_sweeps);
        point_hands(infinity);
        const bool pinned = sweep_until_met(placer, c, false, max_sweeps_);
        const double now = short_of_targets();
        if (pinned && now < best) {
            // Along a boundary that the way to the target meets at the angle π/2 − α a stride gains sin² α: below a degree it is done.
            if (std::sqrt(best) - std::sqrt(now) < 2e-4 * stride) stride *= 0.5;
            best = now;
        } else {
            swap_saved();
            stride *= 0.5;
        }
        if (worst_closure(placer, c, true) <= tolerance_) return;
    }
}

}  // namespace armature

#include "armature/solvers/procedural/procedural.h"

#include <algorithm>
#include <cmath>

#include "armature/solvers/procedural/compulsive.h"

namespace armature {

const Structure& ProceduralSolver::structure_of(const CorrectionProblem& problem) {
    const auto index = static_cast<std::size_t>(&problem.island - problem.model.islands.data());
    if (structures_.size() <= index) structures_.resize(index + 1);
    Structure& s = structures_[index];
    if (!s.fits(problem.model, problem.t)) s.make(problem.model, problem.island, problem.t);
    return s;
}

void ProceduralSolver::sort_laws(const CorrectionProblem& problem) {
    const bool any = problem.laws && !problem.laws->empty();
    context_.laws = any ? problem.laws : nullptr;
    if (!any) return;
    first_law_.assign(problem.island.joints.size() + 1, 0);
    for (const LawRow& row : *problem.laws) ++first_law_[idx(row.joint) + 1];
    for (std::size_t k = 1; k < first_law_.size(); ++k) first_law_[k] += first_law_[k - 1];
    context_.first_law = &first_law_;
}

CorrectionReport ProceduralSolver::correct(CorrectionProblem& problem) {
    structure_ = &structure_of(problem);
    context_.model = &problem.model;
    context_.island = &problem.island;
    context_.x = &problem.x;
    context_.q = &problem.q;
    context_.slack = problem.slack;
    sort_laws(problem);
    floors_.use(problem);
    free_x_ = problem.x;
    tolerance_ = problem.tolerance;
    max_sweeps_ = problem.max_iterations;
    Placer placer(context_, *structure_, floors_);

    CorrectionReport report;
    report.iterations = 1;
    report.converged = true;
    for (const Component& c : structure_->components()) {
        const bool one = c.closures == 1 && c.anchored;
        if (c.closures == 0)
            place_free(problem, placer, c);
        else if (one)
            pass(placer, c);
        else
            relax(placer, c, report);
        if (c.closures > 0 && !c.anchored) keep_centre(c);
    }
    for (const Link& link : structure_->links()) {
        if (link.point >= 0 && !link.anchor && context_.laws == nullptr && link.ball) continue;  // by construction
        const double e = placer.error(link);
        if (!(e <= report.worst_error)) {
            report.worst_error = e;
            report.worst_joint = problem.island.joints[idx(link.joint)].joint;
        }
    }
    report.converged = report.worst_error <= tolerance_;
    problem.moved.resize(problem.x.size());
    for (std::size_t i = 0; i < problem.x.size(); ++i) {
        problem.moved[i] = problem.x[i] - free_x_[i];
        if (floors_.none() || static_cast<int>(i) >= problem.island.dynamic_count) continue;
        if (floors_.deepest(static_cast<int>(i), problem.x, problem.q).depth > tolerance_) report.balanced = false;
    }
    problem.impulses.assign(problem.island.joints.size(), {});  // there are no forces here
    if (problem.laws)
        for (LawRow& row : *problem.laws) {
            const auto at = [&](int b) { return Placement{problem.x[idx(b)], to_matrix(problem.q[idx(b)])}; };
            row.lambda = 0;
            row.now = measure(*row.coordinate, at(row.body1), at(row.body2), row.turns_near);
        }
    return report;
}

/// From the one anchor outward.
void ProceduralSolver::pass(Placer& placer, const Component& c) {
    if (c.closures == 1) {
        const Link& anchor = structure_->link(structure_->closure(c.first_closure));
        placer.place(anchor, anchor.other(c.root), c.root);
    }
    for (int k = 0; k < c.strides; ++k) {
        const Stride& s = structure_->strides()[idx(c.first_stride + k)];
        placer.place(structure_->link(s.link), s.from, s.to);
    }
}

void ProceduralSolver::place_root(Placer& placer, const Component& c) {
    std::vector<Vec3>& x = *context_.x;
    std::vector<Quat>& q = *context_.q;
    const double own = context_.model->bodies[idx(context_.island->bodies[idx(c.root)])].mass;
    Vec3 turn, way;
    double weights = 0;
    structure_->neighbours(c.root, [&](const Neighbour& n) {
        const Link& link = structure_->link(n.link);
        if (link.point < 0) return;
        const Vec3 here = x[idx(c.root)] + rotate(q[idx(c.root)], link.point_on(c.root));
        const Vec3 there = x[idx(n.body)] + rotate(q[idx(n.body)], link.point_on(n.body));
        const double behind = structure_->mass_behind(n.body);
        const Vec3 target = meeting_point(own, here, behind, there);
        const Quat Q = link.ball ? placer.turn_to(link, c.root, here, target) : Quat{};
        const Vec3 r = here - x[idx(c.root)];
        turn += behind * log_rotation(Q);
        way += behind * (target - x[idx(c.root)] - rotate(Q, r));
        weights += behind;
    });
    if (!(weights > 0)) return;
    x[idx(c.root)] += way / weights;
    if (turn != Vec3{}) q[idx(c.root)] = turned(q[idx(c.root)], turn / weights);
}

/// Moves all of it so that the centre of mass is where free motion had it.
void ProceduralSolver::keep_centre(const Component& c) {
    Vec3 shift;
    for_each_body(c, [&](int b) {
        const double mass = context_.model->bodies[idx(context_.island->bodies[idx(b)])].mass;
        shift += mass * (free_x_[idx(b)] - (*context_.x)[idx(b)]);
    });
    for_each_body(c, [&](int b) { (*context_.x)[idx(b)] += shift / c.mass; });
}

void ProceduralSolver::place_free(CorrectionProblem& problem, Placer& placer, const Component& c) {
    if (c.strides > 0) {
        place_root(placer, c);
        pass(placer, c);
        keep_centre(c);
    }
    if (floors_.none()) return;
    const auto deepest = [&] {
        FloorPoint worst;
        for_each_body(c, [&](int b) {
            if (const FloorPoint p = floors_.deepest(b, problem.x, problem.q); p.depth > worst.depth) worst = p;
        });
        return worst;
    };
    for (int round = 0; round < 4 && deepest().depth > 0; ++round) {
        floors_.push_out(problem, c.root);
        pass(placer, c);
        const FloorPoint left = deepest();
        for_each_body(c, [&](int b) { problem.x[idx(b)] += left.depth * left.normal; });
    }
}

}  // namespace armature

// Points held in domains that leave them some freedom: what is wrong with them, and the push that puts it right.
#include <cmath>

#include "armature/solvers/displacement/displacement.h"

namespace armature {

PointError DisplacementSolver::measure_slider(const Slider& s) const {
    const double* from = s.bend.freedoms > 0 ? &s.bend.along : nullptr;
    PointError e = measure(*s.part, placement(s.pair.body1), placement(s.pair.body2), 0, from);
    if (s.slack > 0) loosen(e, s.slack);
    if (s.bend.freedoms > 0) {
        take_half_way(s, e);
        meet_at_particle(s.pair, e);
    }
    return e;
}

void DisplacementSolver::meet_at_particle(const Pair& pair, PointError& e) const {
    const auto is_particle = [&](int body) { return body < dynamic_count_ && mobility_[idx(body)].gyration == 0; };
    // C = P1 + d/2 for the arms; moved by −d/2 it is P1.
    if (!is_particle(pair.body1)) return;
    e.r1 -= 0.5 * e.d;
    e.r2 -= 0.5 * e.d;
}

DisplacementSolver::Bend DisplacementSolver::start_bend(const CorrectionProblem& problem, const Pair& pair,
                                                        const PointPart& part) const {
    const auto at = [&](int body) {
        return Placement{(*problem.start_x)[idx(body)], to_matrix((*problem.start_q)[idx(body)])};
    };
    const Placement b2 = at(pair.body2);
    const PointError e = measure(part, at(pair.body1), b2, 2 * tolerance_);
    return {e.freedoms == 3 ? 0 : e.freedoms, transposed_times(b2.R, e.r2), e.place.x, b2.R};
}

void DisplacementSolver::take_half_way(const Slider& s, PointError& e) const {
    if (e.freedoms != s.bend.freedoms) return;  // it has met the boundary, or left it
    const Mat3& R2 = R_[idx(s.pair.body2)];
    const Vec3 chord_2 = transposed_times(R2, e.r2) - s.bend.start_2;
    if (!(norm2(chord_2) > 1e-20)) return;  // nothing but round-off
    const Vec3 chord = normalized(R2 * chord_2 + s.bend.R2 * chord_2);
    const double along = dot(chord, e.free);
    const bool corner = e.freedoms == 1 ? along * along < 0.5 : along * along > 0.5;
    if (corner) return;
    e.free = e.freedoms == 1 ? chord : normalized(e.free - along * chord);
}

Vec3 DisplacementSolver::blocked_part(const PointError& e, const Vec3& v) {
    switch (e.freedoms) {
        case 0:
            return e.d == Vec3{} ? Vec3{} : v;
        case 1:
            return v - dot(v, e.free) * e.free;
        case 2:
            return dot(v, e.free) * e.free;
        default:
            return {};
    }
}

Vec3 DisplacementSolver::slider_impulse(const Slider& s, const PointError& e) const {
    if (s.info.alpha > 0) return s.info.alpha * e.d;
    const double d2 = norm2(e.d);
    if (!(d2 > 1e-60)) return {};  // nothing to correct, and no direction to correct it along
    const Vec3 u = e.d / std::sqrt(d2);
    const Vec3 r1 = arm1(s.arms, e.r1, e.d), r2 = arm2(s.arms, e.r2, e.d);
    const Vec3 c1 = cross(r1, u), c2 = cross(r2, u);
    if (s.bend.freedoms > 0) {
        const Vec3 push = normalized(blocked_part(e, u), u);
        const double k = dot(u, push) / s.info.reduced +
                         s.pair.side1 * dot(c1, inv_inertia_times(s.pair.body1, cross(r1, push))) +
                         s.pair.side2 * dot(c2, inv_inertia_times(s.pair.body2, cross(r2, push)));
        // The turns of a long lever can outweigh the push; then along d, as for domains that do not bend.
        if (k > 0.5 * dot(u, push) / s.info.reduced) return (std::sqrt(d2) / k) * push;
    }
    const double k = 1 / s.info.reduced + s.pair.side1 * dot(c1, inv_inertia_times(s.pair.body1, c1)) +
                     s.pair.side2 * dot(c2, inv_inertia_times(s.pair.body2, c2));
    return e.d / k;
}

}  // namespace armature

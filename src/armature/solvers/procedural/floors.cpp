#include "armature/solvers/procedural/floors.h"

#include <algorithm>
#include <cmath>

#include "armature/solvers/procedural/compulsive.h"

namespace armature {

double rise(const Vec3& arm, const Vec3& axis, const Vec3& normal, double height) {
    const double A = dot(normal, arm) - dot(normal, axis) * dot(arm, axis), B = dot(normal, cross(axis, arm));
    const double M = std::hypot(A, B), top = std::atan2(B, A);
    if (!(M > 0)) return 0;
    if (A + height >= M) return top;
    const double below = std::acos(std::clamp((A + height) / M, -1.0, 1.0));
    return top >= 0 ? top - below : top + below;
}

void Floors::use(const CorrectionProblem& problem) {
    rows_ = problem.contacts && !problem.contacts->empty() ? problem.contacts : nullptr;
    if (!rows_) return;
    first_.assign(problem.x.size() + 1, 0);
    for (const ContactRow& row : *rows_) ++first_[idx(row.body1) + 1];
    for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
}

FloorPoint Floors::at(const ContactRow& row, const std::vector<Vec3>& x, const std::vector<Quat>& q) const {
    FloorPoint p;
    p.point = x[idx(row.body1)] + rotate(q[idx(row.body1)], row.p1_G);
    p.normal = rotate(q[idx(row.body2)], row.normal_2);
    p.depth = dot(p.normal, x[idx(row.body2)] + rotate(q[idx(row.body2)], row.p2_G) - p.point);
    return p;
}

FloorPoint Floors::deepest(int body, const std::vector<Vec3>& x, const std::vector<Quat>& q) const {
    FloorPoint worst;
    if (none(body)) return worst;
    for (int k = first_[idx(body)]; k < first_[idx(body) + 1]; ++k)
        if (const FloorPoint p = at((*rows_)[idx(k)], x, q); p.depth > worst.depth) worst = p;
    return worst;
}

void Floors::push_out(const CorrectionProblem& problem, int body) const {
    if (none(body)) return;
    Vec3& x = problem.x[idx(body)];
    Quat& q = problem.q[idx(body)];
    const Body& b = problem.model.bodies[idx(problem.island.bodies[idx(body)])];
    double sum = 0, friction = 0;
    Vec3 point, normal, crept;
    for (int k = first_[idx(body)]; k < first_[idx(body) + 1]; ++k) {
        const ContactRow& row = (*rows_)[idx(k)];
        const FloorPoint p = at(row, problem.x, problem.q);
        if (!(p.depth > 0)) continue;
        sum += p.depth;
        point += p.depth * p.point;
        normal += p.depth * p.normal;
        friction += p.depth * row.friction;
        if (!problem.start_x) continue;
        const auto before = [&](int l, const Vec3& p_G) {
            return (*problem.start_x)[idx(l)] + rotate((*problem.start_q)[idx(l)], p_G);
        };
        const Vec3 p_2 = rotate_back(problem.q[idx(row.body2)], p.point - problem.x[idx(row.body2)]);
        crept += p.depth * ((p.point - before(body, row.p1_G)) - (p.point - before(row.body2, p_2)));
    }
    const double length = norm(normal);
    if (!(sum > 0) || !(length > 0)) return;
    point = point / sum;
    const Vec3 n = normal / length, r = point - x;
    const double depth = deepest(body, problem.x, problem.q).depth;
    if (!b.particle) {
        const double reach = percussion(0.5 * trace(b.inertia_G) / b.mass, norm2(r));
        const Quat Q = following_turn(reach * r, depth * n);
        if (Q.x != 0 || Q.y != 0 || Q.z != 0) q = normalized(Q * q);
    }
    Vec3 slid = crept / sum;
    slid -= dot(slid, n) * n;
    const double way = norm(slid), held = std::min(way, friction / sum * depth);
    if (way > 0) x -= (held / way) * slid;
    for (int k = 0; k < 4; ++k) {  // once for each of the planes of a corner, and once more
        const FloorPoint left = deepest(body, problem.x, problem.q);
        if (!(left.depth > 0)) return;
        x += left.depth * left.normal;
    }
}

}  // namespace armature

#include "armature/solvers/linearized/gradients.h"

#include <algorithm>

#include "armature/solvers/linearized/dense_factor.h"

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

void ConjugateGradients::factor_blocks(const PackedSystem& s) {
    const std::size_t joints = s.joints->size();
    block_at_.resize(joints);
    std::size_t used = 0;
    for (std::size_t k = 0; k < joints; ++k) {
        block_at_[k] = used;
        used += idx(s.size(k)) * idx(s.size(k));
    }
    blocks_.resize(used);
    for (std::size_t k = 0; k < joints; ++k) {
        const int n = s.size(k);
        const PackedRow* rows = s.rows.data() + s.first[k];
        double* D = blocks_.data() + block_at_[k];
        const double m1 = s.inv_mass[idx((*s.joints)[k].body1)], m2 = s.inv_mass[idx((*s.joints)[k].body2)];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                D[i * n + j] = PackedSystem::through(m1, rows[i], 0, rows[j], 0) +
                               PackedSystem::through(m2, rows[i], 1, rows[j], 1) + (i == j ? rows[i].added : 0);
        with_size(n, [&](auto size) { factor_dense<size()>(D, n); });
    }
}

void ConjugateGradients::precondition(const PackedSystem& s, const std::vector<double>& r,
                                      std::vector<double>& z) const {
    z = r;
    for (std::size_t k = 0; k < s.joints->size(); ++k)
        with_size(s.size(k), [&](auto size) {
            solve_dense<size()>(blocks_.data() + block_at_[k], s.size(k), z.data() + s.first[k]);
        });
}

void ConjugateGradients::multiply(const PackedSystem& s, const std::vector<double>& p, std::vector<double>& Ap) {
    move_.assign(s.inv_mass.size(), Vec3{});
    turn_.assign(s.inv_mass.size(), Vec3{});
    for (std::size_t k = 0; k < s.joints->size(); ++k) {
        const std::size_t b1 = idx((*s.joints)[k].body1), b2 = idx((*s.joints)[k].body2);
        Vec3 force, turn1, turn2;
        for (std::size_t i = s.first[k]; i < s.first[k + 1]; ++i) {
            force += p[i] * s.rows[i].force;
            turn1 += p[i] * s.rows[i].turn[0];
            turn2 += p[i] * s.rows[i].turn[1];
        }
        move_[b1] += s.inv_mass[b1] * force;
        move_[b2] -= s.inv_mass[b2] * force;
        turn_[b1] += turn1;
        turn_[b2] += turn2;
    }
    for (std::size_t k = 0; k < s.joints->size(); ++k) {
        const std::size_t b1 = idx((*s.joints)[k].body1), b2 = idx((*s.joints)[k].body2);
        const Vec3 apart = move_[b1] - move_[b2];
        for (std::size_t i = s.first[k]; i < s.first[k + 1]; ++i)
            Ap[i] = dot(s.rows[i].linear, apart) + dot(s.rows[i].angular[0], turn_[b1]) +
                    dot(s.rows[i].angular[1], turn_[b2]) + s.rows[i].added * p[i];
    }
}

int ConjugateGradients::solve(const PackedSystem& system, std::vector<double>& x, int most, double share) {
    factor_blocks(system);
    r_ = x;
    std::fill(x.begin(), x.end(), 0.0);
    Ap_.resize(x.size());
    precondition(system, r_, z_);
    p_ = z_;
    double rz = product(r_, z_);
    const double goal = share * share * rz;
    int made = 0;
    while (made < most && rz > goal) {
        multiply(system, p_, Ap_);
        const double pAp = product(p_, Ap_);
        if (!(pAp > 0)) break;  // nothing that could be reached is left
        const double alpha = rz / pAp;
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += alpha * p_[i];
            r_[i] -= alpha * Ap_[i];
        }
        precondition(system, r_, z_);
        const double next = product(r_, z_);
        const double beta = next / rz;
        rz = next;
        for (std::size_t i = 0; i < x.size(); ++i) p_[i] = z_[i] + beta * p_[i];
        ++made;
    }
    return made;
}

}  // namespace armature

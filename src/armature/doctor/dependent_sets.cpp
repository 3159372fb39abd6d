#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "armature/doctor/dense.h"
#include "armature/doctor/groups.h"

namespace armature::doctor {

namespace {

constexpr std::size_t most_sets = 200;
constexpr std::size_t most_visits = 5000;
/// N has orthonormal columns: what is smaller is the round-off of its decomposition.
constexpr double zero = 1e-6;

/// Rows of a matrix by joint.
using RowsOfJoint = std::map<JointId, std::vector<int>>;

RowsOfJoint blocks_of(const std::vector<HeldRow>& rows) {
    RowsOfJoint blocks;
    for (std::size_t i = 0; i < rows.size(); ++i) blocks[rows[i].joint].push_back(static_cast<int>(i));
    return blocks;
}

/// Gauss–Jordan on the columns: every column then has a row of its own, and few others. The columns of a direct sum fall
/// apart into those of its parts.
Matrix reduced_columns(Matrix N) {
    std::vector<bool> used(static_cast<std::size_t>(N.rows()), false);
    for (int c = 0; c < N.cols(); ++c) {
        int pivot = -1;
        for (int r = 0; r < N.rows(); ++r)
            if (!used[static_cast<std::size_t>(r)] &&
                (pivot < 0 || std::fabs(N(r, c)) > std::fabs(N(pivot, c)) * (1 + 1e-9)))
                pivot = r;
        if (pivot < 0 || std::fabs(N(pivot, c)) < zero) continue;
        used[static_cast<std::size_t>(pivot)] = true;
        scale(N.col(c), 1 / N(pivot, c));
        for (int other = 0; other < N.cols(); ++other)
            if (other != c) add(N.col(other), -N(pivot, other), N.col(c));
    }
    return N;
}

/// Columns that share a joint, directly or through others, belong to one part.
std::vector<std::vector<int>> parts_of(const Matrix& Z, const RowsOfJoint& blocks) {
    std::vector<int> part(static_cast<std::size_t>(Z.cols()));
    std::iota(part.begin(), part.end(), 0);
    for (const auto& [joint, rows] : blocks) {
        int first = -1;
        for (int c = 0; c < Z.cols(); ++c) {
            const bool touches =
                std::any_of(rows.begin(), rows.end(), [&](auto r) { return std::fabs(Z(r, c)) > zero; });
            if (!touches) continue;
            const int mine = part[static_cast<std::size_t>(c)];
            if (first < 0) first = mine;
            const int keep = std::min(first, mine), drop = std::max(first, mine);
            for (int& p : part)
                if (p == drop) p = keep;
            first = keep;
        }
    }
    std::map<int, std::vector<int>> columns;
    for (int c = 0; c < Z.cols(); ++c) columns[part[static_cast<std::size_t>(c)]].push_back(c);
    std::vector<std::vector<int>> out;
    for (auto& [root, list] : columns) out.push_back(std::move(list));
    return out;
}

class Enumeration {
  public:
    Enumeration(const Matrix& N, const RowsOfJoint& blocks, Groups& out) : out_(out) {
        for (const auto& [joint, rows] : blocks) {
            const Matrix of_joint = some_rows(N, rows);
            if (norm(of_joint) < zero) continue;  // takes part in no dependency
            joints_.push_back(joint);
            N_.push_back(of_joint);
        }
    }
    void run() { extend(std::vector<bool>(joints_.size(), false), N_); }

  private:
    /// `M` are the N_j Y of the joints that are not in T. They are taken along instead of Y: near the end of a branch Y has few
    /// columns, and multiplying by all of its rows again for every joint of every set was what the doctor spent minutes with.
    void extend(std::vector<bool> T, const std::vector<Matrix>& M) {
        for (std::size_t j = 0; j < T.size(); ++j)
            if (!T[j] && norm(M[j]) < zero) T[j] = true;
        if (!out_.complete || !visited_.insert(T).second) return;
        if (visited_.size() > most_visits || found_.size() >= most_sets) {
            out_.complete = false;
            return;
        }
        bool maximal = true;
        std::vector<Matrix> next(M.size());
        for (std::size_t j = 0; j < T.size() && out_.complete; ++j) {
            if (T[j]) continue;
            const RankOf left = rank_below(M[j], zero);
            if (left.null_space.cols() == 0) continue;
            maximal = false;
            std::vector<bool> more = T;
            more[j] = true;
            for (std::size_t k = 0; k < more.size(); ++k)
                if (!more[k]) next[k] = M[k] * left.null_space;
            extend(std::move(more), next);
        }
        if (!maximal) return;
        JointSet set;
        for (std::size_t j = 0; j < T.size(); ++j)
            if (!T[j]) set.push_back(joints_[j]);
        if (found_.insert(set).second) out_.sets.push_back(std::move(set));
    }

    Groups& out_;
    std::vector<JointId> joints_;
    std::vector<Matrix> N_;
    std::set<std::vector<bool>> visited_;
    std::set<JointSet> found_;
};

/// Directions that span the same space as the columns of `vectors`, along the axes where they can be.
std::vector<Vec3> readable_directions(const Matrix& vectors) {
    const Matrix basis = reduced_columns(span_of(vectors, zero));
    std::vector<Vec3> out;
    for (int c = 0; c < basis.cols(); ++c) out.push_back(normalized(Vec3{basis(0, c), basis(1, c), basis(2, c)}));
    std::sort(out.begin(), out.end(), [](const Vec3& a, const Vec3& b) {
        const auto key = [](const Vec3& u) { return std::pair(std::round(-u.x * 1e6), std::round(-u.y * 1e6)); };
        return key(a) < key(b);
    });
    return out;
}

}  // namespace

Groups dependent_sets(const Mechanism& mechanism, const Placing& at, const JointSet& joints, double tolerance) {
    Groups out;
    const std::vector<HeldRow> rows = mechanism.rows(at, joints, false);
    if (rows.empty()) return out;
    const Matrix N = rank_of(transposed(jacobian(mechanism, rows)), tolerance).null_space;
    if (N.cols() == 0) return out;
    const RowsOfJoint blocks = blocks_of(rows);
    const Matrix Z = reduced_columns(N);
    for (const std::vector<int>& columns : parts_of(Z, blocks)) {
        const Matrix part = some_columns(Z, columns);
        // One part that has too many must not keep the next from being looked at.
        Groups of_part;
        Enumeration(span_of(part, zero), blocks, of_part).run();
        out.complete = out.complete && of_part.complete;
        std::move(of_part.sets.begin(), of_part.sets.end(), std::back_inserter(out.sets));
    }
    std::stable_sort(out.sets.begin(), out.sets.end(), [](const JointSet& a, const JointSet& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return out;
}

Stress stress_at(const Mechanism& mechanism, const Placing& at, const JointSet& set, JointId joint, double tolerance) {
    const std::vector<HeldRow> rows = mechanism.rows(at, set, false);
    Stress out;
    if (rows.empty()) return out;
    const Matrix N = rank_of(transposed(touched_columns(jacobian(mechanism, rows))), tolerance).null_space;
    out.count = N.cols();
    if (N.cols() == 0) return out;
    Matrix force(3, N.cols()), torque = force;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].joint != joint) continue;
        const Matrix share = some_rows(N, static_cast<int>(i), 1);
        out.thread = out.thread || (rows[i].what == Blocks::thread && norm(share) > zero);
        const bool turns = rows[i].what == Blocks::rotation;
        Matrix& sum = turns ? torque : force;
        const Vec3 n = turns ? rows[i].angular1 : rows[i].linear;
        for (int c = 0; c < N.cols(); ++c)
            for (int k = 0; k < 3; ++k) sum(k, c) += n[k] * share(0, c);
    }
    out.forces = readable_directions(force);
    out.torques = readable_directions(torque);
    return out;
}

}  // namespace armature::doctor

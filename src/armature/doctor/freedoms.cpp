#include "armature/doctor/freedoms.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace armature::doctor {

namespace {

/// A solid that moves by less than this share of the farthest one stands still.
constexpr double still = 1e-6;

int at_column(const Mechanism& m, int body) {
    return m.first_column(body);
}
Matrix of_body(const Mechanism& m, const Matrix& V, int body) {
    return some_rows(V, at_column(m, body), m.columns_of(body));
}

/// Steps over joints from `start` to every other solid; what cannot be reached is far.
std::vector<int> distances(const Mechanism& m, int start) {
    std::vector<int> distance(static_cast<std::size_t>(m.bodies()), m.bodies());
    std::deque<int> open = {start};
    distance[static_cast<std::size_t>(start)] = 0;
    while (!open.empty()) {
        const int b = open.front();
        open.pop_front();
        for (const Island::LocalJoint& j : m.island().joints) {
            if (j.body1 != b && j.body2 != b) continue;
            const int other = j.body1 == b ? j.body2 : j.body1;
            if (other >= m.bodies() || distance[static_cast<std::size_t>(other)] < m.bodies()) continue;
            distance[static_cast<std::size_t>(other)] = distance[static_cast<std::size_t>(b)] + 1;
            open.push_back(other);
        }
    }
    return distance;
}

std::vector<int> farthest_first(const Mechanism& m, int start) {
    const std::vector<int> distance = distances(m, start);
    std::vector<int> order;
    for (int b = 0; b < m.bodies(); ++b) order.push_back(b);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return distance[static_cast<std::size_t>(a)] > distance[static_cast<std::size_t>(b)];
    });
    return order;
}

int moving_solids(const Mechanism& m, const Matrix& V) {
    int count = 0;
    for (int b = 0; b < m.bodies(); ++b) count += norm(of_body(m, V, b)) > still;
    return count;
}

/// The six motions of the whole as of one solid, about the mean of its centres; fewer when it cannot tell some apart.
Matrix rigid_motions(const Mechanism& m, const Placing& at) {
    Vec3 centre;
    for (int b = 0; b < m.bodies(); ++b) centre += at.x[static_cast<std::size_t>(b)] / m.bodies();
    Matrix R(m.columns(), 6);
    for (int b = 0; b < m.bodies(); ++b)
        for (int k = 0; k < 3; ++k) {
            const Vec3 e{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
            const Vec3 v = cross(e, at.x[static_cast<std::size_t>(b)] - centre) / m.length();
            for (int i = 0; i < 3; ++i) {
                R(at_column(m, b) + i, k) = e[i];
                R(at_column(m, b) + i, 3 + k) = v[i];
                if (m.columns_of(b) == 6) R(at_column(m, b) + 3 + i, 3 + k) = e[i];
            }
        }
    Matrix kept(m.columns(), 0);
    for (int c = 0; c < 6; ++c) {
        Matrix more = kept;
        more.append(R.col(c));
        if (rank_of(more).rank == more.cols()) kept = more;
    }
    return kept;
}

/// Adds what is not in the span of `chosen` yet.
class Basis {
  public:
    explicit Basis(int dimension) : orthonormal_(dimension, 0) {}
    Vector residue(const Vector& y) const { return y - orthonormal_ * transposed_times(orthonormal_, y); }
    bool spans(const Matrix& Y) const {
        return norm(Y - orthonormal_ * transposed_times(orthonormal_, Y)) < 1e-6 * std::max(1.0, norm(Y));
    }
    void add(const Vector& y) {
        orthonormal_.append(normalized(residue(residue(y))));  // twice is enough [Parlett]
    }
    int size() const { return orthonormal_.cols(); }
    Matrix complement() const { return rank_below(transposed(orthonormal_), 0.5).null_space; }

  private:
    Matrix orthonormal_;
};

/// Y such that V Y moves as few solids as can be and is not all known already.
Matrix held_fast(const Mechanism& m, const Matrix& V, const std::vector<int>& order, const Basis& known) {
    Matrix Y = Matrix::identity(V.cols());
    for (const int b : order) {
        const RankOf left = rank_below(of_body(m, V, b) * Y, still);
        if (left.null_space.cols() == 0 || left.rank == 0) continue;
        const Matrix fewer = Y * left.null_space;
        if (!known.spans(fewer)) Y = fewer;
    }
    return Y;
}

/// Combinations of the columns with turns about the axes first, then ways along them: what a person would call them.
Matrix along_the_axes(const Mechanism& m, Matrix W) {
    std::vector<int> order;
    for (int b = 0; b < m.bodies(); ++b)
        for (int k = 3; k < m.columns_of(b); ++k) order.push_back(at_column(m, b) + k);
    for (int b = 0; b < m.bodies(); ++b)
        for (int k = 0; k < 3; ++k) order.push_back(at_column(m, b) + k);
    int done = 0;
    for (const int row : order) {
        if (done == W.cols()) break;
        int pivot = done;
        for (int c = done; c < W.cols(); ++c)
            if (std::fabs(W(row, c)) > std::fabs(W(row, pivot))) pivot = c;
        if (std::fabs(W(row, pivot)) < 1e-4) continue;
        std::swap_ranges(W.col(done).begin(), W.col(done).end(), W.col(pivot).begin());
        scale(W.col(done), 1 / W(row, done));
        for (int c = 0; c < W.cols(); ++c)
            if (c != done) add(W.col(c), -W(row, c), W.col(done));
        ++done;
    }
    return W;
}

/// The solid that is left in place when the whole floats: the one with most joints.
int reference_solid(const Mechanism& m) {
    std::vector<int> joints(static_cast<std::size_t>(m.bodies()), 0);
    for (const Island::LocalJoint& j : m.island().joints)
        for (const int b : {j.body1, j.body2})
            if (b < m.bodies()) ++joints[static_cast<std::size_t>(b)];
    int best = -1;
    for (int b = 0; b < m.bodies(); ++b)
        if (m.columns_of(b) == 6 &&
            (best < 0 || joints[static_cast<std::size_t>(b)] > joints[static_cast<std::size_t>(best)]))
            best = b;
    return best;
}

void normalise(const Mechanism& m, Vector& dq) {
    double most = 0;
    for (int b = 0; b < m.bodies(); ++b)
        for (int part = 0; part < m.columns_of(b); part += 3)
            most = std::max(most, norm(three(dq, at_column(m, b) + part)));
    if (most > 0) scale(dq, 1 / most);
    for (double& x : dq)
        if (std::fabs(x) < 1e-9) x = 0;
}

/// Motions of one solid alone. The columns of V are orthonormal: V_b y is as long as y exactly where no other solid moves.
void add_lone_motions(const Mechanism& m, const Matrix& V, Basis& known, std::vector<Vector>& out) {
    for (int b = 0; b < m.bodies(); ++b) {
        const Matrix alone = span_of(of_body(m, V, b), 1 - 1e-7);
        if (alone.cols() == 0) continue;
        Matrix W(V.rows(), alone.cols());
        for (int c = 0; c < W.cols(); ++c)
            std::copy(alone.col(c).begin(), alone.col(c).end(), W.col(c).begin() + at_column(m, b));
        W = along_the_axes(m, W);
        for (int c = 0; c < W.cols(); ++c) {
            known.add(transposed_times(V, W.col(c)));
            out.emplace_back(W.col(c));
        }
    }
}

/// Where there are too many solids to try what can be held: echelon form, in which every motion has a number of its own.
void add_the_rest(const Mechanism& m, const Matrix& V, const Basis& known, std::vector<Vector>& out) {
    const Matrix W = along_the_axes(m, V * known.complement());
    for (int c = 0; c < W.cols(); ++c) out.emplace_back(W.col(c));
}

std::vector<Vector> sparse_basis(const Mechanism& m, const Matrix& V) {
    std::vector<Vector> out;
    Basis known(V.cols());
    add_lone_motions(m, V, known, out);
    if (V.cols() * m.bodies() > 4000) {
        add_the_rest(m, V, known, out);
        return out;
    }
    // Every solid as the one to end with, where there are few enough of them.
    const int work = V.cols() * m.bodies();
    const int starts = std::clamp(2000 / std::max(1, work), 1, m.bodies());
    while (known.size() < V.cols()) {
        Matrix best;
        int fewest = m.bodies() + 1;
        for (int s = 0; s < starts; ++s) {
            const Matrix Y = held_fast(m, V, farthest_first(m, m.bodies() - 1 - s), known);
            if (const int count = moving_solids(m, V * Y); count < fewest) {
                fewest = count;
                best = Y;
            }
        }
        const Matrix W = along_the_axes(m, V * best);
        bool any = false;
        for (int c = 0; c < W.cols() && known.size() < V.cols(); ++c) {
            const Vector y = transposed_times(V, W.col(c));
            // The last one has to be taken even when it is nearly known, or the search would not end.
            if (norm(known.residue(y)) < 1e-4 * norm(y) && (any || c + 1 < W.cols())) continue;
            any = true;
            known.add(y);
            out.emplace_back(W.col(c));
        }
    }
    return out;
}

}  // namespace

std::vector<FoundFreedom> readable_freedoms(const Mechanism& m, const Placing& at, const Matrix& null_space) {
    std::vector<FoundFreedom> out;
    Matrix rest = null_space;
    if (!m.tied_to_the_world()) {
        const Matrix whole = rigid_motions(m, at);
        for (int c = 0; c < whole.cols(); ++c) out.push_back({FreedomClass::floating, Vector(whole.col(c))});
        const int reference = reference_solid(m);
        if (reference >= 0)
            rest = rest * rank_below(of_body(m, rest, reference), still).null_space;
        else  // particles only: at right angles to the whole
            rest = rest * rank_below(transposed_times(whole, rest), still).null_space;
    }
    if (rest.cols() > 0)
        for (Vector& dq : sparse_basis(m, rest)) out.push_back({FreedomClass::internal, std::move(dq)});
    for (FoundFreedom& f : out) normalise(m, f.dq);
    return out;
}

}  // namespace armature::doctor

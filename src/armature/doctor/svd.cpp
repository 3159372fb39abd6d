#include "armature/doctor/svd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace armature::doctor {

namespace {

constexpr double round_off = std::numeric_limits<double>::epsilon();
/// QR steps for one σ. Two or three are usual; a matrix with a number that is not finite must come to an end too.
constexpr int most_qr_steps = 60;

Column from(Column a, int first) {
    return a.subspan(static_cast<std::size_t>(first));
}

/// Makes v of x such that (I − v vᵀ) x = (r, 0, 0, …); returns r.
double reflection(Column x) {
    const double length = norm(x);
    if (!(length > 0)) {
        std::fill(x.begin(), x.end(), 0.0);
        return 0;
    }
    const double r = x[0] > 0 ? -length : length;
    x[0] -= r;
    scale(x, 1 / std::sqrt(-r * x[0]));
    return r;
}

void reflect(ConstColumn v, Column x) {
    add(x, -dot(v, x), v);
}

/// A with at least as many rows as columns, as U B Vᵀ. The reflections stay: those from the left in the columns of A from
/// the diagonal on, those from the right in `right`.
struct Bidiagonal {
    Matrix A, right;
    Vector d, e;  ///< e_k stands right of d_k

    explicit Bidiagonal(Matrix matrix)
        : A(std::move(matrix)), right(A.cols(), A.cols()), d(A.cols()), e(std::max(0, A.cols() - 1)) {
        for (int k = 0; k < A.cols(); ++k) {
            const Column v = from(A.col(k), k);
            d[k] = reflection(v);
            for (int c = k + 1; c < A.cols(); ++c) reflect(v, from(A.col(c), k));
            if (k + 1 < A.cols()) reflect_rows(k);
        }
    }

    void reflect_rows(int k) {
        const Column v = from(right.col(k), k + 1);
        for (int c = k + 1; c < A.cols(); ++c) right(c, k) = A(k, c);
        e[k] = reflection(v);
        Vector w(A.rows() - k - 1);
        for (int c = k + 1; c < A.cols(); ++c) add(w, right(c, k), from(A.col(c), k + 1));
        for (int c = k + 1; c < A.cols(); ++c) add(from(A.col(c), k + 1), -right(c, k), w);
    }

    Matrix U(int columns) const {
        Matrix out(A.rows(), columns);
        for (int c = 0; c < columns; ++c) out(c, c) = 1;
        for (int k = A.cols() - 1; k >= 0; --k)
            for (int c = k; c < columns; ++c)
                reflect(A.col(k).subspan(static_cast<std::size_t>(k)), from(out.col(c), k));
        return out;
    }
    Matrix V() const {
        Matrix out = Matrix::identity(A.cols());
        for (int k = A.cols() - 2; k >= 0; --k)
            for (int c = k + 1; c < A.cols(); ++c)
                reflect(right.col(k).subspan(static_cast<std::size_t>(k) + 1), from(out.col(c), k + 1));
        return out;
    }
};

struct Rotation {
    double c = 1, s = 0;
    double length = 0;
    /// Takes (y, z) to (length, 0).
    Rotation(double y, double z) : length(std::hypot(y, z)) {
        if (!(length > 0)) return;
        c = y / length;
        s = z / length;
    }
    void turn(double& a, double& b) const {
        const double was = a;
        a = c * was + s * b;
        b = c * b - s * was;
    }
    void turn(Column a, Column b) const {
        for (std::size_t i = 0; i < a.size(); ++i) turn(a[i], b[i]);
    }
};

/// Where the shift of the block that ends at `last` would be: of the two eigenvalues of the last 2 × 2 of BᵀB the one
/// nearer to its last number. As a singular value, ≥ 0.
double wilkinson(const Vector& d, const Vector& e, int first, int last) {
    const double above = last - 2 >= first ? e[last - 2] : 0;
    const double a = d[last - 1] * d[last - 1] + above * above;
    const double b = d[last - 1] * e[last - 1];
    const double c = d[last] * d[last] + e[last - 1] * e[last - 1];
    const double half = (a - c) / 2;
    const double root = std::hypot(half, b);
    const double shift = root > 0 ? c - b * b / (half + (half < 0 ? -root : root)) : c;
    return std::sqrt(std::max(0.0, shift));
}

/// One QR step on the rows first … last of B. What turns its columns turns those of V, what turns its rows those of U;
/// of the two at most one is wanted.
void qr_step(Vector& d, Vector& e, int first, int last, double shift, Matrix* U, Matrix* V) {
    double y = shift == 0 ? d[first] : (d[first] - shift) * (1 + shift / d[first]);
    double z = e[first];
    for (int k = first; k < last; ++k) {
        const Rotation right(y, z);
        if (k > first) e[k - 1] = right.length;
        right.turn(d[k], e[k]);
        double bulge = 0;
        right.turn(bulge, d[k + 1]);
        if (V != nullptr) right.turn(V->col(k), V->col(k + 1));

        const Rotation left(d[k], bulge);
        d[k] = left.length;
        left.turn(e[k], d[k + 1]);
        if (U != nullptr) left.turn(U->col(k), U->col(k + 1));
        if (k + 1 == last) break;
        y = e[k];
        z = 0;
        left.turn(z, e[k + 1]);
    }
}

void diagonalise(Vector& d, Vector& e, Matrix* U, Matrix* V) {
    const double zero = round_off * std::max(largest(d), largest(e));
    int steps = most_qr_steps * d.size();
    for (int last = d.size() - 1; last > 0;) {
        if (std::fabs(e[last - 1]) <= zero) {
            --last;
            continue;
        }
        if (--steps < 0) return;
        int first = last - 1;
        while (first > 0 && std::fabs(e[first - 1]) > zero) --first;
        // Where d has a zero the block is singular: a step with its singular value, zero, splits it.
        bool singular = false;
        for (int k = first; k <= last; ++k)
            if (std::fabs(d[k]) <= zero) {
                d[k] = 0;
                singular = true;
            }
        qr_step(d, e, first, last, singular ? 0 : wilkinson(d, e, first, last), U, V);
    }
}

}  // namespace

SingularValues singular(const Matrix& A, Vectors vectors) {
    const bool wide = A.cols() > A.rows();  // then V is the U of the transposed one
    Bidiagonal b(wide ? transposed(A) : A);
    Matrix X;
    if (vectors != Vectors::none) X = !wide ? b.V() : b.U(vectors == Vectors::all ? A.cols() : A.rows());
    const bool wanted = vectors != Vectors::none;
    diagonalise(b.d, b.e, wanted && wide ? &X : nullptr, wanted && !wide ? &X : nullptr);

    // A column of U or V may be taken with the other sign.
    std::vector<int> order(static_cast<std::size_t>(std::max(b.d.size(), X.cols())));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.begin() + b.d.size(),
                     [&](int i, int k) { return std::fabs(b.d[i]) > std::fabs(b.d[k]); });
    SingularValues out;
    out.sigma = Vector(b.d.size());
    for (int i = 0; i < out.sigma.size(); ++i) out.sigma[i] = std::fabs(b.d[order[static_cast<std::size_t>(i)]]);
    if (wanted) out.V = some_columns(X, order);
    return out;
}

}  // namespace armature::doctor

// Spans of a handful of vectors in few dimensions: rank, and a basis of what is at right angles to them. Gram–Schmidt that
// takes the longest remainder first, twice over: enough for rows of size one.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace armature::test {

template <std::size_t n>
class Span {
  public:
    using Vector = std::array<double, n>;

    explicit Span(std::vector<Vector> vectors, double tolerance = 1e-9) {
        while (!vectors.empty()) {
            std::size_t longest = 0;
            for (std::size_t i = 1; i < vectors.size(); ++i)
                if (length(vectors[i]) > length(vectors[longest])) longest = i;
            const double pivot = length(vectors[longest]);
            if (!(pivot > tolerance)) break;
            smallest_pivot_ = pivot;
            add(vectors[longest]);
            vectors.erase(vectors.begin() + static_cast<std::ptrdiff_t>(longest));
            for (Vector& v : vectors) remove(v);
        }
    }

    int rank() const { return static_cast<int>(basis_.size()); }
    /// How clear the rank is: every vector that counted added at least this much.
    double smallest_pivot() const { return smallest_pivot_; }

    /// Unit vectors at right angles to all of the span and to each other.
    std::vector<Vector> complement() const {
        Span whole = *this;
        for (std::size_t added = basis_.size(); added < n; ++added) {
            Vector best{};
            for (std::size_t axis = 0; axis < n; ++axis) {
                Vector e{};
                e[axis] = 1;
                whole.remove(e);
                if (length(e) > length(best)) best = e;
            }
            whole.add(best);
        }
        return {whole.basis_.begin() + rank(), whole.basis_.end()};
    }

    static double dot(const Vector& a, const Vector& b) {
        double s = 0;
        for (std::size_t i = 0; i < n; ++i) s += a[i] * b[i];
        return s;
    }

  private:
    static double length(const Vector& v) { return std::sqrt(dot(v, v)); }
    void remove(Vector& v) const {
        for (int pass = 0; pass < 2; ++pass)
            for (const Vector& b : basis_) {
                const double s = dot(v, b);
                for (std::size_t i = 0; i < n; ++i) v[i] -= s * b[i];
            }
    }
    void add(Vector v) {
        const double l = length(v);
        for (double& x : v) x /= l;
        basis_.push_back(v);
    }

    std::vector<Vector> basis_;
    double smallest_pivot_ = 0;
};

}  // namespace armature::test

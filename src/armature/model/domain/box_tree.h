// A tree of axis-parallel boxes over many pieces (of a curve, of a surface), to find the piece nearest to a point
// without looking at all of them.
//
//   dist²(p, box) = Σ_k max(low_k − p_k, 0, p_k − high_k)²   is never more than the distance to anything inside.
// A subtree whose box is farther than the nearest piece so far is skipped: about log n pieces are looked at near the
// surface, up to n of them on a medial axis (the centre of a finely divided sphere), where all are as near.
//
// Of pieces that are equally near the one with the lowest number is the answer, so that it does not depend on the order in
// which the tree was walked. A query allocates nothing. Units: metres.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "armature/math/vec3.h"

namespace armature {

struct Bounds3 {
    Vec3 low, high;

    void include(const Vec3& p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    double distance2(const Vec3& p) const {
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            const double out = std::max({low[k] - p[k], p[k] - high[k], 0.0});
            sum += out * out;
        }
        return sum;
    }
};

class BoxTree {
  public:
    BoxTree() = default;
    /// Over the pieces 0 … n−1, each inside its box.
    explicit BoxTree(const std::vector<Bounds3>& pieces);

    /// Calls distance2(piece) → m² for every piece that may be the nearest to p; returns the nearest, −1 for no pieces.
    template <class Distance2>
    int nearest(const Vec3& p, Distance2 distance2) const;

    int depth() const { return depth_; }

  private:
    struct Node {
        Bounds3 box;
        int first = 0;  ///< of a leaf: into order_; otherwise the second child (the first one follows its parent)
        int count = 0;  ///< pieces of a leaf; 0: not a leaf
    };
    struct Visit {
        int node;
        double distance2;
    };
    int build(const std::vector<Bounds3>& pieces, int begin, int end, int depth);
    const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }

    // Halving the pieces at every level, 2³¹ of them are 32 deep.
    static constexpr int max_depth = 40;
    std::vector<Node> nodes_;
    std::vector<int> order_;  ///< pieces, those of a leaf side by side
    int depth_ = 0;
};

template <class Distance2>
int BoxTree::nearest(const Vec3& p, Distance2 distance2) const {
    if (nodes_.empty()) return -1;
    std::array<Visit, max_depth + 1> stack;
    std::size_t top = 0;
    int best = -1;
    double best2 = 0;
    stack[top++] = {0, at(0).box.distance2(p)};
    while (top > 0) {
        Visit v = stack[--top];
        // Equally far is not yet too far: the lower number must be found.
        while (best < 0 || v.distance2 <= best2) {
            const Node& n = at(v.node);
            if (n.count > 0) {
                for (int i = n.first; i < n.first + n.count; ++i) {
                    const int piece = order_[static_cast<std::size_t>(i)];
                    const double d2 = distance2(piece);
                    if (best >= 0 && !(d2 < best2 || (d2 == best2 && piece < best))) continue;
                    best = piece;
                    best2 = d2;
                }
                break;
            }
            Visit near{v.node + 1, at(v.node + 1).box.distance2(p)}, far{n.first, at(n.first).box.distance2(p)};
            if (far.distance2 < near.distance2) std::swap(near, far);
            stack[top++] = far;
            v = near;
        }
    }
    return best;
}

}  // namespace armature

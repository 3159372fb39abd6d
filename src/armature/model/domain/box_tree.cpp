#include "armature/model/domain/box_tree.h"

namespace armature {

namespace {

constexpr int pieces_per_leaf = 4;

Vec3 centre(const Bounds3& b) {
    return 0.5 * b.low + 0.5 * b.high;
}

}  // namespace

BoxTree::BoxTree(const std::vector<Bounds3>& pieces) {
    if (pieces.empty()) return;
    order_.resize(pieces.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    build(pieces, 0, static_cast<int>(pieces.size()), 1);
}

int BoxTree::build(const std::vector<Bounds3>& pieces, int begin, int end, int depth) {
    depth_ = std::max(depth_, depth);
    const auto box_of = [&](int i) -> const Bounds3& {
        return pieces[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
    };
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({box_of(begin), begin, end - begin});
    Bounds3 box = box_of(begin), centres{centre(box), centre(box)};
    for (int i = begin; i < end; ++i) {
        box.include(box_of(i).low);
        box.include(box_of(i).high);
        centres.include(centre(box_of(i)));
    }
    nodes_.back().box = box;
    if (end - begin <= pieces_per_leaf) return node;
    const Vec3 extent = centres.high - centres.low;
    const int axis = extent.x >= extent.y ? (extent.x >= extent.z ? 0 : 2) : (extent.y >= extent.z ? 1 : 2);
    const int middle = begin + (end - begin) / 2;
    // By number where the places are equal: one order on every machine.
    std::sort(order_.begin() + begin, order_.begin() + end, [&](int a, int b) {
        const double ca = centre(pieces[static_cast<std::size_t>(a)])[axis],
                     cb = centre(pieces[static_cast<std::size_t>(b)])[axis];
        return ca != cb ? ca < cb : a < b;
    });
    build(pieces, begin, middle, depth + 1);
    const int second = build(pieces, middle, end, depth + 1);
    nodes_[static_cast<std::size_t>(node)].first = second;
    nodes_[static_cast<std::size_t>(node)].count = 0;
    return node;
}

}  // namespace armature

#include "armature/solvers/linearized/tree_closing.h"

#include <algorithm>

namespace armature {

namespace {

std::size_t idx(int i) {
    return static_cast<std::size_t>(i);
}

/// The point that ties the two solids of a joint together; null when it has none, or not always.
const PointPart* tie(const Joint& joint) {
    if (joint.soft || joint.from != -infinity || joint.until != infinity) return nullptr;
    for (const Part& part : joint.parts)
        if (const auto* point = std::get_if<PointPart>(&part);
            point && std::holds_alternative<PointDomain>(point->domain))
            return point;
    return nullptr;
}

/// The axis of a pin; null when the joint is none.
const AnglePart* pin_axis(const Joint& joint) {
    for (const Part& part : joint.parts)
        if (const auto* angle = std::get_if<AnglePart>(&part); angle && angle->max <= 0) return angle;
    return nullptr;
}

/// The tie at place k; it stands in for those after it.
void add_tie(std::vector<TieLanes>& ties, std::size_t k, int from, int to, const Vec3& at_from, const Vec3& at_to) {
    if (k % 8 == 0) ties.emplace_back();
    TieLanes& t = ties.back();
    for (std::size_t lane = k % 8; lane < 8; ++lane) {
        for (int axis = 0; axis < 3; ++axis) {
            t.at_from[axis][lane] = at_from[axis];
            t.at_to[axis][lane] = at_to[axis];
        }
        t.from[lane] = from;
        t.to[lane] = to;
    }
    t.from_in_a_row = t.to_in_a_row = true;
    for (int lane = 1; lane < 8; ++lane) {
        t.from_in_a_row = t.from_in_a_row && t.from[lane] == t.from[0] + lane;
        t.to_in_a_row = t.to_in_a_row && t.to[lane] == t.to[0] + lane;
    }
}

}  // namespace

void TreeClosing::make(const CorrectionProblem& p, Walk& walk) {
    walk = {};
    walk.fingerprint = p.model.fingerprint;
    walk.joints = p.island.joints.size();
    const int moving = p.island.dynamic_count;
    std::vector<std::vector<std::size_t>> at(p.island.bodies.size());  // joints that tie
    for (std::size_t k = 0; k < p.island.joints.size(); ++k) {
        const Island::LocalJoint& j = p.island.joints[k];
        if (!tie(p.model.joints[idx(j.joint)])) continue;
        at[idx(j.body1)].push_back(k);
        at[idx(j.body2)].push_back(k);
    }
    std::vector<char> placed(p.island.bodies.size(), 0), walked(p.island.joints.size(), 0);
    std::vector<int> queue;
    const auto grow = [&] {
        for (std::size_t next = 0; next < queue.size(); ++next) {
            const int from = queue[next];
            for (const std::size_t k : at[idx(from)]) {
                const Island::LocalJoint& j = p.island.joints[k];
                const bool first = j.body1 == from;
                const int to = first ? j.body2 : j.body1;
                if (placed[idx(to)]) continue;
                const Joint& joint = p.model.joints[idx(j.joint)];
                const PointPart& point = *tie(joint);
                add_tie(walk.ties, walk.strides.size(), from, to, first ? point.p1_G : point.p2_G,
                        first ? point.p2_G : point.p1_G);
                walk.strides.push_back({from, to, p.body(to).mass});
                const AnglePart* axis = pin_axis(joint);
                if (axis)
                    walk.pins.push_back({from, to, first ? axis->a1_B : axis->a2_B, first ? axis->a2_B : axis->a1_B});
                walked[k] = joint.parts.size() == (axis ? 2 : 1);
                placed[idx(to)] = 1;
                queue.push_back(to);
            }
        }
        queue.clear();
    };
    for (int i = moving; i < static_cast<int>(p.island.bodies.size()); ++i) {
        placed[idx(i)] = 1;
        queue.push_back(i);
    }
    grow();
    for (int i = 0; i < moving; ++i) {
        if (placed[idx(i)]) continue;
        walk.floating.push_back(walk.strides.size());
        placed[idx(i)] = 1;
        queue.push_back(i);
        grow();
    }
    for (std::size_t k = 0; k < walked.size(); ++k)
        if (!walked[k]) walk.open.push_back(k);
}

LeftOpen TreeClosing::close(CorrectionProblem& p) {
    Walk& walk = walks_[&p.island];
    if (walk.fingerprint != p.model.fingerprint || walk.joints != p.island.joints.size()) make(p, walk);
    for (const Pin& pin : walk.pins) {
        Quat& q = p.q[idx(pin.to)];
        q = normalized(shortest_arc(rotate(q, pin.axis_to), rotate(p.q[idx(pin.from)], pin.axis_from)) * q);
    }
    find_offsets(walk.ties, p.q, offsets_);
    // Along a chain each is placed by the one before: what was just written is not read back, which would take longer than to add.
    const auto place_from = [&](std::size_t begin, std::size_t end) {
        int last = -1;
        Vec3 at;
        for (std::size_t k = begin; k < end; ++k) {
            const Stride& s = walk.strides[k];
            if (s.from != last) at = p.x[idx(s.from)];
            at += offsets_[k];
            p.x[idx(s.to)] = at;
            last = s.to;
        }
    };
    // Where nothing holds the tree.
    const auto float_from = [&](std::size_t begin, std::size_t end) {
        if (begin == end) return;
        const int root = walk.strides[begin].from;
        Vec3 carried;  // Σ m Δx
        double mass = p.body(root).mass;
        for (std::size_t k = begin; k < end; ++k) {
            const Stride& s = walk.strides[k];
            const Vec3 before = p.x[idx(s.to)];
            place_from(k, k + 1);
            carried += s.mass * (p.x[idx(s.to)] - before);
            mass += s.mass;
        }
        const Vec3 back = (-1 / mass) * carried;
        p.x[idx(root)] += back;
        for (std::size_t k = begin; k < end; ++k) p.x[idx(walk.strides[k].to)] += back;
    };
    const std::size_t held = walk.floating.empty() ? walk.strides.size() : walk.floating.front();
    place_from(0, held);
    for (std::size_t t = 0; t < walk.floating.size(); ++t)
        float_from(walk.floating[t], t + 1 < walk.floating.size() ? walk.floating[t + 1] : walk.strides.size());

    LeftOpen left;
    for (const std::size_t k : walk.open) {
        const Island::LocalJoint& j = p.island.joints[k];
        const Joint& joint = p.model.joints[idx(j.joint)];
        if (!p.holds(joint)) continue;
        const Placement b1{p.x[idx(j.body1)], to_matrix(p.q[idx(j.body1)])};
        const Placement b2{p.x[idx(j.body2)], to_matrix(p.q[idx(j.body2)])};
        for (const Part& part : joint.parts) {
            const double v = violation(part, b1, b2);
            if (v <= left.worst) continue;
            left = {v, static_cast<int>(k)};
        }
    }
    return left;
}

}  // namespace armature

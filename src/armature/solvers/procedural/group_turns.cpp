#include "armature/solvers/procedural/group_turns.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

/// Pins count more than a hand: at a rest short of the target the compromise is the hand's.
constexpr double pin_weight = 30;

Vec3 world(const PlacingContext& c, int body, const Vec3& p) {
    return (*c.x)[static_cast<std::size_t>(body)] + rotate((*c.q)[static_cast<std::size_t>(body)], p);
}

}  // namespace

void GroupTurns::begin(const PlacingContext& context, const Structure& structure, const Component& component,
                       int anchor, int root) {
    c_ = &context;
    structure_ = &structure;
    order_.clear();
    const Link& held = structure.link(anchor);
    order_.push_back({anchor, held.other(root), root});
    place_.assign(context.x->size(), 0);
    // Depth first: a stack of strides not yet made, in `stack_` as pairs (link, from).
    stack_.clear();
    const auto leave = [&](int body, int by) {
        structure.neighbours(body, [&](const Neighbour& n) {
            if (n.link == by) return;
            stack_.push_back(n.link);
            stack_.push_back(body);
        });
    };
    leave(root, -1);
    while (!stack_.empty()) {
        const int from = stack_.back();
        stack_.pop_back();
        const int link = stack_.back();
        stack_.pop_back();
        const int to = structure.link(link).other(from);
        place_[idx(to)] = order_.size();
        order_.push_back({link, from, to});
        leave(to, link);
    }
    end_.assign(order_.size(), 0);
    for (std::size_t k = order_.size(); k-- > 0;) {
        end_[k] = std::max(end_[k], k + 1);
        if (k > 0) {
            std::size_t& above = end_[place_[idx(order_[k].from)]];
            above = std::max(above, end_[k]);
        }
    }
    count_ = 0;
    for (auto* rel : {&rel_, &rel_last_, &saved_q_}) rel->reserve(order_.size());
    saved_x_.reserve(order_.size());
    goals_.clear();
    goals_.reserve(6 * static_cast<std::size_t>(component.closures));
    for (int k = 0; k < component.closures; ++k) {
        const int closure = structure.closure(component.first_closure + k);
        if (closure != anchor) add_goals(structure.link(closure));
    }
}

void GroupTurns::add_goals(const Link& link) {
    const Model& model = *c_->model;
    const Joint& joint = model.joints[idx(c_->island->joints[idx(link.joint)].joint)];
    const int movable = c_->island->dynamic_count;
    const auto add = [&](const Vec3& p1, const Vec3& p2, const PointPart* part) {
        const double weight = link.drag ? 1 : pin_weight;
        if (link.body1 < movable)
            goals_.push_back({link.body1, link.body2, p1, p2, weight, link.drag, part, true, {}, {}});
        if (link.body2 < movable)
            goals_.push_back({link.body2, link.body1, p2, p1, weight, link.drag, part, false, {}, {}});
    };
    if (link.point >= 0) {
        const auto& part = std::get<PointPart>(joint.parts[idx(link.point)]);
        add(link.p1, link.p2, std::holds_alternative<PointDomain>(part.domain) ? nullptr : &part);
    }
    const auto body = [&](int l) -> const Body& { return model.bodies[idx(c_->island->bodies[idx(l)])]; };
    const double lever =
        std::max(link.body1 < movable ? body(link.body1).size : 0, link.body2 < movable ? body(link.body2).size : 0);
    if (link.axis < 0) return;
    const auto& angle = std::get<AnglePart>(joint.parts[idx(link.axis)]);
    const double side = angle.min == 0 ? 1 : -1;
    add(link.p1 + lever * angle.a1_B, link.p2 + (side * lever) * angle.a2_B, nullptr);
    if (link.turning != Link::Turning::locked) return;
    for (const Part& part : joint.parts)
        if (const auto* twist = std::get_if<TwistPart>(&part); twist && twist->min == 0 && side > 0)
            add(link.p1 + lever * twist->b1_B, link.p2 + lever * twist->b2_B, nullptr);
}

bool GroupTurns::behind(int body, std::size_t first, std::size_t last) const {
    if (body >= c_->island->dynamic_count) return false;
    const std::size_t at = place_[idx(body)];
    return at >= first && at < last;
}

void GroupTurns::measure_goals(std::size_t first, std::size_t last, bool with_drags) {
    for (Goal& g : goals_) {
        if ((g.drag && !with_drags) || !behind(g.body, first, last)) continue;
        g.e_W = world(*c_, g.body, g.p);
        if (!g.part) {
            g.t_W = world(*c_, g.other, g.t);
            continue;
        }
        const auto at = [&](int b) { return Placement{(*c_->x)[idx(b)], to_matrix((*c_->q)[idx(b)])}; };
        const PointError e =
            g.first ? measure(*g.part, at(g.body), at(g.other)) : measure(*g.part, at(g.other), at(g.body));
        g.t_W = g.first ? g.e_W + e.d : world(*c_, g.other, g.t);
        if (!g.first) g.e_W = g.t_W + e.d;  // the nearest place moves with this solid
    }
}

double GroupTurns::misfit(std::size_t first, std::size_t last, bool with_drags) const {
    double f = 0;
    for (const Goal& g : goals_) {
        if ((g.drag && !with_drags) || !behind(g.body, first, last) || behind(g.other, first, last)) continue;
        f += g.weight * norm2(g.t_W - g.e_W);
    }
    return f;
}

Quat GroupTurns::best_turn(const Vec3& P, const Vec3* axis, std::size_t first, std::size_t last,
                           bool with_drags) const {
    Vec3 sum;
    double dots = 0;
    const auto each = [&](auto visit) {
        for (const Goal& g : goals_) {
            if ((g.drag && !with_drags) || !behind(g.body, first, last) || behind(g.other, first, last)) continue;
            visit(g.weight, g.e_W - P, g.t_W - P);
        }
    };
    each([&](double w, const Vec3& u, const Vec3& v) {
        sum += w * cross(u, v);
        dots += w * dot(u, v);
    });
    if (axis) sum = dot(sum, *axis) * *axis;
    const double sine = norm(sum);
    if (!(sine > 0)) return {};
    const Vec3 n = sum / sine;
    each([&](double w, const Vec3& u, const Vec3& v) { dots -= w * dot(u, n) * dot(v, n); });
    return exp_rotation(std::atan2(sine, dots) * n);
}

void GroupTurns::move_group(std::size_t first, std::size_t last, const Quat& Q, const Vec3& P, const Vec3& way) {
    for (std::size_t k = first; k < last; ++k) {
        const std::size_t b = idx(order_[k].to);
        (*c_->x)[b] = P + rotate(Q, (*c_->x)[b] - P) + way;
        (*c_->q)[b] = normalized(Q * (*c_->q)[b]);
    }
}

void GroupTurns::read_joints(std::vector<Quat>& rel) const {
    rel.resize(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k)
        rel[k] = conjugate((*c_->q)[idx(order_[k].from)]) * (*c_->q)[idx(order_[k].to)];
}

void GroupTurns::set_joints(Placer& placer, const std::vector<Quat>& rel) {
    for (std::size_t k = 0; k < order_.size(); ++k) {
        const Stride& s = order_[k];
        (*c_->q)[idx(s.to)] = normalized((*c_->q)[idx(s.from)] * rel[k]);
        placer.settle(structure_->link(s.link), s.to);
    }
}

void GroupTurns::sweep(Placer& placer, bool with_drags) {
    read_joints(rel_);
    if (count_ == 0) {
        measure_goals(0, order_.size(), with_drags);
        f_last_ = misfit(0, order_.size(), with_drags);
    } else {
        const double beta = count_ / (count_ + 3.0);
        rel_last_.swap(rel_);  // rel_: the sweep before the last; rel_last_: the last
        for (std::size_t k = 0; k < rel_.size(); ++k) {
            const Vec3 turned_by = log_rotation(conjugate(rel_[k]) * rel_last_[k]);
            rel_[k] = normalized(rel_last_[k] * exp_rotation(beta * turned_by));
        }
        set_joints(placer, rel_);
    }
    if (count_ == 0) rel_last_ = rel_;
    turn_joints(placer, with_drags);
    measure_goals(0, order_.size(), with_drags);
    const double f = misfit(0, order_.size(), with_drags);
    if (f <= f_last_) {
        f_last_ = f;
        ++count_;
        return;
    }
    set_joints(placer, rel_last_);
    count_ = 0;
}

void GroupTurns::turn_joints(Placer& placer, bool with_drags) {
    for (std::size_t k = order_.size(); k-- > 0;) {
        const Stride& s = order_[k];
        const Link& link = structure_->link(s.link);
        if (link.turning == Link::Turning::locked || link.point < 0) continue;
        measure_goals(k, end_[k], with_drags);
        const double before = misfit(k, end_[k], with_drags);
        if (!(before > 0)) continue;
        const Vec3 P = placer.joint_point(link);
        Vec3 axis;
        const bool hinge = link.turning == Link::Turning::hinge;
        if (hinge) axis = placer.hinge_axis(link, s.from);
        const Quat Q = best_turn(P, hinge ? &axis : nullptr, k, end_[k], with_drags);
        const std::size_t b = idx(s.to);
        const Vec3 x = (*c_->x)[b];
        const Quat q = (*c_->q)[b];
        placer.turn(s.to, Q, &P);
        placer.clamp(link, s.to, &P);
        const Quat whole = (*c_->q)[b] * conjugate(q);
        const Vec3 way = (*c_->x)[b] - (P + rotate(whole, x - P));
        saved_x_.clear();
        saved_q_.clear();
        saved_x_.push_back(x);
        saved_q_.push_back(q);
        for (std::size_t i = k + 1; i < end_[k]; ++i) {
            saved_x_.push_back((*c_->x)[idx(order_[i].to)]);
            saved_q_.push_back((*c_->q)[idx(order_[i].to)]);
        }
        move_group(k + 1, end_[k], whole, P, way);
        measure_goals(k, end_[k], with_drags);
        if (misfit(k, end_[k], with_drags) < before) continue;
        for (std::size_t i = k; i < end_[k]; ++i) {
            (*c_->x)[idx(order_[i].to)] = saved_x_[i - k];
            (*c_->q)[idx(order_[i].to)] = saved_q_[i - k];
        }
    }
}

}  // namespace armature
